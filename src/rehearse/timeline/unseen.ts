import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { groupBy } from '../../lists/group-by.js';
import {
  EVERYTHING,
  overlaps,
  readPorts,
  type Services,
  toServices,
} from '../../reach/sets/services.js';
import { type CloudState, listResources } from '../../sandbox/cloud/cloud-state.js';
import { readText, readTexts } from '../../sandbox/json.js';
import { readRules } from '../../sandbox/network/groups.js';
import type { RehearsalFinding } from '../report-schema.js';
import { dialedPort } from '../ways/link-way.js';
import type { Account, Passage, UnseenUse } from './account.js';
import { type Cut, findSpans, spanOf, stepsText } from './cuts.js';
import type { Lane } from './lanes.js';

type Use = Omit<UnseenUse, 'comes' | 'isPartial' | 'from' | 'until'>;

type Standing = Pick<Passage, 'before' | 'steps' | 'addresses' | 'standIns'>;

/** Finds what comes to an endpoint or group, or goes from it, though no tree says what is in it. */
export function findUnseen({ before, steps, addresses, standIns = [] }: Standing): UnseenUse[] {
  if (standIns.length === 0) return [];
  const states = [before, ...steps.map(({ cloud }) => cloud)].map((cloud) =>
    readUses(cloud, (id) => addresses.get(id) ?? id, new Set(standIns)),
  );
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
  cloud: CloudState,
  addressOf: (id: string) => string,
  standIns: ReadonlySet<string>,
): Uses {
  const endpoints = listResources(cloud, privatelinkVpcEndpoint).map((one) => ({
    id: readText(one, 'EndpointId'),
    groups: readTexts(one, 'SecurityGroupIds'),
  }));
  const groups = listResources(cloud, vpcSecurityGroup).map((group) => ({
    ...{ group, id: readText(group, 'SecurityGroupId') },
  }));
  const all: Use[] = [
    ...endpoints.flatMap(({ id, groups }) =>
      groups.map((used) => ({
        ...{ user: addressOf(id), used, noun: 'group' as const, direction: 'ingress' as const },
        ...{ isAccept: true, priority: '', services: EVERYTHING, ids: [id] },
      })),
    ),
    ...groups.flatMap(({ group, id }) => {
      const carriers = endpoints.filter((one) => one.groups.includes(id)).map((one) => one.id);
      const common = { user: addressOf(id), ids: [id, ...carriers] };
      return peersOf(group).map((peer) => ({ ...common, ...peer }));
    }),
  ];
  const users = new Set([...endpoints, ...groups].map(({ id }) => addressOf(id)));
  return { uses: all.filter(({ used }) => standIns.has(used)), users };
}

/** The groups and prefix lists that the rules of a group are for. */
function peersOf(group: Parameters<typeof readRules>[0]) {
  return (['ingress', 'egress'] as const).flatMap((direction) =>
    readRules(group, direction).flatMap((rule) => {
      const isAccept = readText(rule, 'Policy') === 'accept';
      const priority = String(rule.Priority ?? '');
      const common = { direction, isAccept, priority, services: servicesOf(rule) };
      const [list, other] = [readText(rule, 'PrefixListId'), readText(rule, 'SourceGroupId')];
      return [
        ...(list === '' ? [] : [{ ...common, used: list, noun: 'prefix list' as const }]),
        ...(other === '' ? [] : [{ ...common, used: other, noun: 'group' as const }]),
      ];
    }),
  );
}

function servicesOf(rule: Parameters<typeof readText>[0]): Services {
  const protocol = readText(rule, 'Protocol');
  if (protocol === 'icmp' || protocol === 'icmpv6') return toServices(protocol);
  if (protocol !== 'tcp' && protocol !== 'udp') return EVERYTHING;
  const { PortStart: first, PortEnd: last } = rule ?? {};
  return readPorts(protocol, Number(first), Number(last)) ?? toServices(protocol);
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
  return unseen.filter((use) => isThere(use) && use.ids.includes(id));
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
