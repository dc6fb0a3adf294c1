import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { terraformsIn, until } from '../support/deploying.js';
import { type HttpStates, startHttpStates } from '../support/http-states.js';
import { type Run, StackRun } from '../support/stack-run.js';

const STACK = 'api-access-sandbox';

let run: StackRun;
beforeEach(async () => {
  run = await StackRun.start();
});
afterEach(() => run.stop());

const folder = () => join(run.folder, 'cdktf.out', 'stacks', STACK);

/** Deploys, and does something once the output of the deploy, or anything else, is as described. */
function deploy(
  when: (output: string) => boolean = () => false,
  act: () => void = () => undefined,
  env: NodeJS.ProcessEnv = {},
): Promise<Run> {
  const output = join(run.folder, 'cdktf.out');
  return run.cli(
    ['deploy', STACK, '--auto-approve', '--output', output],
    env,
    ({ output: soFar }) => {
      until(() => when(soFar())).then(act, () => undefined);
    },
  );
}

const kill = (pids: readonly number[], signal: NodeJS.Signals = 'SIGKILL') => {
  for (const pid of pids) process.kill(pid, signal);
};

describe('a deploy fails whose Terraform is killed', () => {
  const ended = ({ status, output }: Run) => {
    expect(status, output).not.toBe(0);
    expect(output).not.toContain('Apply complete!');
  };

  test('while it initializes', async () => {
    const server = await startHttpStates();
    onTestFinished(server.stop);
    run.change('sandbox', (settings) => Object.assign(settings, { state: server.state }));
    // It asks for the state, and gets no answer before it is killed.
    server.isSilent = true;
    const init = () => terraformsIn(folder(), 'init');
    const env = { ...server.env, CONNECTIVITY_STATE_FOLDER: '' };
    const killed = await deploy(
      () => init().length > 0,
      () => kill(init()),
      env,
    );
    ended(killed);
    expect(killed.output).toContain('terraform init failed with exit code 137');
  });

  test.each([
    ['while it starts', ''],
    ['while it makes the network', 'network: Creating...'],
    ['while it makes the endpoint', 'endpoint.service-endpoint: Creating...'],
    ['while the check runs', 'null_resource.check: Creating...'],
  ])('%s', async (_, text) => {
    if (text.startsWith('network')) {
      // The first resource is being created for a minute: the kill is in time on a busy machine too.
      await run.stop();
      run = await StackRun.start({ taskPolls: 3_000 });
    }
    const apply = () => terraformsIn(folder(), 'apply');
    const killed = await deploy(
      (soFar) => soFar.includes(text) && apply().length > 0,
      () => kill(apply()),
    );
    ended(killed);
    expect(killed.status, killed.output).toBe(137);
    expect(killed.output).toContain(`Terraform was killed while it changed ${STACK}`);
  });

  test('and names the folder', async () => {
    const { status, output } = await deploy(
      (soFar) => soFar.includes('network: Creating...'),
      () => kill(terraformsIn(folder())),
    );
    expect(status, output).toBe(137);
    expect(output).toContain(`terraform apply was killed in ${folder()}`);
  });
});

test('where the deploy itself is killed, Terraform saves what it has made, and no plan is left', async () => {
  const plans = mkdtempSync(join(run.folder, 'plans-'));
  const env = { SECURE_CONNECTIVITY_PLAN_FOLDER: plans };
  const { status, output } = await deploy(
    (soFar) => soFar.includes('network: Creation complete'),
    () => kill(run.children(/main\.js\0deploy\0/)),
    env,
  );
  expect(status, output).toBe(null);
  await until(() => terraformsIn(folder()).length === 0);
  const state = readFileSync(join(run.folder, 'sandbox/terraform', `${STACK}.tfstate`), 'utf8');
  const types = JSON.parse(state).resources.map(({ type }: { type: string }) => type);
  expect(types).toContain('volcenginecc_vpc_vpc');
  expect(readdirSync(plans)).toHaveLength(1);
  // What was being created at that moment may be in the cloud alone.
  const adopting = { ...env, SECURE_CONNECTIVITY_ADOPT: 'auto' };
  const again = await deploy(undefined, undefined, adopting);
  expect(again.status, again.output).toBe(0);
  expect(readdirSync(plans)).toEqual([]);
});

describe('a backend that refuses the state at the end', () => {
  let server: HttpStates;
  let env: NodeJS.ProcessEnv;
  const waiting = () => {
    const unsaved = env.SECURE_CONNECTIVITY_ERRORED_FOLDER ?? '';
    return existsSync(unsaved) ? readdirSync(unsaved).map((name) => join(unsaved, name)) : [];
  };
  beforeEach(async () => {
    server = await startHttpStates();
    env = {
      ...server.env,
      CONNECTIVITY_STATE_FOLDER: '',
      SECURE_CONNECTIVITY_ERRORED_FOLDER: join(run.folder, 'unsaved'),
    };
    run.change('sandbox', (settings) => Object.assign(settings, { state: server.state }));
  });
  afterEach(() => server.stop());

  test('fails the deploy, which keeps the state, and the next deploy saves it', async () => {
    const refused = await deploy(
      (soFar) => soFar.includes('network: Creating...'),
      () => {
        server.refuseWrites = true;
      },
      env,
    );
    expect(refused.status, refused.output).toBe(1);
    expect(refused.output).toContain('deploy.state');
    const [file = ''] = waiting();
    expect(refused.output).toContain(`${file} holds what a run of ${STACK} created`);
    expect(existsSync(file)).toBe(true);

    const still = await deploy(undefined, undefined, env);
    expect(still.status, still.output).toBe(2);
    expect(still.output).not.toContain('Plan:');
    expect(existsSync(file)).toBe(true);

    server.refuseWrites = false;
    const saved = await deploy(undefined, undefined, env);
    expect(saved.status, saved.output).toBe(0);
    expect(saved.output).toContain('0 added, 0 changed, 0 destroyed');
    expect(existsSync(file)).toBe(false);
  });

  test('loses nothing where it takes the state a moment later', async () => {
    const { status, output } = await deploy(
      (soFar) => {
        if (soFar.includes('network: Creating...')) server.refuseWrites = true;
        return waiting().length > 0;
      },
      () => {
        server.refuseWrites = false;
      },
      env,
    );
    expect(status, output).toBe(1);
    expect(output).toContain(`the state of ${STACK} has now been saved`);
    expect([...server.states.values()].join()).toContain('volcenginecc_privatelink_vpc_endpoint');
  });
});
