import { expect, test } from 'vitest';
import { ownEnvironment } from '../../src/sandbox/environment.js';

test('gives Terraform nothing of the caller: no credentials, no proxies, no home', () => {
  const env = ownEnvironment({ TF_IN_AUTOMATION: '1' }, '/empty');
  expect(env).toEqual({
    TF_IN_AUTOMATION: '1',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: '/empty',
    TMPDIR: '/empty',
    NO_COLOR: '1',
  });
});
