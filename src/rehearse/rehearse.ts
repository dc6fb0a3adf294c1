/**
 * The rehearsal: a change is deployed in a sandbox before it is merged, and every step of the cloud is
 * looked at.
 *
 * - `read-trees.ts`, `surroundings.ts`, `given-resources.ts`: both trees, and the world that they name
 * - `stage.ts`: the sandbox and the folders that the stacks are deployed in; `plugin-console.ts` plays
 *   the service's administrator, `working-stack.ts` and `terraform-run.ts` run Terraform
 * - `recorder.ts`: every mutation of the cloud; `as-terraform.ts`, `cloud-access.ts`, `routes.ts`,
 *   `lanes.ts`: who reaches whom in each of its states; `probes.ts` dials where a route has changed
 * - `interruptions.ts`: the deploy killed after each step, and deployed again
 * - `timeline.ts`, `findings.ts`, `remedies.ts`: what clients would have noticed
 * - `outcome.ts`: what all of it comes to
 * - `report-schema.ts`, `reports/`: all of it for programs and for people
 */
import { ConnectivityError } from '../codes/connectivity-error.js';
import type { CloudState } from '../sandbox/cloud/cloud-state.js';
import { checkLinks } from './check.js';
import { findingsOf } from './findings.js';
import { interruptEach, interruptionFindings } from './interruptions.js';
import { baseNotes, failures, outcomeOf, summarize, WORDS } from './outcome.js';
import { probeSteps } from './probes.js';
import type { RehearsedTree } from './read-trees.js';
import {
  type CheckResult,
  type DeployResult,
  REHEARSAL_SCHEMA,
  type RehearsalFinding,
  type RehearsalReport,
  type ReplanResult,
} from './report-schema.js';
import { type Deployed, type DeployedStates, Stage, type StageOptions } from './stage/stage.js';
import { clientOf, connectedServices } from './timeline/lanes.js';
import { type Account, accountOf, type Passage, replacedIn } from './timeline/timeline.js';

export interface RehearsalOptions extends StageOptions {
  readonly base: RehearsedTree;
  readonly head: RehearsedTree;
  /** What is deployed in fact, in place of the code of the base. @default - base is deployed */
  readonly states?: DeployedStates;
  /** Whether to kill the deploy of the head after each of its steps in turn. @default false */
  readonly interrupt?: boolean;
}

/**
 * Deploys base, then head over it, then base over that, and destroys everything, in a sandbox.
 *
 * @throws ConnectivityError `usage.invalid` where Terraform is missing, or cannot be initialized;
 * `run.interrupted`
 */
export async function rehearse(options: RehearsalOptions): Promise<RehearsalReport> {
  const stage = await Stage.start(options);
  try {
    return await play(stage, options);
  } catch (error) {
    if (!options.signal?.aborted) throw error;
    throw new ConnectivityError(
      'run.interrupted',
      'the rehearsal was interrupted; nothing is left of it, run it again',
    );
  } finally {
    await stage.stop();
  }
}

async function play(
  stage: Stage,
  { base, head, interrupt = false, states = new Map() }: RehearsalOptions,
): Promise<RehearsalReport> {
  const first = await stage.deployFrom(base, states);
  const baseCheck = await check(stage, first);
  if (first.result.status !== 'passed') return brokenBase(stage, first.result, baseCheck);
  const before = stage.save();
  const there = await move(stage, first, head, [base, head], head);
  const isThere = there.deployed.result.status === 'passed';
  const interruptions =
    interrupt && isThere ? await interruptEach(stage, before, head, there.account) : undefined;
  const back =
    there.deployed.steps.length === 0 && there.deployed.result.status !== 'passed'
      ? undefined
      : await move(stage, there.deployed, base, [base, head], base);
  const destroy = await stage.destroy(head, base);
  const findings = [
    ...there.findings,
    ...interruptionFindings(interruptions ?? []),
    ...failures({ there, ...(back !== undefined && { back }), destroy }),
  ];
  const outcome = outcomeOf(findings);
  return {
    schema: REHEARSAL_SCHEMA,
    outcome,
    summary: summarize(findings, there.account),
    findings,
    base: { deploy: first.result, check: baseCheck },
    head: parts(there),
    rollback: { ...parts(back), findings: [...(back?.findings ?? [])] },
    destroy,
    ...(interruptions !== undefined && { interruptions }),
    replaced: replacedIn(there.passage),
    notes: [...stage.notes(base, head), ...baseNotes(baseCheck)],
  };
}

