import { expect, test } from 'vitest';
import { signRequest } from '../../src/cloud-control/sign-request.js';
import { Secret } from '../../src/codes/secret.js';

const NOW = new Date('2026-11-21T22:15:00.123Z');
const KEYS = { accessKey: 'AKEXAMPLE', secretKey: new Secret('example-secret') };

const LIST = {
  method: 'POST',
  body: '{"RegionID":"cn-beijing","TypeName":"Volcengine::VPC::VPC","MaxResults":20}',
  service: 'cloudcontrol',
  region: 'cn-beijing',
  contentType: 'application/json; charset=utf-8',
} as const;

// The signatures are those of the vendor's own library for the same requests.
test('signs a call of the API as the vendor does', () => {
  const url = new URL(
    'https://cloudcontrol.cn-beijing.volcengineapi.com/?Action=ListResources&Version=2025-06-01',
  );
  expect(signRequest({ ...LIST, url }, KEYS, NOW).authorization).toBe(
    'HMAC-SHA256 Credential=AKEXAMPLE/20261121/cn-beijing/cloudcontrol/request, SignedHeaders=content-type;host;x-content-sha256;x-date, Signature=54772b5f077b95239a5a6d0d77f330f79663b972912fa84eaf79da61248f92fa',
  );
});

test('signs a port of its own and a session token as well', () => {
  const url = new URL('https://127.0.0.1:8443/?Action=ListResources&Version=2025-06-01');
  const sessionToken = new Secret('example-token');
  const headers = signRequest({ ...LIST, url }, { ...KEYS, sessionToken }, NOW);
  expect(headers.authorization).toMatch(
    /SignedHeaders=content-type;host;x-content-sha256;x-date;x-security-token, Signature=baee603255c6a24f11f7aed3573b4bb3935fc0c24b7ff826a7b4beb338d3b450$/,
  );
  expect(headers['x-security-token']).toBe('example-token');
});

test('signs a query with signs that are escaped', () => {
  const url = new URL('https://sts.volcengineapi.com/');
  url.search = new URLSearchParams({
    Action: 'AssumeRole',
    Version: '2018-01-01',
    RoleTrn: 'trn:iam::2100000000:role/deploy',
    RoleSessionName: 's 1',
    DurationSeconds: '3600',
  }).toString();
  const headers = signRequest(
    {
      method: 'GET',
      url,
      body: '',
      service: 'sts',
      region: 'cn-beijing',
      contentType: 'application/x-www-form-urlencoded; charset=utf-8',
    },
    KEYS,
    NOW,
  );
  expect(headers.authorization).toMatch(
    /Signature=0054ccf3d88e4dc960717a80dd69f07e5de4849e8298fd1d6c932932ccd11128$/,
  );
});
