import { expect, test } from 'vitest';
import {
  parseVantagePoint,
  readVantagePoints,
  vantagePointText,
} from '../../src/link/vantage-point.js';
import { CANARIES } from '../support/canaries.js';

test.each([
  ['ssh bastion', 'bastion', ['ssh', 'bastion']],
  ['ssh -p 2222 ops@bastion', 'bastion', ['ssh', '-p', '2222', 'ops@bastion']],
  ['office=ssh bastion', 'office', ['ssh', 'bastion']],
  ['kubectl exec -i pod-1 --', 'pod-1', ['kubectl', 'exec', '-i', 'pod-1', '--']],
  ["a=docker exec -i 'my box'", 'a', ['docker', 'exec', '-i', 'my box']],
  ['a=x "b \\"c\\"" d\\ e', 'a', ['x', 'b "c"', 'd e']],
  ['here=', 'here', []],
])('%s is split as a shell does, and printed in the same way', (text, name, command) => {
  const vantagePoint = parseVantagePoint(text);
  expect(vantagePoint).toEqual({ name, command });
  expect(parseVantagePoint(vantagePointText(vantagePoint))).toEqual(vantagePoint);
});

test('a vantage point that is expected to be closed is named so, and printed in the same way', () => {
  const guests = { name: 'guests', command: ['ssh', 'guest-1'], expect: 'closed' } as const;
  expect(parseVantagePoint('guests:closed=ssh guest-1')).toEqual(guests);
  expect(vantagePointText(guests)).toBe('guests:closed=ssh guest-1');
  expect(readVantagePoints(['here=', guests], 'runVia')[1]).toEqual(guests);
  expect(() => readVantagePoints([guests], '--run-via')).toThrow(
    '`--run-via` must have a vantage point that reaches what is expected to be closed elsewhere, such as "here=", got: guests alone',
  );
});

test.each(['', '   ', "ssh 'bastion", 'ssh "x'])('%j is refused', (text) => {
  expect(() => readVantagePoints(text, 'runVia')).toThrow(/`runVia` must/);
});

test('vantage points have different names that a report can show', () => {
  const command = ['ssh', 'x'];
  const twice = [
    { name: 'a', command },
    { name: 'a', command },
  ];
  expect(() => readVantagePoints(twice, '--run-via')).toThrow(
    '`--run-via` must have vantage points of',
  );
  expect(() => readVantagePoints([{ name: 'a b', command }], 'runVia')).toThrow(
    'must name vantage points',
  );
  expect(() => readVantagePoints([], 'runVia')).toThrow('at least one vantage point');
});

test('no secret is written into a stack, and none is shown', () => {
  const secret = CANARIES.token;
  for (const runVia of [`ssh '${secret}'`, [{ name: 'a', command: ['ssh', secret] }]]) {
    const read = () => readVantagePoints(runVia, 'runVia');
    expect(read).toThrow('`runVia` must not hold a secret');
    expect(read).not.toThrow(secret);
  }
});
