import { toName } from '../reach/read/cloud-state.js';
import { checkLinks } from './check.js';
import { otherFindings } from './orders/other-findings.js';
import { type Moved, NOT_CHECKED, NOT_REPLANNED } from './outcome.js';
import type { RehearsedTree } from './read-trees.js';
import { withFindings } from './report/finding-lanes.js';
import { makeFindings, unseenLast } from './report/findings.js';
import type { CheckResult } from './report-schema.js';
import { type Deployed, deployTree, replanTree } from './stage/deploys.js';
import type { Stage } from './stage/stage.js';
import type { Account, Passage } from './timeline/account.js';
import { laneCuts } from './timeline/cuts.js';
import { connectedServices, makeLanes } from './timeline/lanes.js';
import { makeAccount, waysReader } from './timeline/timeline.js';
import { isCutInDoubt } from './timeline/unseen.js';
import { laneKey } from './ways/clients.js';
import { type CalledLink, clientVpcs } from './ways/link-way.js';
import { readWays } from './ways/ways.js';

/** One deploy over another, with all that was seen of it. */
interface Move extends Moved {
  readonly deployed: Deployed;
  readonly account: Account;
}

/** Deploys a tree over another, and looks at every step of it. @param what as people call it */
export async function move(
  stage: Stage,
  from: Deployed,
  to: RehearsedTree,
  trees: readonly RehearsedTree[],
  what: 'deploy' | 'rollback',
): Promise<Move> {
  const before = stage.cloudNow();
  const deployed = await deployTree(stage, to, what);
  stage.tell(`${what}: what clients notice, the check and a second plan`);
  const passage: Passage = {
    before,
    steps: deployed.steps,
    isStopped: deployed.result.status !== 'passed',
    graphs: deployed.graphs,
    links: { before: from.links, after: deployed.links },
    addresses: byName([...from.addresses, ...deployed.addresses]),
    trees,
    held: [to, ...trees].find((tree) => tree.some(({ intents }) => intents !== undefined)) ?? to,
    service: { ...stage.service },
    standIns: stage.standIns,
  };
  const see = waysReader(passage);
  const account = makeAccount(passage, see);
  const { steps, lanes, replaced } = account;
  const findingsOf = (one: Account) => makeFindings(one, to);
  const findings = findingsOf(account);
  const others = otherFindings(passage, {
    ...{ steps, findings, findingsOf: (other) => findingsOf(makeAccount(other, see)) },
  });
  const isThere = deployed.result.status === 'passed';
  stage.followTree(to, deployed);
  const check = await checkNow(stage, deployed);
  const replan = isThere ? await replanTree(stage, to) : NOT_REPLANNED;
  return {
    deployed,
    account,
    deploy: deployed.result,
    findings: [...findings, ...others].sort(unseenLast),
    inDoubt: lanesInDoubt(account),
    check,
    replan,
    timeline: { steps, lanes: withFindings(lanes, { findings, others }, steps.length) },
    replaced,
  };
}

/** Terraform's addresses by identifiers, and by the names that these have in ways. */
function byName(addresses: readonly (readonly [id: string, address: string])[]) {
  return new Map(
    addresses.flatMap(([id, address]) => [[id, address] as const, [toName(id), address] as const]),
  );
}

/** The links and plugins that are closed in the end, where it is in doubt whether they are. */
function lanesInDoubt(account: Account): string[] {
  const isLeft = (lane: Account['lanesSeen'][number]) =>
    laneCuts(lane).some((cut) => cut.until === undefined && isCutInDoubt(account, lane, cut));
  return account.lanesSeen.filter(isLeft).map(({ stack, name }) => laneKey(stack, name));
}

/** Makes the check in the state of now, each link from one of its clients. */
export async function checkNow(
  stage: Stage,
  { result, links }: Pick<Deployed, 'result' | 'links'>,
): Promise<CheckResult> {
  if (result.status !== 'passed') return NOT_CHECKED;
  const now = stage.cloudNow();
  const states = [{ cloud: now, reached: readWays(now, [], stage.service, stage.standIns) }];
  const both = { before: links, after: links };
  const lanes = makeLanes(both, states, stage.service);
  const clients = new Map(
    lanes.flatMap(({ stack, name, clients: [first] }) =>
      first === undefined ? [] : [[laneKey(stack, name), first.address]],
    ),
  );
  stage.goTo(now, [...clients.values()][0]);
  const serviceIds = connectedServices(now);
  const vpcsOf = (link: CalledLink) => clientVpcs(now, link, stage.service);
  const clientOf = ({ name }: CalledLink & { readonly name: string }, stack: string) =>
    clients.get(laneKey(stack, name));
  const options = { service: stage.service, serviceIds, vpcsOf, clientOf };
  const check = () => checkLinks(stage.sandbox, links, options);
  const first = await check();
  // A busy machine answers late: only what fails twice fails.
  return first.status === 'failed' ? await check() : first;
}
