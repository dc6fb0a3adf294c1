import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { until } from '../../support/deploying.js';
import { type HttpStates, startHttpStates } from '../../support/http-states.js';
import {
  type ProjectStack,
  TerraformProject,
  valueStack,
} from '../../support/terraform-project.js';

const ERRORED = 'stacks/one/errored.tfstate';

async function project(): Promise<{
  server: HttpStates;
  own: TerraformProject;
  env: NodeJS.ProcessEnv;
}> {
  const server = await startHttpStates();
  onTestFinished(server.stop);
  const own = new TerraformProject({ one: stack(server, 'first') });
  const env = { ...server.env, SECURE_CONNECTIVITY_ERRORED_FOLDER: join(own.folder, 'errored') };
  return { server, own, env };
}

/** A stack whose apply says that it runs, and waits until it is let go on. */
function stack({ state }: HttpStates, input: string, path = 'one'): ProjectStack {
  const command = 'touch ../../../running; until [ -e ../../../go ]; do sleep 0.05; done';
  const config = Object.entries(state.config as Record<string, string>);
  return valueStack('one', input, {
    terraform: {
      backend: { http: Object.fromEntries(config.map(([name, url]) => [name, `${url}/${path}`])) },
    },
    resource: {
      terraform_data: { value: { input, provisioner: [{ 'local-exec': { command } }] } },
    },
  });
}

/** Deploys while the backend refuses the state at the end. */
async function refusedDeploy({ server, own, env }: Awaited<ReturnType<typeof project>>) {
  const refused = own.deploy([], env);
  await until(() => own.has('running'));
  server.refuseWrites = true;
  own.write('go', '');
  const { status, output } = await refused;
  expect(status, output).toBe(1);
  return output;
}

const waiting = ({ folder }: TerraformProject) => {
  const errored = join(folder, 'errored');
  return existsSync(errored) ? readdirSync(errored).map((name) => join(errored, name)) : [];
};

test('a state that was refused is put aside, for this user alone, and the next deploy pushes it', async () => {
  const all = await project();
  const { server, own, env } = all;
  const output = await refusedDeploy(all);
  const [file = ''] = waiting(own);
  expect(output).toContain(`deploy.state: ${file} holds what a run of one created`);
  expect(own.has(`cdktf.out/${ERRORED}`)).toBe(false);
  const { lineage } = JSON.parse(readFileSync(file, 'utf8'));
  expect(file).toContain(`/one.${lineage}.`);
  expect([statSync(file), statSync(join(file, '..'))].map(({ mode }) => mode & 0o777)).toEqual([
    0o600, 0o700,
  ]);

  const still = await own.deploy([], env);
  expect(still.status, still.output).toBe(2);
  expect(still.output).toContain('deploy.state');
  expect(still.output).not.toContain('Plan:');

  server.refuseWrites = false;
  const saved = await own.deploy([], env);
  expect(saved.status, saved.output).toBe(0);
  expect(saved.output).toContain(`saved the state of one that an earlier run left in ${file}`);
  expect(saved.output).toContain('No changes.');
  expect(waiting(own)).toEqual([]);
});

test('a state is pushed to no other backend, and to no other lineage', async () => {
  const all = await project();
  const { server, own, env } = all;
  await refusedDeploy(all);
  const [file = ''] = waiting(own);
  server.refuseWrites = false;
  own.change({ stacks: { one: stack(server, 'second', 'other') } });
  for (const about of ['a new state', 'a state of another lineage']) {
    const { status, output } = await own.deploy(['--migrate-state'], env);
    expect(status, `${about}\n${output}`).toBe(0);
    expect(output, about).toContain(
      `${file} holds a state that an earlier run of a stack one could`,
    );
    expect(output, about).not.toContain('saved the state of one');
    expect(server.states.get('/states/other'), about).not.toContain('first');
    expect(existsSync(file), about).toBe(true);
  }
});

test('a state that lies in a tree is never pushed, but named', async () => {
  const all = await project();
  const { server, own, env } = all;
  await refusedDeploy(all);
  server.refuseWrites = false;
  const [file = ''] = waiting(own);
  const planted = join(own.folder, 'cdktf.out', ERRORED);
  renameSync(file, planted);
  const { status, output } = await own.deploy([], env);
  expect(status, output).toBe(2);
  expect(output).toContain(
    `deploy.state: the folder of one must hold no state that a run could not save, because none is pushed from a tree, got: ${planted}; nothing was changed. If it is of a run of yours, push it with: terraform -chdir=`,
  );
  expect([...server.states.values()].join()).not.toContain('first');
});

test('a state that cannot be put aside stays where it is, which is said', async () => {
  const all = await project();
  const { own, env } = all;
  writeFileSync(join(own.folder, 'file'), '');
  const output = await refusedDeploy({
    ...all,
    env: { ...env, SECURE_CONNECTIVITY_ERRORED_FOLDER: join(own.folder, 'file', 'errored') },
  });
  expect(output).toContain('the state of one could not be moved to');
  const left = join(own.folder, 'cdktf.out', ERRORED);
  expect(output).toContain(`${left} holds what a run of one created`);
  expect(readFileSync(left, 'utf8')).toContain('first');
});

test('states wait in the folder for lasting data of the user', async () => {
  const all = await project();
  const home = join(all.own.folder, 'state');
  mkdirSync(home);
  vi.stubEnv('SECURE_CONNECTIVITY_ERRORED_FOLDER', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { SECURE_CONNECTIVITY_ERRORED_FOLDER: _, ...env } = all.env;
  await refusedDeploy({ ...all, env: { ...env, XDG_STATE_HOME: home } });
  expect(readdirSync(join(home, 'secure-connectivity', 'errored'))).toHaveLength(1);
});
