import { RESOURCE_ROWS } from '../../cloud/table/index.js';
import { nameSome } from '../../lists/counted.js';
import { groupBy } from '../../lists/group-by.js';
import { isEveryEndpoint } from '../../reach/packet-rule.js';
import { nounOf } from '../../reach/reports/names.js';
import type { Change } from '../../review/packet-changes.js';
import { accessFinding } from '../../review/packet-rows.js';
import type { Effect, Packets } from '../report-schema.js';
import { clientsText, type WayState } from '../ways/clients.js';
import { AT, THROUGH } from '../ways/place-names.js';
import { withAddresses } from '../ways/ways.js';
import type { LostChange, Passage, StepAccess } from './account.js';
import { type Cut, laneCuts, lossText, stepsText } from './cuts.js';
import type { Lane } from './lanes.js';

/** Tells whether a deploy came to its end. */
type Ended = Pick<Passage, 'isStopped'>;

/** `security group` for `Volcengine::VPC::SecurityGroup`. */
export function typeNoun(typeName: string): string {
  const type = RESOURCE_ROWS.find(({ cloudType }) => cloudType === typeName)?.type;
  return nounOf(`${type}.`) ?? typeName;
}

/** Explains why a way is not open. */
const REASONS: Readonly<Record<Exclude<WayState, 'open'>, string>> = {
  'no-name': 'its name is gone',
  'no-route': 'nothing is at its address',
  public: 'its name leads to a public address',
  'not-connected': 'it is not connected',
  dropped: 'packets are dropped',
  partly: 'some of its addresses do not answer',
  'no-listener': 'nothing listens at its port',
  refused: 'the access list of its listener refuses calls',
  unreachable: 'no server behind it gets calls',
};

function reasonOf({ state }: Cut): string {
  return state === 'open' ? 'open' : REASONS[state];
}

/** ` for clients in 10.30.0.0/17`; empty where all are cut off. */
function forWhom({ clients }: Cut): string {
  return clients.length === 0 ? '' : ` for clients in ${clientsText(clients)}`;
}

/** `10.0.0.0/8 can reach orders:8443`. */
export function accessText(
  change: Change,
  can: 'can' | 'cannot' | 'can no longer' = 'can',
): string {
  const { direction, peer, subject, services, via } = change;
  const through = via.startsWith(THROUGH) ? ` ${via}` : '';
  // The connections that are accepted, stay.
  if (change.at.peer.kind === 'account')
    return `${peer} ${can} ask for a connection to ${subject}${through}`;
  if (isEveryEndpoint(change.at.peer)) {
    return `endpoints of allowed accounts ${can} connect to ${subject}${through} without being accepted`;
  }
  if (change.at.peer.kind === 'endpoint') return `${peer} ${can} connect to ${subject}${through}`;
  const [from, to] = direction === 'egress' ? [subject, peer] : [peer, subject];
  const [, port] = /^tcp (\d+)$/.exec(services) ?? [];
  return `${from} ${can} reach ${to}${port === undefined ? `, ${services}` : `:${port}`}${through}`;
}

/** The limit of peers that a sentence names. */
const MAX_PEERS = 24;

/** Changes that one sentence tells of, and how it names them. */
interface Joined {
  readonly change: LostChange;
  readonly all: readonly Change[];
}

/** Joins changes of one subject that differ in their peers alone, or in the own addresses behind a firewall. */
export function joinPeers(changes: readonly Change[]): Joined[] {
  const alone = changes.map((change) => ({ change, all: [change] }));
  const ofFirewalls = joinAlike(
    alone,
    (one) => keyOf(one, one.peer, one.via.split(AT)[0]),
    ([{ via }, ...others]) => {
      const more = others.flatMap((one) => one.via.split(AT).slice(1));
      return { via: [via, ...new Set(more)].join(', ') };
    },
  );
  return joinAlike(
    ofFirewalls,
    (one) => keyOf(one, one.via.startsWith(THROUGH) && one.via),
    (same) => {
      const peers = [...new Set(same.map(({ peer }) => peer))];
      return { peer: nameSome(peers, MAX_PEERS, 'more range') };
    },
  );
}

function keyOf({ effect, direction, subject, services }: Change, ...more: readonly unknown[]) {
  return JSON.stringify([effect, direction, subject, services, ...more]);
}

function joinAlike(
  all: readonly Joined[],
  key: (change: Change) => string,
  join: (same: readonly [Change, ...Change[]]) => Partial<Change>,
): Joined[] {
  return [...groupBy(all, ({ change }) => key(change)).values()].map((same) => {
    const [{ change: first }, ...others] = same;
    const changes = [first, ...others.map(({ change }) => change)] as const;
    return { change: { ...first, ...join(changes) }, all: same.flatMap((one) => one.all) };
  });
}

