import { expect, test } from 'vitest';
import { STAGE_NAMES, stagesLeft } from '../../../src/verify/model/verification-names.js';

test('the stages run in this order', () => {
  const order = ['preflight', 'dns', 'address', 'tcp', 'tls', 'http', 'token', 'workspaces'];
  expect(STAGE_NAMES).toEqual(order);
});

test('stages that wait for the network share the time with those behind them', () => {
  const waiting = ['dns', 'tcp', 'tls', 'token', 'workspaces'] as const;
  expect(waiting.map(stagesLeft)).toEqual([5, 4, 3, 2, 1]);
});
