import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect, createServer, rootCertificates, type SecureContext } from 'node:tls';
import { expect, test } from 'vitest';
import { exitOf } from '../../../src/verify/model/verdict.js';
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

/** Whether Node.js as it is by default trusts a server with these certificates alone. */
async function isTrustedStrictly(port: number, ca: string): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', servername: ENDPOINT_HOST, ca });
  return await new Promise<boolean>((resolve) => {
    socket.once('secureConnect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}

test.each<[string, (between: string, root: string, other: string) => string, boolean]>([
  ['the root alone', (_, root) => root, true],
  ['the issuing authority alone', (between) => between, false],
  ['both', (between, root) => `${between}\n${root}`, true],
  [
    'the issuing authority and a root of others',
    (between, _, other) => `${other}\n${between}`,
    false,
  ],
  [
    'the root, and an authority of others without its own',
    (_, root, other) => `${other}\n${root}`,
    true,
  ],
])('--ca-file may hold %s, with a warning where strict clients need more', async (_, pem, isStrict) => {
  const world = await createWorld();
  const issuing = await world.authority.under('Issuing Authority');
  const certificate = await issuing.issue([ENDPOINT_HOST]);
  const service = await startService(certificate);
  await world.connectTo({ [ADDRESS]: service.port });
  const [, between = ''] = certificate.cert.split(/(?=-----BEGIN)/);
  const others = await createAuthority('another');
  const otherIssuing = await others.under('Another Issuing Authority');
  const { cert: otherChain } = await otherIssuing.issue([ENDPOINT_HOST]);
  const [, otherBetween = ''] = otherChain.split(/(?=-----BEGIN)/);
  const file = pem(between, world.authority.ca, isStrict ? otherBetween : others.ca);
  await writeFile(world.options.caFile ?? '', file);
  expect(await isTrustedStrictly(service.port, file)).toBe(isStrict);
  const verification = await check(world);
  expect(verification.verdict).toBe('reachable');
  const warnings = verification.links[0]?.stages.filter(({ code }) => code === 'tls.untrusted');
  const evidence = { issuer: 'Issuing Authority', missingRoot: 'Test Authority' };
  expect(warnings).toEqual(
    isStrict
      ? []
      : [
          expect.objectContaining({
            status: 'warned',
            evidence: expect.objectContaining(evidence),
          }),
        ],
  );
  expect(exitOf(verification)).toBe(0);
  expect(exitOf(verification, { strict: true })).toBe(isStrict ? 0 : 21);
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
