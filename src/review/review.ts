/**
 * The review: two trees in, one decision out.
 *
 * - `effective-rules/`, `types/`: what Terraform opens, read without `access.json`, in a closed world
 * - `stacks/`: both together, with the names that the access rules have for things
 * - `compare-trees.ts`: the stacks of both trees side by side
 * - `changes/`, `packet-changes.ts`: what differs; `decision/`: what of it is forbidden or needs approval
 * - `found/`: a state or the cloud as the base, and what the cloud has beyond the last deploy
 * - `plan/`: what a plan says a deploy does; `lone-plans.ts`: a plan as both trees
 * - `report-schema.ts`: all of it for programs; `reports/`: for people
 */
import { EXIT } from '../codes/codes.js';
import type { SynthesizedStack, SynthesizedTree } from '../reach/read/read-tree.js';
import { countUnchanged } from '../reach/sets/region.js';
import {
  accessChanges,
  deniedChanges,
  notesOnDoubt,
  statedRules,
} from './changes/access-changes.js';
import {
  findManifestChanges,
  findNewPrograms,
  findTakenStates,
  missingManifests,
} from './changes/claims.js';
import { disruptionFinding, findDisruptions } from './changes/disruptions.js';
import {
  changedAddressLists,
  changedDomains,
  changedNamedPeers,
  changedReach,
  changedTicket,
  findShrunkLists,
} from './changes/informational-changes.js';
import { withAnswers } from './changes/packet-answers.js';
import { findStackChanges } from './changes/stack-changes.js';
import { foldWholeStacks, withoutTwice } from './changes/whole-stacks.js';
import { type ComparedTrees, compareTrees } from './compare-trees.js';
import { changedExceptions, listExceptions } from './decision/exceptions.js';
import { type IntentsOfTrees, reviewIntents } from './decision/intents.js';
import { makeNotes, notesOnDigest } from './decision/notes.js';
import { findViolations, listViolation } from './decision/policy.js';
import { namePortRows } from './decision/port-rows.js';
import { makeSteps } from './decision/steps.js';
import { conclude } from './decision/summary.js';
import type { Change } from './packet-changes.js';
import { accessFindings, denialFinding } from './packet-rows.js';
import { countFinding, findPlannedCuts, type ReviewPlan } from './plan/planned-work.js';
import {
  type Disruption,
  type Finding,
  REVIEW_SCHEMA,
  type ReviewReport,
} from './report-schema.js';
import { effectiveDigest } from './stacks/digest.js';
import type { StackPair } from './stacks/reviewed-trees.js';

/** Options that also affect the decision. */
export interface ReviewOptions {
  /** Plans of stacks of the tree after, by their names. @default - none */
  readonly plans?: ReadonlyMap<string, ReviewPlan>;
  /** The intents beside the stacks. @default - none */
  readonly intents?: IntentsOfTrees;
  /** Differences of the cloud from what the last deploy left. @default - none */
  readonly drift?: readonly Finding[];
  /** Sentences on what the trees do not show. @default - none */
  readonly notes?: readonly string[];
  /** The digest of the files of the tree after. @default - it has none */
  readonly treeDigest?: string | undefined;
}

/** Returns the findings of a review of stacks over others, as of today. */
export function reviewOver(
  base: readonly SynthesizedStack[],
  head: readonly SynthesizedStack[],
): readonly Finding[] {
  const [before, after] = [base, head].map(
    (stacks) => new Map(stacks.map((stack) => [stack.name, stack])),
  );
  const today = new Date().toISOString().slice(0, 10);
  return before && after ? review(before, after, today).findings : [];
}

/**
 * Reports what may talk in the second tree that could not in the first, and vice versa.
 *
 * @param today the date by which exceptions expire: `YYYY-MM-DD`
 */
