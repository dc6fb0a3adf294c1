import { expect, test } from 'vitest';
import { reasonOfCause } from '../../../src/codes/stated.js';
import type { VerifiableLink } from '../../../src/verify/model/options.js';
import { API_HOST, ENDPOINT_HOST } from '../../support/application.js';
import { expectDiagnosis } from '../../support/explained.js';
import { tokenError } from '../../support/service-server.js';
import { check, createWorld, link } from '../../support/verifiable-link.js';

const FIXED: Partial<VerifiableLink> = { via: 'fixed-ip-egress', expectedNetworks: [] };
const INTERNET: Partial<VerifiableLink> = {
  via: 'internet',
  expectedAddresses: [],
  expectedNetworks: [],
};

test.each<[message: string, first: string]>([
  ['invalid jwt: aud is not the api host', 'token.region: audience'],
  ['the audience of the assertion is wrong', 'token.region: audience'],
  ['invalid jwt: kid not been registred', 'token.key-pair'],
  ['Unable to find a signing key that matches', 'token.key-pair'],
  ['the public key has expired', 'token.key-pair'],
  ['invalid jwt: signature is invalid; see the audit log', 'token.key-pair'],
  ['crypto/rsa: verification error', 'token.key-pair'],
  ['invalid jwt: iss is not the application id', 'token.key-pair: another app'],
  ['client not found', 'token.key-pair: another app'],
  ['the key belongs to another region', 'token.region'],
  ['verify jwt empty error', 'path.gateway'],
  ['Missing or invalid Authorization header', 'path.gateway'],
  ['token contains an invalid number of segments', 'path.gateway'],
  ['invalid jwt: token used before issued', 'host.clock'],
  ['jwt expired', 'host.clock'],
  ['JWT issued at future', 'host.clock'],
  ['the JWT is not valid before 2026-11-28T10:00:00Z', 'host.clock'],
  ['issued at 1795897210 is after now', 'host.clock'],
  ['Authorization header not found', 'path.gateway'],
  ['could not decode token: illegal base64 data at input byte 4', 'path.gateway'],
  ['nonce was used', 'path.gateway'],
  ['unregistered client', 'token.key-pair: another app'],
  ['your subscription has expired', 'token.key-pair'],
  ['the license of the application expired', 'token.key-pair'],
  ['the jwt is invalid or expired', 'token.key-pair'],
  ['', 'token.key-pair'],
])('what the service says of a JWT decides the first cause: "%s"', async (message, first) => {
  const world = await createWorld();
  world.service.handler = ({ path }) =>
    path.endsWith('/token') ? tokenError('invalid_client', message) : undefined;
  const verification = await check(world);
  const [{ causes = [] } = {}] = verification.links;
  expect(causes.map(reasonOfCause)[0]).toBe(first);
  expect(causes[0]?.certainty).toBe('consistent');
  const isOf = (reason: string) => causes.some((one) => reasonOfCause(one) === reason);
  expect([isOf('token.region'), isOf('host.clock')]).toEqual(
    ['token.region', 'host.clock'].map((code) => code === first),
  );
});

test.each<[row: string, change: Partial<VerifiableLink>, region: readonly string[]]>([
  ['of one domain', { ...INTERNET, apiHost: `api.${ENDPOINT_HOST}` }, []],
  ['of two domains', { ...FIXED, apiHost: API_HOST }, ['token.region']],
  ['of a private domain', { apiHost: API_HOST }, []],
])('a second host speaks for another region, hosts %s', async (_, change, region) => {
  const world = await createWorld();
  world.service.handler = ({ path }) =>
    path.endsWith('/token') ? tokenError('invalid_client', 'no') : undefined;
  expectDiagnosis(await check(world, { links: [link(change)] }), {
    fails: 'token.invalid-client',
    consistent: ['token.key-pair', ...region, 'token.key-pair: another app'],
    never: region.length > 0 ? [] : ['token.region'],
  });
});

test('the evidence shows the audience beside the host of the base URL', async () => {
  const world = await createWorld();
  world.service.handler = ({ path }) =>
    path.endsWith('/token') ? tokenError('invalid_client', 'aud is wrong') : undefined;
  const { links } = await check(world, { links: [link({ ...FIXED, apiHost: API_HOST })] });
  expect(
    links[0]?.causes.find((one) => reasonOfCause(one) === 'token.region: audience'),
  ).toMatchObject({
    text: expect.stringMatching(/^Consistent with/),
    evidence: expect.stringMatching(
      new RegExp(`aud=${API_HOST}.*host of the base URL=${ENDPOINT_HOST}`),
    ),
  });
});

test('the host of the fixed-IP base URL is refused as audience before any packet', async () => {
  const world = await createWorld();
  const verification = await check(world, { links: [link({ ...FIXED, apiHost: ENDPOINT_HOST })] });
  expectDiagnosis(verification, {
    fails: 'usage.invalid: audience',
    never: ['token.region: audience'],
  });
  expect([world.asked, world.service.count.connections]).toEqual([[], 0]);
});
