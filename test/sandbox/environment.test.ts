import { expect, test } from 'vitest';
import { childEnvironment, ownEnvironment } from '../../src/sandbox/environment.js';

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

test.each([
  ...['VOLCENGINE_ACCESS_KEY', 'AWS_SECRET_ACCESS_KEY', 'ARM_CLIENT_SECRET', 'PGPASSWORD'],
  ...['TF_HTTP_PASSWORD', 'TF_TOKEN_app_terraform_io', 'TF_CLOUD_HOSTNAME', 'TF_ENCRYPTION'],
  ...['TF_DATA_DIR', 'TF_WORKSPACE', 'TF_REATTACH_PROVIDERS', 'TF_CLI_ARGS_apply'],
  ...['https_proxy', 'NO_PROXY', 'NODE_USE_ENV_PROXY', 'SECURE_CONNECTIVITY_PRIVATE_KEY'],
  ...['SECURE_CONNECTIVITY_BASE_URL', 'SECURE_CONNECTIVITY_CONNECT_TO'],
])('%s of the caller does not reach a command on the sandbox', (name) => {
  expect(childEnvironment({ [name]: 'real', LANG: 'C' }, { TERM: 'x' })).toEqual({
    LANG: 'C',
    TERM: 'x',
  });
});

test('the environment of the settings that the caller has chosen stays', () => {
  const own = childEnvironment({ CONNECTIVITY_ENV: 'staging' }, { CONNECTIVITY_ENV: 'sandbox' });
  expect(own).toEqual({ CONNECTIVITY_ENV: 'staging' });
});
