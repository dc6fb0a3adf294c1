import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { environments, SETTINGS } from '../../scripts/synthesize.js';
import { readTree, type SynthesizedStack } from '../../src/reach/read/read-tree.js';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { readEffectiveAccess } from '../../src/review/effective-rules/effective-access.js';
import { review } from '../../src/review/review.js';
import { compareWithRules, flowText } from '../../src/review/stacks/disagreement.js';
import { type ReviewedStack, reviewedTree } from '../../src/review/stacks/reviewed-trees.js';
import { loadSettings } from '../../src/settings/load-settings.js';
import { CARRIED_OPTIONS } from '../support/carried-options.js';
import { temporaryFolder } from '../support/cleanup.js';
import { readFlows } from '../support/read-flows.js';
import { runs, some } from '../support/samples.js';
import { synthesizeAll, synthesizeInto } from '../support/synthesize-all.js';
import { anySettings, shuffled } from './any-settings.js';

/** Differences between Terraform and `access.json`; nothing may be left unread. */
function partings({ effective, disagreement }: ReviewedStack) {
  const { unstated, unopened, foreign, uncarried } = disagreement;
  return { unstated, unopened, foreign, uncarried, unread: effective.unread };
}

function expectToAgree(stack: ReviewedStack, settings: unknown): void {
  const nothing = { unread: [], unstated: [], unopened: [], foreign: [], uncarried: [] };
  expect(partings(stack), JSON.stringify(settings)).toEqual(nothing);
}

test.each(
  environments(),
)('the stacks of %s open what their access rules state, and nothing forbidden', async (name) => {
  const folder = await temporaryFolder();
  synthesizeInto(folder, loadSettings(SETTINGS, name));
  const tree = readTree(folder, name);
  for (const stack of reviewedTree(tree).stacks) expectToAgree(stack, name);
  expect(review(new Map(), tree, '2030-06-15').violations).toEqual([]);
});

const samples = fc.sample(anySettings, runs(6));
const trees = synthesizeAll({
  ...Object.fromEntries(samples.map((settings, i) => [`plain-${i}`, settings])),
  ...Object.fromEntries(samples.map((settings, i) => [`shuffled-${i}`, shuffled(settings)])),
  everything: CARRIED_OPTIONS,
});

describe('random settings', () => {
  test('open what the access rules state', () => {
    samples.forEach((settings, i) => {
      const tree = readTree(join(trees, `plain-${i}`), 'plain');
      for (const stack of reviewedTree(tree).stacks) expectToAgree(stack, settings);
    });
  });

  test.each(['access.json', 'cdk.tf.json'])('give the same bytes when shuffled: %s', (file) => {
    samples.forEach((settings, i) => {
      for (const stack of readTree(join(trees, `plain-${i}`), 'plain').keys()) {
        const read = (kind: string) =>
          readFileSync(join(trees, `${kind}-${i}`, 'stacks', stack, file), 'utf8');
        expect(read('shuffled'), JSON.stringify(settings)).toBe(read('plain'));
      }
    });
  });
});

describe('the reader notices', () => {
  const everything = readTree(join(trees, 'everything'), 'everything');

  test('every change of every rule in the Terraform JSON', async () => {
    const unnoticed: string[] = [];
    const attributes = new Set<string>();
    for (const stack of everything.values()) {
      const before = new Map([[stack.name, stack]]);
      const attributeOf = (what: string) => what.replaceAll(/\[\d+\]/g, '');
      for (const [what, changed] of some([...mutations(stack)], ([one]) => attributeOf(one))) {
        attributes.add(attributeOf(what));
        const after = new Map([[stack.name, changed]]);
        const { decision } = review(before, after, '2030-06-15');
        if (decision === 'no-change') unnoticed.push(what);
      }
    }
    expect(unnoticed).toEqual([]);
    expect(attributes.size).toBe(75);
  }, 300_000);

  test('directions that a group leaves to the cloud, in both families', () => {
    const terraform = readTerraform({ resource: { volcenginecc_vpc_security_group: { own: {} } } });
    const { unstated } = compareWithRules(readFlows(terraform), []);
    expect(unstated.map(flowText)).toEqual([
      expect.stringContaining('egress to 0.0.0.0/0'),
      expect.stringContaining('egress to ::/0'),
      expect.stringContaining('ingress from group volcenginecc_vpc_security_group.own'),
    ]);
  });

  test('a resource of a type that it has no reader for', () => {
    const terraform = readTerraform({ resource: { volcenginecc_vpc_network_acl: { own: {} } } });
    expect(readEffectiveAccess(terraform).unread.map(({ where }) => where)).toEqual([
      'volcenginecc_vpc_network_acl.own',
    ]);
  });
});

