import { listenerSubject } from '../../access/access-rule.js';
import type { Name, TreeIntents } from '../../intents/intents-file.js';
import { readLinksTemplate } from '../../link/link-template.js';
import type { PacketRule } from '../packet-rule.js';
import { waysByName } from '../questions/answer.js';
import { typeOf } from '../read/address.js';
import { list, object, text } from '../read/json.js';
import { isCalled, type Way } from '../ways/door.js';
import type { Reached } from '../ways/doors.js';

/** A link of a stack, as far as its tree says it. */
export interface KnownLink {
  readonly name: string;
  readonly via: string;
  readonly host: string;
  /** Undefined where only the deploy knows them. */
  readonly addresses: readonly string[] | undefined;
}

/** A stack that intents are judged by. */
export interface JudgedStack extends Reached {
  /** The access rules that the stack states. */
  readonly rules: readonly PacketRule[];
  readonly links: readonly KnownLink[];
}

/** The door by which the other end is decided: it says who the service is there. */
export interface At {
  readonly stack: JudgedStack;
  readonly via: string;
  readonly direction: 'ingress' | 'egress';
}

/** Everything in one stack that lets packets of a named thing through, or might. */
export interface Ways extends At {
  readonly subject: string;
  /** The places at which packets pass rules. */
  readonly places: readonly Way[];
  /** Rules for accounts and endpoints, each of which opens alone. */
  readonly links: readonly PacketRule[];
  /** The way is one that names take, though no rule may let one in any more. */
  readonly hasNames: boolean;
  /** Rules that are enforced by something that is not in the tree. */
  readonly elsewhere: readonly PacketRule[];
  /** Terraform no longer has what the stack states: nothing of the tree is known to decide. */
  readonly isUndecided: boolean;
}

/** The stacks of one environment, and the names that intents may use for what is in them. */
export interface Scope {
  readonly stacks: readonly JudgedStack[];
  readonly names: NonNullable<TreeIntents['names']>;
  /** The networks of the workloads, where the file of intents lists them. */
  readonly workloads?: TreeIntents['workloads'];
}

export function judgedStack(reached: Reached): JudgedStack {
  const { outputs } = reached;
  return {
    ...reached,
    links: [outputs.connectivity, outputs.connections].flatMap(readLinks),
    rules: reached.stated.all(),
  };
}

function readLinks(output: unknown): KnownLink[] {
  const links = readLinksTemplate(object(output).value)?.links ?? [];
  return links.map((link) => {
    const { name, via, baseUrl, expectedAddresses } = link;
    const known = list(expectedAddresses).map(text);
    const isKnown = Array.isArray(expectedAddresses) && known.length > 0;
    const url = text(baseUrl);
    return {
      name: text(name),
      via: text(via),
      host: URL.canParse(url) ? new URL(url).hostname : '',
      addresses: isKnown ? known : undefined,
    };
  });
}

/** Tells whether a place has one of some names: its own, those of its option and links, or `workloads`. */
export function isWayNamed(way: Way, stack: JudgedStack, wanted: readonly string[]): boolean {
  const { direction, series } = way;
  const isEndpoint = series.some(
    ({ list }) => typeOf(list.carrier) === 'volcenginecc_privatelink_vpc_endpoint',
  );
  const isWorkload = direction === 'egress' && !isEndpoint;
  const others = [...aliases(way, stack), ...(isWorkload ? ['workloads'] : [])];
  return wanted.some((name) => others.includes(name) || isCalled(way, name, stack.ways));
}

/** The names of a rule that no list of rules decides: of accounts and endpoints, or stated only. */
export function ruleNames(rule: PacketRule, stack: JudgedStack): string[] {
  const workloads = rule.direction === 'egress' ? ['workloads'] : [];
  return [rule.subject, rule.carrier ?? '', ...aliases(rule, stack), ...workloads];
}

function aliases({ via }: Pick<PacketRule, 'via'>, { links }: JudgedStack): string[] {
  if (via === '') return [];
  const own = links.filter((link) => link.via === via);
  return [via, ...own.flatMap(({ name, host }) => [name, host])].filter((name) => name !== '');
}