export function review(
  base: SynthesizedTree,
  head: SynthesizedTree,
  today: string,
  {
    plans = new Map(),
    intents = { base: [], head: [] },
    drift = [],
    notes = [],
    treeDigest,
  }: ReviewOptions = {},
): ReviewReport {
  const trees = compareTrees(base, head);
  const { a, b, made } = trees;
  const told = findToldChanges(trees);
  const sentences = reviewIntents(intents, trees.under, head, today);
  const violations = b.stacks.flatMap((stack) => findViolations(stack, today));
  const disruptions = listDisruptions(made, plans);
  const findings = [
    ...drift,
    ...violations,
    ...sentences.findings,
    ...listRows(trees, told, disruptions),
  ].map((finding) => countFinding(finding, plans.get(finding.stack)));
  const changes = told.access;
  const reach = changedReach(a.region, b.region);
  return {
    schema: REVIEW_SCHEMA,
    ...conclude(findings, statedRules(a)),
    totals: countChanges(trees, changes, violations.length),
    // Findings have the rest.
    changes: changes.map(({ exception: _, at: __, ...change }) => change),
    reach,
    namedPeers: changedNamedPeers(a.region, b.region),
    addressLists: trees.pairs.flatMap(changedAddressLists),
    domains: made.flatMap(changedDomains),
    disruptions,
    steps: makeSteps(made, disruptions, reach),
    exceptions: listExceptions(statedRules(b), statedRules(a), today),
    violations: violations.map(listViolation),
    ...(sentences.rows.length > 0 && { intents: [...sentences.rows] }),
    notes: [
      ...makeNotes(a, b),
      ...missingManifests(a, b),
      ...notes,
      ...(treeDigest === undefined ? [] : notesOnDigest(b)),
      ...notesOnDoubt(a, b),
    ],
    tickets: trees.pairs.flatMap(changedTicket),
    digests: computeDigests(made),
    ...(treeDigest !== undefined && { treeDigest }),
    plans: [...plans].map(([stack, { totals }]) => ({ stack, ...totals })),
  };
}

function findToldChanges({ before, head, a, b, pairs }: ComparedTrees) {
  const trees = [before, head] as const;
  const access = withAnswers(accessChanges(a, b), trees);
  const denied = withAnswers(deniedChanges(a, b, access), trees);
  return { access, denied, others: pairs.flatMap(findStackChanges) };
}

function listRows(
  { pairs, renames }: ComparedTrees,
  told: ReturnType<typeof findToldChanges>,
  disruptions: readonly Disruption[],
): Finding[] {
  // The row of a renamed stack says that all of it is destroyed.
  const isRenamed = (stack: string) => renames.some(({ from }) => from === stack);
  const rows: Finding[] = [
    ...accessFindings(told.access),
    ...told.denied.map(denialFinding),
    ...told.others,
    ...findNewPrograms(pairs),
    ...findTakenStates(pairs),
    ...pairs.flatMap(findManifestChanges),
    ...pairs.flatMap(findShrunkLists),
    ...pairs.flatMap(changedExceptions),
    ...disruptions.filter(({ stack }) => !isRenamed(stack)).map(disruptionFinding),
  ];
  return namePortRows(foldWholeStacks(withoutTwice(rows), pairs, renames));
}

function countChanges(
  { a, b }: ComparedTrees,
  changes: readonly Change[],
  forbidden: number,
): ReviewReport['totals'] {
  const count = (effect: Change['effect']) =>
    changes.filter((change) => change.effect === effect).length;
  return {
    widens: count('widens'),
    narrows: count('narrows'),
    neutral: countUnchanged(a.region, b.region),
    forbidden,
  };
}

/** 0 for no change or narrower, 3 for what needs approval, 4 for what is forbidden. */
export function exitOf({ decision }: Pick<ReviewReport, 'decision'>): number {
  if (decision === 'forbidden') return EXIT.forbidden;
  return decision === 'needs-approval' ? EXIT.needsApproval : 0;
}

/** Returns what the trees show, and what only the plans show. */
function listDisruptions(
  pairs: readonly StackPair[],
  plans: ReadonlyMap<string, ReviewPlan>,
): Disruption[] {
  const written = pairs.flatMap(findDisruptions);
  const planned = [...plans].flatMap(([name, plan]) => findPlannedCuts(name, plan, written));
  return [...written, ...planned];
}

function computeDigests(pairs: readonly StackPair[]) {
  return pairs.map(({ name, before, after }) => ({
    stack: name,
    ...(before && { base: effectiveDigest(before.effective) }),
    ...(after && { head: effectiveDigest(after.effective) }),
  }));
}
