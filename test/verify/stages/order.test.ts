import { expect, test } from 'vitest';
import { STAGE_NAMES, stagesLeft } from '../../../src/verify/model/verification-names.js';
import { stagesFor } from '../../../src/verify/stages/index.js';

test('the stages run in the order in which they are named', () => {
  expect(stagesFor({ chat: {} }).map(({ name }) => name)).toEqual(STAGE_NAMES);
});

test('stages that wait for the network share the time with those behind them', () => {
  const waiting = ['dns', 'tcp', 'tls', 'token', 'workspaces'] as const;
  expect(waiting.map(stagesLeft)).toEqual([5, 4, 3, 2, 1]);
});
