import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from '../../../src/sandbox/listeners/listen.js';
import { runCli } from '../../support/run-cli.js';

const LINE =
  'secure-connectivity: run.too-many-files: this process may open no more files, got: EMFILE; raise the limit (ulimit -n)\n';

/** Node.js 20 opens the files of a program side by side, newer ones nearly always one after the other. */
const OPENS_SIDE_BY_SIDE = Number.parseInt(process.versions.node, 10) < 22;

/** The end of a program under the highest limit, from this one down, that it cannot do its work with. */
async function firstFailure(args: readonly string[], from: number, good: number) {
  for (let mostFiles = from; mostFiles > 0; mostFiles -= 1) {
    const { exit, stdout, stderr } = await runCli(args, { mostFiles });
    if (exit !== good) return { exit, stdout, stderr };
  }
  throw new Error('it needs no file at all');
}

test.each([
  ['explain', 'tcp.timeout'],
  ['verify', '--help'],
  ['review', '--help'],
  ['deploy', '--help'],
])('%s says in one line that it may open too few files, or needs no more', async (...args) => {
  const { exit, stderr } = await runCli(args, { mostFiles: 22 });
  const ends = [
    { exit: 0, stderr: '' },
    { exit: 20, stderr: LINE },
  ];
  expect(ends).toContainEqual({ exit, stderr });
});

// Newer ones need so few at once that either all is well or Node.js itself does not start.
test.skipIf(!OPENS_SIDE_BY_SIDE)(
  'a command says the same under the first limit that is too low for it (Node.js 20)',
  async () => {
    const end = await firstFailure(['explain', 'tcp.timeout'], 30, 0);
    expect(end).toEqual({ exit: 20, stdout: '', stderr: LINE });
  },
);

test.skipIf(!OPENS_SIDE_BY_SIDE)(
  'a command that meets the limit in its work says the same (Node.js 20)',
  async () => {
    const taken = await listen(createServer());
    const link = ['--base-url', 'https://x.test', '--via', 'internet', '--api-host', 'x.test'];
    const args = ['exporter', ...link, '--no-auth', '--listen', `127.0.0.1:${taken.port}`];
    const end = await firstFailure(args, 30, 2);
    expect(end).toEqual({ exit: 20, stdout: '', stderr: LINE });
    await taken.stop();
  },
);
