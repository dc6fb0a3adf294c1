import { readDate, type ServiceResponse } from '../../service/http/message.js';

/** Beyond this the report warns. */
export const SKEW_WARNING_MS = 5_000;

/** Beyond this the check fails, though the service may accept the JWT. */
export const SKEW_FAILURE_MS = 60_000;

/** The header `Date` counts whole seconds. */
const RESOLUTION_MS = 1_000;

/** An answer with the times of this machine around it. */
type DatedAnswer = Pick<ServiceResponse, 'sentAt' | 'receivedAt'> & {
  readonly headers: { readonly date?: string | undefined; readonly age?: string | undefined };
};

/**
 * The server's clock minus this machine's, in milliseconds, as far as an answer proves it: the
 * value nearest to 0 that fits the header `Date` and the time that the call took.
 *
 * @returns undefined where the answer has no readable date, or this machine's clock was set back meanwhile
 */
export function clockSkew({ headers, sentAt, receivedAt }: DatedAnswer): number | undefined {
  const date = readDate(headers);
  if (date === undefined || receivedAt < sentAt) return undefined;
  const least = date - receivedAt;
  const most = date + RESOLUTION_MS - sentAt;
  if (least > 0) return least;
  return Math.min(most, 0);
}

/**
 * The server's clock as its answer shows it: never ahead of the true one, so that a JWT that is signed
 * by it was not issued in the future.
 *
 * @returns milliseconds to add to this machine's clock; undefined where the answer has no readable date
 */
export function serverOffset({ headers, receivedAt }: ServiceResponse): number | undefined {
  const date = readDate(headers);
  return date === undefined ? undefined : date - receivedAt;
}

/** `599.5 s earlier` */
export function shiftText(offsetMs: number): string {
  return `${(Math.abs(offsetMs) / 1000).toFixed(1)} s ${offsetMs < 0 ? 'earlier' : 'later'}`;
}

/** Tells whether by the server's clock the JWT was not valid yet, or no longer. */
export function isOutsideItsTime(
  { iat, exp }: { readonly iat: number; readonly exp: number },
  { headers }: ServiceResponse,
): boolean {
  const date = (readDate(headers) ?? Number.NaN) / 1000;
  return date + 1 < iat || date >= exp;
}
