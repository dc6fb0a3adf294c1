import { describe, expect, test } from 'vitest';
import { parseSettings } from '../../src/settings/index.js';

const SECRET = 'p4ssw0rd-of-ours';

function parse(state: unknown) {
  const settings = { region: 'cn-beijing', apiHost: 'api.example.com', state };
  return parseSettings(JSON.stringify(settings), 'settings/x.json');
}

describe('a credential is refused, with where Terraform reads it, and without its value', () => {
  test.each<[string, string, unknown, string]>([
    ['s3', 'access_key', SECRET, 'AWS_ACCESS_KEY_ID'],
    ['s3', 'secret_key', SECRET, 'AWS_SECRET_ACCESS_KEY'],
    ['s3', 'token', SECRET, 'AWS_SESSION_TOKEN'],
    ['s3', 'sse_customer_key', SECRET, 'AWS_SSE_CUSTOMER_KEY'],
    ['s3', 'https_proxy', `http://me:${SECRET}@proxy.example:3128`, 'HTTPS_PROXY'],
    [
      's3',
      'endpoints',
      { s3: `https://me:${SECRET}@s3.example` },
      'pass it through the environment instead',
    ],
    ['http', 'username', SECRET, 'TF_HTTP_USERNAME'],
    ['http', 'password', SECRET, 'TF_HTTP_PASSWORD'],
    ['http', 'client_private_key_pem', SECRET, 'TF_HTTP_CLIENT_PRIVATE_KEY_PEM'],
    ['http', 'address', `https://me:${SECRET}@state.example/x`, 'TF_HTTP_PASSWORD'],
    ['http', 'lock_address', `https://state.example/x?private_token=${SECRET}`, 'TF_HTTP_PASSWORD'],
    ['http', 'unlock_address', `https://${SECRET}@state.example/x`, 'TF_HTTP_USERNAME'],
    ['pg', 'conn_str', `postgres://me:${SECRET}@db.example/terraform`, 'PG_CONN_STR'],
    ['pg', 'conn_str', `host=db.example user=me password=${SECRET}`, 'PG_CONN_STR'],
    ['pg', 'conn_str', `postgres://db.example/x?password=${SECRET}`, 'PG_CONN_STR'],
    ['consul', 'access_token', SECRET, 'CONSUL_HTTP_TOKEN'],
    ['consul', 'http_auth', `me:${SECRET}`, 'CONSUL_HTTP_AUTH'],
    ['consul', 'address', `http://me:${SECRET}@consul.example`, 'CONSUL_HTTP_AUTH'],
    ['kubernetes', 'token', SECRET, 'KUBE_TOKEN'],
    ['kubernetes', 'password', SECRET, 'KUBE_PASSWORD'],
    ['kubernetes', 'client_key', SECRET, 'KUBE_CLIENT_KEY_DATA'],
    ['kubernetes', 'host', `https://me:${SECRET}@k8s.example`, 'KUBE_HOST'],
    [
      'kubernetes',
      'a_password_of_a_later_version',
      SECRET,
      'pass it through the environment instead',
    ],
    ['http', 'password', [SECRET], 'must be text'],
    ['pg', 'password', `\${${SECRET}}`, 'must not hold ${'],
    ['gcs', 'token', SECRET, '`state.backend` must be one of'],
  ])('%s: %s', (backend, name, value, remedy) => {
    let message = '';
    try {
      parse({ backend, config: { address: 'https://state.example', [name]: value } });
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain(remedy);
    expect(message).not.toContain(SECRET);
  });

  test('where the whole state is a text', () => {
    expect(() => parse(`postgres://me:${SECRET}@db.example`)).toThrow(
      /`state` must be \{ backend: "local".*got: a value that is not shown$/,
    );
  });
});

test('a file that is not JSON is named without what is around the mistake', () => {
  expect(() => parseSettings(`{"password": ${SECRET}}`, 'x.json')).toThrow(
    /^x\.json is not JSON: Unexpected token 'p' is not expected there$/,
  );
});

test.each<[string, Record<string, unknown>]>([
  ['s3', { bucket: 'b', shared_credentials_file: 'f', skip_credentials_validation: true }],
  ['s3', { bucket: 'b', kms_key_id: 'k', endpoints: { s3: 'https://s3.example' } }],
  ['pg', { conn_str: 'postgres://db.example:5432/terraform?sslmode=verify-full' }],
  ['consul', { address: 'consul.example:8500', key_file: 'key.pem', lock: true }],
  ['kubernetes', { secret_suffix: 'net', config_context_auth_info: 'me', namespace: 'n' }],
])('what is no credential stays: %s %j', (backend, config) => {
  expect(parse({ backend, config }).state).toEqual({ backend, config });
});

test('an http backend needs its address, for the environment gives every stack the same', () => {
  expect(() => parse({ backend: 'http', config: {} })).toThrow(
    '`state.config.address` is required',
  );
});
