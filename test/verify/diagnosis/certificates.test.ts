import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { createServer as createPlain } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { expect, test } from 'vitest';
import { ENDPOINT_HOST } from '../../support/application.js';
import { type Authority, type Certificate, createAuthority } from '../../support/certificates.js';
import { expectDiagnosis } from '../../support/explained.js';
import { listen, startService } from '../../support/service-server.js';
import {
  ADDRESS,
  check,
  createWorld,
  findingOf,
  link,
  outline,
  stagesOf,
} from '../../support/verifiable-link.js';

/** A server with a certificate of its own, whose authority the check trusts. */
async function worldWith(issuer: Authority, certificate: Certificate, options: TlsOptions = {}) {
  const world = await createWorld();
  await writeFile(world.options.caFile ?? '', issuer.ca);
  // A server of today refuses to load what a server of yesterday still shows.
  const all = { ...certificate, ciphers: 'DEFAULT@SECLEVEL=0', ...options };
  const server = createServer(all, (_, response) => response.end('hello'));
  server.on('tlsClientError', () => undefined);
  await world.connectTo({ [ADDRESS]: await listen(server) });
  return world;
}

test.each([
  ['has expired', { fromDays: -90, toDays: -2 }, 'tls.expired'],
  ['is not valid yet', { fromDays: 2, toDays: 90 }, 'tls.expired: not yet valid'],
])('an intermediate authority that %s is named, and no clock is blamed', async (_, days, code) => {
  const root = await createAuthority();
  const between = await root.under('Issuing Authority 7', days);
  const certificate = await between.issue([ENDPOINT_HOST]);
  const verification = await check(await worldWith(root, certificate));
  expectDiagnosis(verification, {
    fails: code,
    shown: [code],
    never: ['host.clock'],
    ruledOut: [/this machine’s clock/],
  });
  const { outOfTime, subject, validFrom, validTo, outOfTimeTo } = findingOf(
    verification,
    'tls',
  ).evidence;
  // The dates are those of the certificate whose names stand beside them.
  const own = new X509Certificate(certificate.cert);
  expect([validFrom, validTo].map((one) => Date.parse(`${one}`))).toEqual([
    Date.parse(own.validFrom),
    Date.parse(own.validTo),
  ]);
  expect(outOfTimeTo).not.toBe(validTo);
  expect(outOfTime).toBe('Issuing Authority 7, an authority 1 above the server’s certificate');
  expect(subject).toBe(ENDPOINT_HOST);
  const [{ evidence } = { evidence: '' }] = verification.links[0]?.causes ?? [];
  expect(evidence).toContain('Issuing Authority 7');
});

test('a self-signed certificate for another name is told with its names, and blames no private authority', async () => {
  const front = await (await createAuthority('front.example')).issue(['front.example']);
  const verification = await check(await worldWith(await createAuthority(), front));
  expectDiagnosis(verification, {
    fails: 'tls.untrusted',
    consistent: ['server.other-service', 'path.inspection'],
    never: ['tls.untrusted: unknown authority', 'tls.server-name'],
  });
  expect(verification.links[0]?.causes[0]?.evidence).toContain('names=DNS:front.example');
});

test('a certificate for another name at a fixed address is that of another service', async () => {
  const root = await createAuthority();
  const world = await worldWith(root, await root.issue(['other.example']));
  const links = [link({ via: 'fixed-ip-egress', expectedNetworks: [] })];
  const verification = await check(world, { links });
  expectDiagnosis(verification, {
    fails: 'tls.name-mismatch',
    consistent: ['server.other-service'],
    never: ['tls.server-name', 'path.name-filter'],
  });
  const remedies = verification.links[0]?.causes.map(({ remedy }) => remedy).join();
  expect(remedies).not.toMatch(/endpoint/);
});

test('a server’s own certificate that has expired is named as its own', async () => {
  const root = await createAuthority();
  const certificate = await root.issue([ENDPOINT_HOST], { fromDays: -9, toDays: -2 });
  const verification = await check(await worldWith(root, certificate));
  expectDiagnosis(verification, {
    fails: 'tls.expired',
    shown: ['tls.expired'],
    never: ['host.clock'],
  });
  expect(findingOf(verification, 'tls').evidence.outOfTime).toBe('the server’s own certificate');
});

test.each<[string, () => Promise<[Authority, Certificate]>, RegExp]>([
  [
    'a key that is too weak',
    async () => {
      const root = await createAuthority();
      return [root, await root.issue([ENDPOINT_HOST], { rsaBits: 768 })];
    },
    /too weak|too small/i,
  ],
  [
    'a signature with SHA-1',
    async () => {
      const root = await createAuthority('Old Authority', { sha1: true });
      return [root, await root.issue([ENDPOINT_HOST])];
    },
    /too weak/i,
  ],
  [
    'a use that is not a server’s',
    async () => {
      const root = await createAuthority();
      return [root, await root.issue([ENDPOINT_HOST], { extendedUsage: '1.3.6.1.5.5.7.3.2' })];
    },
    /purpose/i,
  ],
])('%s is not reported as an untrusted issuer', async (_, create, reason) => {
  const verification = await check(await worldWith(...(await create())));
  expectDiagnosis(verification, {
    fails: 'tls.bad-certificate',
    never: [
      'tls.untrusted',
      'tls.untrusted: unknown authority',
      'path.inspection',
      'server.other-service',
    ],
  });
  const { evidence, remedy } = findingOf(verification, 'tls');
  expect(`${evidence.reason}`).toMatch(reason);
  expect(remedy).not.toContain('--ca-file');
});

