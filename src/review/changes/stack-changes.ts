import type { Decision, Finding } from '../decision.js';
import type { Fact } from '../effective-rules/reading.js';
import type { Unread } from '../read/terraform-json.js';

/** What changed of single values, stack by stack. */
export function findFactChanges(
  stack: string,
  before: readonly Fact[],
  after: readonly Fact[],
): Finding[] {
  const [was, now] = [byIdentity(before), byIdentity(after)];
  const [had, has] = [resourcesOf(before), resourcesOf(after)];
  const found = [...new Set([...was.keys(), ...now.keys()])].flatMap((key) => {
    const [old, current] = [was.get(key), now.get(key)];
    const fact = current ?? old;
    if (fact === undefined) return [];
    const [a, b] = [old?.values ?? [], current?.values ?? []];
    const isNew = !had.has(fact.resource);
    const isGone = !has.has(fact.resource);
    const decision = judge(fact, a, b, isNew, isGone);
    return decision === undefined ? [] : [{ key, finding: toFinding(stack, fact, a, b, decision) }];
  });
  // Most facts of a large stack are as they were: only the rest is put in order.
  return found.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ finding }) => finding);
}

/** A new resource is judged by what it lets through; what has gone weakens nothing but what lasts. */
function judge(
  fact: Fact,
  before: readonly string[],
  after: readonly string[],
  isNew: boolean,
  isGone: boolean,
): Decision | undefined {
  const added = after.some((value) => !before.includes(value));
  const removed = before.some((value) => !after.includes(value));
  if (!added && !removed) return undefined;
  const isLasting = fact.isLasting === true || fact.kind === 'control';
  if (isNew && (!isLasting || fact.kind === 'safeguard')) return undefined;
  if (isGone && !isLasting) return undefined;
  const isGuarded =
    fact.guards === 'any' ||
    (fact.guards === 'added' && added) ||
    (fact.guards === 'removed' && removed) ||
    (fact.guards === 'replaced' && added && removed);
  return isGuarded ? 'needs-approval' : 'no-change';
}

function toFinding(
  stack: string,
  { kind, resource, what, consequence }: Fact,
  before: readonly string[],
  after: readonly string[],
  decision: Decision,
): Finding {
  return {
    kind,
    decision,
    stack,
    resource,
    who: '',
    what,
    before: before.join(', ') || 'none',
    after: after.join(', ') || 'none',
    ...(decision === 'needs-approval' && { consequence }),
  };
}

/** Without facts that state nothing, which are most: they are as if they were not there. */
function byIdentity(facts: readonly Fact[]): ReadonlyMap<string, Fact> {
  const stated = facts.filter(({ values }) => values.length > 0);
  return new Map(stated.map((fact) => [JSON.stringify([fact.resource, fact.what]), fact]));
}

function resourcesOf(facts: readonly Fact[]): ReadonlySet<string> {
  return new Set(facts.map(({ resource }) => resource));
}

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
