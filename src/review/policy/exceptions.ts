import { peerName, type ReviewedRule } from '../reviewed-rule.js';
import { servicesText } from '../sets/services.js';

/** An exception that a rule carries. */
export interface ExceptionInForce {
  readonly stack: string;
  readonly subject: string;
  /** What it lets through, for people. */
  readonly rule: string;
  readonly reason: string;
  readonly owner: string;
  /** The last day on which it is valid: `YYYY-MM-DD`. */
  readonly expires: string;
  readonly state: 'in force' | 'expired' | 'incomplete';
  readonly isNew: boolean;
}

/** @param today `YYYY-MM-DD` */
export function exceptionsOf(
  rules: readonly ReviewedRule[],
  before: readonly ReviewedRule[],
  today: string,
): ExceptionInForce[] {
  const known = new Set(before.map(identity));
  return rules.flatMap((rule) => {
    const { stack, subject, exception } = rule;
    if (exception === undefined) return [];
    const { reason, owner, expires } = exception;
    return [
      {
        stack,
        subject,
        rule: `${rule.direction} ${peerName(rule.peer)}, ${servicesText(rule.services)}`,
        reason,
        owner,
        expires,
        state: stateOf(exception, today),
        isNew: !known.has(identity(rule)),
      },
    ];
  });
}

/** Whether a rule is excused from what is forbidden by default. */
export function isExcused({ exception }: ReviewedRule, today: string): boolean {
  return exception !== undefined && stateOf(exception, today) === 'in force';
}

function stateOf(
  { reason, owner, expires }: NonNullable<ReviewedRule['exception']>,
  today: string,
): ExceptionInForce['state'] {
  const isComplete = reason.trim() !== '' && owner.trim() !== '' && isDay(expires);
  if (!isComplete) return 'incomplete';
  return expires < today ? 'expired' : 'in force';
}

/** Whether a text is a day of the calendar, written `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(time) &&
    new Date(time).toISOString().startsWith(text)
  );
}

function identity({ stack, subject, direction, peer, services, exception }: ReviewedRule): string {
  const { reason, owner, expires } = exception ?? { reason: '', owner: '', expires: '' };
  const rule = [stack, subject, direction, peerName(peer), servicesText(services)];
  return JSON.stringify([...rule, reason, owner, expires]);
}
