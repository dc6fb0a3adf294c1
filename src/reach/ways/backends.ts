import { listenerSubject } from '../../access/access-rule.js';
import { nameSome } from '../../lists/counted.js';
import { groupBy } from '../../lists/group-by.js';
import { isPrivateRange, LINK_NETWORK } from '../../net/cidr.js';
import { NOBODY } from '../../net/special-ranges.js';
import { type Name, networkPeer, peerName, type RulePeer } from '../packet-rule.js';
import { addressesIn, typeOf } from '../read/address.js';
import { EVERYONE, makeGate } from '../rules/peers.js';
import type { RuleList } from '../rules/reading.js';
import { combine } from '../sets/ranges.js';
import { toRange } from '../sets/region.js';
import { type Services, subtract } from '../sets/services.js';
import { aclsOf } from './acls.js';
import { type Backend, type Door, decideTogether, isOfSame, type Server } from './door.js';
import { type Passed, passAtBounds } from './pass.js';

/**
 * Makes the door behind a listener: its load balancer sends calls on to servers whose own groups, and the
 * network ACLs of whose subnets, let it in, for it forwards calls, and looks after servers, from addresses
 * of its own.
 */
export function backendGate(door: Door, doors: readonly Door[]): Door[] {
  if (door.backend === undefined) return [];
  return [{ ...door, ...gateTo(door.backend, door, doors) }];
}

type Gate = Pick<Door, 'list' | 'closedServers'>;

function gateTo({ group, servers }: Backend, door: Door, doors: readonly Door[]): Gate {
  if (servers === undefined) {
    const closed = makeGate(group, false, 'no server is stated');
    return {
      list: perhaps(closed, `Which servers does ${group} have?`, 'calls go to some server'),
    };
  }
  if (servers.length === 0) return { list: makeGate(group, false, 'no server of it gets calls') };
  const alike = groupBy(servers, ({ services, interfaces, groups, subnets }) =>
    JSON.stringify([services, interfaces, groups, subnets]),
  );
  const judged = [...alike.values()].map((all) => ({ all, ...judge(all[0], door, doors) }));
  const named = (some: typeof judged) =>
    nameSome(
      some.flatMap(({ all }) => all.map(({ name }) => name)),
      MAX_NAMED,
    );
  const open = judged.filter(({ isOpen }) => isOpen);
  const stopped = (some: typeof judged) => {
    const stops = [...new Set(some.flatMap((one) => one.stops))];
    return { stops, said: `${stops.join(', ')} does not let ${LINK_NETWORK} in to ${named(some)}` };
  };
  if (open.length > 0) {
    const closedServers = judged
      .filter(({ isOpen, mayBeOpen }) => !isOpen && !mayBeOpen)
      .flatMap((one) => one.all.map(({ name }) => ({ name, why: stopped([one]).said })));
    return { list: makeGate(group, true, `calls go to ${named(open)}`), closedServers };
  }
  const { stops, said } = stopped(judged);
  const resource = addressesIn(stops[0] ?? '').at(-1);
  const closed = makeGate(group, false, said, resource);
  const unsure = judged.filter((one) => one.mayBeOpen);
  if (unsure.length === 0) return { list: closed };
  const doubt = `Do other rules let ${LINK_NETWORK} in to the servers of ${group}?`;
  return { list: perhaps(closed, doubt, `calls go to ${named(unsure)}`) };
}

/** Sends the balancer's own packets to a server: through all its groups together, and each ACL of its subnets. */
function judge(server: Server, door: Door, doors: readonly Door[]) {
  const own = guardsOf(server, door, doors);
  const groups = letIn(own, server.services);
  const acls = aclsOf({ ...door, subnets: server.subnets }, 'server', doors).map((acl) => ({
    name: acl.list.carrier,
    ...letIn(guards([acl], true), server.services),
  }));
  const stopping = acls.filter(({ isOpen }) => !isOpen);
  return {
    isOpen: groups.isOpen && stopping.length === 0,
    mayBeOpen: (groups.mayBeOpen || !own.isKnown) && acls.every(({ mayBeOpen }) => mayBeOpen),
    stops: [...(groups.isOpen ? [] : own.names), ...stopping.map(({ name }) => name)],
  };
}