/** One deploy over another, with all that was seen of it. */
interface Move {
  readonly deployed: Deployed;
  readonly passage: Passage;
  readonly account: Account;
  readonly findings: readonly RehearsalFinding[];
  readonly check: CheckResult;
  readonly replan: ReplanResult;
}

async function move(
  stage: Stage,
  from: Deployed,
  to: RehearsedTree,
  trees: readonly RehearsedTree[],
  wanted: RehearsedTree,
): Promise<Move> {
  const before = stage.cloudNow();
  const deployed = await stage.deploy(to);
  const passage = passageOf(stage, before, from, deployed, trees);
  const computed = accountOf(passage);
  const account = { ...computed, steps: await probeSteps(stage, computed, passage) };
  const isThere = deployed.result.status === 'passed';
  return {
    deployed,
    passage,
    account,
    findings: findingsOf(account, passage, wanted),
    check: isThere ? await check(stage, deployed) : { status: 'skipped', links: [] },
    replan: isThere ? await stage.replan(to) : { status: 'skipped', changes: [] },
  };
}

function passageOf(
  { service }: Stage,
  before: CloudState,
  from: Deployed,
  to: Deployed,
  trees: readonly RehearsedTree[],
): Passage {
  return {
    before,
    steps: to.steps,
    links: { before: from.links, after: to.links },
    addresses: new Map([...from.addresses, ...to.addresses]),
    trees,
    service,
  };
}

async function check(stage: Stage, deployed: Deployed): Promise<CheckResult> {
  if (deployed.result.status !== 'passed') return { status: 'skipped', links: [] };
  const { lanesSeen } = accountOf(
    passageOf(stage, stage.cloudNow(), deployed, { ...deployed, steps: [] }, []),
  );
  stage.goTo(stage.cloudNow(), clientOf(lanesSeen));
  return checkLinks(stage.sandbox, deployed.links, {
    service: stage.service,
    serviceIds: connectedServices(stage.cloudNow()),
  });
}

function parts(move: Move | undefined) {
  const { steps = [], lanes = [] } = move?.account ?? {};
  return {
    deploy: move?.deployed.result ?? SKIPPED,
    check: move?.check ?? { status: 'skipped' as const, links: [] },
    replan: move?.replan ?? { status: 'skipped' as const, changes: [] },
    timeline: { steps: [...steps], lanes: [...lanes] },
  };
}

const SKIPPED: DeployResult = { status: 'skipped', errors: [] };

/** A base that cannot be deployed leaves nothing to rehearse. */
function brokenBase(stage: Stage, deploy: DeployResult, checked: CheckResult): RehearsalReport {
  const finding: RehearsalFinding = {
    kind: 'failure',
    stack: '',
    what: 'base',
    text: `the base cannot be deployed in the sandbox: ${deploy.errors.join('; ')}`,
    remedy: 'give what exists beforehand with `--with FILE`',
  };
  return {
    schema: REHEARSAL_SCHEMA,
    outcome: 'failed',
    summary: `${WORDS.failed}: ${finding.text}`,
    findings: [finding],
    base: { deploy, check: checked },
    head: parts(undefined),
    rollback: { ...parts(undefined), findings: [] },
    destroy: { deploy: SKIPPED, left: [] },
    replaced: [],
    notes: stage.notes([], []),
  };
}
