import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CODES, type Code, casesOf } from '../../../src/codes/codes.js';
import { FAULTS } from '../../../src/sandbox/faults/index.js';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.js';
import { Client } from './client.js';

let sandbox: Sandbox;
let client: Client;
const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));

beforeAll(async () => {
  sandbox = await startSandbox({ stateFolder: folder, terraform: false });
  client = new Client(sandbox);
});
afterEach(() => sandbox.faults.clear());
afterAll(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Waits no longer than it takes to call something silent. */
async function expectSilence(call: () => Promise<unknown>): Promise<void> {
  client.patienceMs = 800;
  await expect(call()).rejects.toThrow('silent');
  client.patienceMs = 10_000;
}

describe('a fault of the token endpoint', () => {
  test.each([
    ['app-deactivated', 403, 'access_deny', /^app: .+ is currently deactivated by the owner$/],
    ['app-type', 403, undefined, /^invalid app type$/],
    ['login-session', 403, undefined, /^login session invalid$/],
    ['kid-unknown', 401, 'invalid_client', /^invalid jwt: kid not been registred$/],
    ['token-internal-error', 500, 'internal_error', /^Service internal error\.$/],
    ['invalid-request', 400, 'invalid_request', /^invalid request: enterprise_id$/],
    ['unsupported-grant', 400, 'unsupported_grant_type', /^not supported grant type: urn:/],
    ['token-rate-limited', 429, 'too_many_requests', /./],
    ['clock-skew', 401, 'invalid_client', /^invalid jwt: token used before issued$/],
  ] as const)('%s shows, and goes when it is cleared', async (fault, status, code, message) => {
    sandbox.faults.set(fault);
    const struck = await client.token();
    expect(struck.status).toBe(status);
    expect(struck.body.error_code).toBe(code);
    expect(struck.body.error_message).toMatch(message);
    expect(struck.headers['x-tt-logid']).toBeDefined();
    sandbox.faults.clear(fault);
    expect((await client.token()).status).toBe(200);
  });

  test('clock-skew shows in the date', async () => {
    sandbox.faults.set('clock-skew');
    const { headers } = await client.token();
    const behindSeconds = (Date.now() - Date.parse(headers.date ?? '')) / 1000;
    expect(Math.round(behindSeconds / 60)).toBe(10);
  });
});

describe('a fault of the API', () => {
  test.each([
    ['permission-missing', 401, 4101],
    ['token-rejected', 401, 4100],
    ['rate-limited', 429, 4013],
  ] as const)('%s shows in the envelope', async (fault, status, code) => {
    sandbox.faults.set(fault);
    expect(await client.workspaces()).toMatchObject({ status, body: { code } });
  });

  test('too many calls learn from Retry-After how long to stay away', async () => {
    const { body } = await client.token();
    sandbox.faults.set('rate-limited', 'token-rate-limited');
    const limited = [await client.workspaces('', String(body.access_token)), await client.token()];
    expect(limited.map(({ headers }) => headers['retry-after'])).toEqual(['3', '3']);
  });

  test.each([
    ['no-workspaces', []],
    ['other-enterprise', ['volcano_2100000007', 'volcano_2100000007']],
  ] as const)('%s shows in the list', async (fault, enterprises) => {
    sandbox.faults.set(fault);
    const { body } = await client.workspaces();
    const { workspaces } = body.data as { workspaces: { enterprise_id: string }[] };
    expect(workspaces.map((each) => each.enterprise_id)).toEqual(enterprises);
  });

  test('api-server-error and api-silent leave the token endpoint alone', async () => {
    sandbox.faults.set('api-server-error');
    expect((await client.workspaces()).status).toBe(502);
    sandbox.faults.clear('api-server-error');
    sandbox.faults.set('api-silent');
    const { body } = await client.token();
    await expectSilence(() => client.workspaces('', String(body.access_token)));
  });

  test('api-reset answers the token call and cuts every call with the token', async () => {
    sandbox.faults.set('api-reset');
    expect((await client.token()).status).toBe(200);
    await expect(client.workspaces()).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(client.workspaces()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('in place of the service', () => {
  test.each([
    ['not-the-service', 200],
    ['http-redirect', 302],
    ['server-error', 503],
  ] as const)('%s answers without a log id', async (fault, status) => {
    sandbox.faults.set(fault);
    const answer = await client.token();
    expect(answer.status).toBe(status);
    expect(answer.headers['x-tt-logid']).toBeUndefined();
  });

  test('http-silent answers nothing', async () => {
    sandbox.faults.set('http-silent');
    await expectSilence(() => client.token());
  });
});

describe('the listeners of port 443', () => {
  test.each([
    ['untrusted', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['expired', 'CERT_HAS_EXPIRED'],
    ['intermediate-expired', 'CERT_HAS_EXPIRED'],
    ['not-yet-valid', 'CERT_NOT_YET_VALID'],
    ['weak-key', 'UNSPECIFIED'],
    ['wrong-name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['client-certificate', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
    ['name-filter', 'ECONNRESET'],
    ['reset', 'ECONNRESET'],
    ['http', 'EPROTO'],
  ] as const)('%s makes a client see %s', async (listener, code) => {
    const call = client.token(undefined, {}, { port: sandbox.ports[listener] });
    await expect(call).rejects.toMatchObject({ code });
  });

  test('silent answers no handshake', async () => {
    await expectSilence(() => client.token(undefined, {}, { port: sandbox.ports.silent }));
  });

  test('api-host-only is good for the API host and for no other name', async () => {
    const port = sandbox.ports['api-host-only'];
    expect((await client.token(undefined, {}, { port })).status).toBe(200);
    const other = client.token(undefined, {}, { port, serverName: 'static-api.sandbox.example' });
    await expect(other).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  test('sizeLimited lets a small request through and loses a large one', async () => {
    const port = sandbox.ports.sizeLimited;
    const small = await client.call({ method: 'GET', path: '/v1/workspaces', port });
    expect(small.status).toBe(401);
    const path = `/${'x'.repeat(2_000)}`;
    await expectSilence(() => client.call({ method: 'GET', path, port }));
  });

  test('noResponse shakes hands and answers nothing', async () => {
    const port = sandbox.ports.noResponse;
    const serverName = 'api.sandbox.example';
    const ca = readFileSync(sandbox.files.caCertificate, 'utf8');
    const socket = connectTls({ port, host: '127.0.0.1', servername: serverName, ca });
    await once(socket, 'secureConnect');
    socket.destroy();
    await expectSilence(() => client.token(undefined, {}, { port }));
  });

  test.each([
    'static-api.sandbox.example',
    'ep-1.epsvc-sandbox.cn-beijing.privatelink.volces.com',
  ])('the true one is good for %s', async (serverName) => {
    expect((await client.token(undefined, {}, { serverName })).status).toBe(200);
  });
});

test('every fault names reasons that exist, and never its own as a wrong one', () => {
  const known = (Object.keys(CODES) as Code[]).flatMap((code) => [
    code,
    ...casesOf(code).map(({ seen }) => `${code}: ${seen}`),
  ]);
  for (const { name, code, never, ...fault } of FAULTS) {
    const causes = 'causes' in fault ? fault.causes : [];
    expect(known, name).toEqual(expect.arrayContaining([code, ...causes, ...never]));
    expect(causes.filter((cause) => never.some((wrong) => wrong === cause))).toEqual([]);
    expect(never, name).not.toContain(code);
  }
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
});

test('every fault has a row that says what it puts in the place of something, or code that asks for its name', () => {
  const sources = readdirSync('src/sandbox', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join('src/sandbox', file), 'utf8'));
  const code = sources.join('').replaceAll(/name: '[\w-]+'/g, '');
  const idle = FAULTS.filter(
    (fault) => !['listener', 'addresses', 'standIn'].some((put) => put in fault),
  )
    .map(({ name }) => name)
    .filter((name) => !code.includes(`'${name}'`));
  expect(idle).toEqual([]);
});
