import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerQuestion, joinAnswers } from '../../src/reach/questions/answer.js';
import { readQuestion } from '../../src/reach/questions/read-question.js';
import { reachTable } from '../../src/reach/questions/table.js';
import {
  addressesIn,
  firstAddress,
  resourceOf,
  toAddress,
  typeOf,
} from '../../src/reach/read/address.js';
import { parsePlan } from '../../src/reach/read/plan/parse-plan.js';
import { planStacks } from '../../src/reach/read/plan/plan-stacks.js';
import { readStateFile } from '../../src/reach/read/state-file.js';
import { references, type TerraformStackJson } from '../../src/reach/read/terraform-json.js';
import { readReached } from '../../src/reach/ways/doors.js';
import { temporaryFolder } from '../support/cleanup.js';
import { runHere } from '../support/run-here.js';

const GROUP = 'volcenginecc_vpc_security_group';
const ENDPOINT = 'volcenginecc_privatelink_vpc_endpoint';

type Key = string | number | undefined;

/** An endpoint with a group of its own, in one instance of a module. */
interface Instance {
  readonly module?: string;
  readonly key?: Key;
  /** Whom its group lets in. */
  readonly from: string;
}

function permission(cidr: string) {
  return {
    ...{ cidr_ip: cidr, description: '', direction: 'ingress', policy: 'accept', priority: 1 },
    ...{ port_start: 443, port_end: 443, protocol: 'tcp' },
    ...{ prefix_list_id: '', source_group_id: '' },
  };
}

function attributesOf(from: string, at: number) {
  const [id, group] = [`ep-${at}`, `sg-${at}`];
  return {
    [GROUP]: {
      ...{ id: group, security_group_id: group, vpc_id: 'vpc-1' },
      ingress_permissions: [permission(from)],
    },
    [ENDPOINT]: {
      ...{ id, endpoint_id: id, vpc_id: 'vpc-1', connection_status: 'Connected' },
      security_group_ids: [group],
    },
  };
}

/** A state as Terraform writes it: instances of one resource of one module stand together. */
function stateOf(all: readonly Instance[]) {
  const modules = [...new Set(all.map(({ module }) => module))];
  const resources = modules.flatMap((module) =>
    ([GROUP, ENDPOINT] as const).map((type) => ({
      ...(module !== undefined && { module }),
      ...{ mode: 'managed', type, name: 'e', provider: 'provider["example.com/v/v"]' },
      instances: all.flatMap((one, at) =>
        one.module === module
          ? [
              {
                ...(one.key !== undefined && { index_key: one.key }),
                ...{ schema_version: 0, attributes: attributesOf(one.from, at)[type] },
              },
            ]
          : [],
      ),
    })),
  );
  return {
    version: 4,
    terraform_version: '1.9.8',
    serial: 1,
    lineage: 'x',
    outputs: {},
    resources,
  };
}

async function written(json: object): Promise<string> {
  const file = join(await temporaryFolder(), 'terraform.tfstate');
  writeFileSync(file, JSON.stringify(json));
  return file;
}

function asked(file: string) {
  return answers(readStateFile(file, '--state'));
}

/** Asks by the command's own reader of questions. */
function answers(terraform: TerraformStackJson) {
  const stacks = [readReached({ name: 'state', file: 'state', terraform })];
  const answer = (from: string, to: string) => {
    const question = readQuestion({ from, to: `${to}:443`, protocol: 'tcp' }, stacks);
    return joinAnswers(answerQuestion(stacks, question).map((place) => place.answer));
  };
  return { answer, rows: reachTable(stacks).filter(({ direction }) => direction === 'ingress') };
}

const KEYS: readonly Key[] = [
  ...[undefined, 0, 1, '0', '', 'a', 'team.app', 'team/app', 'team_app', 'team app', 'a, b; c'],
  ...[
    'say "hi"',
    'back\\slash',
    '] (private)',
    'a}b',
    `\${x}`,
    '%{if}',
    '$',
    'é',
    '\t\n',
    '\u0007',
  ],
  ...['10.0.0.0/8', 'x:443', 'e.id', `${GROUP}.e`, 'module.a', 'network ACL', '\u{10ffff}'],
];

