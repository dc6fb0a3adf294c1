import { groupBy } from '../../lists/group-by.js';
import { fingerprint, type Unread, withPlainReferences } from '../../reach/read/terraform-json.js';
import type { Fact } from '../../reach/rules/reading.js';
import { servicesText } from '../../reach/sets/services.js';
import { networksBeside, without } from '../effective-rules/networks.js';
import { join } from '../packet-changes.js';
import { type Decision, type Finding, worstDecision } from '../report-schema.js';
import type { ReviewedStack, StackPair } from '../stacks/reviewed-trees.js';
import { readStatedPorts } from '../stacks/stated-ports.js';
import { nameResource } from '../types/index.js';

/** Returns what changed in one stack beside packets: values, what is unread, and what its rules are for. */
export function findStackChanges(pair: StackPair): Finding[] {
  const [was, now] = [pair.before?.effective, pair.after?.effective];
  return [
    ...findFactChanges(pair.name, was?.facts ?? [], now?.facts ?? []),
    ...findUnreadChanges(pair.name, was?.unread ?? [], now?.unread ?? []),
    ...removedOptions(pair),
    ...changedEnforcement(pair),
    ...changedPorts(pair),
  ];
}

/** A fact that changed, with its values before and after. */
export interface ChangedFact {
  readonly group: string;
  readonly fact: Fact;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly decision: Decision;
  /** The resource itself is new, or gone. */
  readonly isWhole?: 'new' | 'removed';
}

/** Returns what changed of single values, stack by stack; what is new or gone is one row for its resource. */
export function findFactChanges(
  stack: string,
  before: readonly Fact[],
  after: readonly Fact[],
): Finding[] {
  const rows = [...groupBy(changedFacts(before, after), ({ group }) => group)];
  // Most facts of a large stack are as they were: only the rest is put in order.
  return rows
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, all]) =>
      all[0].isWhole === undefined ? factFinding(stack, all[0]) : wholeFinding(stack, all),
    );
}

export function changedFacts(before: readonly Fact[], after: readonly Fact[]) {
  const [was, now] = [byIdentity(before), byIdentity(after)];
  const [had, has] = [factThings(before), factThings(after)];
  return [...new Map([...was, ...now])].flatMap(([key, fact]): ChangedFact[] => {
    const [a, b] = [was.get(key)?.values ?? [], now.get(key)?.values ?? []];
    const thing = thingOf(fact);
    const isNew = !had.has(thing);
    const isWhole = isNew || !has.has(thing);
    const isNewPart = isNew && had.has(thingOf({ resource: fact.resource }));
    if (isWhole && !isNewPart && !countsAlone(fact, isNew)) return [];
    const decision = judge(fact, a, b);
    const group = orderOf(fact) + (isWhole ? thing : key);
    const whole = isWhole ? ({ isWhole: isNew ? 'new' : 'removed' } as const) : {};
    return decision === undefined ? [] : [{ group, fact, before: a, after: b, decision, ...whole }];
  });
}

/** A new resource is judged by what it lets through; what has gone weakens nothing but what lasts. */
function countsAlone({ kind, isLasting }: Fact, isNew: boolean): boolean {
  if (kind === 'control') return true;
  return isLasting === true && !(isNew && kind === 'safeguard');
}

function judge(
  { kind, guards, areNetworks }: Fact,
  before: readonly string[],
  after: readonly string[],
): Decision | undefined {
  const beside = areNetworks ? networksBeside : without;
  const [added, removed] = [beside(after, before), beside(before, after)].map(
    ({ length }) => length > 0,
  );
  if (!added && !removed) return undefined;
  const isGuarded = { any: true, added, removed, replaced: added && removed }[guards];
  if (isGuarded) return 'needs-approval';
  return guards === 'added' && kind === 'control' ? 'narrower' : 'no-change';
}

