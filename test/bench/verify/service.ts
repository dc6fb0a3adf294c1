import { generateKeyPairSync } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AUTHORITATIVE_ANSWER, decode, encode } from 'dns-packet';
import { type Application, applicationKey } from '../../../src/sandbox/service/application.js';
import { startService } from '../../../src/sandbox/service/service.js';
import { API_HOST } from '../../../src/sandbox/surroundings.js';
import type { BenchWorld } from './world.js';

/**
 * The sandbox's service over TLS and a DNS server that names it, on loopback, in a process of their
 * own: what is measured must not share its clock. Writes what a client needs into the folder and
 * prints one line of JSON.
 */
const [folder = '.'] = process.argv.slice(2);
const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const key = applicationKey(publicKey);
const application: Application = {
  appId: 'bench-app',
  name: 'bench',
  keys: [key],
  permissions: ['listWorkspace'],
};
const service = await startService({
  application,
  enterpriseId: 'volcano_bench',
  endpointSuffixes: ['bench.example'],
  faults: () => new Set(),
});
const keyFile = join(folder, 'private_key');
const caFile = join(folder, 'ca');
writeFileSync(keyFile, privateKey, { mode: 0o600 });
writeFileSync(caFile, service.caCertificate);
const world: BenchWorld = {
  apiHost: API_HOST,
  enterpriseId: 'volcano_bench',
  appId: application.appId,
  keyId: key.kid,
  keyFile,
  caFile,
  port: service.ports.https,
  dnsServer: `127.0.0.1:${await startDns()}`,
};
process.stdout.write(`${JSON.stringify(world)}\n`);

/** Every name is on loopback, and has no IPv6 address. */
async function startDns(): Promise<number> {
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { id = 0, questions = [] } = decode(message);
    const answers = questions
      .filter(({ type }) => type === 'A')
      .map(({ name }) => ({ type: 'A' as const, name, ttl: 5, data: '127.0.0.1' }));
    socket.send(
      encode({ type: 'response', id, flags: AUTHORITATIVE_ANSWER, questions, answers }),
      port,
      address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return socket.address().port;
}
