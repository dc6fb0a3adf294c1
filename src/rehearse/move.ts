import type { CloudState } from '../sandbox/cloud/cloud-state.js';
import { checkLinks, probeSteps } from './check.js';
import { makeFindings } from './findings.js';
import type { RehearsedTree } from './read-trees.js';
import type { CheckResult, DeployResult, RehearsalFinding, ReplanResult } from './report-schema.js';
import { type Deployed, deployTree, replanTree } from './stage/deploys.js';
import type { Stage } from './stage/stage.js';
import { commonestClient, connectedServices } from './timeline/lanes.js';
import { type Account, makeAccount, type Passage } from './timeline/timeline.js';

/** One deploy over another, with all that was seen of it. */
export interface Move {
  readonly deployed: Deployed;
  readonly passage: Passage;
  readonly account: Account;
  readonly findings: readonly RehearsalFinding[];
  readonly check: CheckResult;
  readonly replan: ReplanResult;
}

/** Deploys a tree over another, and looks at every step of it. */
export async function move(
  stage: Stage,
  from: Deployed,
  to: RehearsedTree,
  trees: readonly RehearsedTree[],
): Promise<Move> {
  const before = stage.cloudNow();
  const deployed = await deployTree(stage, to);
  const passage = recordPassage(stage, before, from, deployed, trees);
  const computed = makeAccount(passage);
  const account = { ...computed, steps: await probeSteps(stage, computed, passage) };
  const isThere = deployed.result.status === 'passed';
  return {
    deployed,
    passage,
    account,
    findings: makeFindings(account, passage, to),
    check: await checkNow(stage, deployed),
    replan: isThere ? await replanTree(stage, to) : { status: 'skipped', changes: [] },
  };
}

function recordPassage(
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

/** Makes the check in the state of now, from the client that may use the most links. */
export async function checkNow(stage: Stage, deployed: Deployed): Promise<CheckResult> {
  if (deployed.result.status !== 'passed') return { status: 'skipped', links: [] };
  const { lanesSeen } = makeAccount(
    recordPassage(stage, stage.cloudNow(), deployed, { ...deployed, steps: [] }, []),
  );
  stage.goTo(stage.cloudNow(), commonestClient(lanesSeen));
  return checkLinks(stage.sandbox, deployed.links, {
    service: stage.service,
    serviceIds: connectedServices(stage.cloudNow()),
  });
}

/** What a report has of a move; without one nothing was deployed. */
export function toParts(move: Move | undefined) {
  const { steps = [], lanes = [] } = move?.account ?? {};
  return {
    deploy: move?.deployed.result ?? SKIPPED,
    check: move?.check ?? { status: 'skipped' as const, links: [] },
    replan: move?.replan ?? { status: 'skipped' as const, changes: [] },
    timeline: { steps: [...steps], lanes: [...lanes] },
  };
}

export const SKIPPED: DeployResult = { status: 'skipped', errors: [] };