test.each([
  'TLSv1.2',
  'TLSv1.3',
] as const)('a demand for a client certificate under %s', async (version) => {
  const root = await createAuthority();
  const certificate = await root.issue([ENDPOINT_HOST]);
  const world = await worldWith(root, certificate, {
    requestCert: true,
    rejectUnauthorized: true,
    ca: root.ca,
    maxVersion: version,
  });
  const verification = await check(world);
  expectDiagnosis(verification, {
    fails: 'tls.client-certificate',
    shown: ['tls.client-certificate'],
    consistent: ['server.other-service'],
    never: ['tls.failed: alert', 'tls.reset', 'path.name-filter'],
  });
  expect(findingOf(verification, 'tls').evidence.issuer).toBe('Test Authority');
});

test('a refusal for want of a common cipher is no demand for a certificate', async () => {
  const root = await createAuthority();
  const certificate = await root.issue([ENDPOINT_HOST]);
  const world = await worldWith(root, certificate, {
    maxVersion: 'TLSv1.2',
    ciphers: 'ECDHE-RSA-AES128-GCM-SHA256',
  });
  expectDiagnosis(await check(world), {
    fails: 'tls.failed: alert',
    never: ['tls.client-certificate'],
  });
});

test.each([
  ['the common name alone', [ENDPOINT_HOST], { hasAlternatives: false }],
  ['a part of a label', [ENDPOINT_HOST.replace('ep-1', 'ep-*')], {}],
  ['a name with a dot at its end', [`${ENDPOINT_HOST}.`], {}],
])('a certificate that covers the name by %s warns', async (_, names, choices) => {
  const world = await createWorld();
  const { port } = await startService(await world.authority.issue(names, choices));
  await world.connectTo({ [ADDRESS]: port });
  const verification = await check(world);
  expect(verification.verdict).toBe('reachable');
  expect(outline(verification)).toContain('tls warned tls.bad-certificate');
  const found = stagesOf(verification).find(({ code }) => code === 'tls.bad-certificate');
  expect(found?.evidence.seen).toBe('lenient name');
  expect(found?.evidence.serverName).toBe(ENDPOINT_HOST);
});

test.each([
  ['a wildcard', [ENDPOINT_HOST.replace('ep-1', '*')]],
  ['other letters', [ENDPOINT_HOST.toUpperCase()]],
  ['another name beside it', ['other.example', ENDPOINT_HOST]],
])('a certificate that covers the name by %s does not', async (_, names) => {
  const world = await createWorld();
  const { port } = await startService(await world.authority.issue(names));
  await world.connectTo({ [ADDRESS]: port });
  expect(outline(await check(world))).toContain('tls passed');
  expect(outline(await check(world))).not.toContain('tls warned tls.bad-certificate');
});

test.each([
  [
    'a wildcard above',
    [ENDPOINT_HOST.split('.').slice(2).join('.').replace(/^/, '*.')],
    /one label/,
  ],
  ['the domain above', [ENDPOINT_HOST.split('.').slice(1).join('.')], /no name below it/],
])('a certificate for %s is rather that of the right server', async (_, names, note) => {
  const root = await createAuthority();
  const verification = await check(await worldWith(root, await root.issue(names)));
  expectDiagnosis(verification, {
    fails: 'tls.name-mismatch',
    consistent: ['tls.name-mismatch', 'server.other-service'],
    never: ['tls.server-name', 'path.name-filter'],
  });
  expect(verification.links[0]?.causes[0]?.evidence).toMatch(note);
});

test('a reset right after the connection was taken has one code, and is tried again', async () => {
  const world = await createWorld();
  const server = createPlain((socket) => socket.resetAndDestroy());
  await world.connectTo({ [ADDRESS]: await listen(server) });
  for (let i = 0; i < 15; i += 1) {
    const verification = await check(world, { probes: false });
    expect(outline(verification).slice(3, 5)).toEqual(['tcp passed', 'tls failed tls.reset']);
  }
  const again: string[] = [];
  await check(world, {
    probes: false,
    waitMs: 1_500,
    retryDelayMs: 200,
    onProgress: (progress) => progress.kind === 'retry' && again.push(progress.code),
  });
  expect(again.length).toBeGreaterThan(0);
  expect(new Set(again)).toEqual(new Set(['tls.reset']));
});
