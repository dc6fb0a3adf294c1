import type { LooseEvidence } from '../model/findings.js';

const DAY_MS = 86_400_000;

/** Time in which people renew a certificate by hand. */
const LEAST_LEFT_MS = 30 * DAY_MS;

/** Certificates with a short life are renewed by programs, mostly at a third before the end. */
const LEAST_LEFT_OF_LIFE = 1 / 3;

/**
 * The whole days that are left of a certificate that ends soon.
 *
 * @param certificate evidence with `validFrom` and `validTo`
 * @param now milliseconds since the epoch
 * @returns undefined where it does not end soon, or does not say when
 */
export function lastDays({ validFrom, validTo }: LooseEvidence, now: number): number | undefined {
  const end = Date.parse(`${validTo}`);
  const lifeMs = end - Date.parse(`${validFrom}`);
  const leftMs = end - now;
  const isSoon = leftMs < Math.min(LEAST_LEFT_MS, lifeMs * LEAST_LEFT_OF_LIFE);
  return isSoon ? Math.max(0, Math.floor(leftMs / DAY_MS)) : undefined;
}