const MODULES = [
  undefined,
  'module.a',
  'module.b["x.y"].module.c[0]',
  'module.b["x/y"].module.c[0]',
];

test('every instance of a state is a place of its own, by the address that Terraform gives it', async () => {
  const places = MODULES.flatMap((module) =>
    KEYS.map((key) => ({ ...(module && { module }), key })),
  );
  const all = places.map((place, i) => ({ ...place, from: `198.51.100.${i}/32` }));
  const { answer, rows } = asked(await written(stateOf(all)));
  const addressOf = (type: string, one: (typeof places)[number]) =>
    toAddress({ ...one, type, name: 'e' });
  expect(rows.map(({ subject, resource, peer }) => [subject, resource, peer]).sort()).toEqual(
    all
      .map((one) => [addressOf(ENDPOINT, one), addressOf(GROUP, one), one.from.slice(0, -3)])
      .sort(),
  );
  for (const [i, place] of places.entries()) {
    const name = addressOf(ENDPOINT, place);
    const others = [i - 1, i + 1, (i + KEYS.length) % places.length].filter((one) => one !== i);
    expect([name, answer(`198.51.100.${i}`, name)]).toEqual([name, 'reachable']);
    for (const one of others.filter((other) => other >= 0)) {
      expect([name, answer(`198.51.100.${one}`, name)]).toEqual([name, 'closed']);
    }
  }
});

test('addresses are as Terraform writes them', () => {
  const one = (key: Key) => toAddress({ module: 'module.a', type: 't', name: 'n', key });
  const keys = ['a"b\\c', `\${x}%{y}$`, '\n\t\r', '\u0007', '\u{e000}\u{10ffff}', 'é €'];
  expect([...[undefined, 0, '0'], ...keys].map(one)).toEqual([
    'module.a.t.n',
    'module.a.t.n[0]',
    'module.a.t.n["0"]',
    String.raw`module.a.t.n["a\"b\\c"]`,
    'module.a.t.n["$$' + '{x}%%{y}$"]',
    String.raw`module.a.t.n["\n\t\r"]`,
    String.raw`module.a.t.n["\u0007"]`,
    String.raw`module.a.t.n["\ue000\U0010ffff"]`,
    'module.a.t.n["é €"]',
  ]);
});

test.each(
  KEYS.map((key) => [toAddress({ module: 'module.a["b c"]', type: 't', name: 'n', key })]),
)('finds %s whole among other words', (address) => {
  expect(firstAddress(`${address} (private)`)).toBe(address);
  expect(addressesIn(`network ACL ${address}`)).toEqual([address]);
  expect(addressesIn(`a.b, ${address}; c.d`)).toEqual(['a.b', address, 'c.d']);
  expect(resourceOf(address)).toBe('module.a["b c"].t.n');
  expect(typeOf(address)).toBe('t');
  expect(references(`\${${address}.id}`)).toEqual([address]);
});

test('two instances of one module, one of them open: the command names both, and each is asked of', async () => {
  const file = await written(
    stateOf([
      { module: 'module.edge["team.app"]', from: '0.0.0.0/0' },
      { module: 'module.edge["team/app"]', from: '192.0.2.0/24' },
    ]),
  );
  const ask = async (key: string) => {
    const to = `module.edge["${key}"].${ENDPOINT}.e`;
    const args = ['--from', '203.0.113.7', '--to', `${to}:443`, '--expect', 'closed'];
    return await runHere(['reach', '--state', file, ...args]);
  };
  const [open, closed] = [await ask('team.app'), await ask('team/app')];
  expect([open.exit, closed.exit]).toEqual([4, 0]);
  expect(open.stdout).toContain(`YES: 203.0.113.7 can reach module.edge["team.app"].${ENDPOINT}.e`);
  expect(open.stdout).toContain('accept by security group module.edge["team.app"].e');
});

const SOUND = stateOf([{ key: 'a', from: '0.0.0.0/0' }]);
type State = typeof SOUND;

