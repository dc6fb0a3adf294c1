import { existsSync, readFileSync } from 'node:fs';
import { fwcenterAddressBook, fwcenterControlPolicy } from '../../cloud/table/fwcenter.js';
import { vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { writeWhole } from '../../files/whole-file.js';
import { type CloudState, listResources } from '../cloud/cloud-state.js';
import { bookEntries, portSpan } from '../cloud/types/firewall.js';
import { activeFaults, backendPort, type FaultName } from '../faults/index.js';
import { readText } from '../json.js';
import { LOOPBACK } from '../listeners/listen.js';
import type { ListenerKind, ServicePorts } from '../listeners/service-ports.js';
import { fixedAddressesOf } from '../surroundings.js';
import { readRules } from './groups.js';
import { findClientAddress, vpcNetworks, workloadAddress } from './places.js';
import { findEndpoints, findServers, route, type TcpConnection, type World } from './world.js';

const HTTPS_PORT = 443;
const HTTP_PORT = 80;
const LAST_PORT = 65_535;
const EVERY_PORT: PortRange = [1, LAST_PORT];

interface ConnectOptions {
  readonly clientAddress?: string | undefined;
  /** The port of the sandbox's own backend. */
  readonly ownBackend: number;
}

interface Dial extends TcpConnection {
  /** True if it is the zone that faults of one zone strike. */
  readonly isLastZone?: boolean;
}

/**
 * Computes the target of every dial, as connect-to rules: to the listeners of the service for each address of the
 * world's endpoints and of the service, to the sandbox's own backend for each server of a load
 * balancer that lets the client in, into the void for any other address. Nothing leaves loopback.
 */
export function connectRules(
  world: World,
  ports: ServicePorts,
  { clientAddress, ownBackend }: ConnectOptions,
): string[] {
  const ranges = portRanges(world.cloud, Object.keys(listenersOf(world)).map(Number));
  const rule = (from: string, [first, last]: PortRange, kind: ListenerKind) =>
    `${from}:${first === last ? first : `${first}-${last}`}:${LOOPBACK}:${ports[kind]}`;
  const rulesTo = (dial: Omit<Dial, 'port'>) =>
    ranges.map((range) => rule(dial.to, range, chooseListener(world, { ...dial, port: range[0] })));
  const endpoints = findEndpoints(world).flatMap((endpoint) => {
    const from = clientAddress ?? findClientAddress(world, endpoint.vpcId);
    const last = endpoint.zones.at(-1);
    return endpoint.zones.flatMap((zone) =>
      rulesTo({ from, to: zone.address, isLastZone: zone === last }),
    );
  });
  const internetClient = clientAddress ?? workloadAddress(world, 'egress');
  const service = fixedAddressesOf(world.service).flatMap((to) =>
    rulesTo({ from: internetClient, to }),
  );
  const taker = backendPort(world.faults, ports, ownBackend);
  const backends = findServers(world).map(({ address: to, port, vpcId }) => {
    const from = clientAddress ?? findClientAddress(world, vpcId);
    const isOpen = route(world, { from, to, port }) === 'open';
    return `${to}:${port}:${LOOPBACK}:${isOpen ? taker : ports['black-hole']}`;
  });
  return [...endpoints, ...service, ...new Set(backends), rule('*', EVERY_PORT, 'black-hole')];
}

/** Returns the service's protocols by port. */
function listenersOf({ service }: World): Readonly<Record<number, 'http' | 'https'>> {
  return { ...service.ports, [HTTPS_PORT]: 'https', [HTTP_PORT]: 'http' };
}

function chooseListener(world: World, dial: Dial): ListenerKind {
  const { faults } = world;
  const { port, isLastZone = false } = dial;
  const has = (fault: FaultName, inZone: FaultName) =>
    faults.has(fault) || (isLastZone && faults.has(inZone));
  if (route(world, dial) !== 'open' || has('tcp-silent', 'zone-silent')) return 'black-hole';
  if (has('tcp-refused', 'zone-refused')) return 'refusing';
  const scheme = listenersOf(world)[port];
  if (scheme === undefined) return 'refusing';
  if (isLastZone && faults.has('zone-http-silent'))
    return scheme === 'http' ? 'silent' : 'noResponse';
  if (scheme === 'http') return 'http';
  const rows = activeFaults(faults).filter(({ strikes }) => strikes !== 'backend');
  return rows.find(({ listener }) => listener !== undefined)?.listener ?? 'https';
}

/**
 * Writes for the verifier where dials lead, which it reads at every dial, and the addresses of the
 * client, which it reads when a link fails.
 */
export function writeConnections(
  files: { readonly connectTo: string; readonly ownAddress: string },
  world: World,
  ports: ServicePorts,
  options: ConnectOptions,
): void {
  const rules = connectRules(world, ports, options);
  const vpcs = [...findEndpoints(world), ...findServers(world)].map(({ vpcId }) => vpcId);
  const addresses =
    options.clientAddress === undefined
      ? [...vpcs.map((vpcId) => findClientAddress(world, vpcId)), ...newNetworks(world, vpcs)]
      : [options.clientAddress];
  const rulesHead =
    '# Where the sandbox leads a dial: FROM:PORT:ADDRESS:PORT; * is any other address';
  const addressesHead =
    '# Addresses of the command in the private networks; * in any other, *!CIDR in any but that one';
  writeLines(files.connectTo, [rulesHead, ...rules]);
  writeLines(files.ownAddress, [addressesHead, ...new Set(addresses)]);
}

/** Networks with nothing to call have no client yet: all but those of the VPCs that have something. */
function newNetworks({ cloud }: World, vpcs: readonly string[]): string[] {
  const made = [...new Set(vpcs)].flatMap((vpcId) => vpcNetworks(cloud, vpcId));
  return made.length === 0 ? ['*'] : made.map((cidr) => `*!${cidr}`);
}

function writeLines(file: string, lines: readonly string[]): void {
  const text = `${lines.join('\n')}\n`;
  // Most changes of the cloud lead no dial elsewhere.
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  writeWhole(file, text, { isDurable: false });
}

type PortRange = readonly [first: number, last: number];

/**
 * All ports, in ranges within which every rule of the cloud treats all ports alike.
 *
 * @param alone ports that get a range of their own
 */
function portRanges(cloud: CloudState, alone: readonly number[]): PortRange[] {
  const spans = [...groupSpans(cloud), ...firewallSpans(cloud), ...alone.map((at) => [at, at])];
  const starts = spans
    .flatMap(([first = 1, last = LAST_PORT]) => [first, last + 1])
    .filter((port) => port > 1 && port <= LAST_PORT);
  const ordered = [...new Set([1, ...starts])].sort((a, b) => a - b);
  return ordered.map((first, i) => [first, (ordered[i + 1] ?? LAST_PORT + 1) - 1]);
}

function groupSpans(cloud: CloudState): number[][] {
  return listResources(cloud, vpcSecurityGroup)
    .flatMap((group) => [...readRules(group, 'ingress'), ...readRules(group, 'egress')])
    .map((rule) => [Number(rule.PortStart), Number(rule.PortEnd)]);
}

function firewallSpans(cloud: CloudState): (readonly number[])[] {
  const policies = listResources(cloud, fwcenterControlPolicy);
  const books = listResources(cloud, fwcenterAddressBook);
  const ports = policies.map((each) => readText(each, 'DestPort'));
  const texts = [...ports, ...books.flatMap(bookEntries)];
  return texts.map(portSpan).filter((span) => span !== undefined);
}
