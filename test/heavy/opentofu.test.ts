import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findProgram } from '../../src/terraform/program.js';
import { StackRun } from '../support/stack-run.js';

const STACK = 'api-access-sandbox';
const TOFU = findProgram('tofu', process.env);
const why = TOFU === undefined ? ' (skipped: tofu is not on the PATH)' : '';

let run: StackRun;

/** Node.js and OpenTofu, but no Terraform. */
function pathWithoutTerraform(): string {
  const folder = join(run.folder, 'programs');
  mkdirSync(folder);
  symlinkSync(process.execPath, join(folder, 'node'));
  symlinkSync(TOFU ?? '', join(folder, 'tofu'));
  const system = ['/usr/bin', '/bin'].filter((one) => !existsSync(join(one, 'terraform')));
  return [folder, ...system].join(delimiter);
}

describe.skipIf(TOFU === undefined)(`OpenTofu in Terraform's place${why}`, () => {
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    run = await StackRun.start();
    env = { PATH: pathWithoutTerraform(), TERRAFORM_BINARY_NAME: 'tofu' };
  });
  afterAll(() => run.stop());

  const inSandbox = (...command: readonly string[]) =>
    run.cli(['sandbox', '--state', join(run.folder, 'other'), '--', ...command], env);
  const program = [process.execPath, 'dist/cli/main.js'] as const;
  const output = () => ['--output', join(run.folder, 'cdktf.out')];

  test('a stack is deployed and proved, has nothing to change, and is destroyed', async () => {
    const deployed = await inSandbox(...program, 'deploy', STACK, '--auto-approve', ...output());
    expect(deployed.status, deployed.output).toBe(0);
    expect(deployed.output).toContain('connectivity check of api-access-sandbox');
    expect(deployed.output).toContain('OpenTofu');
    const state = join(run.folder, 'other', 'terraform', `${STACK}.tfstate`);
    expect(readFileSync(state, 'utf8')).toContain('registry.opentofu.org/volcengine/volcenginecc');

    const folder = join(run.folder, 'cdktf.out', 'stacks', STACK);
    const plan = await inSandbox('tofu', `-chdir=${folder}`, 'plan', '-detailed-exitcode');
    expect(plan.status, plan.output).toBe(0);
    const adopted = await inSandbox(...program, 'adopt', folder);
    expect(adopted.output).toContain(`${STACK}: nothing to adopt`);

    const destroyed = await inSandbox(...program, 'destroy', STACK, '--auto-approve', ...output());
    expect(destroyed.status, destroyed.output).toBe(0);
    expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ resources: [] });
  }, 300_000);
});
