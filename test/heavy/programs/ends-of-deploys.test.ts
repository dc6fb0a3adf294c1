import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { encodeLinks } from '../../../src/link/link.js';
import { until } from '../../support/deploying.js';
import { DEPLOY, TerraformProject, valueStack } from '../../support/terraform-project.js';

const noPlanIsLeft = (project: TerraformProject) =>
  expect(readdirSync(join(project.folder, 'plans'))).toEqual([]);

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** A stack whose apply says that it runs, and waits. */
const slowStack = () => {
  const command = 'touch ../../../running; sleep 1';
  return valueStack('one', 1, {
    resource: {
      terraform_data: {
        value: { input: 1, provisioner: [{ 'local-exec': { command } }] },
        after: { input: 2, depends_on: ['terraform_data.value'] },
      },
    },
  });
};

test.each([
  'SIGINT',
  'SIGTERM',
] as const)('a deploy that gets %s, also twice at once, waits for Terraform to save its state', async (signal) => {
  const project = new TerraformProject({ one: slowStack() });
  const deploying = project.run(DEPLOY);
  await until(() => project.has('running'));
  deploying.kill(signal);
  deploying.kill(signal);
  const { status, output } = await deploying;
  expect(status, output).toBe(signal === 'SIGINT' ? 130 : 143);
  expect(output.match(/Interrupt received/g)).toHaveLength(1);
  expect(output).not.toContain('Two interrupts received');
  expect(project.read('one.tfstate')).toContain('"name": "value"');
  expect(project.read('one.tfstate')).not.toContain('"name": "after"');
  noPlanIsLeft(project);
});

/** Waits before the apply, and cannot be interrupted. */
const LASTING = `#!/bin/sh
if [ "$1" = apply ] && [ -e last ]; then
  rm last
  trap '' INT
  touch ../../../running
  until [ -e ../../../go ]; do sleep 0.05; done
fi
exec terraform "$@"
`;

test('a deploy that was killed and whose Terraform goes on is said by the next one', async () => {
  const project = new TerraformProject({ one: valueStack('one', 1), two: valueStack('two', 2) });
  project.write('lasting', LASTING, 0o755);
  project.write('tree/stacks/one/last', '');
  const env = { TERRAFORM_BINARY_NAME: './lasting' };
  const killed = project.run([...DEPLOY, 'one'], env);
  onTestFinished(() => project.write('go', ''));
  const plans = join(project.folder, 'plans');
  const isRecorded = () =>
    readdirSync(plans, { recursive: true, encoding: 'utf8' }).some((name) => /worker/.test(name));
  await until(() => project.has('running') && isRecorded());
  killed.kill('SIGKILL');
  await killed;
  const said =
    /a deploy of one started at \d{4}-\S+Z by process (\d+) still runs: that process was killed, and its Terraform, process (\d+), goes on/;
  rmSync(join(project.folder, 'tree/stacks/one/last'));
  const other = await project.deploy(['two'], env);
  expect(other.status, other.output).toBe(0);
  expect(other.output).not.toContain('still runs');
  const next = await project.deploy(['one'], env);
  expect(next.status, next.output).toBe(0);
  const [, owner, pid] = said.exec(next.output) ?? [];
  expect(Number(owner), next.output).toBe(killed.pid);
  // Its folder holds what the check reads.
  expect(readdirSync(join(project.folder, 'plans'))).toHaveLength(1);

  project.write('go', '');
  await until(() => !isRunning(Number(pid)));
  const last = await project.deploy(['one'], env);
  expect(last.status, last.output).toBe(0);
  expect(last.output).not.toContain('still runs');
  noPlanIsLeft(project);
});

test('a reader that leaves ends neither the deploy nor Terraform', async () => {
  const project = new TerraformProject({ one: slowStack() });
  const child = spawn(
    process.execPath,
    [resolve('dist/cli/main.js'), 'deploy', '--auto-approve', '--adopt', 'off'],
    {
      cwd: project.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, SECURE_CONNECTIVITY_PLAN_FOLDER: join(project.folder, 'plans') },
    },
  );
  child.stdout.once('data', () => child.stdout.destroy());
  const status = await new Promise((done) => child.once('close', done));
  expect(status).toBe(0);
  expect(project.read('one.tfstate')).toContain('"name": "after"');
});

test('an app that is interrupted ends with the deploy', async () => {
  const project = new TerraformProject({ one: valueStack('one', 1) });
  const deploying = project.run([...DEPLOY, '--app', 'touch running; sleep 60']);
  await until(() => project.has('running'));
  deploying.kill('SIGINT');
  expect(await deploying).toMatchObject({ status: 130 });
});

test('a failed check ends the deploy with its own status, whatever Terraform says', async () => {
  const command = 'printf 12 > "$SECURE_CONNECTIVITY_CHECK_STATUS_FILE"; exit 1';
  const project = new TerraformProject({
    one: valueStack('one', 1, {
      resource: { terraform_data: { value: { provisioner: [{ 'local-exec': { command } }] } } },
    }),
  });
  const { status, output } = await project.deploy();
  expect(status, output).toBe(12);
  expect(output).toContain('one: failed with status 12');
  noPlanIsLeft(project);
});

