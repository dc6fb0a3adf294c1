import { afterEach, describe, expect, test } from 'vitest';
import { BALANCER } from '../sandbox/support.js';
import { deployableStack } from '../support/deployable-stacks.js';
import { startHttpStates } from '../support/http-states.js';
import { InterruptibleDeploy } from '../support/interruptible-deploy.js';
import type { StateServer } from '../support/state-server.js';
import { HAS_POSTGRES, startPostgres } from './support/postgres.js';

interface Backend {
  readonly name: string;
  readonly isHere: boolean;
  readonly start: () => Promise<StateServer>;
  /** True if a Terraform that is killed leaves its lock behind. */
  readonly keepsLocks: boolean;
}

const BACKENDS: readonly Backend[] = [
  { name: 'http with locks', isHere: true, start: startHttpStates, keepsLocks: true },
  { name: 'PostgreSQL', isHere: HAS_POSTGRES, start: startPostgres, keepsLocks: false },
];

let parts: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of parts.toReversed()) await part.stop();
  parts = [];
});

async function deployed(start: Backend['start']): Promise<InterruptibleDeploy> {
  const state = await start();
  parts.push(state);
  const stack = deployableStack('plugin-access');
  const deploy = await InterruptibleDeploy.start({ name: 'plugin-access-test', stack, state });
  parts.push(deploy);
  const { status, output } = await deploy.apply();
  expect(status, output).toBe(0);
  return deploy;
}

/** The state is locked until the command is run that `adopt` names. */
async function unlock(deploy: InterruptibleDeploy): Promise<void> {
  const locked = await deploy.adopt(['--lock-timeout', '1s']);
  expect(locked.status, locked.output).toBe(2);
  expect(locked.output).toContain('the state of plugin-access-test is locked by another run');
  const id = /force-unlock ([\w-]+)$/m.exec(locked.output)?.[1] ?? '';
  const unlocked = await deploy.terraform(['force-unlock', '-force', id]);
  expect(unlocked.status, unlocked.output).toBe(0);
}

describe.each(BACKENDS)('with the state in $name', ({ isHere, start, keepsLocks }) => {
  test.skipIf(!isHere).each(['terraform', 'provider'] as const)(
    'a kill of the %s while a balancer is replaced heals',
    async (victim) => {
      const deploy = await deployed(start);
      deploy.change(deployableStack('plugin-access', '10.41'));
      await deploy.applyAndKill(victim, 1, 10, BALANCER);
      if (victim === 'terraform' && keepsLocks) await unlock(deploy);
      const refused = await deploy.adopt();
      expect(refused.status, refused.output).toBe(22);
      const made = [...refused.output.matchAll(/ is (\S+) \(.*\), made to replace /g)];
      expect(made.map(([, id]) => id)).toContainEqual(expect.stringMatching(/^clb-/));
      for (const objects of Object.values(deploy.sandbox.cloud.state.resources)) {
        for (const [, id = ''] of made) delete objects[id];
      }
      // An object that the same kill left half deleted is listed by itself.
      await deploy.runPrinted((await deploy.adopt()).output);
      const { applied, madeTwice, again } = await deploy.finish();
      expect(applied.status, applied.output).toBe(0);
      expect(madeTwice).toEqual([]);
      expect(again.status, again.output).toBe(0);
    },
  );
});
