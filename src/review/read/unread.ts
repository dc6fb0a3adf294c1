import { createHash } from 'node:crypto';

/** Something in a stack that a review cannot read, so that any change of it needs approval. */
export interface Unread {
  /** A resource's address, a block such as `module.network`, or a file. */
  readonly where: string;
  /** The attribute or argument; absent where all of it is unread. */
  readonly attribute?: string;
  /** Why it is not read, as in "its type is not known". */
  readonly why: string;
  /** Equal fingerprints are the same content. */
  readonly fingerprint: string;
  /** What it reads is not in the tree: it may have changed though the fingerprint is the same. */
  readonly isOutside?: true;
}

export function fingerprintOf(value: unknown): string {
  const bytes = value instanceof Uint8Array ? value : (JSON.stringify(value) ?? 'undefined');
  return createHash('sha256').update(bytes).digest('hex');
}
