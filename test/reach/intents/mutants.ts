import { type Json, list, object, text } from '../../../src/reach/read/json.js';
import type { PlainStack } from './trees.js';

/** A tree that differs from another in one rule. */
export interface Mutant {
  readonly title: string;
  readonly stacks: readonly PlainStack[];
}

/** The lists of rules of each type, and how one rule of them is changed. */
const RULES: Readonly<Record<string, Readonly<Record<string, readonly Change[]>>>> = {
  volcenginecc_vpc_security_group: groupRules(),
  volcenginecc_clb_acl: {
    acl_entries: [
      remove,
      set('widened', { entry: '0.0.0.0/0' }),
      set('narrowed', { entry: '100.64.0.0/11' }),
      set('another peer', { entry: '10.9.0.0/16' }),
    ],
  },
  volcenginecc_vpc_prefix_list: {
    prefix_list_entries: [remove, set('another peer', { cidr: '203.0.113.7/32' })],
  },
};

type Change = (rules: readonly Json[], at: number) => { title: string; rules: readonly Json[] };

function groupRules() {
  const accept = (more: Json) => set(`made ${JSON.stringify(more)}`, more);
  const changes = [
    remove,
    accept({ cidr_ip: '0.0.0.0/0', prefix_list_id: undefined, policy: 'accept' }),
    accept({ cidr_ip: '10.30.0.0/17', prefix_list_id: undefined }),
    accept({ cidr_ip: '10.9.0.0/16', prefix_list_id: undefined, policy: 'accept' }),
    accept({ port_start: 22, port_end: 22, protocol: 'tcp' }),
    accept({ priority: 1, policy: 'drop', protocol: 'all', port_start: -1, port_end: -1 }),
  ];
  return { ingress_permissions: changes, egress_permissions: changes };
}

function remove(rules: readonly Json[], at: number) {
  return { title: 'removed', rules: rules.filter((_, i) => i !== at) };
}

function set(title: string, more: Json): Change {
  return (rules, at) => ({
    title,
    rules: rules.map((rule, i) =>
      i === at
        ? Object.fromEntries(
            Object.entries({ ...rule, ...more }).filter(([, value]) => value !== undefined),
          )
        : rule,
    ),
  });
}

/** Every tree in which one rule is removed, widened, narrowed, put first, or for another peer or port. */
export function mutants(stacks: readonly PlainStack[]): Mutant[] {
  return [...bodies(stacks)].flatMap(([stack, type, name, body]) => {
    const changes = Object.entries(RULES[type] ?? {}).flatMap(([attribute, all]) => {
      const rules = list(body[attribute]).map(object);
      // Of a long list, whose rules are alike, a few at its ends.
      const chosen = rules.map((_, at) => at).filter((at) => at < 2 || at > rules.length - 3);
      return chosen.flatMap((at) =>
        all.map((change) => {
          const { title, rules: changed } = change(rules, at);
          return { title: `${attribute} ${at} ${title}`, body: { ...body, [attribute]: changed } };
        }),
      );
    });
    return [...changes, ...accountChanges(type, body), ...policyChanges(type, body)].map(
      ({ title, body: own }) => ({
        title: `${type}.${name}: ${title}`,
        stacks: replaced(stacks, stack.name, type, name, own),
      }),
    );
  });
}

function accountChanges(type: string, body: Json) {
  if (type !== 'volcenginecc_privatelink_endpoint_service') return [];
  return [[], ['2100000009'], ['2100000001', '*']].map((permit) => ({
    title: `accounts ${permit.join()}`,
    body: { ...body, permit_account_ids: permit },
  }));
}

/** Each policy of a firewall is a rule by itself. */
function policyChanges(type: string, body: Json) {
  if (type !== 'volcenginecc_fwcenter_control_policy') return [];
  const action = body.action === 'accept' ? 'deny' : 'accept';
  return [{ title: `action ${action}`, body: { ...body, action } }];
}

function* bodies(stacks: readonly PlainStack[]) {
  for (const stack of stacks) {
    for (const [type, all] of Object.entries(object(stack.json.resource))) {
      for (const [name, body] of Object.entries(object(all))) {
        yield [stack, type, name, object(body)] as const;
      }
    }
  }
}

function replaced(
  stacks: readonly PlainStack[],
  stack: string,
  type: string,
  name: string,
  body: Json,
) {
  return stacks.map((one) => {
    if (one.name !== stack) return one;
    const resource = object(one.json.resource);
    return {
      ...one,
      json: {
        ...one.json,
        resource: { ...resource, [type]: { ...object(resource[type]), [name]: body } },
      },
    };
  });
}

/** Trees that open the same in other words: networks in halves, rules in another order, other names. */
export function rewritings(stacks: readonly PlainStack[]): Mutant[] {
  const each = (change: (type: string, body: Json) => Json) =>
    [...bodies(stacks)].reduce<readonly PlainStack[]>(
      (all, [stack, type, name, body]) => replaced(all, stack.name, type, name, change(type, body)),
      stacks,
    );
  const onRules = (change: (rules: readonly Json[]) => readonly Json[]) =>
    each((type, body) => {
      const own = Object.keys(RULES[type] ?? {}).filter((name) => body[name] !== undefined);
      const changed = own.map((name) => [name, change(list(body[name]).map(object))]);
      return { ...body, ...Object.fromEntries(changed) };
    });
  return [
    { title: 'rules in another order', stacks: onRules((rules) => rules.toReversed()) },
    { title: 'networks in halves', stacks: onRules((rules) => rules.flatMap(halves)) },
    { title: 'other names', stacks: stacks.map(renamed) },
  ];
}

function halves(rule: Json): Json[] {
  const [key, cidr = ''] =
    (['cidr_ip', 'entry'] as const)
      .map((one) => [one, text(rule[one])] as const)
      .find(([, one]) => one.includes('/16') || one.includes('/10')) ?? [];
  if (key === undefined) return [rule];
  const [network = '', length] = cidr.split('/');
  const [a, b] = network.split('.');
  const [size, step] =
    length === '16' ? [17, `${a}.${b}.128.0`] : [11, `${a}.${Number(b) + 32}.0.0`];
  return [
    { ...rule, [key]: `${network}/${size}` },
    { ...rule, [key]: `${step}/${size}` },
  ];
}

function renamed(stack: PlainStack): PlainStack {
  const names = Object.values(object(stack.json.resource)).flatMap((all) =>
    Object.keys(object(all)),
  );
  const json = names
    .toSorted((a, b) => b.length - a.length)
    .reduce(
      (all, name, i) => all.replaceAll(new RegExp(`(?<=[."])${name}(?=[."}])`, 'g'), `other${i}`),
      JSON.stringify([
        { resource: stack.json.resource, output: stack.json.output },
        stack.access.rules.map(({ carriers }) => carriers),
      ]),
    );
  const [renamedJson, carriers] = JSON.parse(json) as [Json, readonly string[][]];
  const rules = stack.access.rules.map((rule, i) => ({ ...rule, carriers: carriers[i] }));
  return { ...stack, json: renamedJson, access: { ...stack.access, rules } };
}
