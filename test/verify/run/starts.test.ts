import { expect, test } from 'vitest';
import type { Finding, Verification } from '../../../src/verify/model/verification.js';
import { ENDPOINT_HOST } from '../../support/application.js';
import { startBlackHole } from '../../support/black-hole.js';
import {
  ADDRESS,
  check,
  createWorld,
  findingOf,
  link,
  stagesOf,
} from '../../support/verifiable-link.js';

const DEAD = '10.1.2.4';

function endOf({ startMs = Number.NaN, elapsedMs }: Finding): number {
  return startMs + elapsedMs;
}

function startOf(verification: Verification, stage: Finding['stage'], address?: string): number {
  const found = stagesOf(verification).find(
    (one) => one.stage === stage && (address === undefined || one.address === address),
  );
  return found?.startMs ?? Number.NaN;
}

test('every stage that was seen says when it began; token and http began with the same call', async () => {
  const verification = await check(await createWorld());
  const stages = stagesOf(verification);
  expect(stages.filter(({ startMs }) => startMs === undefined)).toEqual([]);
  expect(startOf(verification, 'token')).toBe(startOf(verification, 'http'));
  for (const [earlier, later] of [
    ['preflight', 'dns'],
    ['dns', 'tcp'],
    ['tcp', 'tls'],
    ['tls', 'http'],
    ['token', 'workspaces'],
  ] as const) {
    const end = endOf(findingOf(verification, earlier));
    expect([later, startOf(verification, later) >= end - 0.2]).toEqual([later, true]);
  }
  const [last] = stages.slice(-1).map(endOf);
  expect(last).toBeLessThanOrEqual((verification.links[0]?.elapsedMs ?? 0) + 1);
});

test('the path of a good address continues while a dead one is still dialled; what was not seen has no start', async () => {
  const world = await createWorld();
  world.dns = { names: { [ENDPOINT_HOST]: [ADDRESS, DEAD] } };
  await world.connectTo({ [ADDRESS]: world.service.port, [DEAD]: await startBlackHole() });
  const links = [link({ expectedAddresses: [`${ADDRESS}/32`, `${DEAD}/32`] })];
  const verification = await check(world, { links, timeoutMs: 2_000, probes: false });
  const dead = stagesOf(verification).find(
    ({ stage, address }) => stage === 'tcp' && address === DEAD,
  );
  expect(dead).toMatchObject({ status: 'failed', code: 'tcp.timeout' });
  expect(startOf(verification, 'http', ADDRESS)).toBeLessThan(dead ? endOf(dead) : 0);
  const skipped = stagesOf(verification).filter(({ status }) => status === 'skipped');
  expect(skipped.map(({ startMs }) => startMs)).toEqual(skipped.map(() => undefined));
  expect(skipped.length).toBeGreaterThan(0);
});

test('over plain http the token call is a call of its own, after the one that finds the service', async () => {
  const world = await createWorld({ scheme: 'http' });
  const verification = await check(world, {
    links: [link({ baseUrl: `http://${ENDPOINT_HOST}` })],
  });
  const httpEnd = endOf(findingOf(verification, 'http'));
  expect(startOf(verification, 'token')).toBeGreaterThanOrEqual(httpEnd - 0.2);
});
