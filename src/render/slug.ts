import { createHash } from 'node:crypto';

const LONGEST = 40;

/**
 * A name of lower-case letters, digits and single hyphens. A text that is such a name stays as it is;
 * any other gets a hash, so that two texts never share a name.
 */
export function slug(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (plain === text && text.length <= LONGEST && text !== '') return text;
  const stem = plain.slice(0, LONGEST - 9).replace(/-$/, '');
  return [stem, shortHash(text)].filter(Boolean).join('-');
}

/** Eight hexadecimal digits. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
