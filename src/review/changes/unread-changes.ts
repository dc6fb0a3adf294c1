import type { Finding } from '../decision.js';
import type { Unread } from '../read/unread.js';

/** What cannot be read and is not, or perhaps not, as it was: each needs approval. */
export function findUnreadChanges(
  stack: string,
  before: readonly Unread[],
  after: readonly Unread[],
): Finding[] {
  const [was, now] = [groupByPlace(before), groupByPlace(after)];
  return [...new Set([...was.keys(), ...now.keys()])].sort().flatMap((place) => {
    const [old = [], current = []] = [was.get(place), now.get(place)];
    const outside = current.find(({ isOutside }) => isOutside);
    const one = outside ?? current[0] ?? old[0];
    const isSame = fingerprints(old) === fingerprints(current);
    if (one === undefined || (isSame && outside === undefined)) return [];
    return [
      {
        kind: 'unread' as const,
        decision: 'needs-approval' as const,
        stack,
        resource: one.where,
        who: '',
        what: one.attribute ?? 'all of it',
        before: old.length === 0 ? 'none' : 'unread',
        after:
          current.length === 0
            ? 'none'
            : old.length === 0
              ? 'unread'
              : `unread, and ${isSame ? 'perhaps ' : ''}another`,
        consequence: one.why,
        code: 'policy.unread-resource' as const,
      },
    ];
  });
}

/** What cannot be read and is as it was, as sentences: once for each reason. */
export function describeUnread(stack: string, all: readonly Unread[]): string[] {
  const reasons = new Map<string, string[]>();
  for (const { where, attribute, why } of all) {
    const place = attribute === undefined ? where : `${where} (${attribute})`;
    const places = reasons.get(why);
    if (places === undefined) reasons.set(why, [place]);
    else places.push(place);
  }
  return [...reasons].map(
    ([why, places]) =>
      `${stack}: a review does not read ${[...new Set(places)].join(', ')}, for ${why}; a change of it needs approval.`,
  );
}

function groupByPlace(all: readonly Unread[]): ReadonlyMap<string, Unread[]> {
  const groups = new Map<string, Unread[]>();
  for (const one of all) {
    const place = JSON.stringify([one.where, one.attribute ?? '']);
    const group = groups.get(place);
    if (group === undefined) groups.set(place, [one]);
    else group.push(one);
  }
  return groups;
}

function fingerprints(all: readonly Unread[]): string {
  return all
    .map(({ fingerprint }) => fingerprint)
    .sort()
    .join();
}
