import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addKey } from '../../src/sandbox/service/application.js';
import { parseSettings, withIntents } from '../../src/settings/load-settings.js';
import { sandboxForTest } from '../sandbox/support.js';
import { bastionSettings, reachBastion } from '../support/bastion.js';
import { temporaryFolder } from '../support/cleanup.js';
import { runHere } from '../support/run-here.js';
import { synthesizeInto } from '../support/synthesize-all.js';

/** The part of the page under a heading. */
function section(heading: string): string {
  const text = readFileSync('docs/how-do-i.md', 'utf8');
  const [, below = ''] = text.split(new RegExp(`\n##+ ${heading}\n`));
  return below.split(/\n##+ /)[0] ?? '';
}

const CALLER = '198.51.100.11';

/** Ways to open the ports, with whether the old port is closed to callers in the end. */
const TARGETS = [
  [{ securityGroup: { vpcId: 'vpc-1' } }, 'NO'],
  [{ prefixList: { vpcId: 'vpc-1' } }, 'NO'],
  [{ cloudFirewall: { own: ['198.51.100.9/32'], close: true } }, 'YES'],
] as const;

test.each(TARGETS)('a new port without cutting clients: %j', async (target, oldPort) => {
  const text = section('Change a port without cutting clients');
  const steps = [...text.matchAll(/"ports": (\[.*?\])/g)].map(([, ports = '']) =>
    JSON.parse(ports),
  );
  const [both = [], [newPort] = []] = steps as number[][];
  expect([steps.length, both.length]).toEqual([2, 2]);
  const old = both.filter((port) => port !== newPort);
  const folder = await temporaryFolder();
  const trees = [old, ...steps].map((ports, step) => {
    const { $schema: _, ...settings } = JSON.parse(
      readFileSync('stacks/settings/sandbox.json', 'utf8'),
    );
    const { cloudFirewall: __, ...ingress } = settings.fixedIpIngress;
    settings.fixedIpIngress = { ...ingress, ports, ...target };
    const tree = join(folder, `${step}`);
    synthesizeInto(
      tree,
      withIntents('sandbox', parseSettings(JSON.stringify(settings), 'sandbox')),
    );
    return tree;
  });
  const answers = async (port: number | undefined) =>
    Promise.all(
      trees.map(async (tree) => {
        const ask = ['reach', '--tree', tree, '--from', CALLER, '--to', `tickets:${port}`];
        return (await runHere(ask)).stdout.split(':')[0];
      }),
    );
  expect(await answers(old[0])).toEqual(['YES', 'YES', oldPort]);
  expect((await answers(newPort)).slice(1)).toEqual(['YES', 'YES']);
  if (oldPort === 'YES') return;
  const review = async (base = '', head = '') =>
    (await runHere(['review', '--base', base, '--head', head])).stdout.replaceAll(/\s+/g, ' ');
  const [first, second, third] = trees;
  expect(await review(first, second)).toMatch(
    new RegExp(`^NEEDS APPROVAL: [^:]* can now reach tickets, tcp ${newPort} `),
  );
  expect(await review(second, third)).toMatch(
    new RegExp(`^NARROWER: [^:]* can no longer reach tickets, tcp ${old[0]} `),
  );
});

test('a new key in CI: the old one works until the new one does, and half a change is named', async () => {
  const text = section('Rotate the key in CI');
  const [, flags = ''] = /verify --stack \S+ (--key-id NEW_FINGERPRINT .*?)`/.exec(text) ?? [];
  const sandbox = await sandboxForTest();
  const folder = await temporaryFolder();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  writeFileSync(join(folder, 'new.pem'), pem, { mode: 0o600 });
  const verify = async (own: string, env: NodeJS.ProcessEnv = {}) => {
    const link = '--base-url https://static-api.sandbox.example --api-host api.sandbox.example';
    const args = `verify ${link} --via fixed-ip-egress --format json ${own}`.trim().split(' ');
    const run = { cwd: folder, env: { ...sandbox.env, ...env } };
    const { exit, stdout } = await runHere(args, run);
    const [result] = JSON.parse(stdout).links;
    return [exit, result.causes[0]?.code];
  };
  expect(await verify('')).toEqual([0, undefined]);
  const { kid } = addKey(sandbox.application, pem);
  const withNew = flags.replace('NEW_FINGERPRINT', kid);
  expect(await verify(withNew)).toEqual([0, undefined]);
  expect(await verify('')).toEqual([0, undefined]);
  const half = { SECURE_CONNECTIVITY_KEY_ID: kid };
  expect(await verify('', half)).toEqual([15, 'token.key-pair']);
  const words = ['verify', '--preflight', '--api-host', 'api.sandbox.example'];
  const warned = await runHere(words, { env: { ...sandbox.env, ...half } });
  expect([warned.exit, warned.stderr]).toEqual([0, expect.stringContaining('token.key-pair')]);
  sandbox.application.keys = sandbox.application.keys.filter((key) => key.kid === kid);
  expect(await verify(withNew)).toEqual([0, undefined]);
  expect(await verify('')).toEqual([15, 'token.key-pair']);
});

test('who can reach my plugin: the rows are those that the page names', async () => {
  const cwd = await temporaryFolder();
  const text = readFileSync('stacks/settings/production.json', 'utf8');
  const tree = join(cwd, 'cdktf.out');
  synthesizeInto(tree, withIntents('production', parseSettings(text, 'production')));
  const lines = [...section('See who can reach my plugin').matchAll(/^npx \S+ (.*)$/gm)];
  const rows = await Promise.all(
    lines.map(async ([, line = '']) => {
      const args = [...line.split(' '), '--format', 'json'];
      const { exit, stdout } = await runHere(args, { cwd });
      expect(exit).toBe(0);
      return JSON.stringify(JSON.parse(stdout).rows);
    }),
  );
  const [servers, listener] = rows;
  expect(servers).toContain('100.64.0.0/10');
  expect(servers).toContain('2100000001');
  expect(listener).toContain('100.64.0.0/10');
  expect(listener).not.toContain('2100000001');
});

/** The tree of production with other settings of one option. */
async function treeOf(change: Readonly<Record<string, object>>): Promise<string> {
  const tree = join(await temporaryFolder(), 'cdktf.out');
  const { $schema: _, ...settings } = JSON.parse(
    readFileSync('stacks/settings/production.json', 'utf8'),
  );
  const text = JSON.stringify({ ...settings, ...change });
  synthesizeInto(tree, withIntents('production', parseSettings(text, 'production')));
  return tree;
}

const STACK = 'stacks/api-access-production/cdk.tf.json';

test('fixed-IP egress into a group that exists: the rule of its owner opens the list and no more', async () => {
  const text = section('Let fixed-IP access into a security group that exists');
  const [targets, rule] = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) =>
    JSON.parse(json),
  );
  const common = { name: 'agent-service-api', baseUrl: 'https://static-api.example.com' };
  const tree = await treeOf({ fixedIpEgress: { ...common, ...targets } });
  const config = JSON.parse(readFileSync(join(tree, STACK), 'utf8'));
  expect(Object.keys(config.output)).toContain('fixed-ip-egress-prefix-list-id');
  const [list] = Object.keys(config.resource.volcenginecc_vpc_prefix_list);
  const toList = {
    ...rule,
    prefix_list_id: `\${volcenginecc_vpc_prefix_list.${list}.prefix_list_id}`,
  };
  const { prefix_list_id: _, ...toAll } = {
    ...rule,
    protocol: 'all',
    port_start: -1,
    port_end: -1,
  };
  const everything = { ...toAll, cidr_ip: '0.0.0.0/0' };
  const nothing = { ...everything, policy: 'drop', priority: 100 };
  /** Asks with the group of somebody else, which has these rules. */
  const ask = async (rules: readonly object[], to: string) => {
    const owners = {
      vpc_id: 'vpc-9',
      egress_permissions: [...rules, nothing],
      ingress_permissions: [],
    };
    config.resource.volcenginecc_vpc_security_group.owners = owners;
    writeFileSync(join(tree, STACK), JSON.stringify(config));
    const from = 'volcenginecc_vpc_security_group.owners';
    return (await runHere(['reach', '--tree', tree, '--from', from, '--to', to])).stdout.split(
      ':',
    )[0];
  };
  const [ofService, ofOthers] = ['36.110.186.29:443', '203.0.113.9:443'];
  expect(await ask([], ofService)).toBe('NO');
  expect(await ask([toList], ofService)).toBe('YES');
  expect(await ask([toList], '36.110.186.29:80')).toBe('NO');
  expect(await ask([toList], ofOthers)).toBe('NO');
  expect(await ask([toList, everything], ofOthers)).toBe('YES');
});

const hasSsh = spawnSync('ssh', ['-V']).error === undefined;

test.skipIf(!hasSsh)(
  'a runner outside: ssh reads what the step of the page writes, and the deploy asks for no address inside',
  async () => {
    const folder = await temporaryFolder();
    const keygen = (name: string) => {
      const file = join(folder, name);
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
      return [readFileSync(file, 'utf8'), readFileSync(`${file}.pub`, 'utf8').trim()] as const;
    };
    const [[key], [, hostKey]] = [keygen('key'), keygen('host')];
    const given = { BASTION: 'bastion.example', BASTION_HOST_KEY: hostKey, BASTION_KEY: key };
    const { config, runVia } = reachBastion(folder, given);
    const [ssh = '', ...host] = runVia;
    const read = execFileSync(ssh, ['-G', '-F', config, ...host], { encoding: 'utf8' });
    const option = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(read)?.[1] ?? '';
    expect([option('hostname'), option('user'), option('stricthostkeychecking')]).toEqual([
      ...['bastion.example', 'check', 'true'],
    ]);
    expect(readFileSync(option('identityfile'), 'utf8').trim()).toBe(key.trim());
    expect(statSync(option('identityfile')).mode & 0o777).toBe(0o600);
    const known = ['-F', option('hostkeyalias'), '-f', option('userknownhostsfile')];
    expect(execFileSync('ssh-keygen', known, { encoding: 'utf8' })).toContain(hostKey);

    const callsOf = async (change: Readonly<Record<string, object>>) => {
      const { resource } = JSON.parse(readFileSync(join(await treeOf(change), STACK), 'utf8'));
      return JSON.stringify(resource.null_resource).match(/"--(preflight|run-via)","[^"-][^"]*"/g);
    };
    expect(await callsOf({})).toEqual(['"--preflight","10.30.0.0/16"']);
    expect(await callsOf({ ...bastionSettings() })).toEqual(['"--run-via","bastion=ssh bastion"']);
  },
);
