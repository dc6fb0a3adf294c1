import type { Decision, Finding } from '../decision.js';
import type { Fact } from '../effective-rules/fact.js';

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
