import { groupBy } from '../../reach/group-by.js';
import { fingerprint, type Unread } from '../../reach/read/terraform-json.js';
import type { Fact } from '../../reach/rules/reading.js';
import type { Decision, Finding } from '../report-schema.js';
import type { ReviewedStack, StackPair } from '../stacks/reviewed-trees.js';

/** Returns what changed in one stack beside packets: values, what is unread, and what its rules are for. */
export function findStackChanges(pair: StackPair): Finding[] {
  const [was, now] = [pair.before?.effective, pair.after?.effective];
  return [
    ...findFactChanges(pair.name, was?.facts ?? [], now?.facts ?? []),
    ...findUnreadChanges(pair.name, was?.unread ?? [], now?.unread ?? []),
    ...removedOptions(pair),
    ...changedEnforcement(pair),
  ];
}

/** Returns what changed of single values, stack by stack. */
function findFactChanges(
  stack: string,
  before: readonly Fact[],
  after: readonly Fact[],
): Finding[] {
  const [was, now] = [byIdentity(before), byIdentity(after)];
  const [had, has] = [factResources(before), factResources(after)];
  const found = [...new Map([...was, ...now])].flatMap(([key, fact]) => {
    const [a, b] = [was.get(key)?.values ?? [], now.get(key)?.values ?? []];
    const isLasting = fact.isLasting === true || fact.kind === 'control';
    // A new resource is judged by what it lets through; what has gone weakens nothing but what lasts.
    if (!had.has(fact.resource) && (!isLasting || fact.kind === 'safeguard')) return [];
    if (!has.has(fact.resource) && !isLasting) return [];
    const decision = judge(fact, a, b);
    return decision === undefined ? [] : [{ key, finding: toFinding(stack, fact, a, b, decision) }];
  });
  // Most facts of a large stack are as they were: only the rest is put in order.
  return found.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ finding }) => finding);
}

function judge(
  { guards }: Fact,
  before: readonly string[],
  after: readonly string[],
): Decision | undefined {
  const added = after.some((value) => !before.includes(value));
  const removed = before.some((value) => !after.includes(value));
  if (!added && !removed) return undefined;
  const isGuarded = { any: true, added, removed, replaced: added && removed }[guards];
  return isGuarded ? 'needs-approval' : 'no-change';
}

function toFinding(
  stack: string,
  { kind, resource, id, what, consequence }: Fact,
  before: readonly string[],
  after: readonly string[],
  decision: Decision,
): Finding {
  const [was = '', now = ''] = [before, after].map((values) => values.join(', '));
  return {
    kind,
    decision,
    stack,
    resource,
    who: '',
    what,
    // With its values, or an alert that was accepted would hide the next, weaker one.
    identity: [...id, was, now],
    before: was || 'none',
    after: now || 'none',
    ...(decision === 'needs-approval' && { consequence }),
  };
}

/** Without facts that state nothing, which are most: they are as if they were not there. */
function byIdentity(facts: readonly Fact[]): ReadonlyMap<string, Fact> {
  const stated = facts.filter(({ values }) => values.length > 0);
  return new Map(stated.map((fact) => [JSON.stringify([fact.resource, fact.what]), fact]));
}

function factResources(facts: readonly Fact[]): ReadonlySet<string> {
  return new Set(facts.map(({ resource }) => resource));
}

/** Returns what cannot be read and is not, or perhaps not, as it was: each needs approval. */
function findUnreadChanges(
  stack: string,
  before: readonly Unread[],
  after: readonly Unread[],
): Finding[] {
  const [was, now] = [groupBy(before, unreadKey), groupBy(after, unreadKey)];
  const places = [...new Map([...was, ...now])].sort(([a], [b]) => (a < b ? -1 : 1));
  return places.flatMap(([place, [first]]) => {
    const [old = [], current = []] = [was.get(place), now.get(place)];
    const outside = current.find(({ isOutside }) => isOutside);
    const [before, after] = [contentDigest(old), contentDigest(current)];
    const isSame = before === after;
    if (isSame && outside === undefined) return [];
    const one = outside ?? first;
    return [
      {
        kind: 'unread' as const,
        decision: 'needs-approval' as const,
        stack,
        resource: one.where,
        who: '',
        what: one.attribute ?? 'all of it',
        // An approval of one content is none of another.
        identity: [one.attribute ?? '', before, after],
        before: unreadText(before),
        after: `${unreadText(after)}${isSame ? ', perhaps different' : ''}`,
        consequence: one.why,
        code: 'policy.unread-resource' as const,
      },
    ];
  });
}

function unreadKey({ where, attribute = '' }: Unread): string {
  return JSON.stringify([where, attribute]);
}

/** The SHA-256 of all that is unread at a place, or nothing where nothing is. */
function contentDigest(all: readonly Unread[]): string {
  const contents = all.map((one) => one.fingerprint).sort();
  return contents.length === 0 ? '' : fingerprint(contents);
}

/** Characters of a digest that a reader compares. */
const SHOWN_DIGITS = 16;

function unreadText(digest: string): string {
  return digest === '' ? 'none' : `unread (SHA-256 ${digest.slice(0, SHOWN_DIGITS)}…)`;
}

/** Returns what all findings about the access rules of a stack have in common. */
function ofAccessRules(stack: string) {
  const row = { kind: 'safeguard', decision: 'needs-approval' } as const;
  return { ...row, stack, resource: 'access.json', who: '' };
}

function removedOptions({ name: stack, before, after }: StackPair): Finding[] {
  const kept = new Set(after?.rules.map(({ via }) => via));
  return [...new Set(before?.rules.map(({ via }) => via))]
    .filter((via) => !kept.has(via))
    .map((via) => ({
      ...ofAccessRules(stack),
      what: `option ${via}`,
      identity: ['option', via],
      before: 'present',
      after: 'removed',
      consequence: 'everyone who uses the option is cut off',
    }));
}

/** Returns what is said to enforce a subject's rules where Terraform does not; an older tree does not say it. */
function changedEnforcement({ name: stack, before, after }: StackPair): Finding[] {
  const [was, now] = [listEnforcers(before), listEnforcers(after)];
  return [...now].flatMap(([subject, current]) => {
    const old = was.get(subject) ?? '';
    if (old === '' || old === current) return [];
    return [
      {
        ...ofAccessRules(stack),
        what: `enforced elsewhere of ${subject}`,
        identity: ['enforced-elsewhere', subject, current],
        before: old,
        after: current,
        consequence: 'something else must enforce its rules',
      },
    ];
  });
}

/** By the subject and its option. */
function listEnforcers(stack: ReviewedStack | undefined): ReadonlyMap<string, string> {
  const rules = (stack?.rules ?? []).filter((rule) => rule.enforcedElsewhere !== undefined);
  const bySubject = groupBy(rules, ({ via, subject }) => `${subject} (${via})`);
  return new Map(
    [...bySubject].map(([name, own]) => {
      const enforcers = new Set(own.map(({ enforcedElsewhere }) => enforcedElsewhere));
      return [name, [...enforcers].sort().join(', ')];
    }),
  );
}
