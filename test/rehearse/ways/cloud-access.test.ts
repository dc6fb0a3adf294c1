import { expect, test } from 'vitest';
import { toName } from '../../../src/reach/read/cloud-state.js';
import { readTerraform } from '../../../src/reach/read/terraform-json.js';
import { meet } from '../../../src/reach/sets/ranges.js';
import { everyPacket, passAtBounds } from '../../../src/reach/ways/pass.js';
import type { RehearsedTree } from '../../../src/rehearse/read-trees.js';
import { makeFindings } from '../../../src/rehearse/report/findings.js';
import type { Passage } from '../../../src/rehearse/timeline/account.js';
import { Recorder, withoutTasks } from '../../../src/rehearse/timeline/recorder.js';
import { makeAccount } from '../../../src/rehearse/timeline/timeline.js';
import { readWays } from '../../../src/rehearse/ways/ways.js';
import type { Change } from '../../../src/review/packet-changes.js';
import { Cloud } from '../../../src/sandbox/cloud/cloud.js';
import { Random } from '../../reach/differential/random.js';
import { GROUP, POLICY, rule, VPC } from '../../sandbox/support.js';
import { runs } from '../../support/samples.js';
import { recordedPassage } from '../passage.js';
import { NOTHING_UNDERSTOOD } from '../understood.js';

const recorder: Recorder = new Recorder(() => cloud.state);
let cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });

const NAMES = {
  group: 'volcenginecc_vpc_security_group.guard',
  guard: 'volcenginecc_fwcenter_control_policy.guard',
  other: 'volcenginecc_fwcenter_control_policy.other',
};

/** What is always open: by this both doors are known to be of the subject. */
const STATED = '192.0.2.0/24';
const CALLERS = '198.51.100.0/24';
const access = {
  ...{ schema: '', stack: 'own', digest: '' },
  rules: [CALLERS, STATED].map((cidr) => ({
    ...{ via: 'fixed-ip-ingress', direction: 'ingress' as const, subject: 'tickets' },
    ...{ peer: { kind: 'cidr', cidr }, protocol: 'tcp', reason: 'a test' },
    ports: { first: 443, last: 443 },
    carriers: Object.values(NAMES),
  })),
};
const tree: RehearsedTree = [
  { name: 'own', folder: '', terraform: readTerraform({}), access, understood: NOTHING_UNDERSTOOD },
];

const policy = (Action: string, facts = {}) => ({
  ...{ Direction: 'in', Action, Source: CALLERS, SourceType: 'net', Prio: 1 },
  ...{ Destination: '203.0.113.9/32', DestinationType: 'net', Status: true, Proto: 'ANY' },
  ...facts,
});

type Built = Readonly<Record<keyof typeof NAMES, string>>;

/** A group that is open or closed to callers, behind a firewall that accepts or denies them. */
function build(isOpen: boolean, action: string, facts = {}): Built {
  const vpc = cloud.create(VPC, { CidrBlock: '10.20.0.0/16' });
  const IngressPermissions = opened(...(isOpen ? [CALLERS] : []));
  const group = cloud.create(GROUP, { VpcId: vpc, IngressPermissions, EgressPermissions: [] });
  const guard = cloud.create(POLICY, policy(action, facts));
  const other = cloud.create(POLICY, policy('accept', { ...facts, Source: STATED, Prio: 5 }));
  return { group, guard, other };
}

const opened = (...networks: string[]) =>
  [STATED, ...networks].map((CidrIp) => rule({ CidrIp })) as never;
let next = 0;
const set = (type: string, id: string, facts: object) =>
  cloud.startUpdate(
    type,
    id,
    Object.entries(facts).map(([name, value]) => ({ op: 'replace', path: `/${name}`, value })),
    `${next++}`,
  );
const permit =
  (...networks: string[]) =>
  ({ group }: Built) =>
    set(GROUP, group, { IngressPermissions: opened(...networks) });
const [open, close] = [permit(CALLERS), permit()];
const decide =
  (Action: string, Source = CALLERS, Status = true) =>
  ({ guard }: Built) =>
    set(POLICY, guard, { Action, Source, Status });
const [accept, deny] = [decide('accept'), decide('deny')];

function passageOf(make: () => Built, steps: readonly ((built: Built) => unknown)[]): Passage {
  cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const built = make();
  recorder.take();
  const before = withoutTasks(cloud.state);
  for (const step of steps) step(built);
  return recordedPassage(recorder, before, {
    stack: 'own',
    addresses: new Map([
      [built.group, NAMES.group],
      [toName(built.guard), NAMES.guard],
      [toName(built.other), NAMES.other],
    ]),
    trees: [tree, tree],
  });
}

function found(make: () => Built, ...steps: readonly ((built: Built) => unknown)[]): string[] {
  const account = makeAccount(passageOf(make, steps));
  return makeFindings(account, []).map(({ kind, text }) => `${kind}: ${text}`);
}

