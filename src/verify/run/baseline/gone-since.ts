import type { Change, LinkResult, Verification } from '../../model/verification.js';
import { knownLinks, linkKey } from './known-link.js';

/**
 * The links of an earlier report that were not checked now.
 *
 * @param checked all links of this run
 */
export function goneSince(
  baseline: Verification,
  checked: Iterable<Pick<LinkResult, 'name' | 'baseUrl'>>,
): Change[] {
  const keys = new Set([...checked].map(linkKey));
  return knownLinks(baseline)
    .filter((link) => !keys.has(linkKey(link)))
    .map(({ name, baseUrl }) => ({ what: 'gone', link: name, before: baseUrl, after: '' }));
}