/** The packets of changes, as the rows of a review have them. */
export function packetsOf(
  changes: readonly Change[],
  addresses: ReadonlyMap<string, string>,
): Packets {
  const named = (text: string) => withAddresses(text, addresses);
  return changes.map((change) => {
    const { who, what, identity } = accessFinding(change);
    return { who: named(who), what: named(what), identity: identity.map(named) };
  });
}

/** Returns what a step does to a link or plugin. */
export function laneEffects(lane: Lane, number: number, passage: Ended): Effect[] {
  return laneCuts(lane).flatMap((cut): Effect[] => {
    const whom = forWhom(cut);
    if (cut.until === number) return [{ kind: 'up', text: `${lane.name} is open again${whom}` }];
    if (cut.from !== number) return [];
    const text =
      cut.until === undefined
        ? stopText(lane, cut, 'here', passage)
        : `${lane.name} ${cut.state === 'partly' ? 'partly cut off' : 'down'}${whom} until step ${cut.until} (${reasonOf(cut)})`;
    return [{ kind: 'down', text }];
  });
}

/**
 * `api is interrupted for clients in 10.30.0.0/17 from step 2 to 3 (packets are dropped)`.
 *
 * @param later cuts of other clients, where all of them stay
 */
export function cutText(lane: Lane, cut: Cut, passage: Ended, later: readonly Cut[] = []): string {
  const { from, until } = cut;
  if (until === undefined) return stopText(lane, cut, `at step ${from}`, passage, later);
  const cached = lane.cached?.find((one) => one.renamed === until && one.from <= until);
  const longer =
    cached === undefined
      ? ''
      : `, and up to ${cached.ttlSeconds} s longer where resolvers keep ${cached.address}`;
  const is = cut.state === 'partly' ? 'is partly interrupted' : 'is interrupted';
  return `${lane.name} ${is}${forWhom(cut)} ${stepsText(from, until)} (${reasonOf(cut)})${longer}`;
}

/**
 * Says what does not come back: `api: old base URL stops at step 6 (its name is gone; lost for good: the change
 * removes it), new base URL works from step 4`, or `api is partly cut off at step 6 for clients in 10.30.0.0/17
 * (packets are dropped; lost for good: the change removes it)`.
 */
function stopText(
  lane: Lane,
  cut: Cut,
  when: string,
  passage: Ended,
  later: readonly Cut[] = [],
): string {
  const { name, newBaseUrl, newWorksFrom, recordsElsewhere } = lane;
  const isPart = cut.state === 'partly' || cut.clients.length > 0;
  const more = later.map((one) => {
    const why = reasonOf(one) === reasonOf(cut) ? '' : ` (${reasonOf(one)})`;
    return `, at step ${one.from}${forWhom(one)}${why}`;
  });
  const stopsFor = (why: string) =>
    `${isPart ? 'is partly cut off' : 'stops'} ${when}${forWhom(cut)}${more.join('')} (${why})`;
  const isOfName = cut.state === 'no-name' || cut.state === 'public';
  if (newBaseUrl === undefined && isOfName && recordsElsewhere !== undefined) {
    return `${name} ${stopsFor(reasonOf(cut))} until its records are entered by ${recordsElsewhere}`;
  }
  const stops = stopsFor(`${reasonOf(cut)}; ${lossText(passage)}`);
  if (newBaseUrl === undefined) return `${name} ${stops}`;
  const works =
    newWorksFrom === undefined
      ? 'does not work for every client in the end'
      : `works ${newWorksFrom === 0 ? 'from the start' : `from step ${newWorksFrom}`}`;
  return `${name}: old base URL ${stops}, new base URL ${works}`;
}

/** Returns what a step opens and closes. @param i counted from 0 */
export function accessEffects(
  access: readonly StepAccess[],
  i: number,
  addresses: ReadonlyMap<string, string>,
): Effect[] {
  const [before, at] = [access[i - 1], access[i]];
  const added = (all: readonly Change[] = [], known: readonly Change[] = []) => {
    const texts = new Set(known.map((change) => accessText(change)));
    return joinPeers(all.filter((change) => !texts.has(accessText(change))));
  };
  const told = (
    kind: Effect['kind'],
    { change, all }: Joined,
    can: Parameters<typeof accessText>[1] = 'can',
    more = '',
  ): Effect => ({
    kind,
    text: `${withAddresses(accessText(change, can), addresses)}${more}`,
    packets: packetsOf(all, addresses),
  });
  const transient = added(at?.transient, before?.transient);
  const interrupted = added(at?.interrupted, before?.interrupted);
  const plain = added(
    at?.changed,
    [...transient, ...interrupted].flatMap(({ all }) => all),
  );
  return [
    ...transient.map((one) => told('transient-opening', one, 'can', ' (neither before nor after)')),
    ...interrupted.map((one) =>
      told('interruption', one, 'cannot', ', although it could before and can after'),
    ),
    ...plain.map((one) =>
      one.change.effect === 'widens' ? told('opens', one) : told('closes', one, 'can no longer'),
    ),
  ];
}
