import { type ServiceResponse, serverTime } from './message.js';

/** Seconds; a longer wait means never. */
const MAX_RETRY_AFTER = 1e9;

/**
 * Reads how long the service asks callers to stay away, by the header `Retry-After`: a number of seconds, or
 * a date, which is read by the service's own clock where it tells the time.
 *
 * @returns seconds; undefined where the answer does not say
 */
export function readRetryAfter(
  response: Pick<ServiceResponse, 'headers' | 'receivedAt'>,
): number | undefined {
  const text = response.headers['retry-after']?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), MAX_RETRY_AFTER);
  // A date of HTTP begins with its weekday; the parser alone would take nearly anything for a date.
  const until = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  return Math.max(0, Math.ceil((until - serverTime(response)) / 1000));
}
