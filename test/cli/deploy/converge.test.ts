import { expect, test } from 'vitest';
import { refusedNow } from '../../../src/cli/deploy/approval/apply-again.js';

const CONFLICT =
  '│ Error: CreateResource failed\n│\n│ InvalidOperation.Conflict: another operation\n';
const DENIED = '│ Error: CreateResource failed\n│\n│ AccessDenied: not allowed\n';
const CHECK =
  'Error: local-exec provisioner error\n\nexit status 13. Output: the service says Throttling\n';
const FAILED = 'Error: failed\n\nInternalError: try later\n\tstatus code: 500, request id: r-1\n';
const ABSENT = 'Error: failed\n\nInvalidVpcId.NotFound: no such VPC (status 404, request id r-1)\n';
const THROTTLED = 'Error: failed\n\nAccountFlowThrottling: slow down\n';

const nothing = { mayBeDone: false, isAbsent: false };

test.each<[what: string, stderr: string, refusal: ReturnType<typeof refusedNow>]>([
  ['a conflict', CONFLICT, { ...nothing, word: 'InvalidOperation.Conflict' }],
  ['two conflicts', `${CONFLICT}${CONFLICT}`, { ...nothing, word: 'InvalidOperation.Conflict' }],
  ['throttling', THROTTLED, { ...nothing, word: 'AccountFlowThrottling', mayBeDone: true }],
  ['an error of the server', FAILED, { ...nothing, word: 'status code: 500', mayBeDone: true }],
  [
    'an error of the server as the stand-ins print it',
    'Error: failed\n\nInternalError: no (status 503, request id r-1)\n',
    { ...nothing, word: 'status 503', mayBeDone: true },
  ],
  ['what is not there', ABSENT, { ...nothing, word: 'InvalidVpcId.NotFound', isAbsent: true }],
  [
    'a conflict and an error of the server',
    `${CONFLICT}${FAILED}`,
    { ...nothing, word: 'InvalidOperation.Conflict', mayBeDone: true },
  ],
  ['a conflict beside another refusal', `${CONFLICT}${DENIED}`, undefined],
  ['a conflict beside a check that fails', `${CONFLICT}${CHECK}`, undefined],
  ['a check that prints such a word of a service', CHECK, undefined],
  [
    'a refusal with another status',
    'Error: failed\n\nQuota: no (status 400, request id 500)\n',
    undefined,
  ],
  ['no error', 'InvalidOperation.Conflict\n', undefined],
])('what the cloud refused for the moment alone is tried again: %s', (_, stderr, refusal) => {
  expect(refusedNow(stderr)).toEqual(refusal);
});
