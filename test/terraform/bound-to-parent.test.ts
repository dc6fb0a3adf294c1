import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { boundToParent, canBind } from '../../src/terraform/program.js';

/** A process that starts another one, and says which. */
async function startParent(child: readonly [string, readonly string[]]) {
  const script = `const [program, args] = ${JSON.stringify(child)};
    const { pid } = require('child_process').spawn(program, args, { detached: true });
    console.log(pid);
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [line] = await once(parent.stdout, 'data');
  const pid = Number(String(line));
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  return { parent, pid };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const LASTING = ['-e', 'setInterval(() => {}, 1000)'];

test.skipIf(!canBind())(
  'a program ends when its parent is killed, and only if it is bound',
  async () => {
    const bound = await startParent(boundToParent(process.execPath, LASTING));
    const free = await startParent([process.execPath, LASTING]);
    await sleep(300);
    expect([isAlive(bound.pid), isAlive(free.pid)]).toEqual([true, true]);
    for (const { parent } of [bound, free]) {
      parent.kill('SIGKILL');
      await once(parent, 'exit');
    }
    while (isAlive(bound.pid)) await sleep(20);
    expect(isAlive(free.pid)).toBe(true);
  },
);
