import { EXIT } from '../codes/codes.js';
import { changedAddressLists } from './address-lists.js';
import { type Change, difference } from './changes.js';
import { conclude } from './conclusion.js';
import { findDisruptions } from './disruptions.js';
import { changedDomains } from './domains.js';
import { exceptionsOf } from './exceptions.js';
import { toFindings } from './findings.js';
import { notesOf } from './notes.js';
import { violationsOf } from './policy.js';
import { changedNamedPeers, changedReach } from './reach.js';
import type { SynthesizedTree } from './read/read-tree.js';
import type { TerraformStackJson } from './read/terraform-json.js';
import { REVIEW_SCHEMA, type ReviewReport } from './report-schema.js';
import { type ReviewedStack, type ReviewedTree, reviewedTree } from './reviewed-stack.js';
import { type StackChange, stepsOf } from './steps.js';
import { changedTicket } from './tickets.js';

/**
 * Says what of the second tree may talk that could not in the first, and the other way round.
 *
 * @param today the day that exceptions are judged by: `YYYY-MM-DD`
 */
export function review(base: SynthesizedTree, head: SynthesizedTree, today: string): ReviewReport {
  const a = reviewedTree(base);
  const b = reviewedTree(head);
  const { changes, neutral } = difference({ a, b });
  const exceptions = exceptionsOf(b.rules, a.rules, today);
  const violations = b.stacks.flatMap((stack) => violationsOf(stack, exceptions, today));
  const count = (effect: 'widens' | 'narrows') =>
    changes.filter((change) => change.effect === effect).length;
  const totals = {
    widens: count('widens'),
    narrows: count('narrows'),
    neutral,
    forbidden: violations.length,
  };
  const reach = changedReach(a.region, b.region);
  const perStack = stackPairs(a, b);
  const disruptions = perStack.flatMap(({ name, was, now }) => findDisruptions(name, was, now));
  return {
    schema: REVIEW_SCHEMA,
    ...conclude(toFindings({ changes, disruptions, violations }), a.rules),
    verdict: verdictOf(totals),
    totals,
    changes: [...changes].sort(widerFirst),
    reach: reach.map((one) => ({
      ...one,
      was: String(one.was),
      now: String(one.now),
      newlyReachable: String(one.newlyReachable),
      noLongerReachable: String(one.noLongerReachable),
    })),
    namedPeers: changedNamedPeers(a.region, b.region),
    addressLists: perStack
      .flatMap(({ name, was, now }) => changedAddressLists(name, was, now))
      .map((change) => ({ ...change, added: [...change.added], removed: [...change.removed] })),
    domains: perStack.flatMap(({ name, was, now }) => changedDomains(name, was, now)),
    disruptions: disruptions.map((disruption) => ({
      ...disruption,
      because: [...disruption.because],
    })),
    steps: stepsOf(
      perStack.map(
        ({ name, before, after }): StackChange => ({
          before,
          after,
          disruptions: disruptions.filter(({ stack }) => stack === name),
          gainsAddresses: new Set(
            reach.filter(({ stack }) => stack === name).map(({ via }) => via),
          ),
        }),
      ),
    ),
    exceptions,
    violations,
    notes: notesOf(a, b),
    tickets: perStack.flatMap(({ name, was, now }) => changedTicket(name, was, now)),
    digests: perStack.map(({ name, before, after }) => ({
      stack: name,
      ...(before?.access && { base: before.access.digest }),
      ...(after?.access && { head: after.access.digest }),
    })),
  };
}

function widerFirst(a: Change, b: Change): number {
  return (a.effect === 'widens' ? 0 : 1) - (b.effect === 'widens' ? 0 : 1);
}

/** 0 for no change or narrower, 3 where a change needs approval, 4 for forbidden. */
export function exitOf({ decision }: Pick<ReviewReport, 'decision'>): number {
  if (decision === 'forbidden') return EXIT.forbidden;
  return decision === 'needs-approval' ? EXIT.needsApproval : 0;
}

function verdictOf({
  forbidden,
  widens,
  narrows,
}: ReviewReport['totals']): ReviewReport['verdict'] {
  if (forbidden > 0) return 'forbidden';
  if (widens > 0) return 'widens';
  return narrows > 0 ? 'narrows' : 'neutral';
}

interface StackPair {
  readonly name: string;
  readonly before: ReviewedStack | undefined;
  readonly after: ReviewedStack | undefined;
  readonly was: TerraformStackJson;
  readonly now: TerraformStackJson;
}

const NO_STACK: TerraformStackJson = { resources: [], outputs: {}, movedTo: new Map() };

function stackPairs(a: ReviewedTree, b: ReviewedTree): StackPair[] {
  const named = (stacks: readonly ReviewedStack[]) =>
    new Map(stacks.map((stack) => [stack.name, stack]));
  const [befores, afters] = [named(a.stacks), named(b.stacks)];
  return [...new Set([...befores.keys(), ...afters.keys()])].sort().map((name) => {
    const before = befores.get(name);
    const after = afters.get(name);
    const [was, now] = [before?.terraform ?? NO_STACK, after?.terraform ?? NO_STACK];
    return { name, before, after, was, now };
  });
}
