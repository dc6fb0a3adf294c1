import type { FaultName } from './faults.js';
import { LOOPBACK } from './listen.js';
import { standInAddresses } from './names.js';
import { SERVICE_ADDRESSES } from './public-addresses.js';
import { workloadAddress } from './workload.js';
import { clientAddressOf, endpointsOf, route, type World } from './world.js';
import { writeAtomically } from './write-atomically.js';

/** What a dial can meet; each is a port on loopback. */
export const FACES = [
  'https',
  'http',
  'untrusted',
  'expired',
  'not-yet-valid',
  'wrong-name',
  'silent',
  'reset',
  'refusing',
  'black-hole',
] as const;
export type Face = (typeof FACES)[number];

const HTTPS_PORT = 443;
const HTTP_PORT = 80;

/** Faults in what an open port speaks, in the order in which they win. */
const STRUCK_FACES: readonly (readonly [FaultName, Face])[] = [
  ['tls-silent', 'silent'],
  ['tls-reset', 'reset'],
  ['plain-http-on-443', 'http'],
  ['tls-untrusted', 'untrusted'],
  ['tls-expired', 'expired'],
  ['tls-not-yet-valid', 'not-yet-valid'],
  ['tls-wrong-name', 'wrong-name'],
];

/** Where each address of the world's endpoints and of the service leads, as connect-to rules. */
export function reroutes(
  world: World,
  ports: Readonly<Record<Face, number>>,
  clientAddress?: string,
): string[] {
  const rule = (address: string, port: number, face: Face) =>
    `${address}:${port}:${LOOPBACK}:${ports[face]}`;
  const led = (from: string, to: string) =>
    [HTTPS_PORT, HTTP_PORT].map((port) => rule(to, port, faceOf(world, { from, to, port })));
  const endpoints = endpointsOf(world).flatMap((endpoint) => {
    const from = clientAddress ?? clientAddressOf(world, endpoint);
    return endpoint.zones.flatMap(({ address }) => led(from, address));
  });
  const outside = clientAddress ?? workloadAddress(world.cloud, 'egress');
  const service = SERVICE_ADDRESSES.flatMap((address) => led(outside, address));
  const standIns = standInAddresses(world).flatMap((address) =>
    [HTTPS_PORT, HTTP_PORT].map((port) => rule(address, port, 'black-hole')),
  );
  return [...endpoints, ...service, ...standIns];
}

/** Writes the rules where the verifier reads them again at every dial. */
export function writeReroutes(file: string, rules: readonly string[]): void {
  const head = '# Where the sandbox leads a dial: FROM:PORT:ADDRESS:PORT';
  writeAtomically(file, `${[head, ...rules].join('\n')}\n`);
}

function faceOf(world: World, flight: { from: string; to: string; port: number }): Face {
  const { faults } = world;
  if (route(world, flight) !== 'open' || faults.has('tcp-silent')) return 'black-hole';
  if (faults.has('tcp-refused')) return 'refusing';
  if (flight.port === HTTP_PORT) return 'http';
  return STRUCK_FACES.find(([fault]) => faults.has(fault))?.[1] ?? 'https';
}
