import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/cleanup.js';
import { runCli } from '../support/run-cli.js';

const STACK = 'terraform/stacks/api-access-agents';
const ADDRESS = '10.20.1.9';

const NETWORK = {
  volcenginecc_vpc_vpc: { 'vpc-1a2b': { cidr_block: '10.20.0.0/16' } },
  volcenginecc_vpc_subnet: {
    'subnet-1a2b': { vpc_id: 'vpc-1a2b', cidr_block: '10.20.1.0/24', zone_id: 'cn-beijing-a' },
  },
};

/** A zone of the network team. */
const zoneOf = (...vpcs: readonly object[]) => ({
  volcenginecc_privatezone_private_zone: {
    '1001': { zone_name: 'sandbox.example', recursion_mode: true, vpcs },
  },
});
const BOUND = zoneOf({ region: 'cn-beijing', vpc_id: 'vpc-1a2b' });
const RECORD = {
  volcenginecc_privatezone_record: {
    '2001': { zid: 1001, host: 'api', type: 'A', value: ADDRESS },
  },
};

/** The part of a report that Terraform repeats, in one line without colours. */
function unbroken(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/^\S+ \(local-exec\): /gm, '')
    .replaceAll(/\s+/g, ' ');
}

/** A tree of an endpoint in an existing network, and Terraform to be run on it in a sandbox. */
async function treeWith(privateZone: object) {
  const folder = await temporaryFolder();
  const { apiHost, serviceEndpoint } = JSON.parse(
    readFileSync('stacks/settings/sandbox.json', 'utf8'),
  );
  const settings = {
    region: 'cn-beijing',
    apiHost,
    network: {
      vpcId: 'vpc-1a2b',
      cidrs: ['10.20.0.0/16'],
      subnets: { 'cn-beijing-a': { subnetId: 'subnet-1a2b', cidr: '10.20.1.0/24' } },
    },
    serviceEndpoint: { ...serviceEndpoint, addresses: { 'cn-beijing-a': ADDRESS }, privateZone },
    check: { program: 'secure-connectivity', wait: '1s' },
  };
  writeFileSync(join(folder, 'agents.json'), JSON.stringify(settings));
  mkdirSync(join(folder, 'bin'));
  symlinkSync(resolve('dist/cli/main.js'), join(folder, 'bin', 'secure-connectivity'));
  const PATH = [join(folder, 'bin'), process.env.PATH].join(delimiter);
  const run = (args: readonly string[]) => runCli(args, { cwd: folder, env: { PATH } });
  const made = await run(['synth', '--settings', 'agents.json', '--out', 'terraform']);
  expect(made).toMatchObject({ exit: 0, stderr: '' });

  return async (existing: object, ...command: readonly string[]) => {
    const file = join(folder, 'existing.json');
    writeFileSync(file, JSON.stringify({ ...NETWORK, ...existing }));
    const terraform = ['terraform', `-chdir=${STACK}`, ...command, '-input=false'];
    const { exit, stdout, stderr } = await run(['sandbox', '--with', file, '--', ...terraform]);
    return { exit, output: unbroken(stdout + stderr) };
  };
}

test('records in a zone of others lead the API host to the endpoint, and the check proves it', async () => {
  const terraform = await treeWith({ zoneId: 1001, zoneName: 'sandbox.example' });
  await terraform(BOUND, 'init');
  const applied = await terraform(BOUND, 'apply', '-auto-approve');
  expect(applied.exit, applied.output).toBe(0);
  expect(applied.output).toMatch(/service-endpoint-api-host .*passed 8 stages 10\.20\.1\.9/);
  const plan = await terraform(BOUND, 'plan', '-detailed-exitcode');
  expect(plan.exit, plan.output).toBe(0);
});

test('where that zone is not bound to the network, the check fails and names the record', async () => {
  const terraform = await treeWith({ zoneId: 1001, zoneName: 'sandbox.example' });
  const unbound = zoneOf();
  await terraform(unbound, 'init');
  const { exit, output } = await terraform(unbound, 'apply', '-auto-approve');
  expect(exit).toBe(1);
  expect(output).toContain('dns.record-wrong');
  expect(output).toContain('check that its zone is bound to this network');
});

test('a record that others keep is asked for with its line, and the check passes once it is there', async () => {
  const terraform = await treeWith({ managedBy: 'network team' });
  await terraform({}, 'init');
  const first = await terraform({}, 'apply', '-auto-approve');
  expect(first.exit, first.output).toBe(1);
  expect(first.output).toContain('dns.record-wrong: The record of the name is missing or wrong');
  expect(first.output).toContain('The stack leaves the record of this name to others');
  expect(first.output).toContain(
    `keptBy=network team, enter=api.sandbox.example. 60 IN A ${ADDRESS}`,
  );

  const theirs = { ...BOUND, ...RECORD };
  const second = await terraform(theirs, 'apply', '-auto-approve');
  expect(second.exit, second.output).toBe(0);
  expect(second.output.replaceAll('\\', '')).toContain(
    `"[{"name":"api.sandbox.example","ttl":60,"type":"A","value":"${ADDRESS}"}]"`,
  );
  const plan = await terraform(theirs, 'plan', '-detailed-exitcode');
  expect(plan.exit, plan.output).toBe(0);
});
