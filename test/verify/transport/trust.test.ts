import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect, createServer, rootCertificates, type SecureContext } from 'node:tls';
import { expect, test } from 'vitest';
import { trustingAlso, trustingListed } from '../../../src/verify/transport/tls/trust.js';
import { ENDPOINT_HOST } from '../../support/application.js';
import { createAuthority } from '../../support/certificates.js';
import { runHere } from '../../support/run-here.js';
import { startService } from '../../support/service-server.js';
import { ADDRESS, check, createWorld, link } from '../../support/verifiable-link.js';
import { worldFlags } from '../../support/world-flags.js';

const NAME = 'service.example';

/** The verdict on a server of a client that trusts so. */
async function verdictOn(server: { cert: string; key: string }, secureContext: SecureContext) {
  const listening = createServer(server, (socket) => socket.end()).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', servername: NAME, secureContext });
  return await new Promise((resolve) => {
    socket.once('secureConnect', () => resolve('trusted'));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
  }).finally(() => {
    socket.destroy();
    listening.close();
  });
}

test.each([
  ['added to the default roots', (ca: string) => trustingAlso([ca])],
  ['listed beside them', (ca: string) => trustingListed([...rootCertificates, ca])],
])('an authority that is %s is trusted, and no other', async (_, trusting) => {
  const [own, other] = await Promise.all([createAuthority('own'), createAuthority('other')]);
  const context = trusting(own.ca);
  expect(await verdictOn(await own.issue([NAME]), context)).toBe('trusted');
  expect(await verdictOn(await other.issue([NAME]), context)).toBe(
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  );
});

test.each([
  ['the root alone', (_: string, root: string) => root, 0],
  ['the issuing authority alone', (between: string) => between, 1],
  ['both', (between: string, root: string) => between + root, 0],
])('--ca-file may hold %s, with a warning where strict clients need more', async (_, pem, notes) => {
  const world = await createWorld();
  const issuing = await world.authority.under('Issuing Authority');
  const certificate = await issuing.issue([ENDPOINT_HOST]);
  const service = await startService(certificate);
  await world.connectTo({ [ADDRESS]: service.port });
  const [, between = ''] = certificate.cert.split(/(?=-----BEGIN)/);
  await writeFile(world.options.caFile ?? '', pem(between, world.authority.ca));
  const { links, verdict } = await check(world);
  expect(verdict).toBe('reachable');
  const warnings = links[0]?.notes.filter((note) => /allowPartialTrustChain/.test(note));
  expect(warnings).toHaveLength(notes);
});

test('what cannot be read is refused, not passed over', () => {
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
  expect(() => trustingAlso([broken])).toThrow();
});

test.each([
  ['is trusted beside those of --ca-file', 'ca', 0],
  ['is left out where there is no such file', 'missing', 13],
] as const)('what NODE_EXTRA_CA_CERTS names %s', async (_, name, status) => {
  const world = await createWorld();
  const { ca } = await createAuthority('another');
  const file = join(world.folder, 'another');
  await writeFile(file, ca);
  const { baseUrl, via, apiHost } = link();
  const env = { NODE_EXTRA_CA_CERTS: join(world.folder, name), SECURE_CONNECTIVITY_CA_FILE: '' };
  const { exit } = await runHere(
    [
      ...['verify', '--base-url', baseUrl, '--via', via, '--api-host', apiHost],
      ...worldFlags(world),
      ...['--ca-file', file],
    ],
    { env },
  );
  expect(exit).toBe(status);
});
