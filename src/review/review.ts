/**
 * The review: two trees in, one decision out.
 *
 * - `read/`: what Terraform would load from a tree, and `access.json` beside it
 * - `effective-rules/`: what that opens, read without `access.json`, in a closed world
 * - `stacks/`: both together, with the names that the access rules have for things
 * - `sets/`: interval algebra, so that the same packets in other words are no change
 * - `changes/`: what differs; `policy.ts`, `exceptions.ts`: what is forbidden
 * - `found/`: a state or the cloud as the base, and what the cloud has beyond the last deploy
 * - `plan/`: what a plan of the head knows beyond its files
 * - `diagram/`: who may talk to whom as a drawing
 * - `summary.ts`: what the rows of all of these come to
 * - `report-schema.ts`: all of it for programs; `reports/`: for people
 */
import { isDeepStrictEqual } from 'node:util';
import { EXIT } from '../codes/codes.js';
import type { SynthesizedTree } from '../reach/read/read-tree.js';
import { fingerprint, NO_TERRAFORM, withAnswersOf } from '../reach/read/terraform-json.js';
import { readAnswers } from '../reach/rules/stated-answers.js';
import { countUnchanged } from '../reach/sets/region.js';
import {
  deniedChanges,
  findDifferences,
  statedRules,
  tellOnce,
  withPlaces,
} from './changes/access-changes.js';
import { changesUnderOtherAnswers } from './changes/assumed-answers.js';
import { findNewPrograms, findTakenStates } from './changes/claims.js';
import { disruptionFinding, findDisruptions } from './changes/disruptions.js';
import { accessFindings } from './changes/fold-addresses.js';
import {
  changedAddressLists,
  changedDomains,
  changedTicket,
} from './changes/informational-changes.js';
import { withOtherDoors } from './changes/other-doors.js';
import { changedNamedPeers, changedReach } from './changes/reach-changes.js';
import { findRenamedStacks, followRenames } from './changes/renamed-stacks.js';
import { findStackChanges } from './changes/stack-changes.js';
import { foldWholeStacks, withoutTwice } from './changes/whole-stacks.js';
import { changedExceptions, listExceptions } from './decision/exceptions.js';
import { type IntentsOfTrees, reviewIntents } from './decision/intents.js';
import { makeNotes } from './decision/notes.js';
import { findViolations, listViolation } from './decision/policy.js';
import { makeSteps } from './decision/steps.js';
import { conclude } from './decision/summary.js';
import { denialFinding } from './packet-changes.js';
import { fillTree } from './plan/fill-tree.js';
import { findPlannedChanges } from './plan/planned-changes.js';
import { countFinding, findPlannedCuts } from './plan/planned-work.js';
import type { ReviewPlan } from './plan/review-plan.js';
import {
  type Disruption,
  type Finding,
  REVIEW_SCHEMA,
  type ReviewReport,
} from './report-schema.js';
import { effectiveDigest } from './stacks/digest.js';
import {
  followMoves,
  pairStacks,
  type ReviewedTree,
  reviewedTree,
  type StackPair,
} from './stacks/reviewed-trees.js';
import { contentOf } from './statement/surface.js';

