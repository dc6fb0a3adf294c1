import { expect, test } from 'vitest';
import type { VerifiableLink } from '../../../src/verify/model/options.js';
import { API_HOST, ENDPOINT_HOST } from '../../support/application.js';
import { type Expected, expectDiagnosis } from '../../support/explained.js';
import { tokenError } from '../../support/service-server.js';
import { check, createWorld, link } from '../../support/verifiable-link.js';

const OTHERS = ['token.region', 'token.key-pair', 'token.app-id'];
const FIXED: Partial<VerifiableLink> = { via: 'fixed-ip-egress', expectedNetworks: [] };
const INTERNET: Partial<VerifiableLink> = {
  via: 'internet',
  expectedAddresses: [],
  expectedNetworks: [],
};

test.each<[row: string, change: Partial<VerifiableLink>, message: string, expected: Expected]>([
  [
    'the service names the audience',
    INTERNET,
    'invalid jwt: aud is not the api host',
    {
      fails: 'token.invalid-client',
      consistent: ['token.audience', ...OTHERS],
      never: ['token.kid-unknown', 'host.clock'],
    },
  ],
  [
    'the API host is another one than the fixed-IP base URL’s',
    { ...FIXED, apiHost: API_HOST },
    '',
    { fails: 'token.invalid-client', consistent: OTHERS, never: ['token.audience'] },
  ],
  [
    'over the internet the API host is called itself',
    { ...INTERNET, apiHost: ENDPOINT_HOST },
    'invalid jwt: signature is invalid; see the audit log',
    { fails: 'token.invalid-client', consistent: OTHERS, never: ['token.audience'] },
  ],
])('%s', async (_, change, message, expected) => {
  const world = await createWorld();
  world.service.handler = ({ path }) =>
    path.endsWith('/token') ? tokenError('invalid_client', message) : undefined;
  const verification = await check(world, { links: [link(change)] });
  expectDiagnosis(verification, expected);
  const [first] = verification.links[0]?.causes.filter(({ certainty }) => certainty) ?? [];
  expect(first?.code).toBe(expected.consistent?.[0]);
});

test('the evidence shows the audience beside the host of the base URL', async () => {
  const world = await createWorld();
  world.service.handler = ({ path }) =>
    path.endsWith('/token') ? tokenError('invalid_client', 'aud is wrong') : undefined;
  const { links } = await check(world, { links: [link({ ...FIXED, apiHost: API_HOST })] });
  expect(links[0]?.causes.find(({ code }) => code === 'token.audience')).toMatchObject({
    text: expect.stringMatching(/^Consistent with/),
    evidence: expect.stringMatching(
      new RegExp(`aud=${API_HOST}.*host of the base URL=${ENDPOINT_HOST}`),
    ),
  });
});

test('the host of the fixed-IP base URL is refused as audience before any packet', async () => {
  const world = await createWorld();
  const verification = await check(world, { links: [link({ ...FIXED, apiHost: ENDPOINT_HOST })] });
  expectDiagnosis(verification, { fails: 'preflight.audience', never: ['token.audience'] });
  expect([world.asked, world.service.count.connections]).toEqual([[], 0]);
});
