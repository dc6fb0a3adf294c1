import { createHash } from 'node:crypto';
import { Token } from 'cdktf';

/** Bytes, as the provider counts. */
const MAX_LENGTH = 64;

/**
 * A name in the alphabet of the firewall's address books: other signs become `-`. A long stem is cut
 * and a digest of the whole of it takes its end, so that different names stay different. A name that
 * is not known yet stays as it is.
 */
export function addressBookName(stem: string, suffix: string): string {
  if (Token.isUnresolved(stem)) return `${stem}-${suffix}`;
  const whole = `${stem}-${suffix}`.replaceAll(/[^A-Za-z0-9\p{Script=Han}_-]/gu, '-');
  if (Buffer.byteLength(whole) <= MAX_LENGTH) return whole;
  const digest = createHash('sha256').update(stem).digest('hex').slice(0, 8);
  const end = `-${digest}-${suffix}`;
  return `${cutToBytes(whole, MAX_LENGTH - end.length)}${end}`;
}

/** The longest beginning of whole characters that fits. */
function cutToBytes(text: string, most: number): string {
  let cut = '';
  for (const character of text) {
    if (Buffer.byteLength(cut + character) > most) return cut;
    cut += character;
  }
  return cut;
}
