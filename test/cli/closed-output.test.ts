import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

/** Runs the program and closes one of its outputs before it can write there. */
async function withClosed(output: 'stdout' | 'stderr', args: readonly string[]) {
  const child = spawn(process.execPath, ['dist/cli/main.js', ...args]);
  let text = '';
  child[output === 'stdout' ? 'stderr' : 'stdout'].on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  child[output].destroy();
  const [status, signal] = await once(child, 'close');
  return { status, signal, text };
}

test.each([
  ['--help', 0],
  ['explain', 0],
  ['verify --help', 0],
] as const)('%s: a reader that has left ends nothing in an error', async (line, status) => {
  expect(await withClosed('stdout', line.split(' '))).toEqual({ status, signal: null, text: '' });
});

test('wrong usage keeps its exit status where nobody reads the error', async () => {
  expect(await withClosed('stderr', ['verify', '--no-such-flag'])).toMatchObject({ status: 2 });
});
