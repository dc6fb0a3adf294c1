import { expect, test } from 'vitest';
import { exitOf } from '../../../src/verify/model/verdict.js';
import type { Progress } from '../../../src/verify/model/verification.js';
import { ENDPOINT_HOST } from '../../support/application.js';
import { tokenError } from '../../support/service-server.js';
import { ADDRESS, check, createWorld, type World } from '../../support/verifiable-link.js';

/** Lets the name exist in the attempts that pass, and counts them. */
function flipping(world: World, passes: readonly boolean[]) {
  const progress: Progress[] = [];
  const set = (attempt: number) => {
    world.dns = { names: passes[attempt] ? { [ENDPOINT_HOST]: [ADDRESS] } : {} };
  };
  set(0);
  return {
    progress,
    onProgress: (event: Progress) => {
      progress.push(event);
      if (event.kind === 'retry' || event.kind === 'pass') set(event.attempt);
    },
  };
}

test('a link that flips is settled only after so many passes in a row', async () => {
  const world = await createWorld();
  const { progress, onProgress } = flipping(world, [true, false, false, true, true, true]);
  const verification = await check(world, {
    settle: 3,
    waitMs: 60_000,
    retryDelayMs: 1,
    onProgress,
  });
  const [result] = verification.links;
  expect([verification.verdict, result?.attempts, result?.passes]).toEqual(['reachable', 6, 3]);
  expect(result?.notes).toEqual(['failed before it passed: dns.not-found ×2']);
  const reported = progress.flatMap((one) => {
    if (one.kind === 'retry') return [`failed ${one.code}`];
    return one.kind === 'pass' ? [`passed ${one.passes} of ${one.wanted}`] : [];
  });
  expect(reported).toEqual([
    'passed 1 of 3',
    'failed dns.not-found',
    'failed dns.not-found',
    'passed 1 of 3',
    'passed 2 of 3',
  ]);
  const jwts = world.service.requests.flatMap(({ path, headers }) =>
    path.endsWith('/token') ? [headers.authorization] : [],
  );
  expect([jwts.length, new Set(jwts).size]).toEqual([4, 4]);
});

test('without time to wait, one failure ends the settling', async () => {
  const world = await createWorld();
  const { onProgress } = flipping(world, [true, false, true, true]);
  const verification = await check(world, { settle: 2, retryDelayMs: 1, onProgress });
  expect([verification.links[0]?.attempts, exitOf(verification)]).toEqual([2, 10]);
});

test('a final cause ends the settling at once', async () => {
  const world = await createWorld();
  const verification = await check(world, {
    settle: 3,
    waitMs: 600_000,
    retryDelayMs: 1,
    onProgress: ({ kind }) => {
      if (kind !== 'pass') return;
      world.service.handler = ({ path }) =>
        path.endsWith('/token') ? tokenError('invalid_client', '') : undefined;
    },
  });
  expect([verification.links[0]?.attempts, exitOf(verification)]).toEqual([2, 15]);
});

test('a link that passed less often than wanted before the interrupt is not reachable', async () => {
  const world = await createWorld();
  const controller = new AbortController();
  const verification = await check(world, {
    settle: 3,
    signal: controller.signal,
    onProgress: ({ kind }) => {
      if (kind === 'pass') controller.abort();
    },
  });
  expect([verification.verdict, exitOf(verification)]).toEqual(['incomplete', 130]);
});

test('a run without settling says nothing of passes', async () => {
  const world = await createWorld();
  expect((await check(world)).links[0]).not.toHaveProperty('passes');
});