/** Closed but for a doubt: it may as well be open. */
function perhaps(closed: RuleList, doubt: string, said: string): RuleList {
  const { rules, carrier: resource } = closed;
  const open = makeGate(resource, true, said).rules.map((rule) => ({
    ...rule,
    doubt,
    priority: 0,
  }));
  return { ...closed, rules: [...open, ...rules] };
}

/** The limit of servers that a sentence names. */
const MAX_NAMED = 3;

/** Sends the balancer's own packets through the rules of all groups of a server together. */
function letIn({ doors: [first, ...others], isKnown }: Guards, services: Services) {
  // A group that is known and gone lets nothing in.
  if (first === undefined) return { isOpen: !isKnown, mayBeOpen: !isKnown };
  const packets = [toRange({ peer: networkPeer(LINK_NETWORK), services })];
  const asked = { family: 4, packets, isWithoutNames: true } as const;
  const { most, least } = passAtBounds([decideTogether(first, others)], asked);
  const isWhole = ({ open }: Passed) => combine(packets, open, subtract).length === 0;
  return { isOpen: isWhole(least), mayBeOpen: isWhole(most) };
}

/** The groups of a server. */
interface Guards {
  readonly doors: readonly Door[];
  /** Terraform's addresses, also of groups that are gone. */
  readonly names: readonly string[];
  readonly isKnown: boolean;
}

/**
 * Finds the groups of a server: those of its interface, those that outputs say to attach, or the one that the
 * access rules name for what is behind the listener. Else they are assumed to be all of its network that
 * nothing carries and no rule names.
 */
function guardsOf(
  { interfaces, groups: said }: Server,
  door: Door,
  doors: readonly Door[],
): Guards {
  const groups = doors.filter(({ list }) => list.kind === 'group');
  const inward = groups.filter(({ list }) => list.direction === 'ingress');
  const own = inward.filter(({ list }) => interfaces.includes(list.carrier));
  if (own.length > 0) return guards(own, true);
  if (said !== undefined) {
    const attached = inward.filter(({ list }) => said.includes(list.carrier));
    return { doors: attached, names: said, isKnown: true };
  }
  const near = inward.filter(
    ({ vpc, list }) => typeOf(list.carrier) === GROUP && vpc !== '' && vpc === door.vpc,
  );
  const named = near.filter(({ of }) => isOfSame(door, { of: of.map(inFrontOf) }));
  if (named.length > 0) return guards(named, true);
  const isIts = (name: Name) => isOfSame({ of: [inFrontOf(name)] }, { of: [door] });
  const outward = groups.filter(
    ({ list }) => list.direction === 'egress' && list.rules.some(isOut),
  );
  const ways = new Set(outward.map(({ list }) => list.carrier));
  const ofOthers = new Set(
    doors.flatMap(({ backend }) => (backend?.servers ?? []).flatMap((one) => one.groups ?? [])),
  );
  const free = near.filter(
    ({ via, subject, list: { carrier, rules } }) =>
      (via === '' || isIts({ via, subject })) &&
      !ofOthers.has(carrier) &&
      (!ways.has(carrier) ||
        rules.some(({ peers }) => peers.some((peer) => peerName(peer) !== `group ${carrier}`))),
  );
  return guards(free, false);
}

/** The listener in front of a backend, as the access rules call it. */
function inFrontOf({ via, subject }: Name): Name {
  return { via, subject: listenerSubject(subject) };
}

function guards(doors: readonly Door[], isKnown: boolean): Guards {
  return { doors, names: doors.map(({ list }) => list.carrier), isKnown };
}

const GROUP = 'volcenginecc_vpc_security_group';

type Rule = RuleList['rules'][number];

/** A group that lets its members out to the internet was made for that. */
function isOut({ isAccept, peers }: Rule): boolean {
  return isAccept && peers.some(isPublic);
}

function isPublic(peer: RulePeer): boolean {
  return peer.kind === 'addresses' && !NOT_OUT.has(peerName(peer)) && !isPrivateRange(peer);
}

/** Everybody, as a new group has it, and nobody. */
const NOT_OUT = new Set([...EVERYONE, ...NOBODY.map(networkPeer)].map(peerName));