/** Names that an intent can use, for messages. */
export function knownNames({ stacks, names }: Scope): string[] {
  const own = stacks.flatMap((stack) => [
    ...[...stack.ways, ...stack.named].flatMap(({ subject, via }) => [subject, via]),
    ...stack.links.map(({ name }) => name),
  ]);
  const all = ['service', 'internet', 'workloads', ...Object.keys(names), ...own];
  return [...new Set(all)].filter((name) => name !== '').sort();
}

/** The part that the listener in front of a backend has in a name: none, one more door, or the only one. */
type Listeners = 'no' | 'too' | 'instead';

/** The ways that a name means, one for each option and thing of each stack. */
export function waysOf(
  name: Name,
  direction: At['direction'],
  stacks: readonly JudgedStack[],
  listeners: Listeners,
): Ways[] {
  // The words of the schema name nobody's door, whatever a construct is called.
  if (typeof name !== 'string' || name === 'service' || name === 'internet') return [];
  const wanted = listeners === 'no' ? [name] : [name, listenerSubject(name)];
  const isNamed = (names: readonly string[]) => names.some((one) => wanted.includes(one));
  return stacks.flatMap((stack) => {
    const places = stack.ways.filter(
      (way) => way.direction === direction && isWayNamed(way, stack, wanted),
    );
    const rules = [...stack.named, ...stack.rules].filter((rule) =>
      isNamed(ruleNames(rule, stack)),
    );
    const things = new Map(
      [...places, ...rules.filter((one) => one.direction === direction)].map(({ subject, via }) => [
        JSON.stringify([subject, via]),
        { subject, via },
      ]),
    );
    return [...things.values()].map((thing) => {
      const ways = waysOfThing(thing, { name, direction, places }, stack);
      return listeners === 'instead' && isBehind(thing, stack) ? { ...ways, places: [] } : ways;
    });
  });
}

/** Tells whether a listener stands before something, or should. */
function isBehind({ subject, via }: Thing, { ways, rules }: JudgedStack): boolean {
  const front = listenerSubject(subject);
  return [...ways, ...rules].some((one) => one.via === via && one.subject === front);
}

type Thing = Pick<Way, 'subject' | 'via'>;

/** A name, with the places that have it: of two things of one subject an address names one. */
interface Asked extends Pick<At, 'direction'> {
  readonly name: string;
  readonly places: readonly Way[];
}

function waysOfThing(
  { subject, via }: Thing,
  { name, direction, places: named }: Asked,
  stack: JudgedStack,
): Ways {
  const isOwn = (one: Thing & { readonly direction: string }) =>
    one.subject === subject && one.via === via && one.direction === direction;
  const own = stack.named.filter(isOwn);
  const stated = stack.rules.filter(isOwn);
  const isInLists = stated.some(
    ({ peer, enforcedElsewhere }) => peer.kind === 'addresses' && enforcedElsewhere === undefined,
  );
  const [all, asked] = [stack.ways.filter(isOwn), named.filter(isOwn)];
  const isLost = isInLists && all.length === 0;
  // Rules that were changed beyond what is stated no longer show whose they are.
  const lost = stack.ways.filter((way) => way.via === '' && way.direction === direction);
  const places = isLost ? lost : asked.length > 0 ? asked : all;
  return {
    stack,
    via,
    subject,
    direction,
    places: places.flatMap((way) => {
      const resolved = waysByName(way, name, undefined, stack);
      return resolved.length === 0 ? [way] : resolved;
    }),
    links: own.filter(isOfName),
    hasNames: [...own, ...stated].some(isOfName),
    elsewhere: own.filter(({ enforcedElsewhere }) => enforcedElsewhere !== undefined),
    isUndecided: isLost && places.length === 0,
  };
}

function isOfName({ peer }: PacketRule): boolean {
  return peer.kind === 'account' || peer.kind === 'endpoint';
}
