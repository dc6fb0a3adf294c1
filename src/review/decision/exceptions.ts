import { isDay } from '../../net/duration.js';
import { type PacketRule, peerName } from '../../reach/packet-rule.js';
import { RuleLookup } from '../../reach/sets/lookup.js';
import { combine, meet, type OpenRanges, uniteAll } from '../../reach/sets/ranges.js';
import { cellKey, packetsId, toRange } from '../../reach/sets/region.js';
import { servicesText, subtract } from '../../reach/sets/services.js';
import { exceptionText } from '../packet-changes.js';
import type { Finding, ReviewReport } from '../report-schema.js';
import type { StackPair } from '../stacks/reviewed-trees.js';

/** @param today `YYYY-MM-DD` */
export function listExceptions(
  rules: readonly PacketRule[],
  before: readonly PacketRule[],
  today: string,
): ReviewReport['exceptions'] {
  const knownOf = lookup(before);
  return rules.flatMap((rule) => {
    const { stack, subject, exception } = rule;
    if (exception === undefined) return [];
    const { reason, owner, expires } = exception;
    return [
      {
        stack,
        subject,
        rule: ruleText(rule),
        reason,
        owner,
        expires,
        state: exceptionState(exception, today),
        isNew: withoutSame(rule, knownOf(rule)).length > 0,
      },
    ];
  });
}

/** Writes for people what a rule allows. */
export function ruleText({ direction, peer, services }: PacketRule): string {
  return `${direction} ${peerName(peer)}, ${servicesText(services)}`;
}

/** Tells whether a rule is excused from what is forbidden by default. */
export function isExcused({ exception }: PacketRule, today: string): boolean {
  return exception !== undefined && exceptionState(exception, today) === 'in force';
}

export function exceptionState(
  { reason, owner, expires }: NonNullable<PacketRule['exception']>,
  today: string,
): ReviewReport['exceptions'][number]['state'] {
  const isComplete = reason.trim() !== '' && owner.trim() !== '' && isDay(expires);
  if (!isComplete) return 'incomplete';
  return expires < today ? 'expired' : 'in force';
}

/** Finds rules of the tree before that have packets of a rule, in whatever words. */
function lookup(before: readonly PacketRule[]): (rule: PacketRule) => PacketRule[] {
  const rules = new RuleLookup(before, cellKey);
  return (rule) => rules.find(cellKey(rule), toRange(rule), rule.services);
}

/** The packets of a rule that had no such exception. */
function withoutSame(rule: PacketRule, known: readonly PacketRule[]): OpenRanges {
  const same = known.filter((one) => isSame(one, rule));
  return combine([toRange(rule)], uniteAll(same.map(toRange)), subtract);
}

function isSame({ exception: one }: PacketRule, { exception: other }: PacketRule): boolean {
  return (['reason', 'owner', 'expires'] as const).every((part) => one?.[part] === other?.[part]);
}

/** A rule whose exception is new, or holds longer, or for another reason, for some of its packets. */
export function changedExceptions({ name: stack, before, after }: StackPair): Finding[] {
  const knownOf = lookup(before?.rules ?? []);
  return (after?.rules ?? []).flatMap((rule): Finding[] => {
    const { exception, subject, resource = 'access.json' } = rule;
    if (exception === undefined) return [];
    const known = knownOf(rule);
    const left = withoutSame(rule, known);
    const others = known.filter(
      (one) => !isSame(one, rule) && meet(left, [toRange(one)]).length > 0,
    );
    if (others.length === 0) return [];
    const exceptionValues = [exception.expires, exception.owner, exception.reason];
    const isShorter = others.every(
      ({ exception: old }) =>
        old !== undefined &&
        old.owner === exception.owner &&
        old.reason === exception.reason &&
        exception.expires < old.expires,
    );
    const texts = new Set(others.map((one) => exceptionText(one) || 'none'));
    return [
      {
        kind: 'safeguard',
        decision: isShorter ? 'narrower' : 'needs-approval',
        stack,
        resource,
        who: '',
        what: `exception of ${subject}`,
        identity: ['exception', ...ruleId(rule), ...exceptionValues],
        before: [...texts].join('; '),
        after: exceptionText(rule),
        ...(!isShorter && { consequence: 'what is forbidden by default stays open' }),
      },
    ];
  });
}

/** A rule by its names and numbers. */
export function ruleId(rule: PacketRule): string[] {
  return packetsId(rule, toRange(rule));
}
