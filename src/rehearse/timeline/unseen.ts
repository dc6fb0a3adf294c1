import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { groupBy } from '../../lists/group-by.js';
import { toName } from '../../reach/read/cloud-state.js';
import { EVERYTHING, overlaps, type Services, toServices } from '../../reach/sets/services.js';
import type { Reached } from '../../reach/ways/doors.js';
import type { RehearsalFinding } from '../report-schema.js';
import { dialedPort } from '../ways/link-way.js';
import { withAddresses } from '../ways/places.js';
import type { Account, Passage, UnseenUse } from './account.js';
import { type Cut, findSpans, spanOf, stepsText } from './cuts.js';
import type { Lane } from './lanes.js';

type Use = Omit<UnseenUse, 'comes' | 'isPartial' | 'from' | 'until'>;

/**
 * Finds what comes to an endpoint or group, or goes from it, though no tree says what is in it.
 *
 * @param reached what is reached at first, then after each step
 */
export function findUnseen(
  reached: readonly Reached[],
  { addresses, standIns = [] }: Pick<Passage, 'addresses' | 'standIns'>,
): UnseenUse[] {
  if (standIns.length === 0) return [];
  const states = reached.map((one) => readUses(one, addresses, standIns));
  const [first] = states;
  const changes = states.map((now) => [
    ...onlyIn(first, now).map((use) => ({ ...use, comes: false, isPartial: isOfBoth(use, now) })),
    ...onlyIn(now, first).map((use) => ({ ...use, comes: true, isPartial: isOfBoth(use, first) })),
  ]);
  return findSpans(changes, useKey).map(({ thing, from, until }) => ({ ...thing, from, until }));
}

/** Says of each of them that whom it lets in is not shown. */
export function unseenFindings({ steps, unseen }: Account): RehearsalFinding[] {
  const alike = groupBy(
    unseen,
    ({ user, used, from, until }) => `${user} ${used} ${from} ${until}`,
  );
  return [...alike.values()].map((uses): RehearsalFinding => {
    const [{ user, used, noun, from, until }] = uses;
    const isOther = uses.some(({ isPartial }) => isPartial);
    const comes = uses[0].comes ? 'has' : 'no longer has';
    const change = isOther ? `has other rules for the ${noun}` : `${comes} the ${noun}`;
    return {
      kind: 'not-shown',
      ...spanOf(steps, from, until),
      what: user,
      text: `${user} ${change} ${used} ${stepsText(from, until)}: whom that lets in or keeps out is not shown, for no tree says what is in it`,
      remedy: `describe ${used} with \`--with FILE\`, or look up whom it lets in before the deploy`,
    };
  });
}

interface Uses {
  readonly uses: readonly Use[];
  readonly users: ReadonlySet<string>;
}

function readUses(
  { read: { lists, flows }, index }: Reached,
  addresses: ReadonlyMap<string, string>,
  standIns: readonly string[],
): Uses {
  const ofRules = lists.flatMap(({ carrier, direction, rules }) =>
    rules.flatMap(({ resource, peers, isAccept, priority, services }) =>
      peers.flatMap((peer): Use[] => {
        if (peer.kind === 'addresses') return [];
        const noun = peer.kind === 'group' ? 'group' : 'prefix list';
        const rule = { direction, isAccept, priority: String(priority), services };
        return [{ user: resource, used: peer.name, noun, ...rule, ids: [resource, carrier] }];
      }),
    ),
  );
  const ofEndpoints = flows.flatMap(({ kind, carrier, peer }): Use[] => {
    if (kind !== 'foreign' || peer.kind === 'addresses') return [];
    const used = peer.name.slice(peer.name.lastIndexOf(' ') + 1);
    const rule = {
      direction: 'ingress',
      isAccept: true,
      priority: '',
      services: EVERYTHING,
    } as const;
    return [{ user: carrier, used, noun: 'group', ...rule, ids: [carrier] }];
  });
  const uses = [...ofRules, ...ofEndpoints].filter(({ used }) => standIns.includes(used));
  // Endpoints may carry one group together.
  const alike = [...groupBy(uses, useKey).values()];
  const types = [vpcSecurityGroup, privatelinkVpcEndpoint];
  const users = types.flatMap(({ type }) => index.ofType(type)).map(({ address }) => address);
  const named = (address: string) => withAddresses(address, addresses);
  return {
    uses: alike.map((same) => {
      const ids = same.flatMap((use) => use.ids.map((one) => one.replace(/^\w+\./, '')));
      return { ...same[0], user: named(same[0].user), ids };
    }),
    users: new Set(users.map(named)),
  };
}

/** The uses of one state alone, by what both have. */
function onlyIn(one: Uses | undefined, other: Uses | undefined): readonly Use[] {
  const known = new Set(other?.uses.map(useKey));
  return (one?.uses ?? []).filter((use) => !known.has(useKey(use)) && other?.users.has(use.user));
}

function isOfBoth({ user, used }: Use, other: Uses | undefined): boolean {
  return other?.uses.some((one) => one.user === user && one.used === used) === true;
}

function useKey({ user, used, direction, isAccept, priority, services }: Use): string {
  return JSON.stringify([user, used, direction, isAccept, priority, services]);
}

/** Finds what came by a step, or before it, and decides from then on. */
function usesAt(unseen: readonly UnseenUse[], step: number, id: string): UnseenUse[] {
  const isThere = ({ comes, from, until = Number.POSITIVE_INFINITY }: UnseenUse) =>
    comes && from <= step && step < until;
  return unseen.filter((use) => isThere(use) && use.ids.includes(toName(id)));
}

/** The facts that say what is in doubt. */
type Doubted = Pick<Account, 'unseen' | 'passage'>;

/** Tells whether a step changes an object by which something unknown decides from then on. */
export function isStepInDoubt({ unseen, passage }: Doubted, step: number): boolean {
  const id = passage.steps[step - 1]?.identifier;
  return id !== undefined && usesAt(unseen, step, id).length > 0;
}

/**
 * Tells whether a cut comes of such a step, and is none where its clients are in what is unknown: a rule for
 * that accepts them, or a plugin is open but for one that drops them.
 */
export function isCutInDoubt(doubted: Doubted, lane: Lane, { from }: Pick<Cut, 'from'>): boolean {
  if (!isStepInDoubt(doubted, from)) return false;
  if (lane.kind === 'plugin') return lane.unclear?.[from] === true;
  const id = doubted.passage.steps[from - 1]?.identifier ?? '';
  const isOutward = lane.via !== 'service-endpoint';
  const direction = isOutward ? 'egress' : 'ingress';
  const services = lanePorts(lane);
  // Packets from or to addresses: a group or list that nobody describes may have them in it.
  return usesAt(doubted.unseen, from, id).some(
    (use) => use.isAccept && use.direction === direction && overlaps(use.services, services),
  );
}

function lanePorts({ baseUrl }: Lane): Services {
  if (baseUrl === undefined) return toServices('tcp');
  const first = dialedPort(baseUrl);
  return toServices('tcp', { first, last: first });
}