function changed(change: (instance: Record<string, unknown>, at: number) => object[]): State {
  return {
    ...SOUND,
    resources: SOUND.resources.map((one, at) => ({
      ...one,
      instances: one.instances.flatMap((own) => change(own, at)) as never,
    })),
  };
}

test.each<[what: string, state: object, rule: string]>([
  [
    'attributes in the words of an older Terraform',
    changed(({ attributes, ...own }) => [{ ...own, attributes_flat: {} }]),
    `must hold the attributes of \`${GROUP}.e["a"]\``,
  ],
  ['an object twice', changed((own) => [own, own]), `must hold \`${GROUP}.e["a"]\` once only`],
  [
    'a key that is no key',
    changed((own) => [{ ...own, index_key: ['a'] }]),
    'must hold resources with their instances',
  ],
  [
    'resources that are no list',
    { ...SOUND, resources: {} },
    'must hold resources with their instances',
  ],
  ...['address', 'type'].map((name): [string, object, string] => [
    `a shown object with an empty ${name}`,
    { values: { root_module: { resources: [{ address: 'a.b', type: 'a', [name]: '' }] } } },
    'must hold resources with their addresses',
  ]),
])('refuses %s', async (_, state, rule) => {
  const file = await written(state);
  expect(() => readStateFile(file, '--state')).toThrow(rule);
});

test('an object that a replacement left leaves every answer undecided', async () => {
  const file = await written(changed((own) => [own, { ...own, deposed: 'abcd1234' }]));
  const { answer } = asked(file);
  expect(answer('203.0.113.7', `${ENDPOINT}.e["a"]`)).toBe('undecided');
});

/** A plan of an endpoint whose group, of `for_each`, is as the deploy makes it. */
function planOf(values: object, unknown: object, expressions: object) {
  const own = (type: string, body: object) => {
    const [name, index] = ['e', 'team.app'];
    return {
      address: toAddress({ type, name, key: index }),
      mode: 'managed',
      type,
      name,
      index,
      values: body,
    };
  };
  const { [ENDPOINT]: endpoint, [GROUP]: group } = attributesOf('192.0.2.0/24', 0);
  const { ingress_permissions: _, ...rest } = group;
  const resources = [own(ENDPOINT, endpoint), own(GROUP, { ...rest, ...values })];
  return {
    planned_values: { root_module: { resources } },
    resource_changes: resources.map(({ address, type }) => ({
      address,
      ...{ mode: 'managed', type },
      change: { actions: ['create'], after_unknown: type === GROUP ? unknown : {} },
    })),
    configuration: { root_module: { resources: [{ address: `${GROUP}.e`, expressions }] } },
  };
}

const LISTED = { ingress_permissions: [permission('192.0.2.0/24')] };

test.each<[what: string, plan: object, answer: string]>([
  ['are known, closed', planOf(LISTED, {}, {}), 'closed'],
  ['only the deploy knows, undecided', planOf({}, { ingress_permissions: true }, {}), 'undecided'],
  [
    'follow from a local value, undecided',
    planOf({}, { ingress_permissions: true }, { ingress_permissions: { references: ['local.a'] } }),
    'undecided',
  ],
])('an instance of a plan whose rules %s', (_, plan, expected) => {
  const { answer } = answers(planStacks(parsePlan(JSON.stringify(plan), 'plan.json')).left);
  expect(answer('203.0.113.7', `${ENDPOINT}.e["team.app"]`)).toBe(expected);
});

test('a state that Terraform prints is read with its modules, and a plan is told from it', async () => {
  const type = GROUP;
  const address = `module.a["x.y"].${type}.e`;
  const values = attributesOf('198.51.100.7/32', 0)[GROUP];
  const inner = { resources: [{ address, mode: 'managed', type, name: 'e', values }] };
  const printed = { values: { root_module: { child_modules: [inner] } } };
  const { answer } = asked(await written(printed));
  expect([answer('198.51.100.7', address), answer('198.51.100.8', address)]).toEqual([
    'reachable',
    'closed',
  ]);
  const plan = await written(planOf(LISTED, {}, {}));
  expect(() => readStateFile(plan, '--state')).toThrow('a plan is read with `--plan`');
});
