import type { TerraformStack } from 'cdktf';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloud } from '../../../src/cloud/resource.js';
import { TABLE } from '../../../src/cloud/table/index.js';
import type { Row } from '../../../src/cloud/table/row.js';
import { type Alternatives, type Case, casesOf } from '../../sandbox/provider/change-cases.js';
import { DeployedCases } from '../../sandbox/provider/deployed-cases.js';
import { StandInTerraform } from '../../sandbox/provider/stand-in-terraform.js';
import { buildBalancer } from '../../sandbox/support.js';
import { synth } from '../../support/synth.js';

let terraform: StandInTerraform;
let balancer: string;

beforeAll(async () => {
  terraform = await StandInTerraform.start();
  balancer = buildBalancer(terraform.cloud).balancer;
});

afterAll(() => terraform.stop());

type Parts = Readonly<Record<string, string | number>>;

/** Two members of a set, each part with one other value. */
interface Members {
  readonly base: Parts;
  readonly others: Parts;
  readonly make: (stack: TerraformStack, id: string, parts: Parts) => void;
}

const text = (value: string | number | undefined) => String(value);

/** Networks with a text each. */
const NETWORKS = {
  base: { a: '10.0.0.1/32', aText: 'a', b: '10.0.0.2/32', bText: 'b' },
  others: { a: '10.9.0.1/32', aText: 'x', b: '10.9.0.2/32', bText: '' },
} as const;

const MEMBERS: Readonly<Record<string, Members>> = {
  'vpc_prefix_list.prefix_list_entries': {
    ...NETWORKS,
    make: (stack, id, { a, aText, b, bText }) =>
      new cloud.VpcPrefixList(stack, id, {
        maxEntries: 5,
        prefixListEntries: [
          { cidr: text(a), description: text(aText) },
          { cidr: text(b), description: text(bText) },
        ],
      }),
  },
  'clb_acl.acl_entries': {
    ...NETWORKS,
    make: (stack, id, { a, aText, b, bText }) =>
      new cloud.ClbAcl(stack, id, {
        aclEntries: [
          { entry: text(a), description: text(aText) },
          { entry: text(b), description: text(bText) },
        ],
      }),
  },
  'clb_server_group.servers': {
    base: { ip: '10.20.1.9', port: 80, weight: 100, other: '10.20.1.10', otherWeight: 50 },
    others: { ip: '10.20.1.19', port: 81, weight: 0, other: '10.20.1.20', otherWeight: 1 },
    make: (stack, id, { ip, port, weight, other, otherWeight }) => {
      const server = { type: 'ip', port: Number(port), description: 'backend' } as const;
      new cloud.ClbServerGroup(stack, id, {
        loadBalancerId: balancer,
        type: 'ip',
        servers: [
          { ...server, instanceId: text(ip), ip: text(ip), weight: Number(weight) },
          { ...server, instanceId: text(other), ip: text(other), weight: Number(otherWeight) },
        ],
      });
    },
  },
  'fwcenter_address_book.address_detail_list': {
    base: { a: '10.0.0.1', aText: 'a', b: '10.0.0.2', bText: 'b' },
    others: { a: '10.9.0.1', aText: 'x', b: '10.9.0.2', bText: '' },
    make: (stack, id, { a, aText, b, bText }) =>
      new cloud.FwcenterAddressBook(stack, id, {
        groupName: id,
        groupType: 'ip',
        addressDetailList: [
          { address: text(a), description: text(aText) },
          { address: text(b), description: text(bText) },
        ],
      }),
  },
  'vpc_vpc.tags': {
    base: { a: 'owner', aText: 'me', b: 'ticket', bText: '1' },
    others: { a: 'team', aText: 'you', b: 'order', bText: '' },
    make: (stack, id, { a, aText, b, bText }) =>
      new cloud.VpcVpc(stack, id, {
        cidrBlock: '10.0.0.0/16',
        tags: [
          { key: text(a), value: text(aText) },
          { key: text(b), value: text(bText) },
        ],
      }),
  },
};

function casesFor(name: string, { base, others, make }: Members): Case[] {
  const values = Object.entries(others).map(([part, other]) => [part, [other]] as const);
  const alternatives: Alternatives<Parts> = { base, others: Object.fromEntries(values) };
  const prefix = name.replace(/\W/g, '-');
  return casesOf(prefix, alternatives, (id, parts) => synth((stack) => make(stack, id, parts)));
}

it('every part of every other member changed leaves in the cloud what is written', async () => {
  const cases = Object.entries(MEMBERS).flatMap(([name, members]) => casesFor(name, members));
  expect(cases.length).toBeGreaterThanOrEqual(70);
  const deployed = await DeployedCases.deploy(terraform, cases);
  const wrong = cases.flatMap(({ name, after }) =>
    deployed.differences(after).map((what) => `${name}: ${what}`),
  );
  expect(wrong).toEqual([]);
  expect(await deployed.stack.planStatus()).toBe(0);
}, 300_000);

it('every set that the constructs write in full is among them', () => {
  const rows: readonly Row[] = TABLE;
  const unwritten = [
    'clb_clb.listeners',
    'clb_clb.server_groups',
    'clb_listener.domain_extensions',
  ];
  const sets = rows.flatMap(({ type, attributes }) =>
    Object.entries(attributes)
      .filter(([name, { spelledOut }]) => spelledOut && name !== 'tags')
      .map(([name]) => `${type.replace('volcenginecc_', '')}.${name}`),
  );
  const elsewhere = [
    'vpc_security_group.egress_permissions',
    'vpc_security_group.ingress_permissions',
  ];
  const single = ['privatezone_private_zone.vpcs'];
  const never = [...unwritten, 'privatelink_vpc_endpoint_connection.resources_allocate'];
  expect([...Object.keys(MEMBERS), ...elsewhere, ...single, ...never].sort()).toEqual(
    [...sets, 'vpc_vpc.tags'].sort(),
  );
});
