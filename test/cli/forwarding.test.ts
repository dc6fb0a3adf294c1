import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { forwarding } from '../../src/cli/program/signals.js';

test('a signal that comes while a command starts ends the command, and not this process alone', async () => {
  const started = forwarding(() => {
    process.kill(process.pid, 'SIGTERM');
    return spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  });
  expect(await started).toMatchObject({ status: 143, asked: 'SIGTERM' });
});
