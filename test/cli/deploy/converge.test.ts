import { expect, test } from 'vitest';
import { refusedNow } from '../../../src/cli/deploy/converge.js';

const CONFLICT =
  '│ Error: CreateResource failed\n│\n│ InvalidOperation.Conflict: another operation\n';
const DENIED = '│ Error: CreateResource failed\n│\n│ AccessDenied: not allowed\n';
const CHECK =
  'Error: local-exec provisioner error\n\nexit status 13. Output: the service says Throttling\n';

test.each<[what: string, stderr: string, refusal: string | undefined]>([
  ['a conflict', CONFLICT, 'InvalidOperation.Conflict'],
  ['two conflicts', `${CONFLICT}${CONFLICT}`, 'InvalidOperation.Conflict'],
  ['throttling', 'Error: failed\n\nAccountFlowThrottling: slow down\n', 'AccountFlowThrottling'],
  ['a conflict beside another refusal', `${CONFLICT}${DENIED}`, undefined],
  ['a conflict beside a check that fails', `${CONFLICT}${CHECK}`, undefined],
  ['a check that prints such a word of a service', CHECK, undefined],
  ['no error', 'InvalidOperation.Conflict\n', undefined],
])('what the cloud refused for the moment alone is tried again: %s', (_, stderr, refusal) => {
  expect(refusedNow(stderr)).toBe(refusal);
});
