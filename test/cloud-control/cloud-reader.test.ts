import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openCloudReader } from '../../src/cloud-control/cloud-reader.js';
import { openCloudWriter } from '../../src/cloud-control/cloud-writer.js';
import { startCloudServer } from '../../src/sandbox/cloud/cloud-server.js';
import { emptyCloud, VPC } from '../sandbox/support.js';

const SECRET = 'a-secret-key';

interface Call {
  readonly request: IncomingMessage;
  readonly query: URLSearchParams;
}

/** A cloud that gives the prepared answers, one per call. */
async function scripted(answers: readonly { status?: number; body: object }[]) {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    const { status = 200, body } = answers[calls.length] ?? { status: 500, body: {} };
    calls.push({ request, query: new URL(request.url ?? '', 'http://cloud').searchParams });
    response.writeHead(status).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = {
    VOLCENGINE_CC_ENDPOINT: host,
    VOLCENGINE_STS_ENDPOINT: host,
    VOLCENGINE_DISABLE_SSL: 'true',
    VOLCENGINE_ACCESS_KEY: 'AK',
    VOLCENGINE_SECRET_KEY: SECRET,
  };
  return { calls, env };
}

const BLOCK = { region: 'cn-beijing' };
const empty = { Result: { ResourceDescriptions: [], NextToken: '' } };

async function open(block: object, env: NodeJS.ProcessEnv) {
  const reader = await openCloudReader({ ...BLOCK, ...block }, env);
  onTestFinished(() => reader.close());
  return reader;
}

test('reads every page of a list, and one object', async () => {
  const cloud = emptyCloud();
  const server = await startCloudServer(cloud, 'AK');
  onTestFinished(() => server.stop());
  const made = Array.from({ length: 43 }, (_, index) =>
    cloud.create(VPC, { CidrBlock: '10.20.0.0/16', VpcName: `v${index}` }),
  );
  const reader = await open(BLOCK, {
    VOLCENGINE_CC_ENDPOINT: `http://127.0.0.1:${server.port}`,
    VOLCENGINE_ACCESS_KEY: 'AK',
    VOLCENGINE_SECRET_KEY: SECRET,
  });
  expect((await reader.list(VPC)).map(({ identifier }) => identifier)).toEqual(made);
  expect(await reader.get(VPC, made[3] ?? '')).toMatchObject({ properties: { VpcName: 'v3' } });
  expect(await reader.get(VPC, 'vpc-gone')).toBeUndefined();
});

test('calls as the role that the stack assumes', async () => {
  const role = { AccessKeyId: 'AKROLE', SecretAccessKey: 's', SessionToken: 'role-token' };
  const { calls, env } = await scripted([
    { body: { Result: { Credentials: role } } },
    { body: empty },
  ]);
  const block = { assume_role: { assume_role_trn: 'trn:iam::1:role/r', duration_seconds: 900 } };
  await (await open(block, env)).list(VPC);
  expect(Object.fromEntries(calls[0]?.query ?? [])).toMatchObject({
    Action: 'AssumeRole',
    RoleTrn: 'trn:iam::1:role/r',
    DurationSeconds: '900',
  });
  expect(calls[1]?.request.headers).toMatchObject({
    authorization: expect.stringContaining('Credential=AKROLE/'),
    'x-security-token': 'role-token',
  });
});

test('takes a profile of the vendor’s command line where the environment has no keys', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'profile-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'config.json');
  const profiles = {
    ci: { mode: 'ak', 'access-key': 'AKPROFILE', 'secret-key': SECRET },
    old: { mode: 'sso', 'access-key': 'AKOLD', 'secret-key': SECRET, 'sts-expiration': 1 },
  };
  writeFileSync(file, JSON.stringify({ profiles }));
  const { calls, env } = await scripted([{ body: empty }]);
  const { VOLCENGINE_ACCESS_KEY: _, VOLCENGINE_SECRET_KEY: __, ...rest } = env;
  await (await open({ profile: 'ci', file_path: file }, rest)).list(VPC);
  expect(calls[0]?.request.headers.authorization).toContain('Credential=AKPROFILE/');
  const expired = openCloudReader({ ...BLOCK, profile: 'old', file_path: file }, rest);
  await expect(expired).rejects.toThrow('`VOLCENGINE_PROFILE` must name a profile of');
});

