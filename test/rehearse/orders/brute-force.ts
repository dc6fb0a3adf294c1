import { expect } from 'vitest';
import { parseAddress } from '../../../src/net/address.js';
import { overlaps, toServices } from '../../../src/reach/sets/services.js';
import { composeState, findEdits } from '../../../src/rehearse/orders/compose-state.js';
import { findOrders, otherFindings } from '../../../src/rehearse/orders/other-findings.js';
import { orderSteps } from '../../../src/rehearse/orders/step-order.js';
import { makeFindings } from '../../../src/rehearse/report/findings.js';
import type { Account, Passage } from '../../../src/rehearse/timeline/account.js';
import { makeAccount, waysReader } from '../../../src/rehearse/timeline/timeline.js';
import type { Change } from '../../../src/review/packet-changes.js';
import type { CloudState } from '../../../src/sandbox/cloud/cloud-state.js';
import { PEERS, PORTS, randomPassage } from './random-passage.js';

/** What is so in one state and neither at first nor in the end: of packets, each sample of them. */
function found(
  { access, closedBackends, lanesSeen }: Pick<Account, 'access' | 'closedBackends' | 'lanesSeen'>,
  count: number,
): Set<string> {
  const samples = (kind: string, change: Change) =>
    PEERS.flatMap((peer) => {
      const { value } = parseAddress(peer);
      const { range } = change.at;
      const isIn = range.first <= value && value <= range.last;
      return PORTS.filter(
        (port) => isIn && overlaps(range.services, toServices('tcp', { first: port, last: port })),
      ).map(
        (port) => `${kind} ${change.direction} ${change.subject} ${change.via} ${peer} ${port}`,
      );
    });
  const all: string[] = [];
  const end = new Set(closedBackends.at(-1)?.map(({ serverGroup }) => serverGroup));
  for (let i = 0; i < count; i += 1) {
    const { transient = [], interrupted = [] } = access[i] ?? {};
    all.push(...transient.flatMap((one) => samples('opens', one)));
    all.push(...interrupted.flatMap((one) => samples('closes', one)));
    for (const { serverGroup } of closedBackends[i + 1] ?? [])
      if (!end.has(serverGroup)) all.push(`calls ${serverGroup}`);
    for (const { name, clients, states } of lanesSeen) {
      const isCut = (own: readonly string[]) =>
        own[0] === 'open' && own.at(-1) === 'open' && own[i + 1] !== 'open';
      if (clients.length === 0 && isCut(states)) all.push(`lane ${name}`);
      for (const peer of PEERS) {
        const { value } = parseAddress(peer);
        const own = clients.find(({ first, last }) => first <= value && value <= last);
        if (own !== undefined && isCut(own.states)) all.push(`lane ${name} ${peer}`);
      }
    }
  }
  return new Set(all);
}

/** All sets of steps that hold what their steps wait for. */
function everySet({ steps }: Passage, waits: readonly ReadonlySet<number>[]) {
  const sets: Set<number>[] = [];
  for (let bits = 0; bits < 2 ** steps.length; bits += 1) {
    const done = new Set([...steps.keys()].filter((i) => (bits >> i) & 1));
    if ([...done].every((i) => [...(waits[i] ?? [])].every((one) => done.has(one))))
      sets.push(done);
  }
  return sets;
}

/** What is found in each of some states, as if it came between the first and the last. */
function foundBetween(
  { graphs: _, ...passage }: Passage,
  states: readonly CloudState[],
  see: ReturnType<typeof waysReader>,
) {
  const [last] = passage.steps.slice(-1);
  if (last === undefined) return new Set<string>();
  const steps = [...states.map((cloud) => ({ ...last, cloud })), last];
  return found(makeAccount({ ...passage, steps }, see), states.length);
}

/** Goes through every set of steps that holds what its steps wait for. */
function bruteForce(passage: Passage, see: ReturnType<typeof waysReader>) {
  const { graphs, ...alone } = passage;
  const edits = findEdits(passage.before, passage.steps);
  const ordered = orderSteps({ ...passage, graphs: graphs ?? new Map() });
  if (ordered === undefined) throw new Error('the graph is not read');
  const isSame = (i: number, k: number) =>
    passage.steps[i]?.identifier === passage.steps[k]?.identifier;
  const waits = ordered.map(
    (own, i) => new Set([...own, ...[...edits.keys()].filter((k) => k < i && isSame(i, k))]),
  );
  const states = everySet(passage, waits).map((done) => composeState(passage.before, edits, done));
  const [last] = passage.steps.slice(-1);
  const findings = states.flatMap((cloud) =>
    last === undefined
      ? []
      : makeFindings(makeAccount({ ...alone, steps: [{ ...last, cloud }, last] }, see), []),
  );
  const between = findings.filter(({ from, until }) => from === 1 && until === 2);
  return {
    samples: foundBetween(passage, states, see),
    findings: new Set(between.map(({ kind, what }) => `${kind} ${what}`)),
    isNoticed: findings.length > 0,
  };
}

/** Compares what is found of every order with what going through all of them finds; returns how often what was found. */
export function compareOrders(seeds: readonly number[]): ReadonlyMap<string, number> {
  const kinds = new Map<string, number>();
  for (const seed of seeds) {
    const passage = randomPassage(seed);
    const { states, notJudged } = findOrders(passage);
    expect(notJudged, `seed ${seed}`).toEqual([]);
    const see = waysReader(passage);
    const account = makeAccount(passage, see);
    const ofRun = found(account, account.steps.length);
    const others = foundBetween(
      passage,
      states.map(({ cloud }) => cloud),
      see,
    );
    const wanted = bruteForce(passage, see);
    expect(new Set([...ofRun, ...others]), `seed ${seed}`).toEqual(wanted.samples);
    const findingsOf = (one: Passage) => makeFindings(makeAccount(one, see), []);
    const findings = findingsOf(passage);
    const other = otherFindings(passage, { steps: account.steps, findings, findingsOf });
    const told = new Set([...findings, ...other].map(({ kind, what }) => `${kind} ${what}`));
    // A run can say more of what is lost in the end: that it is open again for a while.
    expect(
      [...wanted.findings].filter((one) => !told.has(one)),
      `seed ${seed}`,
    ).toEqual([]);
    expect(told.size > 0, `seed ${seed}`).toBe(wanted.isNoticed);
    for (const one of wanted.samples) {
      const kind = `${one.split(' ')[0]}${ofRun.has(one) ? '' : ' in another order'}`;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
  }
  return kinds;
}
