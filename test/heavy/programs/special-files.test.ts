import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/cleanup.js';

const MAIN = resolve('dist/cli/main.js');
const STACK = 'stacks/api';
const MANIFEST = 'manifest.json';
const CONFIGURATION = `${STACK}/cdk.tf.json`;

/** Contents that a reader would wait for, or could not hold. */
const CONTENTS: Readonly<Record<string, (file: string) => void>> = {
  'a pipe': (file) => execFileSync('mkfifo', [file]),
  'a sparse file of 2 GiB': (file) => {
    writeFileSync(file, '');
    truncateSync(file, 2 * 2 ** 30);
  },
  '200,000 nested lists': (file) => writeFileSync(file, '['.repeat(2e5) + ']'.repeat(2e5)),
};

async function treeWith(file: string, write: (file: string) => void): Promise<string> {
  const tree = await temporaryFolder();
  mkdirSync(join(tree, STACK), { recursive: true });
  const stack = { name: 'api', workingDirectory: STACK, synthesizedStackPath: CONFIGURATION };
  const manifest = {
    version: '0',
    stacks: { api: { ...stack, annotations: [], dependencies: [] } },
  };
  writeFileSync(join(tree, MANIFEST), JSON.stringify(manifest));
  writeFileSync(join(tree, CONFIGURATION), '{}');
  rmSync(join(tree, file));
  write(join(tree, file));
  return tree;
}

/** Runs a command that is killed where it does not end by itself. */
function ended(args: readonly string[]): Promise<{ status: number | null; stderr: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  const limit = setTimeout(() => child.kill('SIGKILL'), 30_000);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  return new Promise((done) =>
    child.on('close', (status) => {
      clearTimeout(limit);
      done({ status, stderr });
    }),
  );
}

const READERS: readonly (readonly [file: string, line: string])[] = [
  [CONFIGURATION, 'deploy --tree TREE api --auto-approve'],
  [CONFIGURATION, 'destroy --output TREE --skip-synth api --auto-approve'],
  [CONFIGURATION, `verify --stack TREE/${STACK}`],
  [CONFIGURATION, 'reach --tree TREE'],
  [CONFIGURATION, 'review --base TREE --head TREE'],
  [MANIFEST, 'deploy --tree TREE api --auto-approve'],
  [MANIFEST, 'reach --tree TREE'],
];

test.each(
  Object.keys(CONTENTS),
)('%s in a tree ends every command that reads it with one sentence', {
  timeout: 60_000,
}, async (content) => {
  const write = CONTENTS[content] ?? (() => undefined);
  const runs = READERS.map(async ([file, line]) => {
    const tree = await treeWith(file, write);
    return { line, ...(await ended(line.replaceAll('TREE', tree).split(' '))) };
  });
  for (const { line, status, stderr } of await Promise.all(runs)) {
    expect(status, `${line}: ${stderr}`).toBe(2);
    expect(stderr.trim().split('\n'), line).toHaveLength(1);
    expect(stderr).not.toContain('internal.bug');
  }
});
