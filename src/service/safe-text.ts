import { REDACTED, redact } from '../codes/redact.js';

const LONGEST = 300;

/** Cut before anything is searched in it: what answers in the service's place sends what it likes. */
const LONGEST_SEARCHED = 4 * LONGEST;

/**
 * Makes text from outside fit to be shown: one line, no control characters that a terminal obeys,
 * nothing shaped like a secret, and not longer than 300 characters.
 */
export function safeText(text: string): string {
  const plain = redact(text.slice(0, LONGEST_SEARCHED))
    .replace(/(bearer\s+)[^\s"']+/gi, `$1${REDACTED}`)
    .replace(/("?access_token"?\s*[:=]\s*"?)[^"\s,}]+/gi, `$1${REDACTED}`)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ')
    .trim();
  const isCut = plain.length > LONGEST || text.length > LONGEST_SEARCHED;
  return isCut ? `${plain.slice(0, LONGEST).trimEnd()}…` : plain;
}
