const LONGEST = 300;

/**
 * Makes text from outside fit to be shown: one line, no control characters that a terminal obeys,
 * nothing shaped like a JWT or a bearer credential, and not longer than 300 characters.
 */
export function safeText(text: string): string {
  const plain = text
    .replace(/eyJ[\w-]*\.[\w-]*(\.[\w-]*)?/g, '[redacted]')
    .replace(/(bearer\s+)\S+/gi, '$1[redacted]')
    .replace(/("?access_token"?\s*[:=]\s*"?)[^"\s,}]+/gi, '$1[redacted]')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ')
    .trim();
  return plain.length > LONGEST ? `${plain.slice(0, LONGEST)}…` : plain;
}