/** A check as the constructs call it, of a server that does not listen. */
const CHECK = {
  interpreter: ['node', resolve('dist/cli/main.js'), 'verify', '--links-from-environment'],
  command: '--report-only',
  environment: {
    SECURE_CONNECTIVITY_LINKS: encodeLinks({
      rulesDigest: '',
      links: [],
      plugins: [
        {
          name: 'orders',
          serviceId: 'epsvc-1',
          networks: ['127.0.0.0/8'],
          servers: ['127.0.0.1:9'],
        },
      ],
    }),
  },
};
/** A stack whose check runs before more commands. */
function checkedStack(value: unknown, trigger: unknown, more: readonly object[] = []) {
  const provisioner = [CHECK, ...more].map((one) => ({ 'local-exec': one }));
  return valueStack('one', value, {
    resource: {
      terraform_data: {
        value: { input: value },
        check: { triggers_replace: trigger, provisioner, depends_on: ['terraform_data.value'] },
      },
    },
  });
}

test('a deploy that does not run the check of its stack says so last, and which command runs it', async () => {
  const project = new TerraformProject({ one: checkedStack(1, 1) });
  const lastLine = async (env = {}) => {
    const { status, output } = await project.deploy([], env);
    expect(status, output).toBe(0);
    return output.trimEnd().split('\n').at(-1);
  };
  const said = (command: string) =>
    `secure-connectivity: one: its check did not run, because this deploy changed nothing that it depends on; to check now: ${command} verify --stack ${join(project.folder, 'cdktf.out/stacks/one')}`;
  expect(await lastLine()).toBe('secure-connectivity: one: Deploy complete!');
  expect(await lastLine()).toBe(said('npx secure-connectivity'));
  project.change({ stacks: { one: checkedStack(2, 1) } });
  const sandbox = "npx secure-connectivity sandbox --state '/a b' --";
  const env = { SECURE_CONNECTIVITY_SANDBOX_COMMAND: sandbox };
  expect(await lastLine(env)).toBe(said(`${sandbox} npx secure-connectivity`));
  const [withoutCommand] = said('').split('; to check now');
  expect(await lastLine({ SECURE_CONNECTIVITY_SANDBOX_COMMAND: 'none' })).toBe(withoutCommand);
  project.change({ stacks: { one: checkedStack(2, 2) } });
  expect(await lastLine()).toBe('secure-connectivity: one: Deploy complete!');
  project.change({ stacks: { one: valueStack('one', 3) } });
  expect(await lastLine()).toBe('secure-connectivity: one: Deploy complete!');
});

test('a check that passes hides no other failure', async () => {
  const failed = { command: 'printf 12 > "$SECURE_CONNECTIVITY_CHECK_STATUS_FILE"' };
  const other = { command: 'exit 3' };
  for (const [after, status] of [
    [[other], 1],
    [[failed, CHECK, other], 12],
  ] as const) {
    const project = new TerraformProject({ one: checkedStack(1, 1, after) });
    expect(await project.deploy()).toMatchObject({ status });
  }
});

test('a destroy that the stack does not allow names the resource and the setting', async () => {
  const resource = {
    terraform_data: { value: { input: 1, lifecycle: { prevent_destroy: true } } },
  };
  const project = new TerraformProject({ one: valueStack('one', 1, { resource }) });
  await project.deploy();
  const { status, stderr, output } = await project.destroy();
  expect(status, output).toBe(2);
  expect(stderr).toContain(
    'deploy.destroy-prevented: terraform_data.value of one must not be destroyed while `preventDestroy` is true',
  );
  expect(project.read('one.tfstate')).toContain('"name": "value"');
});

/** Changes the state between the first plan and its apply, as another deploy would. */
const BETWEEN = `#!/bin/sh
if [ "$1" = apply ] && [ ! -e "$DONE" ]; then
  touch "$DONE"
  terraform state pull | sed 's/"serial": *\\([0-9]*\\)/"serial": 1\\1/' > "$DONE.tfstate"
  terraform state push "$DONE.tfstate" >&2
fi
exec terraform "$@"
`;

test('a plan that is stale is made once more', async () => {
  const project = new TerraformProject({ one: valueStack('one', 'first') });
  await project.deploy();
  project.write('between', BETWEEN, 0o755);
  project.change({ stacks: { one: valueStack('one', 'second') } });
  const { status, output } = await project.deploy([], {
    TERRAFORM_BINARY_NAME: './between',
    DONE: join(project.folder, 'done'),
  });
  expect(status, output).toBe(0);
  expect(output).toContain('the state of one was changed after the plan: planning again');
  expect(project.outputs('one')).toEqual({ value: 'second' });
  noPlanIsLeft(project);
});

/** Runs a deploy at a terminal, and types an answer once it is asked. */
function atTerminal(project: TerraformProject, answer: string) {
  const command = `'${process.execPath}' '${resolve('dist/cli/main.js')}' deploy --adopt off`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: project.folder,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, SECURE_CONNECTIVITY_PLAN_FOLDER: join(project.folder, 'plans') },
  });
  onTestFinished(() => void child.kill());
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (!output.includes('Enter a value:') && (output + text).includes('Enter a value:')) {
      child.stdin.write(answer);
    }
    output += text;
  });
  return new Promise<{ status: number | null; output: string }>((done) => {
    child.once('close', (status) => done({ status, output }));
  });
}

test.each([
  ['yes', 'yes\n', 0, true],
  ['y', 'y\n', 1, false],
  ['the end of the input', '\u0004', 1, false],
  ['Ctrl-C', '\u0003', 130, false],
])('at a terminal, %s is the answer to the question', async (_, answer, status, isDeployed) => {
  const project = new TerraformProject({ one: valueStack('one', 1) });
  const ended = await atTerminal(project, answer);
  expect(ended.status, ended.output).toBe(status);
  expect(ended.output).toContain('Apply this plan to one?');
  expect(project.has('one.tfstate')).toBe(isDeployed);
  noPlanIsLeft(project);
});
