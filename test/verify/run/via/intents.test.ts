import { expect, test } from 'vitest';
import type { TreeIntents } from '../../../../src/intents/intents-file.js';
import { exitOf } from '../../../../src/verify/model/verdict.js';
import { textReport } from '../../../../src/verify/reports/text.js';
import { check, createWorld, type World } from '../../../support/verifiable-link.js';

const FILE: TreeIntents = {
  intents: [
    {
      name: 'nobody else',
      from: { not: ['10.30.0.0/16'] },
      to: 'service-endpoint',
      expect: 'closed',
      proof: 'packets',
    },
    { name: 'ours', from: '10.30.0.0/16', to: 'service-endpoint', port: 443, expect: 'reachable' },
  ],
};

/** Checks with intents behind commands, and dials nothing outside of loopback. */
function checkVia(world: World, runVia: readonly string[], own = '10.9.0.1') {
  const connectTo = [
    ...(world.options.connectTo ?? []),
    `*:1-65535:127.0.0.1:${world.refusingPort}`,
  ];
  return check(world, {
    ...{ runVia, connectTo, intents: FILE, ownAddresses: [own], timeoutMs: 40_000 },
  });
}

test('intents are tried at the vantage point, which speaks for its own address', async () => {
  const world = await createWorld();
  const verification = await checkVia(world, ['office=env']);
  const place = { vantagePoint: 'office', at: expect.stringMatching(/Z$/) };
  expect(verification.intents).toMatchObject([
    { ...place, name: 'nobody else', result: 'OPEN', code: 'intent.open', from: '10.9.0.1' },
    { ...place, name: 'ours', result: 'not shown', door: '10.1.2.3:443' },
  ]);
  expect(verification.intents?.[1]?.seen).toBe(
    'the intent does not speak of 10.9.0.1, from which this machine calls',
  );
  expect(exitOf(verification)).toBe(23);
  expect(textReport(verification)).toContain('nobody else@office');
});

test('of a vantage point that fails nothing is shown, and what needs proof by packets fails', async () => {
  const world = await createWorld();
  const verification = await checkVia(world, ['inside=env', 'lost=false'], '10.30.0.9');
  const found = (verification.intents ?? []).map(({ name, vantagePoint, result, code }) => [
    `${name}@${vantagePoint}`,
    result,
    code,
  ]);
  expect(found.sort()).toEqual([
    ['nobody else@inside', 'not shown', 'intent.not-shown'],
    ['nobody else@lost', 'not shown', 'intent.not-shown'],
    ['ours@inside', 'reachable', undefined],
    ['ours@lost', 'not shown', undefined],
  ]);
  expect(exitOf(verification)).not.toBe(0);
});
