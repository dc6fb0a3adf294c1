import type { Change } from '../../review/packet-changes.js';
import type { CloudState, Mutation } from '../../sandbox/cloud/cloud-state.js';
import type { ServiceNames } from '../../sandbox/surroundings.js';
import type { RehearsedTree } from '../read-trees.js';
import type { RehearsalReport, Timeline, TimelineLane, TimelineStep } from '../report-schema.js';
import { type BackendPort, closedBackends } from './backends.js';
import { compareSteps, readAccess, type StepAccess, withAddresses } from './cloud-access.js';
import { type Lane, makeLanes, type NamedLinks } from './lanes.js';
import { accessEffects, laneEffects, typeNoun } from './wording.js';

/** A step of the cloud with the stack whose deploy did it. */
export type StackStep = Step & { readonly stack: string };

/** The changes between two states of the cloud. */
export interface Passage {
  readonly before: CloudState;
  readonly steps: readonly StackStep[];
  readonly links: NamedLinks;
  /** Terraform's addresses by the identifiers of resources. */
  readonly addresses: ReadonlyMap<string, string>;
  readonly trees: readonly RehearsedTree[];
  readonly service: ServiceNames;
}

/** A passage with what was reachable at each step. */
export interface Account extends Timeline {
  readonly passage: Passage;
  readonly lanesSeen: readonly Lane[];
  readonly access: readonly StepAccess[];
  /** Ports of backends that calls do not get to, before the first step and after each. */
  readonly closedBackends: readonly (readonly BackendPort[])[];
  /** Addresses that are deleted and created again. */
  readonly replaced: RehearsalReport['replaced'];
}

export function makeAccount(passage: Passage): Account {
  const { before, steps, links, trees, service } = passage;
  const states = [before, ...steps.map(({ cloud }) => cloud)];
  const access = readAccess(states, trees, passage.addresses);
  const lanes = makeLanes(links, states, access, service);
  const compared = compareSteps(access);
  const replaced = replacedIn(passage);
  return {
    passage,
    lanesSeen: lanes,
    access: compared,
    closedBackends: closedBackends(
      states,
      access.map(({ toBackends }) => toBackends),
    ),
    replaced,
    steps: steps.map((step, i) => ({
      ...describe(step, passage.addresses, replaced),
      number: i + 1,
      effects: [
        ...lanes.flatMap((lane) => laneEffects(lane, i + 1)),
        ...accessEffects(compared, i, passage.addresses),
      ],
    })),
    lanes: [...lanes.map(reportedLane), ...subjectLanes(compared, passage.addresses)],
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
export function doneText({ operation, typeName, error }: Step): string {
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

/** A lane for each subject that something is opened or closed for during the deploy. */
function subjectLanes(
  access: readonly StepAccess[],
  addresses: ReadonlyMap<string, string>,
): TimelineLane[] {
  const all = access.flatMap((step) => [step.transient, step.interrupted, step.changed].flat());
  return [...new Set(all.map(({ subject }) => subject))].sort().map((subject) => ({
    kind: 'subject',
    stack: '',
    name: withAddresses(subject, addresses),
    clients: [],
    states: [
      'as stated',
      ...access.map(({ transient, interrupted }) => {
        const isOf = (change: Change) => change.subject === subject;
        return transient.some(isOf) ? 'wider' : interrupted.some(isOf) ? 'closed' : 'as stated';
      }),
    ],
  }));
}

/** One mutation, with the cloud as it was right after it. */
export interface Step extends Mutation {
  readonly cloud: CloudState;
}

/**
 * Records every mutation of a cloud: hand {@link Recorder.onMutation} to the sandbox. Each step keeps
 * a copy of the cloud's state, so that what was reachable in between can be computed afterwards.
 */
export class Recorder {
  #steps: Step[] = [];

  /** @param cloud gives the state of the cloud that is recorded */
  constructor(private readonly cloud: () => CloudState) {}

  readonly onMutation = (mutation: Mutation): void => {
    this.#steps.push({ ...mutation, cloud: withoutTasks(this.cloud()) });
  };

  /** The steps since the last call. */
  take(): readonly Step[] {
    const steps = this.#steps;
    this.#steps = [];
    return steps;
  }
}

/** A copy without the tasks: they are most of the state, and nothing reachable depends on them. */
export function withoutTasks({ version, serial, resources }: CloudState): CloudState {
  return { version, serial, resources: structuredClone(resources), tasks: {} };
}
