import type { AccessException } from './access-rule.js';

/**
 * Whether an exception's last day is over.
 *
 * @param now @default - this moment
 */
export function isExpired({ expires }: AccessException, now: Date = new Date()): boolean {
  return expires < now.toISOString().slice(0, 10);
}

/** Every way in which an exception lacks what makes it one: a reason, an owner, a day of expiry. */
export function exceptionProblems(property: string, exception: AccessException): string[] {
  const { reason, owner, expires } = exception;
  return [
    ...(reason.trim() === '' ? [`\`${property}.reason\` must say why, got: "${reason}"`] : []),
    ...(owner.trim() === ''
      ? [`\`${property}.owner\` must name who answers, got: "${owner}"`]
      : []),
    ...(isDay(expires)
      ? []
      : [`\`${property}.expires\` must be a day as YYYY-MM-DD, got: "${expires}"`]),
  ];
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
