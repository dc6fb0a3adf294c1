import { expect, test } from 'vitest';
import { stagesLeft } from '../../../src/verify/model/verification-names.js';
import { stagesFor } from '../../../src/verify/stages/index.js';

test('the stages run in this order, the chat only where it is asked for', () => {
  const always = ['preflight', 'dns', 'address', 'tcp', 'tls', 'http', 'token', 'workspaces'];
  expect(stagesFor({})).toEqual(always);
  expect(stagesFor({ chat: {} })).toEqual([...always, 'chat']);
});

test('stages that wait for the network share the time with those behind them', () => {
  const waiting = ['dns', 'tcp', 'tls', 'token', 'workspaces'] as const;
  expect(waiting.map(stagesLeft)).toEqual([5, 4, 3, 2, 1]);
});