test('tries again where the cloud is busy', async () => {
  const busy = { ResponseMetadata: { Error: { Code: 'Throttling', Message: 'slow down' } } };
  const { calls, env } = await scripted([{ status: 429, body: busy }, { body: empty }]);
  expect(await (await open({}, env)).list(VPC)).toEqual([]);
  expect(calls).toHaveLength(2);
});

describe('a write', () => {
  const begun = { body: { Result: { OperationStatus: 'IN_PROGRESS', TaskID: 'task-1' } } };
  const create = async (answers: Parameters<typeof scripted>[0]) => {
    const { calls, env } = await scripted(answers);
    const writer = await openCloudWriter(BLOCK, env);
    onTestFinished(() => writer.close());
    const outcome = await writer.create(VPC, {}).catch((error: unknown) => error);
    return { outcome, actions: calls.map(({ query }) => query.get('Action')) };
  };

  test('waits for the end of its task', async () => {
    const end = { Result: { OperationStatus: 'SUCCESS', Identifier: 'vpc-1' } };
    const { outcome, actions } = await create([begun, begun, { body: end }]);
    expect(outcome).toEqual({ identifier: 'vpc-1', polls: 2 });
    expect(actions).toEqual(['CreateResource', 'GetTask', 'GetTask']);
  });

  test('whose task fails is refused with the code of the task', async () => {
    const failed = { OperationStatus: 'FAILED', ErrorCode: 'AccessDenied', StatusMessage: 'no' };
    const { outcome } = await create([begun, { body: { Result: failed } }]);
    expect(outcome).toMatchObject({ code: 'AccessDenied', reason: 'no' });
  });

  test('whose task ends without an identifier has made nothing that is known', async () => {
    const { outcome } = await create([begun, { body: { Result: { OperationStatus: 'SUCCESS' } } }]);
    expect(String(outcome)).toContain('CreateResource ended without an identifier');
  });

  test('is sent once, whatever the answer', async () => {
    const busy = { ResponseMetadata: { Error: { Code: 'Throttling', Message: 'slow down' } } };
    const { outcome, actions } = await create([{ status: 429, body: busy }]);
    expect(outcome).toMatchObject({ code: 'Throttling', status: 429 });
    expect(actions).toEqual(['CreateResource']);
  });
});

test('says what the cloud refused, and no key', async () => {
  const refused = { Code: 'AccessDenied', Message: 'no permission for vpc:DescribeVpcs' };
  const { env } = await scripted([{ status: 403, body: { ResponseMetadata: { Error: refused } } }]);
  const failure = await (await open({}, env)).list(VPC).catch((error: unknown) => error);
  expect(String(failure)).toContain('AccessDenied: no permission for vpc:DescribeVpcs (status 403');
  expect(JSON.stringify(failure) + String(failure)).not.toContain(SECRET);
});

test('sends nothing without credentials or region', async () => {
  await expect(openCloudReader(BLOCK, {})).rejects.toThrow(
    '`VOLCENGINE_ACCESS_KEY` and `VOLCENGINE_SECRET_KEY`, or `VOLCENGINE_PROFILE`, must be set, got: none',
  );
  await expect(openCloudReader({}, {})).rejects.toThrow('`VOLCENGINE_REGION` must name the region');
  const env = { VOLCENGINE_CC_ENDPOINT: 'ftp://cloud' };
  await expect(openCloudReader(BLOCK, env)).rejects.toThrow(
    '`VOLCENGINE_CC_ENDPOINT` must be a host, or a URL with http or https, got: "ftp://cloud"',
  );
});
