import type { LinkResult, Verification } from './verification.js';

type Digest = Pick<Verification, 'accessDigest' | 'isDigestComputed'>;

/** The digest of all links: empty where they have different ones. */
export function commonDigest(
  links: readonly Pick<LinkResult, 'accessDigest' | 'isDigestComputed'>[],
): Digest {
  const [first, ...others] = new Set(links.map(({ accessDigest }) => accessDigest));
  const isComputed = links.length > 0 && links.every((link) => link.isDigestComputed);
  return {
    accessDigest: others.length > 0 ? '' : (first ?? ''),
    ...(isComputed && { isDigestComputed: true }),
  };
}

/** For people: a digest that was not computed says only what outputs say of themselves. */
export function digestNote({ isDigestComputed }: Partial<Digest>): string {
  return isDigestComputed ? '' : ' (stated)';
}
