import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTree } from '../../src/reach/read/read-tree.js';
import { review } from '../../src/review/review.js';
import { expectNamed, expectNoSecret, inTwoZones, LINK_FAULTS } from '../support/link-faults.js';
import { StackRun } from '../support/stack-run.js';

const STACK = 'api-access-sandbox';

interface Plan {
  readonly resource_changes: readonly {
    readonly address: string;
    readonly change: { readonly actions: string[] };
  }[];
}

interface Tampered {
  readonly resource: {
    readonly volcenginecc_vpc_security_group: Readonly<
      Record<string, { readonly ingress_permissions: object[] }>
    >;
  };
}

/** One of each stage; the heavy tests have them all. */
const FIRST_FAULTS = LINK_FAULTS.filter(
  ({ strikes }, index) => LINK_FAULTS.findIndex((other) => other.strikes === strikes) === index,
);

let run: StackRun;
const printed: string[] = [];

beforeAll(async () => {
  run = await StackRun.start();
  inTwoZones(run);
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

async function apply(env: NodeJS.ProcessEnv = {}) {
  const result = await run.apply(STACK, env);
  printed.push(result.output);
  return result;
}

async function verify(...args: string[]) {
  const result = await run.verify(['--outputs-file', join(run.folder, 'outputs.json'), ...args]);
  printed.push(result.output);
  return result;
}

/** The digest that a review prints of the tree as it is now. */
function reviewedDigest(): string | undefined {
  const { digests } = review(new Map(), readTree(join(run.folder, 'cdktf.out'), '--head'), TODAY);
  return digests.find(({ stack }) => stack === STACK)?.head;
}

/** The digest that the last check of a deploy reports. */
function checkedDigest(): string {
  const file = join(run.folder, 'cdktf.out', 'stacks', STACK, 'connectivity-check.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { accessDigest: string }).accessDigest;
}

const TODAY = '2030-06-15';

function accessJson() {
  const file = join(run.folder, 'cdktf.out', 'stacks', STACK, 'access.json');
  return JSON.parse(readFileSync(file, 'utf8')) as { digest: string };
}

describe('a deploy', () => {
  test('ends with the proof that the service is reachable over what it built', async () => {
    const { status, output } = await deploy();
    expect(output).toContain('reachable');
    expect(output).toContain(accessJson().digest);
    expect(checkedDigest()).toBe(reviewedDigest());
    expect(output).toContain(`access digest ${checkedDigest()}, of what Terraform opens`);
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
    run.synth(env, 'other.out');
    expect((await run.terraform(other, ['init', '-input=false'], env, 'other.out')).status).toBe(0);
    await run.terraform(other, ['plan', '-input=false', '-out=plan'], env, 'other.out');
    const { stdout } = await run.terraform(other, ['show', '-json', 'plan'], env, 'other.out');
    const { resource_changes: changes } = JSON.parse(stdout) as Plan;
    expect(changes.length).toBeGreaterThan(4);
    const actions = new Set(changes.flatMap(({ change }) => change.actions));
    expect([...actions]).toEqual(['create']);
  });
});

describe('the check by hand', () => {
  test('repeats what the deploy proved', async () => {
    const { status, stdout } = await verify('--format', 'json');
    // Beside the outputs alone, nothing says what Terraform opens.
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'reachable', accessDigest: '' });
    expect(status).toBe(0);
  });

  test.each(FIRST_FAULTS)('names $code when $about', (fault) => expectNamed(run, fault, verify));
});

describe('a change that locks this machine out', () => {
  test('is refused before any rule is changed', async () => {
    run.change('sandbox', (settings) => {
      Object.assign(settings.serviceEndpoint as object, { allowedNetworks: ['10.20.9.0/24'] });
    });
    const before = run.sandbox.cloud.state.serial;
    const { status, output } = await apply();
    expect(output).toContain('host.outside-network');
    expect(status).not.toBe(0);
    expect(run.sandbox.cloud.state.serial).toBe(before);
  });

  test('fails the deploy with a silent drop where the machine is taken for another', async () => {
    const { status, output } = await apply({ SECURE_CONNECTIVITY_OWN_ADDRESS: '10.20.9.9' });
    expect(output).toContain('tcp.timeout');
    expect(status).not.toBe(0);
  });

  test('is checked again by the next deploy, which passes once the rule is back', async () => {
    run.change('sandbox', (settings) => {
      Object.assign(settings.serviceEndpoint as object, { allowedNetworks: ['10.20.0.0/16'] });
    });
    const { status, output } = await apply();
    expect(output).toContain('reachable');
    expect(status, output).toBe(0);
  });
});

test('Terraform JSON that was changed after its review is deployed with another digest', async () => {
  const reviewed = reviewedDigest();
  const file = join(run.folder, 'cdktf.out', 'stacks', STACK, 'cdk.tf.json');
  const stack = JSON.parse(readFileSync(file, 'utf8')) as Tampered;
  const [group] = Object.values(stack.resource.volcenginecc_vpc_security_group);
  const [rule] = group?.ingress_permissions ?? [];
  group?.ingress_permissions.push({ ...rule, cidr_ip: '172.16.0.0/24', priority: 1 });
  writeFileSync(file, JSON.stringify(stack));
  const check = '-replace=null_resource.check';
  const result = await run.terraform(STACK, ['apply', '-auto-approve', '-input=false', check]);
  printed.push(result.output);
  expect(result.status, result.output).toBe(0);
  expect(checkedDigest()).toMatch(/^[0-9a-f]{64}$/);
  expect(checkedDigest()).not.toBe(reviewed);
  expect(checkedDigest()).toBe(reviewedDigest());
});

test('no secret is in the synthesized stack, the state or anything printed', () => {
  const files = ['cdktf.out', 'sandbox/terraform', 'outputs.json'].flatMap((name) =>
    filesUnder(join(run.folder, name)),
  );
  expect(files.some((file) => file.endsWith('.tfstate'))).toBe(true);
  expectNoSecret(run, [...files.map((file) => readFileSync(file, 'utf8')), ...printed]);
});

test('no path of this machine is in the synthesized stack', () => {
  const stack = readFileSync(join(run.folder, 'cdktf.out', 'stacks', STACK, 'cdk.tf.json'), 'utf8');
  expect(stack.match(/"\/[^"/]+\/[^"]*"/g)).toBeNull();
});

test('destroy works without a key and leaves the cloud empty', async () => {
  const env = { SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: '/nowhere' };
  run.synth(env);
  const args = ['destroy', STACK, '--auto-approve', '--skip-synth'];
  const { status, output } = await run.cdktf(args, env);
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
