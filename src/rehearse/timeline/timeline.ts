import { remember } from '../../lists/remember.js';
import { combine } from '../../reach/sets/ranges.js';
import { type Region, toRegion } from '../../reach/sets/region.js';
import { intersect, subtract } from '../../reach/sets/services.js';
import { type Change, findChanges } from '../../review/packet-changes.js';
import type { CloudState } from '../../sandbox/cloud/cloud-state.js';
import type { RehearsalReport, TimelineLane, TimelineStep } from '../report-schema.js';
import { type CloudAccess, type Opened, readAccess } from '../ways/cloud-access.js';
import type { SeenState } from '../ways/link-way.js';
import { closedBackends, lostNames } from '../ways/losses.js';
import { readWays } from '../ways/ways.js';
import type { Account, LostChange, Passage, StepAccess } from './account.js';
import { followIntents, intentEffects, intentLane } from './intents.js';
import { type Lane, makeLanes } from './lanes.js';
import type { StackStep, Step } from './recorder.js';
import { findUnseen, isCutInDoubt } from './unseen.js';
import { accessEffects, laneEffects, typeNoun } from './wording.js';

/** Reads the ways of each state of a passage, once also where other passages between the same trees come to it. */
export function waysReader(passage: Passage): (cloud: CloudState) => SeenState {
  const { trees, service, standIns, addresses } = passage;
  return remember((cloud: CloudState) => ({
    ...{ cloud, reached: readWays(cloud, trees, service, standIns, addresses) },
  }));
}

/** Says what was reachable at each step. @param see that of another passage between the same trees */
export function makeAccount(passage: Passage, see = waysReader(passage)): Account {
  const { before, steps, links, service } = passage;
  const states = [before, ...steps.map(({ cloud }) => cloud)].map(see);
  const ways = states.map(({ reached }) => reached);
  const lanes = makeLanes(links, states, service);
  const intents = followIntents(passage.held ?? [], ways, passage);
  const unseen = findUnseen(passage, ways);
  const compared = compareSteps(readAccess(states, passage.addresses));
  const replaced = replacedIn(passage);
  return {
    passage,
    reached: ways,
    lanesSeen: lanes,
    access: compared,
    unseen,
    intents,
    closedBackends: closedBackends(ways),
    lostNames: lostNames(ways),
    replaced,
    steps: steps.map((step, i) => ({
      ...describe(step, passage.addresses, replaced),
      number: i + 1,
      effects: [
        ...intents.flatMap((course) => intentEffects(course, i + 1)),
        ...lanes.flatMap((lane) => {
          const isUnclear = isCutInDoubt({ unseen, passage }, lane, { from: i + 1 });
          return laneEffects(lane, i + 1, passage).filter(
            ({ kind }) => kind !== 'down' || !isUnclear,
          );
        }),
        ...accessEffects(compared, i, passage.addresses),
      ],
    })),
    lanes: [...lanes.map(reportedLane), ...intents.map(intentLane)],
  };
}

function replacedIn({ steps, addresses }: Passage): RehearsalReport['replaced'] {
  const done = (operation: Step['operation']) =>
    steps
      .filter((step) => step.operation === operation && step.error === undefined)
      .map((step) => ({ stack: step.stack, resource: addresses.get(step.identifier ?? '') ?? '' }));
  const created = new Set(done('CREATE').map(({ stack, resource }) => `${stack} ${resource}`));
  return done('DELETE').filter(
    ({ stack, resource }) => resource !== '' && created.has(`${stack} ${resource}`),
  );
}

const VERBS = { CREATE: 'created', UPDATE: 'updated', DELETE: 'deleted' } as const;

/** `subnet created`. */
function doneText({ operation, typeName, error }: Step): string {
  return `${typeNoun(typeName)} ${error === undefined ? '' : 'not '}${VERBS[operation]}`;
}

