import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect, createServer, rootCertificates, type SecureContext } from 'node:tls';
import { expect, test } from 'vitest';
import { trustingAlso, trustingListed } from '../../../src/verify/transport/tls/trust.js';
import { createAuthority } from '../../support/certificates.js';
import { runHere } from '../../support/run-here.js';
import { createWorld, link } from '../../support/verifiable-link.js';
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
