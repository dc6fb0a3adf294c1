import { expect, test } from 'vitest';
import { runCli } from '../support/run-cli.js';

const LINE =
  'secure-connectivity: run.too-many-files: this process may open no more files, got: EMFILE; raise the limit (ulimit -n)\n';

/** Node.js 20 opens the files of a program side by side, newer ones nearly always one after the other. */
const OPENS_SIDE_BY_SIDE = Number.parseInt(process.versions.node, 10) < 22;

test.each([
  ['explain', 'tcp.timeout'],
  ['verify', '--help'],
  ['review', '--help'],
  ['deploy', '--help'],
])('%s says in one line that it may open too few files, or needs no more', async (...args) => {
  const { exit, stdout, stderr } = await runCli(args, { mostFiles: 22 });
  if (OPENS_SIDE_BY_SIDE)
    expect({ exit, stdout, stderr }).toEqual({ exit: 20, stdout: '', stderr: LINE });
  else {
    const ends = [
      { exit: 0, stderr: '' },
      { exit: 20, stderr: LINE },
    ];
    expect(ends).toContainEqual({ exit, stderr });
  }
});

// Newer ones need so few at once that either all is well or Node.js itself does not start.
test.skipIf(!OPENS_SIDE_BY_SIDE)(
  'a command that meets the limit in its work says the same (Node.js 20)',
  async () => {
    const link = ['--base-url', 'https://x.test', '--via', 'internet', '--api-host', 'x.test'];
    const args = ['exporter', ...link, '--no-auth'];
    const { exit, stderr } = await runCli(args, { mostFiles: 40 });
    expect({ exit, stderr }).toEqual({ exit: 20, stderr: LINE });
  },
);