/** Options that also affect the decision. */
export interface ReviewOptions {
  /** Plans of stacks of the tree after, by their names. @default - none */
  readonly plans?: ReadonlyMap<string, ReviewPlan>;
  /** The intents beside the stacks. @default - none */
  readonly intents?: IntentsOfTrees;
  /** Differences of the cloud from what the last deploy left. @default - none */
  readonly drift?: readonly Finding[];
  /** Sentences on what the base does not show. @default - none */
  readonly notes?: readonly string[];
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
  }: ReviewOptions = {},
): ReviewReport {
  const renames = findRenamedStacks(base, head);
  const named = followRenames(base, renames);
  const before = followMoves(named, head);
  const answered = answeredAs(before, head);
  const filled = fillTree(before, answered, plans);
  const [a, b] = [reviewedTree(before), reviewedTree(filled)];
  const under = followMoves(base, head);
  const sentences = reviewIntents(intents, under, filled, today);
  const pairs = pairStacks(named, a, b);
  // Terraform makes all of a renamed stack anew: its connections are cut, and its domains others.
  const made = renames.length === 0 ? pairs : pairStacks(base, reviewedTree(under), b);
  const found = findDifferences([a, b]);
  const certain = withPlaces(tellOnce(found, [a, b]), [a, b]);
  const assumed = changesUnderOtherAnswers([a, b], found, certain);
  const access = [...certain, ...assumed.changes];
  const told = {
    access,
    denied: deniedChanges(a, b, access),
    others: pairs.flatMap(findStackChanges),
  };
  const planned = findPlannedChanges(filled, plans, told);
  const changes = [...told.access, ...planned.access];
  const reach = changedReach(a.region, b.region);
  const violations = b.stacks.flatMap((stack) => findViolations(stack, today));
  const disruptions = listDisruptions(made, plans);
  // The row of a renamed stack says that all of it is destroyed.
  const isRenamed = (stack: string) => renames.some(({ from }) => from === stack);
  const rows: Finding[] = [
    ...accessFindings(withOtherDoors(changes, [before, filled])),
    ...[...told.denied, ...planned.denied].map(denialFinding),
    ...[...told.others, ...planned.others],
    ...findNewPrograms(pairs),
    ...findTakenStates(pairs),
    ...pairs.flatMap(changedExceptions),
    ...disruptions.filter(({ stack }) => !isRenamed(stack)).map(disruptionFinding),
  ];
  const findings = [
    ...drift,
    ...violations,
    ...sentences.findings,
    ...foldWholeStacks(withoutTwice(rows), pairs, renames),
  ].map((finding) => countFinding(finding, plans.get(finding.stack)?.work));
  return {
    schema: REVIEW_SCHEMA,
    ...conclude(findings, statedRules(a)),
    totals: {
      widens: changes.filter(({ effect }) => effect === 'widens').length,
      narrows: changes.filter(({ effect }) => effect === 'narrows').length,
      neutral: countUnchanged(a.region, b.region),
      forbidden: violations.length,
    },
    // Findings have the rest.
    changes: changes.map(({ exception: _, at: __, ...change }) => change),
    reach,
    namedPeers: changedNamedPeers(a.region, b.region),
    addressLists: pairs.flatMap(changedAddressLists),
    domains: made.flatMap(changedDomains),
    disruptions,
    steps: makeSteps(made, disruptions, reach),
    exceptions: listExceptions(statedRules(b), statedRules(a), today),
    violations: violations.map(listViolation),
    ...(sentences.rows.length > 0 && { intents: [...sentences.rows] }),
    notes: [...makeNotes(a, b), ...notes, ...assumed.notes],
    tickets: pairs.flatMap(changedTicket),
    digests: computeDigests(made, plans.size === 0 && answered === head ? b : reviewedTree(head)),
    plans: [...plans].map(([stack, { work }]) => ({ stack, ...work.totals })),
  };
}

/**
 * The tree after by the answers that the owner gave before, to what is in doubt of the cloud: otherwise a change
 * could answer a question so that what it opens is not seen.
 */
function answeredAs(before: SynthesizedTree, head: SynthesizedTree): SynthesizedTree {
  const isSame = [...head].every(([name, { terraform }]) =>
    isDeepStrictEqual(readAnswers(terraform.outputs), answersIn(before, name)),
  );
  if (isSame) return head;
  return new Map(
    [...head].map(([name, stack]) => {
      const base = before.get(name)?.terraform ?? NO_TERRAFORM;
      return [name, { ...stack, terraform: withAnswersOf(base, stack.terraform) }];
    }),
  );
}

function answersIn(tree: SynthesizedTree, name: string) {
  return readAnswers(tree.get(name)?.terraform.outputs ?? {});
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
  const planned = [...plans].flatMap(([name, { work }]) => findPlannedCuts(name, work, written));
  return [...written, ...planned];
}

/** @param head as its files are, without values of a plan: so the check of a deploy finds it */
function computeDigests(pairs: readonly StackPair[], head: ReviewedTree) {
  const files = new Map(head.stacks.map((stack) => [stack.name, stack]));
  return pairs.map(({ name, before }) => {
    const after = files.get(name);
    return {
      stack: name,
      ...(before && { base: effectiveDigest(before.effective) }),
      ...(after && {
        head: effectiveDigest(after.effective),
        content: fingerprint(contentOf(after)),
      }),
    };
  });
}
