import type { Name } from '../../intents/intents-file.js';
import type { PacketRule } from '../packet-rule.js';
import type { Way } from '../questions/ways.js';
import {
  type At,
  type JudgedStack,
  ruleNames,
  type Ways,
  wayNames,
  withListener,
} from './scope.js';

/** The ways that a name means, one for each option and thing of each stack. */
export function waysOf(
  name: Name,
  direction: At['direction'],
  stacks: readonly JudgedStack[],
  hasListener: boolean,
): Ways[] {
  // The words of the schema name nobody's door, whatever a construct is called.
  if (typeof name !== 'string' || name === 'service' || name === 'internet') return [];
  const wanted = hasListener ? withListener(name) : [name];
  const isNamed = (names: readonly string[]) => names.some((one) => wanted.includes(one));
  return stacks.flatMap((stack) => {
    const places = stack.ways.filter((way) => isNamed(wayNames(way, stack)));
    const rules = [...stack.named, ...stack.rules].filter((rule) =>
      isNamed(ruleNames(rule, stack)),
    );
    const things = new Map(
      [...places, ...rules]
        .filter((one) => one.direction === direction)
        .map(({ subject, via }) => [JSON.stringify([subject, via]), { subject, via }]),
    );
    return [...things.values()].map((thing) => waysOfThing(thing, direction, stack));
  });
}

type Thing = Pick<Way, 'subject' | 'via'>;

function waysOfThing(
  { subject, via }: Thing,
  direction: At['direction'],
  stack: JudgedStack,
): Ways {
  const isOwn = (one: Thing & { readonly direction: string }) =>
    one.subject === subject && one.via === via && one.direction === direction;
  const own = stack.named.filter(isOwn);
  const stated = stack.rules.filter(isOwn);
  const isLost = stated.some(isEnforcedByLists) && !stack.ways.some(isOwn);
  // Rules that were changed beyond what is stated no longer show whose they are.
  const places = stack.ways.filter((way) =>
    isLost ? way.via === '' && way.direction === direction : isOwn(way),
  );
  return {
    stack,
    via,
    subject,
    direction,
    series: places.map((way) => way.series),
    links: own.filter(isOfName),
    hasNames: [...own, ...stated].some(isOfName),
    elsewhere: own.filter(({ enforcedElsewhere }) => enforcedElsewhere !== undefined),
    isUndecided: isLost && places.length === 0,
  };
}

function isOfName({ peer }: PacketRule): boolean {
  return peer.kind === 'account' || peer.kind === 'endpoint';
}

function isEnforcedByLists({ peer, enforcedElsewhere }: PacketRule): boolean {
  return peer.kind === 'addresses' && enforcedElsewhere === undefined;
}
