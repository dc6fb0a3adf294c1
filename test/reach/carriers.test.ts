import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RawRule } from '../../src/access/access-file.js';
import { readTree, type SynthesizedStack } from '../../src/reach/read/read-tree.js';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { CarrierNames } from '../../src/reach/rules/carriers.js';
import { ResourceIndex } from '../../src/reach/rules/reading.js';
import { combine } from '../../src/reach/sets/ranges.js';
import { subtract } from '../../src/reach/sets/services.js';
import { passUnderDoubt } from '../../src/reach/ways/bounds.js';
import { type Reached, readReached } from '../../src/reach/ways/doors.js';
import { everyPacket } from '../../src/reach/ways/pass.js';
import { review } from '../../src/review/review.js';
import { CARRIED_OPTIONS } from '../support/carried-options.js';
import { runs } from '../support/samples.js';
import { synthesizeAll } from '../support/synthesize-all.js';
import { randomOf } from './two-engines.js';

const trees = synthesizeAll({ everything: CARRIED_OPTIONS });
const stacks = [...readTree(join(trees, 'everything'), 'everything').values()];

const withRules = (stack: SynthesizedStack, change: (rule: RawRule) => RawRule) => ({
  ...stack,
  access: { schema: '', stack: '', digest: '', ...stack.access, rules: rulesOf(stack).map(change) },
});
const rulesOf = ({ access }: SynthesizedStack) => access?.rules ?? [];
const reach = (stack: SynthesizedStack) => readReached({ ...stack, file: 'cdk.tf.json' });

/** The names of all places and of what is open by name alone. */
const subjectsOf = (reached: Reached) => [
  ...new Set([...reached.ways, ...reached.named].map(({ via, subject }) => `${via} ${subject}`)),
];

describe('the constructs say what carries their rules', () => {
  test('each resource lets through what it carries, and everything that does is named', () => {
    const types = (via: string) => {
      const own = stacks.flatMap(rulesOf).filter((rule) => rule.via === via);
      const carriers = own.flatMap((rule) => rule.carriers ?? ['none']);
      return [...new Set(carriers.map((one) => one.split('.')[0]?.replace('volcenginecc_', '')))];
    };
    expect(types('service-endpoint')).toEqual(['vpc_security_group']);
    const ofFixed = ['fwcenter_control_policy', 'vpc_security_group'];
    expect(types('fixed-ip-egress').sort()).toEqual(ofFixed);
    expect(types('fixed-ip-ingress').sort()).toEqual(ofFixed);
    expect(types('plugin-endpoint-service').sort()).toEqual([
      'clb_listener',
      'privatelink_endpoint_service',
      'privatelink_vpc_endpoint_connection',
      'vpc_security_group',
    ]);
    const report = review(new Map(), new Map(stacks.map((one) => [one.name, one])), '2030-06-15');
    expect(report.violations).toEqual([]);
  });

  test('all names are looked up', () => {
    expect(stacks.flatMap((stack) => subjectsOf(reach(stack))).sort()).toEqual([
      'fixed-ip-egress fixed',
      'fixed-ip-ingress tickets',
      'plugin-endpoint-service orders',
      'plugin-endpoint-service orders-listener',
      'service-endpoint agent-service',
    ]);
  });

  test('a name that the cloud has for a thing decides nothing', () => {
    const renamed = stacks.map((stack) => ({
      ...stack,
      terraform: {
        ...stack.terraform,
        resources: stack.terraform.resources.map((one) => {
          const names = Object.keys(one.body).filter((name) => /_name$/.test(name));
          const body = { ...one.body, ...Object.fromEntries(names.map((name) => [name, 'x'])) };
          return { ...one, body };
        }),
      },
    }));
    expect(renamed.map((one) => subjectsOf(reach(one)))).toEqual(
      stacks.map((one) => subjectsOf(reach(one))),
    );
  });

  test('without carriers, things have their own names where those are nobody else’s', () => {
    const old = stacks.map((stack) => withRules(stack, ({ carriers: _, ...rule }) => rule));
    const names = old.flatMap((stack) => subjectsOf(reach(stack))).map((one) => one.trim());
    expect(names.map((one) => one.replace(/-[0-9a-f]{6}$/, '')).sort()).toEqual([
      'Cloud Firewall, egress of 47.1.2.4',
      'Cloud Firewall, ingress of 47.1.2.3',
      'agent-service',
      'callers',
      'fixed',
      'fixed-listed',
      'order-lookup',
      'order-lookup-backend',
      'volcenginecc_privatelink_endpoint_service.plugin-endpoint-service',
    ]);
  });
});

const resource = (type: string, name: string, body: object) => ({
  ...{ address: `${type}.${name}`, kind: 'resource' as const, type },
  body: { ...body },
});
const GROUP = 'volcenginecc_vpc_security_group';

