/**
 * The rehearsal: a change is deployed in a sandbox before it is merged, and every step of the cloud is
 * looked at.
 *
 * - `read-trees.ts`: both trees; `stage/surroundings.ts`, `stage/given-resources.ts`: the world that
 *   they name
 * - `stage/`: the sandbox, the moments that it goes back to, and a person who plays the service's
 *   administrator; `deploys.ts` and `stack-runner.ts` run Terraform
 * - `timeline/`: every mutation of the cloud, and who reaches whom in each of its states; `check.ts`
 *   makes the check
 * - `orders/`: the states of all other orders that Terraform may take, found from its graphs of the plans
 * - `move.ts`: one deploy over another, with all of this
 * - `report/`: what clients would have noticed, and how to avoid it, for people; `outcome.ts`: what all of
 *   it comes to
 * - `report-schema.ts`: all of it for programs
 */

import { ConnectivityError } from '../codes/connectivity-error.js';
import { groupIntents } from '../intents/read-intents.js';
import { judgeTree } from '../reach/intents/judge-intents.js';
import { reviewOver } from '../review/review.js';
import { readText } from '../sandbox/json.js';
import { workloadGroups } from '../sandbox/network/groups.js';
import { workloadVpcs } from '../sandbox/network/places.js';
import { checkNow, move } from './move.js';
import { type Frame, makeReport } from './outcome.js';
import type { RehearsedTree } from './read-trees.js';
import { withPortRows } from './report/port-rows.js';
import { type CheckResult, REACHABLE, type RehearsalReport } from './report-schema.js';
import { type Deployed, type DeployedStates, deployFrom, destroyTrees } from './stage/deploys.js';
import { Stage, type StageOptions } from './stage/stage.js';
import type { Account } from './timeline/account.js';
import { intentNotes } from './timeline/intents.js';
import { toWorld } from './ways/link-way.js';

export interface RehearsalOptions extends StageOptions {
  /** The states in production, in place of the code of the base. @default - base is deployed */
  readonly states?: DeployedStates;
  /** The folders that the trees are read from, for the report. @default - base, head */
  readonly folders?: RehearsalReport['trees'];
  /** The network of this process, in a report's words. @default 'not sealed (not asked for)' */
  readonly network?: string;
  /** Takes the account of the deploy of head, then that of the rollback. @default - nobody */
  readonly onAccount?: (account: Account) => void;
}

/**
 * Deploys base, then head over it, then base over that, and destroys everything, in a sandbox.
 *
 * @throws ConnectivityError `usage.invalid` where Terraform is missing or cannot be initialized, or an intent names
 * nothing; `run.interrupted`
 */
export async function rehearse(options: RehearsalOptions): Promise<RehearsalReport> {
  const asked = options.head.map((stack) => ({
    ...stack,
    file: `stacks/${stack.name}/cdk.tf.json`,
  }));
  judgeTree(groupIntents(asked), asked);
  const stage = await Stage.start(options);
  const { network = 'not sealed (not asked for)', folders = { base: 'base', head: 'head' } } =
    options;
  const frame = { network, trees: folders, startedAt: new Date().toISOString() };
  try {
    return { ...(await play(stage, options)), ...frame };
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
  { base, head, states = new Map(), ...more }: RehearsalOptions,
): Promise<Omit<RehearsalReport, Frame>> {
  const { providerMirror, onAccount = () => {} } = more;
  const hasStandIns = providerMirror === undefined;
  const movedOver = async (from: Deployed, to: RehearsedTree) => {
    const isThere = to === head;
    const moved = await move(stage, from, to, [base, head], isThere ? 'deploy' : 'rollback');
    const reviewed = () => (isThere ? reviewOver(base, head) : reviewOver(head, base));
    return { ...moved, findings: withPortRows(moved.findings, moved.account, reviewed) };
  };
  const first = await deployFrom(stage, base, states);
  stage.followTree(base, first);
  const start = { deploy: first.result, check: await checkNow(stage, first) };
  if (first.result.status !== 'passed') {
    return makeReport({ base: start, hasStandIns }, makeNotes(stage, [], [], start.check));
  }
  const assumed = assumedGroups(stage, first);
  const there = await movedOver(first, head);
  const { steps, result } = there.deployed;
  const isThere = result.status === 'passed';
  const back = steps.length === 0 && !isThere ? undefined : await movedOver(there.deployed, base);
  for (const one of [there, back]) if (one !== undefined) onAccount(one.account);
  // A tree that could not be deployed may not be refreshed either.
  const isBack = back === undefined || back.deployed.result.status === 'passed';
  const destroy = await destroyTrees(stage, isBack ? [base, head] : [head, base]);
  const notes = [
    ...makeNotes(stage, base, head, start.check),
    ...assumed,
    ...there.account.intents.flatMap(intentNotes),
  ];
  return makeReport({ base: start, there, back, destroy, hasStandIns }, notes);
}

/** Says which groups the workloads behind fixed addresses are taken to have, and where they are, where no output names it. */
function assumedGroups(stage: Stage, { links, groups, addresses }: Deployed): string[] {
  const isUsed = [...links.values()].some((one) =>
    one.links.some(({ via }) => via === 'fixed-ip-egress'),
  );
  if (!isUsed || groups?.egress !== undefined) return [];
  const world = toWorld(stage.cloudNow(), stage.service);
  const found = workloadGroups(world, 'egress');
  const ids = found.map((group) => readText(group, 'SecurityGroupId'));
  const namesOf = (all: readonly string[]) => all.map((id) => addresses.get(id) ?? id).join(', ');
  const places = namesOf(workloadVpcs(world)) || 'any VPC';
  const groupNames = namesOf(ids) || 'no group';
  return [
    `no output names the security group of the workloads: they are assumed to have ${groupNames}, in ${places}`,
  ];
}

/** Returns what a reader has to know of how it was rehearsed. */
function makeNotes(
  { standIns }: Stage,
  base: RehearsedTree,
  head: RehearsedTree,
  { links }: CheckResult,
): string[] {
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
    ...links
      .filter(({ seen }) => seen !== REACHABLE)
      .map(({ name, seen }) => `the check of the base fails already: ${name}: ${seen}`),
  ];
}
