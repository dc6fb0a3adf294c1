import {
  applies,
  type End,
  type Intent,
  namesIn,
  type TreeIntents,
} from '../../intents/intents-file.js';
import { type IntentGroup, invalidIntents } from '../../intents/read-intents.js';
import { isNetworkText } from '../../net/cidr.js';
import { EVERYTHING, readPorts, type Services, toServices, union } from '../sets/services.js';
import { type AskedStack, readReached } from '../ways/doors.js';
import { type Found, type IntentAnswer, joinFound, undecided } from './answer.js';
import { judgeWay } from './judge-way.js';
import { isNobody, type PeerSet } from './peer-set.js';
import { isNamed, resolveEnd, unknownName } from './resolve-end.js';
import { type JudgedStack, judgedStack, type Scope, type Ways, waysOf } from './scope.js';

/** An answer, and the environment that it is for. */
export interface TreeAnswer extends IntentAnswer {
  readonly environment: string;
}

/** Judges the intents of a tree, each group by its own stacks. @throws ConnectivityError `usage.invalid` */
export function judgeTree(
  groups: readonly IntentGroup[],
  stacks: readonly AskedStack[],
): TreeAnswer[] {
  return groups.flatMap(({ intents, stacks: names }) => {
    const own = stacks.filter(({ name }) => names.includes(name)).map(readReached);
    const { environment = '' } = intents;
    return judgeIntents(intents, own.map(judgedStack)).map((answer) => ({
      environment,
      ...answer,
    }));
  });
}

/**
 * Judges every intent by what stacks open; those of other environments are only listed.
 *
 * @throws ConnectivityError `usage.invalid` for a name that nothing has, or an end that is empty
 */
export function judgeIntents(
  { intents, names = {}, workloads, environment }: TreeIntents,
  stacks: readonly JudgedStack[],
): IntentAnswer[] {
  const scope = { stacks, names, workloads };
  return intents.map((intent): IntentAnswer => {
    const { name, expect, exception } = intent;
    const found: Found = applies(intent, environment)
      ? judgeIntent(intent, scope)
      : { verdict: 'elsewhere', rules: [], depends: [] };
    return { name, expect, ...found, ...(exception && { exception }) };
  });
}

function judgeIntent(intent: Intent, scope: Scope): Found {
  const { ways, peers } = orientate(intent, scope);
  const services = servicesOf(intent);
  const found = ways.map((way) => {
    const set = resolveEnd(peers, scope, way);
    const parts = judgeWay(way, { expect: intent.expect, peers: set, services });
    return { way, set, parts, found: withUnclear(joinFound(parts), set, intent) };
  });
  if (found.every(({ set, way }) => isNobody(set, way.hasNames))) {
    throw invalidIntents(
      `\`${intent.name}\` must have an end with somebody in it, got: ${JSON.stringify(peers)}, which is empty there`,
    );
  }
  const isJudged = found.some(({ parts }) => parts.length > 0);
  const nothing = undecided('Nothing in the tree decides on such packets.');
  const all = isJudged ? joinFound(found.map((one) => one.found)) : nothing;
  const parts = new Set(ways.flatMap(({ stack }) => stack.unseen));
  const isShown = all.verdict === 'broken' || parts.size === 0;
  return isShown
    ? all
    : undecided(...all.depends, ...[...parts].map((part) => `not read: ${part}`));
}

/** The end at which the stacks decide: the called side where they have it, else the caller's. */
function orientate(intent: Intent, scope: Scope): { ways: readonly Ways[]; peers: End } {
  const { name, from, to } = intent;
  for (const end of [from, to]) requireKnown(end, scope);
  const inward = waysOfEnd(to, 'ingress', from, intent, scope);
  if (inward.length > 0) return { ways: inward, peers: from };
  const outward = waysOfEnd(from, 'egress', to, intent, scope);
  if (outward.length > 0) return { ways: outward, peers: to };
  throw invalidIntents(
    `\`${name}\` must have an end that the stacks decide at, a name without \`not\`, got: from ${JSON.stringify(from)} to ${JSON.stringify(to)}`,
  );
}

/** The ways of all names of an end; none where one of them has none. */
function waysOfEnd(
  end: End,
  direction: 'ingress' | 'egress',
  other: End,
  { expect }: Intent,
  { stacks, names: own }: Scope,
): Ways[] {
  const { names, isNot } = namesIn(end);
  if (isNot) return [];
  // The way of the service's calls through a listener has the groups behind it; closed are all doors.
  const listeners = expect === 'closed' ? 'too' : isCalledByService(other) ? 'instead' : 'no';
  const all = names
    .flatMap((name) =>
      typeof name === 'string' && Object.hasOwn(own, name) ? (own[name] ?? []) : [name],
    )
    .map((name) => waysOf(name, direction, stacks, listeners));
  if (all.some((ways) => ways.length === 0)) return [];
  return expect === 'closed'
    ? all.flat()
    : all.flat().filter((way) => !names.includes('workloads') || isStated(way));
}

/** Tells whether a group that could leave is one that the stack says is to call somebody. */
function isStated({ stack, subject, direction }: Ways): boolean {
  return stack.rules.some((rule) => rule.subject === subject && rule.direction === direction);
}

/** Tells whether only the service calls, or accounts: through a private link and what is behind it. */
function isCalledByService(end: End): boolean {
  const { names, isNot } = namesIn(end);
  return !isNot && names.every((name) => name === 'service' || typeof name === 'object');
}

const BUILT_IN = ['service', 'internet', 'workloads'];

function requireKnown(end: End, scope: Scope): void {
  for (const name of namesIn(end).names) {
    if (typeof name === 'object' || BUILT_IN.includes(name) || Object.hasOwn(scope.names, name))
      continue;
    if (!isNetworkText(name) && !isNamed(name, scope)) throw unknownName(name, scope);
  }
}

function servicesOf({ port, protocol }: Pick<Intent, 'port' | 'protocol'>): Services {
  const spans = port === undefined ? [] : [port].flat();
  const named = protocol ?? (spans.length === 0 ? 'any' : 'tcp');
  if (named === 'any' || named === 'icmp') return named === 'any' ? EVERYTHING : toServices('icmp');
  if (spans.length === 0) return toServices(named, { first: 1, last: 65_535 });
  return spans
    .map((span) => {
      const [first = 0, last = first] =
        typeof span === 'number' ? [span] : span.split('-').map(Number);
      return readPorts(named, first, last) ?? [];
    })
    .reduce(union);
}

/** A set that is too small shows what breaks, one that is too large what holds. */
function withUnclear(found: Found, set: PeerSet, { expect }: Intent): Found {
  if (set.unclear.length === 0 || found.verdict === 'undecided') return found;
  const isSure = set.isTooLarge ? found.verdict === 'holds' : found.verdict === 'broken';
  if (isSure) return found;
  return undecided(
    ...set.unclear.map((name) => `Which addresses has ${name}? To be ${expect} it needs networks.`),
  );
}
