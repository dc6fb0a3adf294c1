import { parseAddress } from '../../src/net/address.js';
import { asTerraform } from '../../src/reach/read/cloud-state.js';
import { stackWith } from '../../src/reach/read/terraform-json.js';
import { ASSUMED } from '../../src/reach/semantics.js';
import { toServices } from '../../src/reach/sets/services.js';
import type { Door } from '../../src/reach/ways/door.js';
import { readReached } from '../../src/reach/ways/doors.js';
import { passAll } from '../../src/reach/ways/pass.js';
import type { Cloud } from '../../src/sandbox/cloud/cloud.js';
import type { CloudState } from '../../src/sandbox/cloud/cloud-state.js';
import type { JsonObject } from '../../src/sandbox/json.js';
import { decide, passesBorder } from '../../src/sandbox/network/firewalls.js';
import { readRules } from '../../src/sandbox/network/groups.js';
import { findEndpoints, route } from '../../src/sandbox/network/world.js';
import { SANDBOX_SERVICE } from '../../src/sandbox/surroundings.js';
import {
  BOOK,
  ENDPOINT,
  endpointInput,
  GROUP,
  POLICY,
  PREFIX_LIST,
  SUBNET,
  subnetInput,
  VPC,
} from '../sandbox/support.js';

/** A generator of numbers that gives the same ones for the same seed. */
export function randomOf(seed: number) {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return { next, pick: <T>(all: readonly [T, ...T[]]): T => all[next(all.length)] ?? all[0] };
}

type Random = ReturnType<typeof randomOf>;

const PORTS = [1, 79, 80, 443, 444, 65_535] as const;

/** Addresses that lie at the ends of blocks of every length. */
export const ADDRESSES = [
  '0.0.0.0',
  '10.20.0.0',
  '10.20.0.1',
  '10.20.127.255',
  '10.20.128.0',
  '10.20.255.255',
  '10.21.0.0',
  '100.64.0.0',
  '127.255.255.255',
  '128.0.0.0',
  '198.51.100.7',
  '255.255.255.255',
  '2001:db8::',
  '2001:db8::1',
  'fd00::1',
] as const;

const ENDS = ['10.20.0.0', '10.20.128.0', '10.20.0.1', '198.51.100.7', '128.0.0.0'] as const;

function block(random: Random): string {
  if (random.next(8) === 0) return random.pick(['2001:db8::/32', '2001:db8::1/128', '::/0']);
  const length = random.next(33);
  const { value } = parseAddress(random.pick(ENDS));
  const size = 32n - BigInt(length);
  const first = (value >> size) << size;
  const bytes = [24n, 16n, 8n, 0n].map((shift) => String((first >> shift) & 255n));
  return `${bytes.join('.')}/${length}`;
}

function permission(random: Random, lists: readonly string[]): JsonObject {
  const protocol = random.pick(['tcp', 'tcp', 'tcp', 'udp', 'all']);
  const [one, other] = [random.pick(PORTS), random.pick(PORTS)];
  const isAny = protocol === 'all' || random.next(4) === 0;
  const [list] = lists;
  const peer: JsonObject =
    random.next(5) === 0 && list ? { PrefixListId: list } : { CidrIp: block(random) };
  return {
    ...peer,
    Policy: random.pick(['accept', 'accept', 'drop']),
    Priority: random.pick([1, 10, 10, 10, 100]),
    Protocol: protocol,
    PortStart: isAny ? -1 : Math.min(one, other),
    PortEnd: isAny ? -1 : Math.max(one, other),
  };
}

/** An endpoint with one or several groups, a group that nobody carries, and policies at the border. */
export function randomCloud(cloud: Cloud, random: Random): void {
  const vpc = cloud.create(VPC, { CidrBlock: '10.20.0.0/16' });
  const subnet = cloud.create(SUBNET, subnetInput(vpc));
  const PrefixListEntries = [...new Set([block4(random), block4(random)])].map((Cidr) => ({
    Cidr,
  }));
  const list = cloud.create(PREFIX_LIST, { MaxEntries: 2, PrefixListEntries });
  const many = (most: number) =>
    Array.from({ length: 1 + random.next(most) }, (_, i) => ({
      ...permission(random, [list]),
      Description: `rule ${i}`,
    }));
  const groups = Array.from({ length: 1 + random.next(3) }, () =>
    cloud.create(GROUP, { VpcId: vpc, IngressPermissions: many(6), EgressPermissions: many(6) }),
  );
  const SecurityGroupIds = groups.slice(random.next(2));
  if (SecurityGroupIds.length > 0) {
    cloud.create(ENDPOINT, endpointInput({ vpc, subnet, group: '' }, { SecurityGroupIds }));
  }
  const book = cloud.create(BOOK, {
    GroupName: 'book',
    GroupType: 'ip',
    AddressList: [block4(random)],
  });
  for (let count = random.next(5); count > 0; count -= 1)
    cloud.create(POLICY, policy(random, book));
}

