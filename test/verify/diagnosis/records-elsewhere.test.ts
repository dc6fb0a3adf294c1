import { expect, test } from 'vitest';
import { ENDPOINT_HOST } from '../../support/application.js';
import { type DnsAnswers, startDns } from '../../support/dns-responder.js';
import { type Expected, expectDiagnosis } from '../../support/explained.js';
import {
  ADDRESS,
  answer,
  check,
  createWorld,
  findingOf,
  link,
  outline,
  PUBLIC,
} from '../../support/verifiable-link.js';

const timeoutMs = 4_000;
const SECOND = '10.1.2.4';
const OWNER = 'network team, BIND';
const LINE = `${ENDPOINT_HOST}. 60 IN A ${ADDRESS}`;

async function checkedWith(dns: DnsAnswers, isUp: boolean, other?: DnsAnswers) {
  const world = await createWorld();
  world.dns = dns;
  await world.connectTo({ [ADDRESS]: isUp ? world.service.port : world.refusingPort });
  const others = other && (await startDns(() => other));
  return check(world, {
    timeoutMs,
    links: [link({ recordsElsewhere: OWNER })],
    ...(others && { compareResolvers: [others.server] }),
  });
}

test.each<[what: string, dns: DnsAnswers, isUp: boolean, expected: Expected]>([
  [
    'is not there, and the endpoint works',
    { names: {} },
    true,
    {
      fails: 'dns.not-found',
      shown: ['dns.record-wrong: managed elsewhere'],
      never: ['dns.record-wrong', 'endpoint.missing'],
    },
  ],
  [
    'is not there, and nothing else is known',
    { names: {} },
    false,
    {
      fails: 'dns.not-found',
      consistent: ['dns.record-wrong: managed elsewhere'],
      never: ['dns.record-wrong'],
    },
  ],
  [
    'is the public one, and the endpoint works',
    answer(PUBLIC),
    true,
    {
      fails: 'address.unexpected: public',
      shown: ['dns.record-wrong: managed elsewhere', 'address.unexpected: public'],
      never: ['dns.record-wrong', 'host.outside-network'],
    },
  ],
  [
    'leads to another address, and the endpoint works',
    answer('10.1.2.9'),
    true,
    {
      fails: 'address.unexpected',
      shown: ['dns.record-wrong: managed elsewhere'],
      never: ['dns.record-wrong: earlier endpoint', 'address.list-outdated: endpoint replaced'],
    },
  ],
])('a record of others that %s: the check says who enters which line', async (_, dns, isUp, expected) => {
  const verification = await checkedWith(dns, isUp);
  expectDiagnosis(verification, expected);
  const cause = verification.links[0]?.causes?.find(({ code }) => code === 'dns.record-wrong');
  expect(cause?.evidence).toContain(`keptBy=${OWNER}`);
  expect(cause?.evidence).toContain(`enter=${LINE}`);
});

test('a record that another DNS server has is not missing', async () => {
  const verification = await checkedWith({ names: {} }, false, answer(ADDRESS));
  expectDiagnosis(verification, {
    fails: 'dns.not-found',
    shown: ['dns.other-resolver'],
    never: ['dns.record-wrong: managed elsewhere'],
  });
});

test('a record that is there proves the link as any other', async () => {
  const verification = await checkedWith(answer(ADDRESS), true);
  expect(verification.verdict).toBe('reachable');
  expect(outline(verification).slice(1, 3)).toEqual(['dns passed', 'address passed']);
});

test('of two records one is missing: the warning has the line', async () => {
  const world = await createWorld();
  const two = [`${ADDRESS}/32`, `${SECOND}/32`];
  const verification = await check(world, {
    timeoutMs,
    links: [link({ recordsElsewhere: OWNER, expectedAddresses: two })],
  });
  const findings = verification.links[0]?.stages ?? [];
  const missing = findings.find(({ code }) => code === 'path.partial');
  expect(missing?.evidence).toMatchObject({
    seen: 'missing in DNS',
    missing: SECOND,
    enter: `${ENDPOINT_HOST}. 60 IN A ${SECOND}`,
  });
  expect(findingOf(verification, 'dns').status).toBe('passed');
});
