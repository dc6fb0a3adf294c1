import type { ServiceResponse } from './response.js';

/**
 * How long the service asks callers to stay away, by the header `Retry-After`: a number of seconds, or
 * a date, which is read by the service's own clock where it tells the time.
 *
 * @returns seconds; undefined where the answer does not say
 */
export function retryAfterOf({
  headers,
  receivedAt,
}: Pick<ServiceResponse, 'headers' | 'receivedAt'>): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // A date of HTTP begins with its weekday; the parser alone would take nearly anything for a date.
  const until = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const told = Date.parse(headers.date ?? '');
  return Math.max(0, Math.ceil((until - (Number.isNaN(told) ? receivedAt : told)) / 1000));
}