test('what opens while one door takes the place of another is told, and not in the other order', () => {
  const make = () => build(false, 'accept');
  expect(found(make, open, deny)).toEqual([
    expect.stringMatching(/^transient-opening: 198\.51\.100\.0\/24 can reach tickets:443 .*step 1/),
  ]);
  expect(found(make, deny, open)).toEqual([]);
});

test('what another door drops before, in between and after, neither opens nor closes', () => {
  expect(found(() => build(false, 'deny'), open, close)).toEqual([]);
  expect(found(() => build(true, 'deny'), close)).toEqual([]);
  expect(found(() => build(true, 'deny'), close, open)).toEqual([]);
  expect(found(() => build(false, 'deny'), accept, deny)).toEqual([]);
});

test('what passes, opens and closes all the same', () => {
  const cut = /^cut: 198\.51\.100\.0\/24 can no longer reach tickets:443 .*step 1/;
  expect(found(() => build(true, 'accept'), close)).toEqual([expect.stringMatching(cut)]);
  expect(found(() => build(true, 'accept'), deny)).toEqual([expect.stringMatching(cut)]);
  const opens = /^transient-opening: 198\.51\.100\.0\/24 can reach tickets/;
  expect(found(() => build(false, 'accept'), open, close)).toEqual([expect.stringMatching(opens)]);
  expect(found(() => build(true, 'deny'), accept, deny)).toEqual([expect.stringMatching(opens)]);
});

test('a loss that grows is told once, with its steps', () => {
  const half = '198.51.100.128/25';
  const make = () => build(true, 'accept');
  const lost = 'can no longer reach tickets:443';
  const why = '(lost for good: the change removes it)';
  expect(found(make, permit(half), close)).toEqual([
    `cut: 198.51.100.0/25 ${lost} from step 1 on, ${half} from step 2 on ${why}`,
  ]);
  expect(found(make, permit(half), open, close)).toEqual([
    `cut: 198.51.100.0/25 ${lost} from step 1 to 2`,
    `cut: ${CALLERS} ${lost} from step 3 on ${why}`,
  ]);
});

test('where it is in doubt whether another door drops it, it is cut', () => {
  const make = () => {
    const built = build(true, 'accept', { Destination: '203.0.113.0/24', Prio: 2 });
    cloud.create(POLICY, policy('deny', { Destination: '203.0.113.0/25' }));
    return built;
  };
  expect(found(make, close)).toEqual([expect.stringMatching(/^cut: /)]);
});

const NETWORKS = [CALLERS, '198.51.100.0/25', '198.51.101.0/24'];
const SAMPLES = [0xc6336401n, 0xc63364c8n, 0xc6336501n];

/** Whether a caller gets to tickets:443 in each state, as `reach` has it. */
function answers({ before, steps, trees, service, addresses }: Passage, caller: bigint) {
  return [before, ...steps.map(({ cloud }) => cloud)].map((state) => {
    const { ways } = readWays(state, trees, service, [], addresses);
    const [way] = ways.filter(
      ({ direction, subject }) => direction === 'ingress' && subject === 'tickets',
    );
    const { least, most } = passAtBounds(way?.series ?? [], everyPacket(4));
    expect(meet(least.open, at(caller))).toEqual(meet(most.open, at(caller)));
    return meet(least.open, at(caller)).length > 0;
  });
}

const at = (caller: bigint) => [
  { first: caller, last: caller, services: [{ first: 443, last: 443 }] },
];

test('what opens, closes and is lost on the way is what reach answers of each step', () => {
  const told = { transient: 0, interrupted: 0, lost: 0 };
  for (let seed = 0; seed < runs(150); seed += 1) {
    const random = new Random(seed);
    const pick = <T>(all: readonly T[]) => all[random.below(all.length)] as T;
    const steps = Array.from({ length: 2 + random.below(4) }, () =>
      pick([0, 1]) === 0
        ? permit(...NETWORKS.filter(() => random.below(2) === 0))
        : decide(pick(['accept', 'deny']), pick(NETWORKS), pick([true, true, false])),
    );
    const passage = passageOf(() => build(pick([true, false]), pick(['accept', 'deny'])), steps);
    const account = makeAccount(passage);
    for (const caller of SAMPLES) {
      const passes = answers(passage, caller);
      const [first, last] = [passes[0], passes.at(-1)];
      account.access.forEach((step, i) => {
        const now = passes[i + 1];
        const isTold = (all: readonly Change[]) =>
          all.some(
            (one) =>
              one.subject === 'tickets' &&
              one.at.peer.kind === 'addresses' &&
              meet([one.at.range], at(caller)).length > 0,
          );
        const wanted = {
          transient: !first && now === true && !last,
          interrupted: first === true && !now && last === true,
          lost: first === true && !now && !last,
        };
        for (const kind of ['transient', 'interrupted', 'lost'] as const) {
          expect([seed, caller, i, kind, isTold(step[kind])]).toEqual([
            seed,
            caller,
            i,
            kind,
            wanted[kind],
          ]);
          if (wanted[kind]) told[kind] += 1;
        }
      });
    }
  }
  for (const count of Object.values(told)) expect(count).toBeGreaterThan(runs(20));
});