/** Attributes that decide who may talk to whom, and what else they could say. */
const OTHERWISE: Readonly<Record<string, (value: unknown) => unknown>> = {
  cidr_ip: (cidr) => (cidr === '0.0.0.0/0' ? '10.0.0.0/8' : '0.0.0.0/0'),
  cidr: () => '192.0.2.0/24',
  entry: () => '100.0.0.0/8',
  address: () => '192.0.2.1/32',
  permit_account_ids: () => ['*'],
  endpoint_id: () => 'ep-other',
  port: (port) => Number(port) + 1,
  port_start: (port) => Number(port) - 1,
  port_end: (port) => Number(port) + 1,
  protocol: (protocol) => ({ tcp: 'udp', udp: 'tcp', TCP: 'UDP' })[String(protocol)] ?? 'icmp',
  policy: (policy) => (policy === 'drop' ? 'accept' : 'drop'),
  acl_status: () => 'off',
  acl_type: () => 'black',
  dest_port: () => '1/65535',
  direction: (direction) =>
    ({ in: 'out', out: 'in', ingress: 'egress', egress: 'ingress' })[String(direction)],
  prefix_list_id: () => 'pl-other',
};

/** Removes what changes nothing: numbers that have no meaning, and policies that only deny. */
function isIdle(type: string, member: Body, name: string): boolean {
  const hasNoPorts = member.protocol === 'all' && name.startsWith('port_');
  return (
    hasNoPorts ||
    type === 'volcenginecc_clb_server_group' ||
    (type === 'volcenginecc_fwcenter_control_policy' && member.action === 'deny') ||
    isOwnBook(member)
  );
}

/** A drop says what holds without it, unless it comes below a rule that opens something outward. */
function isRestated(name: string, member: Body, all: readonly Body[]): boolean {
  if (!name.endsWith('_permissions') || member.policy !== 'drop') return false;
  return name.startsWith('ingress') || all.every(({ policy }) => policy === 'drop');
}

/** The enterprise's own addresses in a firewall are no peers. */
function isOwnBook(member: Readonly<Record<string, unknown>>): boolean {
  return typeof member.description === 'string' && member.description.includes('own address');
}

function* mutations(stack: SynthesizedStack): Generator<readonly [string, SynthesizedStack]> {
  for (const resource of stack.terraform.resources.filter(({ kind }) => kind === 'resource')) {
    for (const [where, body] of changedBodies(resource.type, resource.body)) {
      const resources = stack.terraform.resources.map((one) =>
        one === resource ? { ...one, body } : one,
      );
      yield [
        `${resource.address}${where}`,
        { ...stack, terraform: { ...stack.terraform, resources } },
      ];
    }
  }
}

type Body = Readonly<Record<string, unknown>>;

/** The body with one attribute changed, or one member of a list dropped. */
function* changedBodies(type: string, body: Body): Generator<readonly [string, Body]> {
  for (const [name, value] of Object.entries(body)) {
    const otherwise = OTHERWISE[name];
    if (otherwise !== undefined && !isIdle(type, body, name)) {
      yield [`.${name}`, { ...body, [name]: otherwise(value) }];
    }
    if (!Array.isArray(value) || !/permissions$|entries$|detail_list$/.test(name)) continue;
    for (const [i, member] of value.entries()) {
      const restates = isRestated(name, member, value);
      if (!restates && !isOwnBook(member))
        yield [`.${name}[${i}] dropped`, { ...body, [name]: value.toSpliced(i, 1) }];
      for (const [where, changed] of changedBodies(type, member)) {
        if (restates && (where === '.cidr_ip' || where === '.protocol')) continue;
        yield [`.${name}[${i}]${where}`, { ...body, [name]: value.with(i, changed) }];
      }
    }
  }
}
