import { expect, test } from 'vitest';
import { textReport } from '../../../src/verify/reports/text-report.js';
import { ENDPOINT_HOST } from '../../support/application.js';
import { type DnsAnswers, startDns } from '../../support/dns-responder.js';
import { expectDiagnosis } from '../../support/explained.js';
import { ADDRESS, check, createWorld, link, PUBLIC } from '../../support/verifiable-link.js';

const OTHER = '10.1.2.9';
const THIRD = '10.1.2.10';

const answer = (address: string): DnsAnswers => ({ names: { [ENDPOINT_HOST]: [address] } });

test('a resolver that differs is named with what it answers', async () => {
  const world = await createWorld();
  world.dns = answer(PUBLIC);
  await world.connectTo({ [ADDRESS]: world.refusingPort });
  const other = await startDns(() => answer(ADDRESS));
  const { links } = await check(world, { compareResolvers: [other.server] });
  expect(links[0]?.causes[0]?.evidence).toBe(
    `seen=another address, ${world.options.dnsServer}=${PUBLIC}, ${other.server}=${ADDRESS}`,
  );
  expect(links[0]?.probes?.find(({ name }) => name === 'resolver')).toMatchObject({
    changed: other.server,
    ok: true,
    evidence: { addresses: ADDRESS, isPrivate: true, isExpected: true },
  });
});

test('a DNS server to compare with is asked whatever fails, and a split horizon is only possible', async () => {
  const world = await createWorld({ untrusted: true });
  world.dns = answer(OTHER);
  await world.connectTo({ [OTHER]: world.service.port });
  const other = await startDns(() => answer(THIRD));
  const links = [link({ expectedAddresses: [] })];
  const verification = await check(world, { links, compareResolvers: [other.server] });
  expectDiagnosis(verification, {
    fails: 'tls.untrusted',
    consistent: ['dns.other-resolver: another address'],
    never: ['dns.local-override', 'address.unexpected', 'dns.other-resolver'],
  });
  const found = verification.links[0]?.causes.find(({ code }) => code === 'dns.other-resolver');
  expect(found?.evidence).toBe(
    `seen=another address, ${world.options.dnsServer}=${OTHER}, ${other.server}=${THIRD}`,
  );
  expect(textReport(verification, { isVerbose: true })).toContain(
    `resolver ${other.server}: answers ${THIRD}`,
  );
});

test('where all DNS servers agree, or the address is the expected one, no split horizon is reported', async () => {
  const world = await createWorld({ untrusted: true });
  const [same, another] = [
    await startDns(() => answer(ADDRESS)),
    await startDns(() => answer(OTHER)),
  ];
  const agreed = await check(world, {
    links: [link({ expectedAddresses: [] })],
    compareResolvers: [same.server],
  });
  const expected = await check(world, { compareResolvers: [another.server] });
  const causes = [agreed, expected].flatMap(({ links }) => links[0]?.causes ?? []);
  expect(causes.map(({ code }) => code).filter((code) => code.startsWith('dns.'))).toEqual([]);
  expect([same.asked.length, another.asked.length]).toEqual([2, 2]);
});

test('an expected address that the name lacks is dialled too, and tells that only one zone fails', async () => {
  const world = await createWorld();
  const second = '10.1.2.4';
  await world.connectTo({ [ADDRESS]: world.refusingPort, [second]: world.service.port });
  const links = [link({ expectedAddresses: [`${ADDRESS}/32`, `${second}/32`] })];
  const verification = await check(world, { links });
  expectDiagnosis(verification, {
    fails: 'tcp.refused',
    shown: ['path.partial'],
    never: ['path.filter', 'dns.record-wrong'],
    notRuledOut: [/endpoint, its security group/],
  });
  expect(verification.links[0]?.causes[0]?.evidence).toBe(`fails=${ADDRESS}, works=${second}`);
});

test('without probes nothing else is asked or dialled', async () => {
  const world = await createWorld();
  world.dns = { names: {} };
  const other = await startDns(() => answer(ADDRESS));
  const compareResolvers = [other.server];
  const { links } = await check(world, { compareResolvers, probes: false });
  expect([links[0]?.probes, other.asked, world.service.count.connections]).toEqual([
    undefined,
    [],
    0,
  ]);
});
