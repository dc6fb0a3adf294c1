/** Tells whether a text is a day of the calendar, written `YYYY-MM-DD`; a date alone would roll over. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(time) &&
    new Date(time).toISOString().startsWith(text)
  );
}

/** The rule that {@link parseDuration} holds a text to, after "must be". */
export const DURATION_RULE = 'a duration such as 500ms, 10s or 5m; a bare number is seconds';

/** The form of a duration: an amount with a unit, or without one. */
export const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/;

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/**
 * Reads `500ms`, `10s`, `5m` or `1h`; a bare number is seconds.
 *
 * @returns milliseconds
 * @throws RangeError naming the rule
 */
export function parseDuration(text: string): number {
  const [, amount = '', unit = 's'] = DURATION.exec(text.trim()) ?? [];
  if (amount === '') throw new RangeError(`must be ${DURATION_RULE}`);
  return Number(amount) * UNITS[unit as keyof typeof UNITS];
}