function block4(random: Random): string {
  const one = block(random);
  return one.includes(':') ? '10.20.0.0/16' : one;
}

function policy(random: Random, book: string): JsonObject {
  const isListed = random.next(3) === 0;
  const Proto = random.pick(['TCP', 'TCP', 'ANY']);
  return {
    Direction: 'out',
    Action: random.pick(['accept', 'deny', 'monitor']),
    Source: '0.0.0.0/0',
    SourceType: 'net',
    Destination: isListed ? book : block4(random),
    DestinationType: isListed ? 'group' : 'net',
    Proto,
    ...(Proto === 'TCP' && {
      DestPort: random.pick(['443', '80/443', '1/65535']),
      DestPortType: 'port',
    }),
    Prio: random.next(4),
    Status: random.next(5) > 0,
  };
}

export interface Judged {
  readonly packet: string;
  readonly sandbox: boolean;
  /** By both answers to what is assumed. */
  readonly closed: boolean;
  readonly open: boolean;
}

const PROBED = [0, 1, 79, 80, 81, 443, 444, 65_535] as const;

/**
 * Judges packets to and from everything in a cloud by both engines.
 *
 * @param seen the cloud as the sandbox sees it
 */
export function judgeAll(
  cloud: CloudState,
  change: (door: Door) => Door = (door) => door,
  seen = cloud,
): Judged[] {
  const terraform = stackWith(asTerraform(cloud));
  const doors = readReached({ name: '', file: '', terraform }).doors.map(change);
  return [...endpoints(seen, doors), ...groups(seen, doors), ...border(seen, doors)];
}

type Judge = (address: string, port: number) => boolean;

function judge(name: string, door: Door | undefined, sandbox: Judge): Judged[] {
  if (door === undefined) return [];
  return ADDRESSES.flatMap((address) =>
    PROBED.map((port) => ({
      packet: `${name} ${address}:${port}`,
      sandbox: sandbox(address, port),
      closed: passes(door, address, port, false),
      open: passes(door, address, port, true),
    })),
  );
}

function passes(door: Door, address: string, port: number, isOpen: boolean): boolean {
  const { family, value } = parseAddress(address);
  const services = toServices('tcp', { first: port, last: port });
  const packets = [{ first: value, last: value, services }];
  return (
    passAll([door], { family, packets }, (doubt) => isOpen && doubt in ASSUMED).open.length > 0
  );
}

function endpoints(cloud: CloudState, doors: readonly Door[]): Judged[] {
  const world = { cloud, faults: new Set<never>(), service: SANDBOX_SERVICE };
  return findEndpoints(world).flatMap(({ zones }) => {
    const to = zones[0]?.address ?? '';
    const door = doors.find(
      ({ list }) => list.direction === 'ingress' && list.carrier.includes('vpc_endpoint'),
    );
    return judge('in', door, (from, port) => route(world, { from, to, port }) === 'open');
  });
}

function groups(cloud: CloudState, doors: readonly Door[]): Judged[] {
  return Object.entries(cloud.resources[GROUP] ?? {}).flatMap(([id, group]) =>
    (['ingress', 'egress'] as const).flatMap((direction) => {
      const door = doors.find(
        ({ list }) => list.direction === direction && list.carrier.endsWith(`.${id}`),
      );
      return judge(`${id} ${direction}`, door, (peer, port) => {
        const rules = readRules(group, direction);
        const networksOf = (list: string) =>
          ((cloud.resources[PREFIX_LIST]?.[list]?.PrefixListEntries ?? []) as JsonObject[]).map(
            ({ Cidr }) => String(Cidr),
          );
        return decide(rules, { peer, peerGroups: [], port, networksOf }) === 'accept';
      });
    }),
  );
}

function border(cloud: CloudState, doors: readonly Door[]): Judged[] {
  const door = doors.find(({ list }) => list.kind === 'firewall');
  const judged = judge('border', door, (to, port) =>
    passesBorder(cloud, { direction: 'out', from: '10.20.1.1', to, names: [], port }),
  );
  // The firewall of the sandbox has policies for IPv4 only.
  return judged.filter(({ packet }) => !packet.includes('::'));
}
