import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { groupBy } from '../../reach/group-by.js';
import type { Change } from '../../review/packet-changes.js';
import { listResources } from '../../sandbox/cloud/cloud-state.js';
import { readText, readTexts } from '../../sandbox/json.js';
import type { RehearsedTree } from '../read-trees.js';
import type { RehearsalFinding, TimelineStep } from '../report-schema.js';
import { withAddresses } from '../timeline/cloud-access.js';
import { findSpans, laneCuts } from '../timeline/cuts.js';
import type { Lane } from '../timeline/lanes.js';
import type { Account, Passage } from '../timeline/timeline.js';
import { dialedPort, pluginWay } from '../timeline/ways.js';
import { accessText, cutText, isSameHost, joinPeers, stepsText } from '../timeline/wording.js';
import { nameFindings } from './name-findings.js';
import { AWAY, avoidCut, avoidOpening, BESIDE, type Lost } from './remedies.js';

/** Returns what clients, or whoever guards them, would have noticed of a passage; the worst first. */
export function makeFindings(account: Account, head: RehearsedTree): RehearsalFinding[] {
  const { lanesSeen, access, steps, passage } = account;
  const cuts = lanesSeen.flatMap((lane) => cutFindings(lane, account, head));
  const openings = duringSteps(
    account,
    access.map(({ transient }) => transient),
    (what, when) => ({
      kind: 'transient-opening',
      text: `${what} ${when}, neither before nor after`,
    }),
    (step, end) => avoidOpening({ step, steps, head }, end),
  );
  const interruptions = duringSteps(
    account,
    // The connections of a private link say whom it lets in.
    access.map(({ interrupted }) =>
      interrupted.filter(({ peer }) => !/^(?:account|endpoint) /.test(peer)),
    ),
    (what, when) => ({ kind: 'interruption', text: `${what}, but not ${when}` }),
    (step) => avoidCut({ step, steps, head }),
  );
  const losses = duringSteps(
    account,
    // An account that may no longer ask keeps the connections that it has.
    access.map(({ lost }) => lost.filter(({ peer }) => !peer.startsWith('account '))),
    (what, when) => ({ kind: 'cut', text: `${what.replace(' can ', ' can no longer ')} ${when}` }),
    (step) => avoidCut({ step, steps, head }, FOR_GOOD),
  );
  // A link that is down for everybody says it already; of one that is not, the sets say for whom.
  const whole = cuts.filter(({ isWhole }) => isWhole);
  return [
    ...cuts.map(({ isWhole: _, port: __, ...cut }) => cut),
    ...cachedFindings(account),
    ...losses.filter((one) => !isLostWith(one, whole)).map(withoutChange),
    ...nameFindings(account, head).filter((one) => !isSaid(one, whole)),
    ...groupFindings(account, losses),
    ...lanesSeen.flatMap((lane) => linkChanges(lane, passage)),
    ...serviceChanges(passage),
    ...lanesSeen.flatMap((lane) => portChanges(lane, passage)),
    ...openings.map(withoutChange),
    // What a link lost, its own finding says.
    ...interruptions
      .filter((one) => !isSaid(one, cuts) && !isSaid({ ...one, until: undefined }, whole))
      .map(withoutChange),
  ];
}

/** A cut of a link or plugin. */
type LinkCut = RehearsalFinding & {
  /** True where all of its clients are cut off. */
  readonly isWhole: boolean;
  /** The port that they call. */
  readonly port: number | undefined;
};

/** The packets that a finding is about. */
type AccessFinding = RehearsalFinding & { readonly change: Change };

function withoutChange({ change: _, ...finding }: AccessFinding): RehearsalFinding {
  return finding;
}

/** A link that stops for everybody says that nobody is let in to its port any more. */
function isLostWith({ change, ...span }: AccessFinding, whole: readonly LinkCut[]): boolean {
  if (change.direction !== 'ingress') return false;
  const isIts = ({ port }: LinkCut) =>
    change.services === `tcp ${port}` || change.peer.startsWith('endpoint ');
  return whole.some((cut) => isSaid(span, [cut]) && isIts(cut));
}

