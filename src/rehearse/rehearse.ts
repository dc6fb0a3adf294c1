/**
 * The rehearsal: a change is deployed in a sandbox before it is merged, and every step of the cloud is
 * looked at.
 *
 * - `read-trees.ts`: both trees; `stage/surroundings.ts`, `stage/given-resources.ts`: the world that
 *   they name
 * - `stage/`: the sandbox, the moments that it goes back to, and a person who plays the service's
 *   administrator; `deploys.ts`, `working-stack.ts` and `stack-runner.ts` run Terraform
 * - `timeline/`: every mutation of the cloud, and who reaches whom in each of its states; `check.ts`
 *   makes the check, and dials where a route has changed
 * - `move.ts`: one deploy over another, with all of this; `interruptions.ts`: the deploy killed after
 *   each step, and deployed again
 * - `findings.ts`, `remedies.ts`: what clients would have noticed; `outcome.ts`: what all of it comes to
 * - `report-schema.ts`, `text-report.ts`, `html-report.ts`: all of it for programs and for people
 */

import { ConnectivityError } from '../codes/connectivity-error.js';
import { REACHABLE } from './check.js';
import { interruptEach, interruptionFindings } from './interruptions.js';
import { checkNow, move, SKIPPED, toParts } from './move.js';
import { decideOutcome, failure, failures, summarize, WORDS } from './outcome.js';
import type { RehearsedTree } from './read-trees.js';
import {
  type CheckResult,
  type DeployResult,
  REHEARSAL_SCHEMA,
  type RehearsalReport,
} from './report-schema.js';
import { type DeployedStates, deployFrom, destroyTrees } from './stage/deploys.js';
import { Stage, type StageOptions } from './stage/stage.js';
import { replacedIn } from './timeline/timeline.js';

export interface RehearsalOptions extends StageOptions {
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
  const first = await deployFrom(stage, base, states);
  const baseCheck = await checkNow(stage, first);
  if (first.result.status !== 'passed') return brokenBase(stage, first.result, baseCheck);
  const before = stage.save();
  const there = await move(stage, first, head, [base, head]);
  const isThere = there.deployed.result.status === 'passed';
  const interruptions =
    interrupt && isThere ? await interruptEach(stage, before, head, there.account) : undefined;
  const back =
    there.deployed.steps.length === 0 && there.deployed.result.status !== 'passed'
      ? undefined
      : await move(stage, there.deployed, base, [base, head]);
  // A tree that could not be deployed may not be refreshed either.
  const isBack = back === undefined || back.deployed.result.status === 'passed';
  const destroy = await destroyTrees(stage, isBack ? [base, head] : [head, base]);
  const findings = [
    ...there.findings,
    ...interruptionFindings(interruptions ?? []),
    ...failures({ there, back, destroy }),
  ];
  const outcome = decideOutcome(findings);
  return {
    schema: REHEARSAL_SCHEMA,
    outcome,
    summary: summarize(findings, there.account),
    findings,
    base: { deploy: first.result, check: baseCheck },
    head: toParts(there),
    rollback: { ...toParts(back), findings: [...(back?.findings ?? [])] },
    destroy,
    ...(interruptions !== undefined && { interruptions }),
    replaced: replacedIn(there.passage),
    notes: [...makeNotes(stage, base, head), ...baseNotes(baseCheck)],
  };
}

/** A base that cannot be deployed leaves nothing to rehearse. */
function brokenBase(stage: Stage, deploy: DeployResult, checked: CheckResult): RehearsalReport {
  const finding = failure(
    'base',
    `the base cannot be deployed in the sandbox: ${deploy.errors.join('; ')}`,
    'describe what exists beforehand with `--with FILE`',
  );
  return {
    schema: REHEARSAL_SCHEMA,
    outcome: 'failed',
    summary: `${WORDS.failed}: ${finding.text}`,
    findings: [finding],
    base: { deploy, check: checked },
    head: toParts(undefined),
    rollback: { ...toParts(undefined), findings: [] },
    destroy: { deploy: SKIPPED, left: [] },
    replaced: [],
    notes: makeNotes(stage, [], []),
  };
}

/** What a reader has to know of how it was rehearsed. */
function makeNotes({ standIns }: Stage, base: RehearsedTree, head: RehearsedTree): string[] {
  const gone = base.filter(({ name }) => !head.some((stack) => stack.name === name));
  const hasProvisioners = [...base, ...head].some(({ terraform }) =>
    terraform.resources.some(({ body }) => body.provisioner !== undefined),
  );
  return [
    ...gone.map(({ name }) => `${name} is not in the head: a deploy leaves it as it is`),
    ...(standIns.length === 0
      ? []
      : [
          `the trees refer to ${standIns.join(', ')} without creating them: the sandbox uses stand-ins; describe the real objects with \`--with FILE\``,
        ]),
    ...(hasProvisioners
      ? ['no provisioner of the trees runs; the rehearsal does the check itself']
      : []),
  ];
}

function baseNotes({ links }: CheckResult): string[] {
  return links
    .filter(({ seen }) => seen !== REACHABLE)
    .map(({ name, seen }) => `the check of the base fails already: ${name}: ${seen}`);
}
