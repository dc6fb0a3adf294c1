import { expect, test } from 'vitest';
import {
  heldAgainstStages,
  notShown,
  savedExit,
  wasStrict,
} from '../../../src/verify/model/saved-exit.js';
import type { Verification } from '../../../src/verify/model/verification.js';
import {
  CONNECTED,
  GOOD,
  GOOD_LINK,
  MIXED,
  NOT_SEEN,
  verificationOf,
  withConnections,
} from '../reports/samples.js';

const NOTHING = { ...GOOD, links: [] };
const CUT: Verification = {
  ...GOOD,
  links: [{ ...GOOD_LINK, stages: GOOD_LINK.stages.slice(0, 2) }],
};
const WITHOUT_LAST: Verification = {
  ...GOOD,
  links: [{ ...GOOD_LINK, stages: GOOD_LINK.stages.slice(0, -1) }],
};
function failedWith(reason: string, stage = 'tcp'): Verification {
  const [code, ...seen] = reason.split(': ');
  const failure = { status: 'failed' as const, code, evidence: { seen: seen.join() } };
  const stages = GOOD_LINK.stages.map((one) =>
    one.stage === stage ? { ...one, ...failure } : one,
  );
  return { ...GOOD, links: [{ ...GOOD_LINK, stages }] };
}

const backend = { name: 'orders', serviceId: 'epsvc-1', seen: '', elapsedMs: 1 } as const;

test.each<[what: string, report: Verification, exit: number]>([
  ['everything was seen', GOOD, 0],
  ['a link failed', MIXED, 10],
  ['there is nothing', NOTHING, 20],
  ['stages are missing', CUT, 20],
  ['the last stage is missing', WITHOUT_LAST, 20],
  ['a stage failed with a code of a later version', failedWith('tcp.added-later'), 20],
  ['a stage failed by a bug', failedWith('internal.bug'), 70],
  ['the API call was refused a connection', failedWith('tcp.refused', 'workspaces'), 16],
  ['the API answered too much', failedWith('http.unexpected-answer', 'workspaces'), 16],
  ['the token call was cut off', failedWith('http.reset', 'token'), 15],
  ['a handshake outlasted the run', failedWith('run.deadline', 'tls'), 20],
  ['a token came by clocks far apart', failedWith('host.clock: 60 s', 'token'), 19],
  ['a link says otherwise than the whole', { ...GOOD, verdict: 'incomplete' }, 20],
  ['a link was not seen', verificationOf(GOOD_LINK, NOT_SEEN), 20],
  ['a connection is pending', withConnections([], { ...CONNECTED, status: 'Connecting' }), 20],
  ['a connection is connected', withConnections([], CONNECTED), 0],
  [
    'a server failed',
    { ...GOOD, backends: [{ ...backend, status: 'failed', code: 'backend.unhealthy' }] },
    18,
  ],
  ['a server cannot be seen', { ...GOOD, backends: [{ ...backend, status: 'skipped' }] }, 0],
])('a saved report in which %s: %#', (_, report, exit) => {
  expect(savedExit(report, { strict: false })).toBe(exit);
});

test.each<[report: Verification, missing: string]>([
  [NOTHING, 'no result'],
  [WITHOUT_LAST, `${GOOD_LINK.name} without the stage workspaces`],
  [verificationOf(GOOD_LINK, NOT_SEEN), 'not-seen without the stage address'],
  [
    { ...GOOD, links: [{ ...GOOD_LINK, verdict: 'incomplete' }] },
    `${GOOD_LINK.name} as incomplete`,
  ],
  [{ ...GOOD, verdict: 'incomplete' }, 'the whole as incomplete'],
  [
    withConnections([], { ...CONNECTED, status: 'Connecting' }),
    `${CONNECTED.name} in the state Connecting`,
  ],
])('what a saved report does not show is named: %#', (report, missing) => {
  expect(notShown(report)).toBe(missing);
});

test('a saved verdict tells no more than the stages beside it', () => {
  const broken = MIXED.links.map((link) => ({ ...link, verdict: 'reachable' as const }));
  const held = heldAgainstStages({ ...MIXED, verdict: 'reachable', links: broken });
  expect(held).toEqual(MIXED);
  expect(heldAgainstStages({ ...NOTHING, verdict: 'reachable' }).verdict).toBe('incomplete');
  expect(heldAgainstStages(WITHOUT_LAST).links[0]?.verdict).toBe('incomplete');
});

test('a strict run fails where nothing was seen of a server', () => {
  const report: Verification = { ...GOOD, backends: [{ ...backend, status: 'skipped' }] };
  expect(savedExit(report, { strict: true })).toBe(21);
  const settings = [{ name: '--strict', source: 'command line', value: 'true' }];
  expect([GOOD, { ...GOOD, settings }].map(wasStrict)).toEqual([false, true]);
});
