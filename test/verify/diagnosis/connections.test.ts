import { expect, test } from 'vitest';
import { CONNECTION_RULES } from '../../../src/verify/diagnosis/connection-rules.js';
import { failed } from '../../../src/verify/model/findings.js';
import { ENDPOINT_HOST } from '../../support/application.js';
import { startBlackHole } from '../../support/black-hole.js';
import { expectDiagnosis } from '../../support/explained.js';
import { startGate } from '../../support/fake-fronts.js';
import {
  ADDRESS,
  check,
  createWorld,
  findingOf,
  link,
  stagesOf,
} from '../../support/verifiable-link.js';

const timeoutMs = 4_000;
const SECOND = '10.1.130.4';
const ZONES = [
  { name: 'cn-beijing-a', network: '10.1.0.0/17' },
  { name: 'cn-beijing-b', network: '10.1.128.0/17' },
];

async function twoZones(second: (refusing: number) => Promise<number>) {
  const world = await createWorld();
  world.dns = { names: { [ENDPOINT_HOST]: [ADDRESS, SECOND] } };
  const port = await second(world.refusingPort);
  await world.connectTo({ [ADDRESS]: world.service.port, [SECOND]: port });
  const expectedAddresses = [`${ADDRESS}/32`, `${SECOND}/32`];
  return await check(world, { links: [link({ expectedAddresses, zones: ZONES })], timeoutMs });
}

test.each([
  ['is silent', 'tcp.timeout', () => startBlackHole()],
  ['refuses', 'tcp.refused', async (refusing: number) => refusing],
])('one of two zones %s, and is named', async (_, fails, second) => {
  const verification = await twoZones(second);
  expectDiagnosis(verification, {
    fails,
    shown: ['path.partial'],
    never: ['endpoint.security-group', 'endpoint.not-accepted'],
  });
  expect(verification.links[0]?.causes[0]?.evidence).toBe(
    `fails=${SECOND}, works=${ADDRESS}, zone=cn-beijing-b`,
  );
});

/** The causes of a dial that ends with an error of the system, as far as the error shows them. */
function causesOf(error: string) {
  const failure = failed('tcp', 'tcp.unreachable: local error', {
    address: ADDRESS,
    evidence: { error },
  });
  const facts = {
    ...{ link: link(), host: '', tlsServerName: '', proxy: undefined },
    ...{ isPlain: false, run: { options: {}, ownAuthority: undefined } },
    ...{ seen: { skewMs: undefined }, findings: [failure], probes: [] },
  };
  const causes = CONNECTION_RULES['tcp.unreachable: local error']?.(facts, [failure]) ?? [];
  return causes.map(({ code, isShown }) => [code, isShown ?? false]);
}

test('a dial that the system itself refuses is blocked on this side, by its filter or a route', () => {
  const here = [
    ['host.egress', false],
    ['tcp.unreachable: no route', false],
  ];
  for (const error of ['EACCES', 'EPERM', 'EINVAL']) expect(causesOf(error)).toEqual(here);
  expect(causesOf('ENOBUFS')).toEqual([]);
});

test('lost packets have several causes, each with what to inspect', async () => {
  const world = await createWorld();
  await world.connectTo({ [ADDRESS]: await startBlackHole() });
  const verification = await check(world, { timeoutMs });
  expectDiagnosis(verification, {
    fails: 'tcp.timeout',
    consistent: [
      'endpoint.security-group',
      'endpoint.not-accepted',
      'tcp.unreachable: no route',
      'host.egress',
    ],
    never: ['tcp.refused', 'tls.timeout', 'path.partial', 'dns.not-found'],
    ruledOut: [/^DNS server failure$/],
    notRuledOut: [/route/, /network/],
  });
  const inspected = Object.fromEntries(
    (verification.links[0]?.causes ?? []).map(({ code, inspect }) => [code, inspect]),
  );
  expect(inspected).toMatchObject({
    'endpoint.security-group': expect.stringContaining('inbound rules'),
    'endpoint.not-accepted': expect.stringContaining('connection_status'),
    'host.egress': expect.stringContaining('another one in the same subnet'),
    'tcp.unreachable': expect.stringContaining('route table'),
  });
});

test('on the internet there is no endpoint to blame', async () => {
  const world = await createWorld();
  await world.connectTo({ [ADDRESS]: await startBlackHole() });
  const links = [link({ via: 'internet', expectedAddresses: [], expectedNetworks: [] })];
  expectDiagnosis(await check(world, { links, timeoutMs }), {
    fails: 'tcp.timeout',
    consistent: ['host.egress', 'tcp.unreachable: no route'],
    never: ['endpoint.security-group', 'endpoint.not-accepted', 'host.outside-network'],
  });
});

test('a refusal is not silence', async () => {
  const world = await createWorld();
  await world.connectTo({ [ADDRESS]: world.refusingPort });
  expectDiagnosis(await check(world), {
    fails: 'tcp.refused',
    consistent: ['tcp.refused', 'path.filter'],
    never: ['tcp.timeout', 'endpoint.security-group', 'endpoint.not-accepted'],
  });
});

test('addresses beyond the limit wait for a place, and each has its own time', async () => {
  const world = await createWorld();
  const addresses = Array.from({ length: 20 }, (_, i) => `10.1.3.${i + 1}`);
  world.dns = { names: { [ENDPOINT_HOST]: addresses } };
  const gate = await startGate(world.service.port);
  let atOnce = 0;
  gate.onAccept = () => {
    if (gate.accepted < 16) return;
    // Long enough for one more to come, if nothing held it back.
    setTimeout(() => {
      atOnce ||= gate.accepted;
      gate.open();
    }, 200);
  };
  await world.connectTo(Object.fromEntries(addresses.map((address) => [address, gate.port])));
  const verification = await check(world, { links: [link({ expectedAddresses: [] })] });
  expect(verification.verdict).toBe('reachable');
  expect([atOnce, gate.accepted]).toEqual([16, 20]);
  expect(world.service.count).toEqual({ connections: 20, handshakes: 20 });
  const dials = stagesOf(verification).filter(({ stage }) => stage === 'tcp');
  expect(new Set(dials.map(({ address }) => address)).size).toBe(20);
  expect(dials.every(({ elapsedMs }) => elapsedMs > 0)).toBe(true);
});

test('the families are kept apart in DNS and in each dial', async () => {
  const world = await createWorld();
  world.dns = { names: { [ENDPOINT_HOST]: [ADDRESS, 'fd00::5'] } };
  await world.connectTo({ [ADDRESS]: world.service.port, 'fd00::5': world.refusingPort });
  const expectedNetworks = ['10.1.0.0/16', 'fd00::/8'];
  const links = [link({ expectedAddresses: [], expectedNetworks })];
  const verification = await check(world, { links });
  expectDiagnosis(verification, {
    fails: 'tcp.refused',
    shown: ['path.partial: one IP family'],
    never: ['path.partial'],
  });
  expect(findingOf(verification, 'dns').evidence).toMatchObject({
    ipv4Ms: expect.any(Number),
    ipv6Ms: expect.any(Number),
  });
  const dials = stagesOf(verification).filter(({ stage }) => stage === 'tcp');
  expect(dials.map(({ evidence }) => evidence.family)).toEqual([4, 6]);
});
