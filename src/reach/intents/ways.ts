import { listenerSubject } from '../../access/access-rule.js';
import type { Name } from '../../intents/intents-file.js';
import type { PacketRule } from '../packet-rule.js';
import { waysByName } from '../questions/answer.js';
import type { Way } from '../ways/door.js';
import { type At, isWayNamed, type JudgedStack, ruleNames, type Ways } from './scope.js';

/** The part that the listener in front of a backend has in a name: none, one more door, or the only one. */
export type Listeners = 'no' | 'too' | 'instead';

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
