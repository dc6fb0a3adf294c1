import { isDay } from '../../net/duration.js';
import { type PacketRule, peerName } from '../../reach/packet-rule.js';
import { packetsId, toRange } from '../../reach/sets/region.js';
import { servicesText } from '../../reach/sets/services.js';
import { exceptionText } from '../packet-changes.js';
import type { Finding, ReviewReport } from '../report-schema.js';
import type { StackPair } from '../stacks/reviewed-trees.js';

/** @param today `YYYY-MM-DD` */
export function listExceptions(
  rules: readonly PacketRule[],
  before: readonly PacketRule[],
  today: string,
): ReviewReport['exceptions'] {
  const known = new Set(before.filter(({ exception }) => exception).map(identity));
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
        isNew: !known.has(identity(rule)),
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

function identity(rule: PacketRule): string {
  const { reason, owner, expires } = rule.exception ?? {};
  return JSON.stringify([rule.stack, rule.subject, ruleText(rule), reason, owner, expires]);
}

/** A rule whose exception is new, or holds longer, or for another reason. */
export function changedExceptions({ name: stack, before, after }: StackPair): Finding[] {
  const rules = (after?.rules ?? []).filter(({ exception }) => exception);
  if (rules.length === 0) return [];
  const known = new Map(before?.rules.map((rule) => [ruleKey(rule), rule.exception]));
  return rules.flatMap((rule): Finding[] => {
    const { exception, subject, resource = 'access.json' } = rule;
    const old = known.get(ruleKey(rule));
    if (exception === undefined || !known.has(ruleKey(rule))) return [];
    if (JSON.stringify(old) === JSON.stringify(exception)) return [];
    const exceptionValues = [exception.expires, exception.owner, exception.reason];
    const isShorter =
      old !== undefined &&
      old.owner === exception.owner &&
      old.reason === exception.reason &&
      exception.expires < old.expires;
    return [
      {
        kind: 'safeguard',
        decision: isShorter ? 'narrower' : 'needs-approval',
        stack,
        resource,
        who: '',
        what: `exception of ${subject}`,
        identity: ['exception', ...ruleId(rule), ...exceptionValues],
        before: exceptionText({ exception: old }) || 'none',
        after: exceptionText(rule),
        ...(!isShorter && { consequence: 'what is forbidden by default stays open' }),
      },
    ];
  });
}

function ruleKey(rule: PacketRule): string {
  return JSON.stringify(ruleId(rule));
}

/** A rule by its names and numbers. */
export function ruleId(rule: PacketRule): string[] {
  return packetsId(rule, toRange(rule));
}