function describe(
  step: StackStep,
  addresses: ReadonlyMap<string, string>,
  replaced: Account['replaced'],
): Omit<TimelineStep, 'number' | 'effects'> {
  const { stack, operation, typeName, identifier = '', error } = step;
  const resource = addresses.get(identifier) ?? identifier;
  const isReplaced = replaced.some((one) => one.stack === stack && one.resource === resource);
  const why = { CREATE: ' in place of another', UPDATE: '', DELETE: ' to be replaced' }[operation];
  return {
    stack,
    resource: resource || typeNoun(typeName),
    type: typeName,
    operation: operation.toLowerCase() as TimelineStep['operation'],
    ...(error !== undefined && { refused: `${error.code}: ${error.message}` }),
    text: `${doneText(step)}${isReplaced ? why : ''}`,
  };
}

function reportedLane(lane: Lane): TimelineLane {
  const { kind, stack, name, baseUrl, newBaseUrl, clients, states } = lane;
  const addresses = clients.map(({ address }) => address);
  return { kind, stack, name, baseUrl, newBaseUrl, clients: addresses, states: [...states] };
}

/** Compares each state after the first with the first and the last one, packet by packet. */
export function compareSteps([first, ...states]: readonly CloudAccess[]): StepAccess[] {
  const last = states.at(-1);
  if (first === undefined || last === undefined) return [];
  const rules = [...first.most.rules, ...last.most.rules];
  const either = { rules, region: toRegion(rules) };
  const both = combineRegions(first.used, last.least, intersect);
  const lost = findLosses([first, ...states]);
  const against = remember(({ most, least }: CloudAccess) => ({
    transient: only('widens', either, most),
    interrupted: only('narrows', both, least),
  }));
  return states.map((state, i) => {
    const prior = states[i - 1] ?? first;
    const opened = only('widens', prior.most, state.most);
    return {
      ...against(state),
      lost: lost[i] ?? [],
      changed: [...opened, ...only('narrows', prior.least, state.least)],
    };
  });
}

/**
 * Finds after each step but the first state what is not open and not in the end: what stays so together with all that
 * became so by the same step, so that a loss that grows is made of its parts.
 */
function findLosses([first, ...states]: readonly [CloudAccess, ...CloudAccess[]]): LostChange[][] {
  const last = states.at(-1) ?? first;
  const gone = combineRegions(first.used, last.least, subtract);
  const lost = states.map(({ least }) => combineRegions(gone, least, subtract));
  const lasting = [...lost];
  for (let i = lost.length - 2; i >= 0; i -= 1) {
    const [now, then] = [lost[i], lasting[i + 1]];
    if (now !== undefined && then !== undefined) lasting[i] = combineRegions(now, then, intersect);
  }
  const changesOf = (region: Opened) =>
    [subtract, intersect].flatMap((how) =>
      only('narrows', combineRegions(region, last.most, how), NOTHING).map((one) => ({
        ...{ ...one, isInDoubt: how === intersect },
      })),
    );
  const known: LostChange[] = [];
  return lost.map((all, i) => {
    const [now = NOTHING, before = NOTHING] = [lasting[i], lasting[i - 1]];
    known.push(...changesOf(combineRegions(now, before, subtract)));
    return [...known, ...changesOf(combineRegions(all, now, subtract))];
  });
}

const NOTHING: Opened = { rules: [], region: new Map() };

function only(effect: Change['effect'], a: Opened, b: Opened): Change[] {
  return findChanges({ a, b }).filter((change) => change.effect === effect);
}

function combineRegions(a: Opened, b: Opened, how: typeof intersect): Opened {
  const region: Region = new Map(
    [...a.region].flatMap(([key, cell]) => {
      const ranges = combine(cell.ranges, b.region.get(key)?.ranges ?? [], how);
      return ranges.length === 0 ? [] : [[key, { ...cell, ranges }] as const];
    }),
  );
  return { rules: a.rules, region };
}