export function factFinding(
  stack: string,
  { fact, before, after, decision }: ChangedFact,
): Finding {
  const { kind, resource, id, what, consequence } = fact;
  const [was, now] = [before.join(', '), after.join(', ')];
  return {
    kind,
    decision,
    stack,
    resource,
    who: '',
    what: withPlainReferences(what),
    // With its values, or an alert that was accepted would hide the next, weaker one.
    identity: [...id, was, now],
    before: withPlainReferences(was) || 'none',
    after: withPlainReferences(now) || 'none',
    ...(decision === 'needs-approval' && { consequence }),
  };
}

/** The row of a resource that is new or gone, with all that is told of it. */
function wholeFinding(stack: string, changed: readonly [ChangedFact, ...ChangedFact[]]): Finding {
  const rows = changed.map((one) => factFinding(stack, one));
  const [{ fact, isWhole }] = changed;
  // The row says of which part all of it is.
  const of = fact.part === undefined ? '' : / (?:of|for|\S+ in) .*$/s;
  const list = (side: 'before' | 'after') =>
    changed
      .filter((one) => one[side].length > 0)
      .map((one) => `${one.fact.what.replace(of, '')}: ${one[side].join(', ')}`);
  const [before, after] = [list('before'), list('after')].map((all) =>
    withPlainReferences(all.join('; ')),
  );
  // Nothing of it was another before, or is another now.
  const guarded = rows.filter(
    (_, i) => !['any', 'replaced'].includes(changed[i]?.fact.guards ?? ''),
  );
  const consequences = new Set(guarded.map(({ consequence }) => consequence));
  return {
    kind: fact.kind,
    decision: worstDecision(changed.map(({ decision }) => decision)),
    stack,
    resource: fact.resource,
    who: '',
    what: withPlainReferences(fact.part?.name ?? fact.what),
    identity: [fingerprint(rows.map(({ identity }) => identity))],
    before: before || 'none',
    after: after || 'none',
    consequence: withPlainReferences(
      (isWhole === 'new' && fact.part?.consequenceOfNew) ||
        join(': ', `${nameResource(fact.resource)} is ${isWhole}`, join('; ', ...consequences)),
    ),
  };
}

/** Groups facts by identity, without those that state nothing, which are most. */
function byIdentity(facts: readonly Fact[]): ReadonlyMap<string, Fact> {
  const stated = facts.filter(({ values }) => values.length > 0);
  return new Map(stated.map((fact) => [JSON.stringify([fact.resource, fact.what]), fact]));
}

/** Puts names that resolve anew first, and what clients are told of resources after those. */
function orderOf({ resource, part }: Fact): string {
  if (resource.startsWith('output.')) return '~';
  return part === undefined ? '' : ' ';
}

/** The thing that comes or goes as a whole: a resource, or one part of several. */
function thingOf({ resource, part }: Pick<Fact, 'resource' | 'part'>): string {
  return JSON.stringify(part === undefined ? [resource] : [resource, part.name]);
}

function factThings(facts: readonly Fact[]): ReadonlySet<string> {
  return new Set(facts.flatMap((fact) => [thingOf({ resource: fact.resource }), thingOf(fact)]));
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
        code: 'policy.unread' as const,
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

/** Returns where calls go now, where the access rules alone say to which port of a load balancer. */
function changedPorts({ name: stack, before, after }: StackPair): Finding[] {
  if (before === undefined || after === undefined) return [];
  const was = readStatedPorts(before);
  return [...readStatedPorts(after)].flatMap(([service, { subject, services }]) => {
    const old = was.get(service)?.services ?? services;
    const [from, to] = [servicesText(old), servicesText(services)];
    if (from === to) return [];
    const consequence = 'calls must go to another port of its load balancer';
    const port = from.startsWith('tcp ') ? to.replace(/^tcp (?=\d+$)/, '') : to;
    return [
      {
        ...{ kind: 'destination', decision: 'needs-approval', stack, resource: service, who: '' },
        ...{ what: `port of ${subject}`, identity: ['port', subject, from, to] },
        ...{ before: from, after: to, consequence },
        row: `${subject}: ${from} → ${port}; ${consequence}`,
      },
    ];
  });
}

/** Lists what enforces rules, by the subject and its option. */
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
