import type { Change } from '../../review/changes.js';
import type { CloudState } from '../../sandbox/cloud/cloud-state.js';
import type { ServiceNames } from '../../sandbox/internet.js';
import type { RehearsedTree } from '../read-trees.js';
import type { Effect, Timeline, TimelineLane, TimelineStep } from '../report-schema.js';
import { accessText, nounOf, reasonOf } from '../words.js';
import { accessOf, compareSteps, type StepAccess } from './cloud-access.js';
import { type Lane, type LinksByStack, lanesOf } from './lanes.js';
import type { Step } from './recorder.js';

/** A step of the cloud with the stack whose deploy did it. */
export type StackStep = Step & { readonly stack: string };

/** What happened between two states of the cloud. */
export interface Passage {
  readonly before: CloudState;
  readonly steps: readonly StackStep[];
  /** What the outputs named before, and name after. */
  readonly links: { readonly before: LinksByStack; readonly after: LinksByStack };
  /** Terraform's addresses by the identifiers of resources. */
  readonly addresses: ReadonlyMap<string, string>;
  readonly trees: readonly RehearsedTree[];
  readonly service: ServiceNames;
}

/** A span of steps, counted from 1; open-ended where nothing ends it. */
export interface Span {
  readonly from: number;
  readonly until?: number;
}

/** A passage with what was reachable at each step. */
export interface Account extends Timeline {
  readonly lanesSeen: readonly Lane[];
  readonly access: readonly StepAccess[];
}

export function accountOf(passage: Passage): Account {
  const { before, steps, links, trees, service } = passage;
  const states = [before, ...steps.map(({ cloud }) => cloud)];
  const access = accessOf(states, trees);
  const lanes = lanesOf(links.before, states, access, service);
  const compared = compareSteps(access);
  const replaced = replacedIn(passage);
  return {
    lanesSeen: lanes,
    access: compared,
    steps: steps.map((step, i) => ({
      ...describe(step, passage.addresses, replaced),
      number: i + 1,
      effects: [
        ...lanes.flatMap((lane) => laneEffects(lane, i + 1, links.after)),
        ...accessEffects(compared, i, passage.addresses),
      ],
    })),
    lanes: [
      ...lanes.map((lane) => reportedLane(lane, links.after)),
      ...subjectLanes(compared, passage.addresses),
    ],
  };
}

/** Addresses that are deleted and created again. */
export function replacedIn({ steps, addresses }: Pick<Passage, 'steps' | 'addresses'>) {
  const done = (operation: Step['operation']) =>
    steps
      .filter((step) => step.operation === operation && step.error === undefined)
      .map((step) => ({ stack: step.stack, resource: addresses.get(step.identifier ?? '') ?? '' }));
  const created = new Set(done('CREATE').map(({ stack, resource }) => `${stack} ${resource}`));
  return done('DELETE').filter(
    ({ stack, resource }) => resource !== '' && created.has(`${stack} ${resource}`),
  );
}

/** The spans in which a lane is not open, after it was. */
export function cutsOf({ states }: Pick<Lane, 'states'>): Span[] {
  const cuts: Span[] = [];
  let from: number | undefined;
  for (const [i, state] of states.entries()) {
    if (i > 0 && state !== 'open' && from === undefined && states[i - 1] === 'open') from = i;
    if (state === 'open' && from !== undefined) {
      cuts.push({ from, until: i });
      from = undefined;
    }
  }
  return from === undefined ? cuts : [...cuts, { from }];
}

const VERBS = { CREATE: 'created', UPDATE: 'updated', DELETE: 'deleted' } as const;

function describe(
  { stack, operation, typeName, identifier = '', error }: StackStep,
  addresses: ReadonlyMap<string, string>,
  replaced: ReturnType<typeof replacedIn>,
): Omit<TimelineStep, 'number' | 'effects'> {
  const resource = addresses.get(identifier) ?? identifier;
  const isReplaced = replaced.some((one) => one.stack === stack && one.resource === resource);
  const why = { CREATE: ' in place of another', UPDATE: '', DELETE: ' to be replaced' }[operation];
  const verb = error === undefined ? VERBS[operation] : `not ${VERBS[operation]}`;
  return {
    stack,
    resource: resource || nounOf(typeName),
    type: typeName,
    operation: operation.toLowerCase() as TimelineStep['operation'],
    ...(error !== undefined && { refused: `${error.code}: ${error.message}` }),
    text: `${nounOf(typeName)} ${verb}${isReplaced ? why : ''}`,
  };
}

