import { remember } from '../../lists/remember.js';
import type { CloudState } from '../../sandbox/cloud/cloud-state.js';
import type { RehearsalReport, TimelineLane, TimelineStep } from '../report-schema.js';
import { closedBackends } from '../ways/backends.js';
import { lostNames } from '../ways/bound-names.js';
import { readAccess } from '../ways/cloud-access.js';
import type { SeenState } from '../ways/link-way.js';
import { readWays } from '../ways/ways.js';
import type { Account, Passage } from './account.js';
import { followIntents, intentEffects, intentLane } from './intents.js';
import { type Lane, makeLanes } from './lanes.js';
import type { StackStep, Step } from './recorder.js';
import { compareSteps } from './step-access.js';
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