const FOR_GOOD: Lost = { kind: 'link', isForGood: true, after: 'same' };

interface Span {
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** The link that is down during the same steps says it already. */
function isSaid({ from, until }: Span, cuts: readonly RehearsalFinding[]): boolean {
  return cuts.some((cut) => cut.from === from && cut.until === until);
}

/**
 * A group that people attach by hand is another one after it is replaced, and nobody has that yet; of one
 * that goes, another may open the same for whoever has that.
 */
function groupFindings(
  { replaced, passage }: Account,
  losses: readonly RehearsalFinding[],
): RehearsalFinding[] {
  const { before, steps, addresses } = passage;
  const attached = new Set(
    listResources(before, privatelinkVpcEndpoint).flatMap((one) =>
      readTexts(one, 'SecurityGroupIds'),
    ),
  );
  const groups = new Set(
    listResources(before, vpcSecurityGroup).map((one) => readText(one, 'SecurityGroupId')),
  );
  return steps.flatMap(({ operation, identifier = '', error, stack }, i): RehearsalFinding[] => {
    const isMeant = operation === 'DELETE' && groups.has(identifier) && !attached.has(identifier);
    if (!isMeant || error !== undefined) return [];
    const resource = addresses.get(identifier) ?? identifier;
    const from = i + 1;
    const isReplaced = replaced.some((one) => one.stack === stack && one.resource === resource);
    if (!isReplaced && losses.some((loss) => loss.from === from)) return [];
    const [what, next] = isReplaced ? ['replaced', 'the new group'] : ['deleted', 'another group'];
    const text = `${resource} is ${what}: what it allowed is closed ${stepsText(from, undefined)}, until people attach ${next} where the old one was`;
    const remedy =
      'in two deploys: first add a second group beside this one, and attach it; once no machine has the old one, remove it';
    return [{ kind: 'cut', stack, what: resource, text, from, remedy }];
  });
}

/** Resolvers give an address for as long as its record said, whatever the zone has by then. */
function cachedFindings({ lanesSeen }: Account): RehearsalFinding[] {
  return lanesSeen.flatMap(({ stack, name, cached = [] }) =>
    cached
      .filter(({ renamed, from }) => from > renamed)
      .map(({ address, renamed, from, ttlSeconds }) => ({
        kind: 'cut' as const,
        stack,
        what: name,
        text: `${name} is partly cut off from step ${from} on, up to ${ttlSeconds} s after step ${renamed}: resolvers may still give ${address}, which no longer answers`,
        from,
        remedy: `deploy at a quiet hour: resolvers forget the address ${ttlSeconds} s after step ${renamed}`,
      })),
  );
}

function cutFindings(lane: Lane, account: Account, head: RehearsedTree): LinkCut[] {
  const { steps } = account;
  return laneCuts(lane).map((cut) => {
    const { from, until } = cut;
    return {
      kind: 'cut',
      stack: lane.stack,
      what: lane.name,
      text: cutText(lane, cut),
      from,
      ...(until !== undefined && { until }),
      remedy: avoidCut(
        { step: steps[from - 1], steps, head },
        lostBy(lane, until === undefined, account),
      ),
      isWhole: cut.clients.length === 0,
      port: lane.baseUrl === undefined ? lane.port : dialedPort(lane.baseUrl),
    };
  });
}

function lostBy(lane: Lane, isForGood: boolean, { lanesSeen, passage }: Account): Lost {
  const isOpen = ({ stack, kind, states }: Lane) =>
    stack === lane.stack && kind === 'link' && states.every((state) => state === 'open');
  const { links = [], plugins = [] } = passage.links.after.get(lane.stack) ?? {};
  const isGone = ![...links, ...plugins].some(({ name }) => name === lane.name);
  const isAnother = lane.newBaseUrl !== undefined || newPort(lane, passage) !== undefined;
  return {
    kind: lane.kind,
    isForGood,
    after: isGone ? 'gone' : isAnother ? 'another' : 'same',
    open: lane.kind === 'link' ? lanesSeen.find(isOpen) : undefined,
  };
}

/** Something that clients, or people in the service's console, must change. */
function clientChange(stack: string, what: string, text: string, remedy: string) {
  return { kind: 'client-change' as const, stack, what, text, remedy };
}

function linkChanges(lane: Lane, { links: { after } }: Passage): RehearsalFinding[] {
  const { kind, stack, name, baseUrl, newBaseUrl } = lane;
  if (kind !== 'link') return [];
  if (!after.get(stack)?.links.some((link) => link.name === name)) {
    const text = `${name} is removed: clients must stop using ${baseUrl}`;
    return [clientChange(stack, name, text, AWAY.link)];
  }
  if (newBaseUrl === undefined) return [];
  const text = `${name} has a new base URL: clients must call ${newBaseUrl} instead of ${baseUrl}`;
  const remedy = isSameHost(lane)
    ? BESIDE.link
    : `let clients call the API host of a private zone (\`privateZone: true\`), which stays the same, or change it ${BESIDE.link}`;
  return [clientChange(stack, name, text, remedy)];
}

/** An endpoint service that is made anew has another id, which people have given to the service. */
function serviceChanges({ links }: Passage): RehearsalFinding[] {
  return [...links.before].flatMap(([stack, { plugins = [] }]) =>
    plugins.flatMap(({ name, serviceId }) => {
      const now = links.after.get(stack)?.plugins?.find((plugin) => plugin.name === name);
      if (now?.serviceId === serviceId) return [];
      const [text, remedy] =
        now === undefined
          ? [
              `${name} is removed, with its endpoint service ${serviceId}`,
              "delete the private connection in the service's console first",
            ]
          : [
              `${name} has a new endpoint service: the service's console needs ${now.serviceId} instead of ${serviceId}`,
              "add a private connection to the new id in the service's console, and accept it, after the deploy",
            ];
      return [clientChange(stack, name, text, remedy)];
    }),
  );
}

/** A plugin that names the port, or takes it from a scheme, does not find the new listener by itself. */
function portChanges(lane: Lane, passage: Passage): RehearsalFinding[] {
  const now = newPort(lane, passage);
  if (now === undefined) return [];
  const text = `${lane.name} listens on port ${now} instead of ${lane.port}: the plugin must be called there`;
  return [clientChange(lane.stack, lane.name, text, BESIDE.plugin)];
}

/** Finds the new port of a plugin's endpoint service, if it changes. */
function newPort({ stack, name, port }: Lane, { links, before, steps, service }: Passage) {
  const plugin = links.after.get(stack)?.plugins?.find((one) => one.name === name);
  if (port === undefined || plugin === undefined) return undefined;
  const cloud = steps.at(-1)?.cloud ?? before;
  const now = pluginWay(cloud, plugin.serviceId, undefined, service).port;
  return now === port ? undefined : now;
}

/**
 * A finding for each change, with the steps during which it holds.
 *
 * @param changes those that hold after each step
 * @param remedy against the step that does it; the second ends it
 */
function duringSteps(
  { steps, passage: { addresses } }: Account,
  changes: readonly (readonly Change[])[],
  says: (what: string, when: string) => Pick<RehearsalFinding, 'kind' | 'text'>,
  remedy: (step: TimelineStep | undefined, end: TimelineStep | undefined) => string,
): AccessFinding[] {
  const named = (text: string) => withAddresses(text, addresses);
  const spans = findSpans([[], ...changes], (change) => accessText(change));
  const alike = groupBy(spans, ({ from, until }) => `${from} ${until}`);
  const joined = [...alike.values()].flatMap((same) => {
    const [{ from, until }] = same;
    return joinPeers(same.map(({ thing }) => thing)).map((change) => ({ change, from, until }));
  });
  return joined.map(({ change, from, until }) => {
    const { kind, text } = says(named(accessText(change)), stepsText(from, until));
    return {
      kind,
      stack: steps[from - 1]?.stack ?? '',
      what: named(change.subject),
      text,
      from,
      ...(until !== undefined && { until }),
      remedy: remedy(steps[from - 1], until === undefined ? undefined : steps[until - 1]),
      change,
    };
  });
}
