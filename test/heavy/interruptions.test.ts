import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VPC } from '../sandbox/support.js';
import { deployableStack } from '../support/deployable-stacks.js';
import { InterruptibleDeploy } from '../support/interruptible-deploy.js';
import { descendants, kill } from '../support/kill.js';
import { StackRun } from '../support/stack-run.js';

/** The number of kills of each; 50 before a release, fewer on every push. */
const KILLS = Number(process.env.SECURE_CONNECTIVITY_KILLS ?? 3);
const STACKS = ['api-access', 'plugin-access'] as const;
const LAST_OBJECT = 10;
const MINUTES = 60_000;

const deploys = new Map<string, InterruptibleDeploy>();
beforeAll(async () => {
  for (const name of STACKS) {
    const deploy = await InterruptibleDeploy.start({
      name: `${name}-test`,
      stack: deployableStack(name),
    });
    deploys.set(name, deploy);
  }
});
afterAll(async () => {
  for (const deploy of deploys.values()) await deploy.stop();
});

/** The same moments in every run, spread over the whole deploy. */
function moments(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: KILLS }, (_, index) => ({
    stack: STACKS[index % STACKS.length] ?? 'api-access',
    objects: 1 + Math.floor(next() * LAST_OBJECT),
    thenMs: Math.floor(next() * 150),
  }));
}

const kills = (['terraform', 'provider'] as const).flatMap((victim, seed) =>
  moments(seed + 1).map((moment) => ({ victim, ...moment })),
);

test.each(kills)(
  'heals a kill of $victim in $stack, $thenMs ms after object $objects',
  async ({ victim, stack, objects, thenMs }) => {
    const deploy = deploys.get(stack);
    if (deploy === undefined) throw new Error(`${stack} is not there`);
    deploy.reset();
    await deploy.applyAndKill(victim, objects, thenMs);
    const adopted = await deploy.adopt();
    expect(adopted.status, adopted.output).toBe(0);
    const { applied, madeTwice, again } = await deploy.finish();
    expect(applied.status, applied.output).toBe(0);
    expect(madeTwice).toEqual([]);
    expect(again.status, again.output).toBe(0);
  },
  5 * MINUTES,
);

const STACK = 'api-access-sandbox';

test.each(moments(3))(
  'heals a kill of cdktf, $thenMs ms after object $objects',
  async ({ objects, thenMs }) => {
    const run = await StackRun.start({ taskPolls: 6 });
    try {
      run.change('sandbox', (settings) => {
        settings.check = { mode: 'off' };
      });
      await killCdktf(run, 1 + (objects % 4), thenMs);
      const folder = join(run.folder, 'cdktf.out', 'stacks', STACK);
      const main = resolve('dist/cli/main.js');
      const adopted = await run.run(process.execPath, [main, 'adopt', folder], {});
      expect(adopted.status, adopted.output).toBe(0);
      const args = ['-auto-approve', '-input=false', '-no-color'];
      const applied = await run.terraform(STACK, ['apply', ...args]);
      expect(applied.status, applied.output).toBe(0);
      expect(run.sandbox.resources()).toHaveLength(4);
      expect(run.sandbox.cloud.list(VPC)).toHaveLength(1);
      const again = await run.terraform(STACK, ['plan', '-detailed-exitcode', '-no-color']);
      expect(again.status, again.output).toBe(0);
    } finally {
      await run.stop();
    }
  },
  5 * MINUTES,
);

/** Kills cdktf alone; Terraform, which it leaves behind, is given time to end, as it would have. */
async function killCdktf(run: StackRun, objects: number, thenMs: number): Promise<void> {
  const output = join(run.folder, 'cdktf.out');
  const args = ['deploy', STACK, '--auto-approve', '--output', output];
  const env = { ...process.env, ...run.sandbox.env, CI: 'true' };
  const child = spawn(resolve('node_modules/.bin/cdktf'), args, {
    stdio: 'ignore',
    env: { ...env, CONNECTIVITY_SETTINGS: join(run.folder, 'settings') },
  });
  const pid = child.pid ?? 0;
  while (child.exitCode === null && run.sandbox.resources().length < objects) await sleep(2);
  await sleep(thenMs);
  const below = descendants(pid);
  kill(pid);
  for (let tries = 0; tries < 150 && below.some(isAlive); tries += 1) await sleep(200);
  for (const one of below) kill(one);
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}
