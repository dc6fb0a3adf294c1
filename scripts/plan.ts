import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { sandboxFiles } from '../src/sandbox/state-folder.js';
import { prepareTerraform } from '../src/sandbox/terraform/prepare-terraform.js';
import { terraformName } from '../src/terraform/program.js';
import { environments, synthesize } from './synthesize.js';

const { values } = parseArgs({
  options: {
    environment: { type: 'string', multiple: true, default: environments() },
    out: { type: 'string' },
    'provider-mirror': { type: 'string' },
  },
});

/** Credentials that open nothing, and a cloud at a port where nobody listens: a plan calls neither. */
const NO_CLOUD = {
  VOLCENGINE_CC_ENDPOINT: '127.0.0.1:1',
  VOLCENGINE_DISABLE_SSL: 'true',
  VOLCENGINE_ACCESS_KEY: 'none',
  VOLCENGINE_SECRET_KEY: 'none',
  VOLCENGINE_REGION: 'cn-beijing',
};

const folder = mkdtempSync(join(tmpdir(), 'connectivity-plan-'));
let stop = async () => {};
try {
  const files = sandboxFiles(join(folder, 'terraform'));
  const providers = await prepareTerraform(
    files,
    { providerMirror: values['provider-mirror'] },
    NO_CLOUD,
  );
  if (providers !== undefined) stop = () => providers.stop();
  const env = { ...environmentOf(files), ...providers?.env };
  if (values.out !== undefined) mkdirSync(values.out, { recursive: true });
  for (const environment of values.environment) {
    const tree = join(folder, environment);
    await synthesize(environment, tree);
    const manifest = JSON.parse(readFileSync(join(tree, 'manifest.json'), 'utf8')) as Manifest;
    for (const stack of Object.values(manifest.stacks)) {
      await plan(stack.name, join(tree, stack.workingDirectory), env);
    }
  }
} finally {
  await stop();
  rmSync(folder, { recursive: true, force: true });
}

interface Manifest {
  readonly stacks: Record<string, { readonly name: string; readonly workingDirectory: string }>;
}

function environmentOf(files: ReturnType<typeof sandboxFiles>): NodeJS.ProcessEnv {
  return {
    ...process.env,
    TF_CLI_CONFIG_FILE: resolve(files.terraformConfiguration),
    TF_IN_AUTOMATION: '1',
    CHECKPOINT_DISABLE: '1',
    ...NO_CLOUD,
  };
}

/** Plans one stack on an empty state, whatever backend it names. */
async function plan(name: string, working: string, env: NodeJS.ProcessEnv): Promise<void> {
  const file = join(working, 'cdk.tf.json');
  const json = JSON.parse(readFileSync(file, 'utf8')) as { terraform: Record<string, unknown> };
  const { backend: _, ...terraform } = json.terraform;
  writeFileSync(file, JSON.stringify({ ...json, terraform }));
  await run(working, env, ['init', '-input=false', '-no-color']);
  const text = await run(working, env, ['plan', '-input=false', '-no-color', '-lock=false']);
  process.stdout.write(`\n${name}\n\n${text}`);
  if (values.out !== undefined) writeFileSync(join(values.out, `${name}.txt`), text);
}

/** The providers are served from this process, so that it must not wait in a call. */
async function run(
  working: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[],
): Promise<string> {
  const all = [`-chdir=${working}`, ...args];
  const { stdout } = await promisify(execFile)(terraformName(process.env), all, { env });
  return stdout;
}
