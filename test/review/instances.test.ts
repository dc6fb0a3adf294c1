import { expect, test } from 'vitest';
import { readLiveStack } from '../../src/live/live-stack.js';
import { stateAsTerraform } from '../../src/reach/read/state-file.js';
import { NO_TERRAFORM, readTerraform } from '../../src/reach/read/terraform-json.js';
import { findDrift } from '../../src/review/found/drift.js';
import { foundStack } from '../../src/review/found/found-stack.js';
import { review } from '../../src/review/review.js';
import { DeployedCloud } from '../live/deployed-cloud.js';
import { buildNetwork, emptyCloud, rule } from '../sandbox/support.js';

const GROUP = 'volcenginecc_vpc_security_group';

function permission(cidr: string) {
  return {
    ...{ cidr_ip: cidr, description: 'orders', direction: 'ingress', policy: 'accept' },
    ...{ port_start: 443, port_end: 443, priority: 1, protocol: 'tcp' },
    ...{ prefix_list_id: '', source_group_id: '' },
  };
}

/** A tree whose group has instances, and the state of a deploy of it. */
function reviewed(more: object, instances: Readonly<Record<string, string>>) {
  const body = { vpc_id: 'vpc-1', ingress_permissions: [permission('10.20.0.0/16')], ...more };
  const terraform = readTerraform({ resource: { [GROUP]: { orders: body } } });
  const head = { name: 'api', terraform };
  const state = {
    resources: [
      {
        ...{ mode: 'managed', type: GROUP, name: 'orders' },
        instances: Object.entries(instances).map(([key, cidr]) => ({
          index_key: /^\d+$/.test(key) ? Number(key) : key,
          attributes: {
            ...{ id: `sg-${key}`, vpc_id: 'vpc-1', security_group_id: `sg-${key}` },
            ingress_permissions: [permission(cidr)],
          },
        })),
      },
    ],
  };
  const found = stateAsTerraform(state);
  const base = new Map([['api', foundStack(head, found, found)]]);
  const { findings } = review(base, new Map([['api', head]]), '2026-11-24');
  // The tree states no access rules, which is forbidden whatever changes.
  return findings.filter(({ decision }) => decision !== 'forbidden');
}

const OWN = '10.20.0.0/16';

test.each([
  ['count', { count: 2 }, { 0: OWN, 1: OWN }],
  ['for_each of an object', { for_each: { a: 1, 'b.c': 2 } }, { a: OWN, 'b.c': OWN }],
  [
    'for_each with keys that differ in one sign',
    { for_each: { 'b.c': 1, 'b/c': 2, 'b c': 3, 'b"c': 4 } },
    { 'b.c': OWN, 'b/c': OWN, 'b c': OWN, 'b"c': OWN },
  ],
  ['for_each of an expression', { for_each: `\${toset(["a", "b"])}` }, { a: OWN, b: OWN }],
])('instances by %s that are as the tree says are no change', (_, more, instances) => {
  expect(reviewed(more, instances)).toEqual([]);
});

test.each([
  ['with another rule', { count: 2 }, { 0: OWN, 1: '203.0.113.0/24' }],
  [
    'with a key that differs in one sign, and another rule,',
    { for_each: { 'b.c': 1, 'b/c': 2 } },
    { 'b.c': '203.0.113.0/24', 'b/c': OWN },
  ],
  ['too many', { count: 1 }, { 0: OWN, 1: OWN }],
  ['of another network', { count: 1, vpc_id: '${volcenginecc_vpc_vpc.own.id}' }, { 0: OWN }],
])('an instance %s is a change', (_, more, instances) => {
  expect(reviewed(more, instances)).not.toEqual([]);
});

const MODULES = ['module.a["team.app"]', 'module.a["team/app"]', 'module.a["x"].module.b[0]'];

/** Instances of one module: each has a group with a key of its own, and all have one rule. */
function ofModules(head: object) {
  const instances = MODULES.map((module) => ({
    ...{ module, mode: 'managed', type: GROUP, name: 'e' },
    instances: ['a', 'team.app'].map((index_key) => {
      const id = `sg-${module}-${index_key}`.replaceAll(/\W/g, (sign) => `_${sign.charCodeAt(0)}`);
      const attributes = { id, security_group_id: id, ingress_permissions: [permission(OWN)] };
      return { index_key, attributes };
    }),
  }));
  const found = stateAsTerraform({ resources: instances });
  const stack = { name: 'api', terraform: readTerraform(head) };
  const base = new Map([['api', foundStack(stack, found, found)]]);
  return review(base, new Map([['api', stack]]), '2026-11-24');
}

test('what the modules of a tree have made is not told as closed, and that they are not read is', () => {
  const { findings, notes } = ofModules({ module: { a: { source: './a' } } });
  expect(findings.filter(({ decision }) => decision !== 'forbidden')).toEqual([]);
  expect(notes.join()).toContain('does not read module.a: a module can open anything');
});

test('each instance of a module that the tree no longer has is closed, under its whole address', () => {
  const { findings } = ofModules({ module: { other: { source: './a' } } });
  const told = findings.filter(({ kind }) => kind === 'access').map(({ resource }) => resource);
  const all = MODULES.flatMap((module) =>
    ['a', 'team.app'].map((key) => `${module}.${GROUP}.e["${key}"]`),
  );
  expect(new Set(told.flatMap((one) => one.split('; ')))).toEqual(new Set(all));
});

test('an edit of one instance of a module in the cloud is told of that one, under its whole address', async () => {
  const cloud = emptyCloud();
  const groups = MODULES.map(() => buildNetwork(cloud).group);
  const { reader, state } = new DeployedCloud(cloud);
  const resources = groups.map((id, i) => {
    const [{ instances: [{ attributes = {} } = {}] = [] } = {}] = state.resources.filter(
      (one) => JSON.stringify(one).includes(`"id":"${id}"`) && JSON.stringify(one).includes(GROUP),
    ) as { instances?: { attributes?: object }[] }[];
    const instances = [{ index_key: 'team.app', attributes }];
    return { module: MODULES[i] ?? '', mode: 'managed', type: GROUP, name: 'e', instances };
  });
  const rules = [rule(), rule({ CidrIp: '203.0.113.0/24', Priority: 1 })];
  const patch = [{ op: 'replace', path: '/IngressPermissions', value: rules }] as never;
  cloud.startUpdate('Volcengine::VPC::SecurityGroup', groups[1] ?? '', patch, 'edit');
  const stack = { name: 'api', terraform: NO_TERRAFORM };
  const live = await readLiveStack(reader, stack, { resources } as never, 500);
  const address = `${MODULES[1]}.${GROUP}.e["team.app"]`;
  expect(findDrift(live).map(({ what, resource }) => [what, resource])).toEqual([
    [expect.stringMatching(/203\.0\.113\.0\/24 can reach .*, tcp 443; the rule is not/), address],
  ]);
});
