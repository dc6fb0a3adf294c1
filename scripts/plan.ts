import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { sandboxFiles } from '../src/sandbox/sandbox-files.js';
import { prepareTerraform } from '../src/sandbox/terraform/prepare-terraform.js';
import { environments, synthesize } from './synthesize.js';

const { values } = parseArgs({
  options: {
    environment: { type: 'string', multiple: true, default: environments() },
    out: { type: 'string' },
    'provider-mirror': { type: 'string' },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'connectivity-plan-'));
try {
  const files = sandboxFiles(join(folder, 'terraform'));
  const providerMirror = values['provider-mirror'];
  await prepareTerraform(files, providerMirror === undefined ? {} : { providerMirror });
  if (values.out !== undefined) mkdirSync(values.out, { recursive: true });
  for (const environment of values.environment) {
    const tree = join(folder, environment);
    await synthesize(environment, tree);
    const manifest = JSON.parse(readFileSync(join(tree, 'manifest.json'), 'utf8')) as Manifest;
    for (const stack of Object.values(manifest.stacks)) {
      plan(stack.name, join(tree, stack.workingDirectory), environmentOf(files));
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Manifest {
  readonly stacks: Record<string, { readonly name: string; readonly workingDirectory: string }>;
}

/** Credentials that open nothing, and a cloud at a port where nobody listens: a plan calls neither. */
function environmentOf(files: ReturnType<typeof sandboxFiles>): NodeJS.ProcessEnv {
  return {
    ...process.env,
    TF_CLI_CONFIG_FILE: resolve(files.terraformConfiguration),
    TF_IN_AUTOMATION: '1',
    CHECKPOINT_DISABLE: '1',
    VOLCENGINE_CC_ENDPOINT: '127.0.0.1:1',
    VOLCENGINE_DISABLE_SSL: 'true',
    VOLCENGINE_ACCESS_KEY: 'none',
    VOLCENGINE_SECRET_KEY: 'none',
    VOLCENGINE_REGION: 'cn-beijing',
    SECURE_CONNECTIVITY_SANDBOX_PROVIDER: resolve(files.provider),
  };
}

/** Plans one stack on an empty state, whatever backend it names. */
function plan(name: string, working: string, env: NodeJS.ProcessEnv): void {
  const file = join(working, 'cdk.tf.json');
  const json = JSON.parse(readFileSync(file, 'utf8')) as { terraform: Record<string, unknown> };
  const { backend: _, ...terraform } = json.terraform;
  writeFileSync(file, JSON.stringify({ ...json, terraform }));
  run(working, env, ['init', '-input=false', '-no-color']);
  const text = run(working, env, ['plan', '-input=false', '-no-color', '-lock=false']);
  process.stdout.write(`\n${name}\n\n${text}`);
  if (values.out !== undefined) writeFileSync(join(values.out, `${name}.txt`), text);
}

function run(working: string, env: NodeJS.ProcessEnv, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('terraform', [`-chdir=${working}`, ...args], {
    env,
    encoding: 'utf8',
  });
  if (status === 0) return stdout;
  throw new Error(`terraform ${args[0]} ended with ${status}:\n${stdout}${stderr}`);
}