function laneEffects(lane: Lane, number: number, after: LinksByStack): Effect[] {
  const cuts = cutsOf(lane);
  const begun = cuts.find(({ from }) => from === number);
  const ended = cuts.some(({ until }) => until === number);
  if (ended) return [{ kind: 'up', text: `${lane.name} is open again` }];
  if (begun === undefined) return [];
  const how = begun.until === undefined ? 'down for good' : `down until step ${begun.until}`;
  const why = reasonOf(lane.states[number] ?? 'open');
  const domain = newBaseUrl(lane, after) === undefined ? '' : ', new domain';
  return [{ kind: 'down', text: `${lane.name} ${how} (${why})${domain}` }];
}

/** Where clients find the link from now on, if not where they found it. */
export function newBaseUrl(lane: Lane, after: LinksByStack): string | undefined {
  const now = after.get(lane.stack)?.links.find(({ name }) => name === lane.name)?.baseUrl;
  return now === undefined || now === lane.baseUrl ? undefined : now;
}

function accessEffects(
  access: readonly StepAccess[],
  i: number,
  addresses: ReadonlyMap<string, string>,
): Effect[] {
  const at = access[i];
  if (at === undefined) return [];
  const before = access[i - 1];
  const added = (all: readonly Change[], earlier: readonly Change[] = []) => {
    const known = new Set(earlier.map(accessText));
    return all.filter((change) => !known.has(accessText(change)));
  };
  const transient = added(at.transient, before?.transient);
  const interrupted = added(at.interrupted, before?.interrupted);
  const special = new Set([...transient, ...interrupted].map(accessText));
  const plain = at.changed.filter((change) => !special.has(accessText(change)));
  const text = (change: Change) => withAddresses(accessText(change), addresses);
  return [
    ...transient.map((change) => ({
      kind: 'transient-opening' as const,
      text: `${text(change)} (neither before nor after)`,
    })),
    ...interrupted.map((change) => ({
      kind: 'interruption' as const,
      text: `${text(change)} no more, as before and after`,
    })),
    ...plain.map((change) => ({
      kind: change.effect === 'widens' ? ('opens' as const) : ('closes' as const),
      text: `${text(change)}${change.effect === 'widens' ? '' : ' no more'}`,
    })),
  ];
}

/** What no access rule names has the address that people know it by. */
export function withAddresses(text: string, addresses: ReadonlyMap<string, string>): string {
  return text.replaceAll(
    /volcenginecc_\w+\.([\w-]+)/g,
    (whole, id: string) => addresses.get(id) ?? whole,
  );
}

function reportedLane(lane: Lane, after: LinksByStack): TimelineLane {
  const { stack, name, kind, clients, baseUrl, states } = lane;
  const newUrl = newBaseUrl(lane, after);
  return {
    kind,
    stack,
    name,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(newUrl !== undefined && { newBaseUrl: newUrl }),
    clients: [...clients],
    states: [...states],
  };
}

/** A lane for each subject that something is opened or closed for during the deploy. */
function subjectLanes(
  access: readonly StepAccess[],
  addresses: ReadonlyMap<string, string>,
): TimelineLane[] {
  const all = access.flatMap(({ transient, interrupted, changed }) => [
    ...transient,
    ...interrupted,
    ...changed,
  ]);
  return [...new Set(all.map(({ subject }) => subject))].sort().map((subject) => ({
    kind: 'subject',
    stack: '',
    name: withAddresses(subject, addresses),
    clients: [],
    states: [
      'as stated',
      ...access.map(({ transient, interrupted }) => {
        if (transient.some((change) => change.subject === subject)) return 'wider';
        return interrupted.some((change) => change.subject === subject) ? 'closed' : 'as stated';
      }),
    ],
  }));
}
