import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.js';
import { Client } from './client.js';

const now = () => Math.floor(Date.now() / 1000);

let sandbox: Sandbox;
let client: Client;
const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));

beforeAll(async () => {
  sandbox = await startSandbox({ stateFolder: folder, terraform: false });
  client = new Client(sandbox);
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the token endpoint', () => {
  test.each(['https', 'http'] as const)('gives a token for a good JWT over %s', async (scheme) => {
    const before = now();
    const { status, body, headers } = await client.token(undefined, {}, { scheme });
    expect(status).toBe(200);
    expect(body.access_token).toMatch(/^czs_/);
    expect(Number(body.expires_in)).toBeGreaterThanOrEqual(before + 900);
    expect(Number(body.expires_in)).toBeLessThanOrEqual(now() + 900);
    expect(headers['x-tt-logid']).toMatch(/^\d{14}[0-9A-F]{20}$/);
    expect(Math.abs(Date.parse(headers.date ?? '') / 1000 - now())).toBeLessThan(60);
  });

  test('gives the lifetime that is asked for', async () => {
    const before = now();
    const { body } = await client.token(undefined, { duration_seconds: 86_399 });
    expect(Number(body.expires_in)).toBeGreaterThanOrEqual(before + 86_399);
  });

  test('takes a JWT once only', async () => {
    const jwt = client.jwt();
    expect((await client.token(jwt)).status).toBe(200);
    expect(await client.token(jwt)).toMatchObject({
      status: 401,
      body: { error_code: 'invalid_client' },
    });
  });

  test('takes no JWT again that a refused request has used up', async () => {
    const jwt = client.jwt();
    expect((await client.token(jwt, { grant_type: 'password' })).status).toBe(400);
    expect(await client.token(jwt)).toMatchObject({
      status: 401,
      body: { error_message: 'invalid jwt: jti has been used' },
    });
  });

  test.each([
    ['another issuer', { iss: 'someone' }],
    ['the endpoint domain as audience', { aud: 'ep-1.epsvc-sandbox.example' }],
    ['an audience with a port', { aud: 'api.sandbox.example:443' }],
    ['an issue time in the future', { iat: now() + 600, exp: now() + 900 }],
    ['an end in the past', { iat: now() - 600, exp: now() - 300 }],
    ['an end before its beginning', { iat: now(), exp: now() - 1 }],
    ['times as text', { exp: String(now() + 300) }],
    ['no jti', { jti: undefined }],
  ])('refuses %s', async (_, claims) => {
    const { status, body } = await client.token(client.jwt(claims));
    expect(status).toBe(401);
    expect(body).toMatchObject({ error_code: 'invalid_client' });
    expect(body.error_message).toMatch(/^invalid jwt: /);
  });

  test.each([
    ['an unknown kid', { kid: 'unknown' }, 'invalid jwt: kid not been registred'],
    ['another algorithm', { alg: 'none' }, 'invalid jwt: alg must be RS256'],
    ['no type', { typ: undefined }, 'invalid jwt: typ must be JWT'],
  ])('refuses %s', async (_, header, message) => {
    const { status, body } = await client.token(client.jwt({}, header));
    expect(status).toBe(401);
    expect(body).toMatchObject({ error_code: 'invalid_client', error_message: message });
  });

  test('refuses a signature by another key, and what is no JWT at all', async () => {
    const { body } = await client.token(client.jwt({}, {}, inject('foreignKey')));
    expect(body).toMatchObject({ error_message: 'invalid jwt: signature is invalid' });
    expect(await client.token('nonsense')).toMatchObject({
      status: 401,
      body: { error_code: 'invalid_client' },
    });
  });

  test.each([
    ['duration_seconds', { duration_seconds: 0 }],
    ['duration_seconds', { duration_seconds: 86_400 }],
    ['duration_seconds', { duration_seconds: '900' }],
    ['grant_type', { grant_type: undefined }],
  ])('names the wrong parameter %s', async (parameter, request) => {
    expect(await client.token(undefined, request)).toMatchObject({
      status: 400,
      body: { error_code: 'invalid_request', error_message: `invalid request: ${parameter}` },
    });
  });

  test('names a grant type that it does not support', async () => {
    const { body } = await client.token(undefined, { grant_type: 'password' });
    expect(body).toMatchObject({
      error_code: 'unsupported_grant_type',
      error_message: 'not supported grant type: password',
    });
  });

  test('knows its enterprise only', async () => {
    const path = '/api/permission/oauth2/enterprise_id/other%2F1/token';
    expect(await client.token(undefined, {}, { path })).toMatchObject({
      status: 400,
      body: { error_message: 'invalid request: enterprise_id' },
    });
  });

  test('keeps the private key to its owner', () => {
    expect(statSync(sandbox.files.privateKey).mode & 0o777).toBe(0o600);
  });
});

describe('the workspace list', () => {
  test('is in its envelope, with the log id of the header', async () => {
    const { status, body, headers } = await client.workspaces();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      code: 0,
      msg: '',
      data: {
        total_count: 2,
        workspaces: [
          {
            name: 'Agents',
            role_type: 'owner',
            workspace_type: 'team',
            enterprise_id: sandbox.env.SECURE_CONNECTIVITY_ENTERPRISE_ID,
          },
          { name: 'Trials' },
        ],
      },
      detail: { logid: headers['x-tt-logid'] },
    });
  });

  test('comes page by page', async () => {
    const { body } = await client.workspaces('?page_num=2&page_size=1');
    expect(body).toMatchObject({ data: { total_count: 2, workspaces: [{ name: 'Trials' }] } });
    expect((await client.workspaces('?page_num=3&page_size=1')).body).toMatchObject({
      data: { workspaces: [] },
    });
    expect((await client.workspaces('?page_size=0')).body).toMatchObject({ code: 4000 });
  });

  test('is closed without a token that the service gave', async () => {
    expect(await client.workspaces('', 'czs_forged')).toMatchObject({
      status: 401,
      body: { code: 4100, msg: 'authentication is invalid' },
    });
  });
});
