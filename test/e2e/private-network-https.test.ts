import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT, factsOf } from '../../src/codes/codes.js';
import { FAULTS } from '../../src/sandbox/faults.js';
import { StackRun } from '../support/stack-run.js';

const STACK = 'api-access-sandbox';

interface Plan {
  readonly resource_changes: readonly {
    readonly address: string;
    readonly change: { readonly actions: string[] };
  }[];
}

interface LinkReport {
  readonly stages: readonly { stage: string; status: string; code?: string }[];
  readonly causes: readonly { code: string }[];
}

let run: StackRun;
const printed: string[] = [];

beforeAll(async () => {
  run = await StackRun.start();
  // Two zones, so that one of them can fail alone.
  run.change('sandbox', (settings) => {
    const { subnets } = settings.network as { subnets: object };
    Object.assign(subnets, { 'cn-beijing-b': '10.20.2.0/24' });
  });
});
afterAll(async () => {
  await run.stop();
});

async function deploy() {
  const result = await run.cdktf([
    'deploy',
    STACK,
    '--auto-approve',
    '--outputs-file',
    join(run.folder, 'outputs.json'),
  ]);
  printed.push(result.output);
  return result;
}

async function verify(...args: string[]) {
  const result = await run.verify(['--outputs-file', join(run.folder, 'outputs.json'), ...args]);
  printed.push(result.output);
  return result;
}

function accessJson() {
  const file = join(run.folder, 'cdktf.out', 'stacks', STACK, 'access.json');
  return JSON.parse(readFileSync(file, 'utf8')) as { digest: string };
}

describe('a deploy', () => {
  test('ends with the proof that the service is reachable over what it built', async () => {
    const { status, output } = await deploy();
    expect(output).toContain('reachable');
    expect(output).toContain(accessJson().digest);
    expect(status, output).toBe(0);
  });

  test('leaves nothing to change', async () => {
    const { status, output } = await run.terraform(STACK, [
      'plan',
      '-detailed-exitcode',
      '-input=false',
    ]);
    expect(status, output).toBe(0);
  });

  test('can be planned without a key', async () => {
    const { status } = await run.terraform(STACK, ['plan', '-input=false'], {
      SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: '/nowhere',
    });
    expect(status).toBe(0);
  });

  test('shares no state with another environment of the same checkout', async () => {
    const env = { CONNECTIVITY_ENV: 'production' };
    const other = 'api-access-production';
    const synth = await run.cdktf(['synth', '--output', join(run.folder, 'other.out')], env);
    expect(synth.status, synth.output).toBe(0);
    expect((await run.terraform(other, ['init', '-input=false'], env, 'other.out')).status).toBe(0);
    await run.terraform(other, ['plan', '-input=false', '-out=plan'], env, 'other.out');
    const { stdout } = await run.terraform(other, ['show', '-json', 'plan'], env, 'other.out');
    const { resource_changes: changes } = JSON.parse(stdout) as Plan;
    expect(changes.length).toBeGreaterThan(4);
    expect(changes.filter(({ change }) => change.actions.join() !== 'create')).toEqual([]);
  });
});

describe('the check by hand', () => {
  test('repeats what the deploy proved', async () => {
    const { status, stdout } = await verify('--format', 'json');
    const report = JSON.parse(stdout) as { verdict: string; accessDigest: string };
    expect(report).toMatchObject({ verdict: 'reachable', accessDigest: accessJson().digest });
    expect(status).toBe(0);
  });

  test.each(
    FAULTS.filter((fault) => !('only' in fault)),
  )('names $code when $about', async (fault) => {
    const { name, code, never, strikes } = fault;
    run.sandbox.faults.set(name);
    try {
      const deep = strikes === 'chat' ? ['--deep', '--bot-id', 'bot', '--user-id', 'user'] : [];
      const needed = 'flags' in fault ? fault.flags : [];
      const flags = ['--format', 'json', '--timeout', '3s', '--strict', ...deep, ...needed];
      const { status, stdout } = await verify(...flags);
      const { links } = JSON.parse(stdout) as { links: LinkReport[] };
      const stages = links.flatMap((link) => link.stages);
      const causes = links.flatMap((link) => link.causes.map((cause) => cause.code));
      const found = [...stages.flatMap(({ code: seen }) => seen ?? []), ...causes];
      expect(found).toContain(code);
      expect(causes).toEqual(expect.arrayContaining('causes' in fault ? [...fault.causes] : []));
      expect(found.filter((seen) => never.some((wrong) => wrong === seen))).toEqual([]);
      expect(stages.find((stage) => stage.code === code)).toMatchObject({
        stage: strikes,
        status: factsOf(code).exit === EXIT.strictWarning ? 'warned' : 'failed',
      });
      expect(status).not.toBe(0);
    } finally {
      run.sandbox.faults.clear();
    }
  });
});

describe('a change that locks this machine out', () => {
  test('fails the deploy with a silent drop', async () => {
    run.change('sandbox', (settings) => {
      Object.assign(settings.serviceEndpoint as object, { allowedNetworks: ['10.20.9.0/24'] });
    });
    const { status, output } = await deploy();
    expect(output).toContain('tcp.timeout');
    expect(status).not.toBe(0);
  });

  test('is checked again by the next deploy, which passes once the rule is back', async () => {
    run.change('sandbox', (settings) => {
      Object.assign(settings.serviceEndpoint as object, { allowedNetworks: ['10.20.0.0/16'] });
    });
    const { status, output } = await deploy();
    expect(output).toContain('reachable');
    expect(status, output).toBe(0);
  });
});

test('no secret is in the synthesized stack, the state or anything printed', () => {
  const key = readFileSync(run.sandbox.env.SECURE_CONNECTIVITY_PRIVATE_KEY_FILE ?? '', 'utf8');
  const body = key.split('\n')[1] ?? '';
  expect(body.length).toBeGreaterThan(40);
  const files = ['cdktf.out', 'sandbox/terraform', 'outputs.json'].flatMap((name) =>
    filesUnder(join(run.folder, name)),
  );
  expect(files.some((file) => file.endsWith('.tfstate'))).toBe(true);
  const texts = [...files.map((file) => readFileSync(file, 'utf8')), ...printed];
  for (const secret of [body, /PRIVATE KEY/, /eyJ[\w-]+\.[\w-]+\.[\w-]+/, /czs_\w+/]) {
    const leaking = texts.filter((text) =>
      typeof secret === 'string' ? text.includes(secret) : secret.test(text),
    );
    expect(leaking).toEqual([]);
  }
});

test('no path of this machine is in the synthesized stack', () => {
  const stack = readFileSync(join(run.folder, 'cdktf.out', 'stacks', STACK, 'cdk.tf.json'), 'utf8');
  expect(stack.match(/"\/[^"/]+\/[^"]*"/g)).toBeNull();
});

test('destroy works without a key and leaves the cloud empty', async () => {
  const { status, output } = await run.cdktf(['destroy', STACK, '--auto-approve'], {
    SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: '/nowhere',
  });
  expect(status, output).toBe(0);
  expect(run.sandbox.resources()).toEqual([]);
});

function filesUnder(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('/.terraform/'));
}