test.each<[what: string, name: string, called: string]>([
  ['its own', 'web', 'web'],
  ['one that another thing has', 'shared', `${GROUP}.one`],
  ['one that an access rule has', 'orders', `${GROUP}.one`],
  ['an address', '10.0.0.0/8', `${GROUP}.one`],
  ['one that means somebody', 'internet', `${GROUP}.one`],
  ['one that is not known', '${var.name}', `${GROUP}.one`],
  ['a sentence', 'web, which is closed', `${GROUP}.one`],
])('a thing that no rule names is called by its name if that is %s', (what, name, called) => {
  const index = new ResourceIndex([
    resource(GROUP, 'one', { security_group_name: name }),
    resource('volcenginecc_clb_clb', 'other', { load_balancer_name: 'shared' }),
  ]);
  const stated = reach(withRules(stacks[0] as SynthesizedStack, (rule) => rule)).stated.all();
  const rules = stated.slice(0, 1).map((rule) => ({ ...rule, subject: 'orders', carriers: [] }));
  const list = { carrier: `${GROUP}.one`, direction: 'ingress' } as const;
  const names = new CarrierNames(rules, index);
  expect([what, names.nameOf(list, [])]).toEqual([what, { subject: called, via: '' }]);
});

test('a group is one peer, by whichever of its identifiers it is named', () => {
  const all = { priority: 10, protocol: 'all', port_start: -1, port_end: -1 };
  const entry = (policy: string, id: string, priority: number) => ({
    ...{ ...all, policy, priority, source_group_id: `\${${GROUP}.peers.${id}}` },
  });
  const own = {
    ingress_permissions: [entry('drop', 'id', 1), entry('accept', 'security_group_id', 10)],
  };
  const terraform = readTerraform({ resource: { [GROUP]: { own, peers: {} } } });
  const { named } = readReached({ name: 'api', file: '', terraform });
  expect(named.filter(({ carrier }) => carrier === `${GROUP}.own`)).toEqual([]);
});

/** Everything that may be open at each group and listener, by what carries it. */
function openAt({ ways }: Reached) {
  const places = ways.filter(({ series }) =>
    series.some(({ list: { kind } }) => kind === 'group' || kind === 'listener'),
  );
  return places.flatMap(({ names: [, carrier], direction, series }) =>
    ([4, 6] as const).map((family) => ({
      place: `${carrier} ${direction} ${family}`,
      most: passUnderDoubt(series, everyPacket(family)).most,
    })),
  );
}

describe('wrong carriers, as a hostile author would write them', () => {
  /** Gives rules carriers of others, of nothing, and other things of the stack. */
  function withWrong(stack: SynthesizedStack, seed: number): SynthesizedStack {
    const random = randomOf(seed);
    const there = stack.terraform.resources.map(({ address }) => address);
    const named = rulesOf(stack).flatMap(({ carriers = [] }) => carriers);
    const all: [string, ...string[]] = [`${GROUP}.gone`, ...there, ...named, ...named];
    const one = () => random.pick(all);
    const isAlike = random.next(2) === 0;
    const alike = [one(), one()];
    return withRules(stack, (rule) => {
      const kind = random.next(4);
      if (kind === 0) return rule;
      return { ...rule, carriers: isAlike ? alike : kind === 1 ? [] : [one(), one()] };
    });
  }

  test('hide nothing that is open', () => {
    for (const stack of stacks.map(widened)) {
      const right = openAt(reach(stack));
      for (let seed = 0; seed < runs(60); seed += 1) {
        const wrong = new Map(
          openAt(reach(withWrong(stack, seed))).map(({ place, most }) => [place, most]),
        );
        for (const { place, most } of right) {
          const lost = combine(most, wrong.get(place) ?? [], subtract);
          expect([seed, place, lost]).toEqual([seed, place, []]);
        }
      }
      expect(right.flatMap(({ most }) => most)).not.toEqual([]);
    }
  });

  test('leave every row of a review, under whatever name, and are forbidden', () => {
    for (const stack of stacks) {
      const rows = (head: SynthesizedStack) => {
        const { name } = stack;
        const report = review(new Map([[name, stack]]), new Map([[name, head]]), '2030-06-15');
        const access = report.findings.filter(({ kind }) => kind === 'access');
        const told = access
          .filter(({ resource: at }) => at !== 'access.json')
          .flatMap(({ resource: all, before, after, addresses, decision }) =>
            all.split('; ').map((one) => [one, before, after, addresses, decision]),
          );
        return { told: told.map(String).sort(), exit: report.decision };
      };
      const honest = rows(widened(stack));
      expect(honest.told.join()).toContain('needs-approval');
      for (let seed = 0; seed < runs(20); seed += 1) {
        const { told, exit } = rows(withWrong(widened(stack), seed));
        expect([seed, told, exit]).toEqual([seed, honest.told, 'forbidden']);
      }
    }
  });

  /** Opens a port that a firewall closes, of each group to everybody. */
  function widened(stack: SynthesizedStack): SynthesizedStack {
    const rule = {
      policy: 'accept',
      priority: 1,
      protocol: 'tcp',
      port_start: 8443,
      port_end: 8443,
    };
    const open = { ...rule, cidr_ip: '0.0.0.0/0', description: '' };
    const resources = stack.terraform.resources.map((one) => {
      const { ingress_permissions: own } = one.body;
      if (one.type !== GROUP || !Array.isArray(own)) return one;
      return { ...one, body: { ...one.body, ingress_permissions: [open, ...own] } };
    });
    return { ...stack, terraform: { ...stack.terraform, resources } };
  }
});
