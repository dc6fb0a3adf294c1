import { type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openCloudReader } from '../../../src/cloud-control/cloud-reader.js';
import type { Cloud } from '../../../src/sandbox/cloud/cloud.js';
import { startCloudServer } from '../../../src/sandbox/cloud/cloud-server.js';
import { emptyCloud, SUBNET, subnetInput, temporaryFolder, VPC } from '../support.js';

const AUTHORIZATION =
  'HMAC-SHA256 Credential=AK/20300101/cn-beijing/cloudcontrol/request, SignedHeaders=host, Signature=00';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

async function client(cloud: Cloud) {
  const server = await startCloudServer(cloud, 'AK');
  onTestFinished(() => server.stop());
  return async (action: string, body: unknown, headers: Record<string, string> = {}) => {
    const url = `http://127.0.0.1:${server.port}/?Action=${action}&Version=2025-06-01`;
    const init = {
      method: 'POST',
      headers: { authorization: AUTHORIZATION, ...JSON_TYPE, ...headers },
    };
    const response = await fetch(url, { ...init, body: JSON.stringify(body) });
    const { ResponseMetadata, Result } = (await response.json()) as {
      ResponseMetadata: { RequestId: string; Error?: { CodeN: number; Code: string } };
      Result?: Record<string, unknown>;
    };
    return { status: response.status, error: ResponseMetadata.Error, result: Result ?? {} };
  };
}

const target = (Identifier: unknown) => ({ TypeName: VPC, RegionID: '"cn-beijing"', Identifier });

describe('the Cloud Control API', () => {
  test('creates, reads, updates, lists and deletes by tasks', async () => {
    const call = await client(emptyCloud({ taskPolls: 2 }));
    const outcome = async ({ result }: { result: Record<string, unknown> }) => {
      expect(result).toMatchObject({ OperationStatus: 'IN_PROGRESS' });
      const first = await call('GetTask', { TaskID: result.TaskID });
      expect(first.result).toMatchObject({ OperationStatus: 'IN_PROGRESS' });
      return (await call('GetTask', { TaskID: result.TaskID })).result;
    };
    const TargetState = { VpcName: 'one', Tags: null };
    const creation = await call('CreateResource', {
      TypeName: VPC,
      RegionID: '"cn-beijing"',
      TargetState,
    });
    const { Identifier, OperationStatus } = await outcome(creation);
    expect(OperationStatus).toBe('SUCCESS');
    const PatchDocument = [{ op: 'replace', path: '/VpcName', value: 'two' }];
    await outcome(await call('UpdateResource', { ...target(Identifier), PatchDocument }));
    const { result } = await call('GetResource', target(Identifier));
    const description = result.ResourceDescription as { Identifier: string; Properties: string };
    expect(JSON.parse(description.Properties)).toMatchObject({ VpcName: 'two', Tags: [] });
    const list = await call('ListResources', { TypeName: VPC });
    expect(list.result).toMatchObject({ ResourceDescriptions: [{ Identifier }], NextToken: '' });
    await outcome(await call('DeleteResource', target(Identifier)));
    const gone = await call('GetResource', target(Identifier));
    expect(gone).toMatchObject({ status: 404, error: { Code: 'NotFound' } });
    expect(gone.error).toMatchObject({
      Message: expect.stringMatching('HandlerErrorCode: NotFound'),
    });
  });

  test('lists page by page', async () => {
    const cloud = emptyCloud();
    for (let i = 0; i < 5; i += 1) cloud.create(VPC, {});
    const call = await client(cloud);
    const seen: string[] = [];
    let NextToken = '';
    do {
      const { result } = await call('ListResources', { TypeName: VPC, MaxResults: 2, NextToken });
      const page = result.ResourceDescriptions as { Identifier: string }[];
      seen.push(...page.map(({ Identifier }) => Identifier));
      NextToken = String(result.NextToken);
    } while (NextToken !== '');
    expect(new Set(seen).size).toBe(5);
  });

  test('tells a failed task by its code and message', async () => {
    const call = await client(emptyCloud());
    const { result } = await call('CreateResource', {
      TypeName: VPC,
      TargetState: { CidrBlock: '8.0.0.0/16' },
    });
    expect((await call('GetTask', { TaskID: result.TaskID })).result).toMatchObject({
      OperationStatus: 'FAILED',
      ErrorCode: 'InvalidCidrBlock.Range',
      StatusMessage: expect.stringMatching('8.0.0.0/16'),
    });
  });

  test.each([
    ['an unknown action', 'Frob', {}, {}, 404, 'InvalidActionOrVersion'],
    ['an unknown type', 'ListResources', { TypeName: 'X' }, {}, 400, 'UnsupportedType'],
    [
      'another region',
      'ListResources',
      { TypeName: VPC, RegionID: 'mars' },
      {},
      400,
      'InvalidRegion',
    ],
    ['no type', 'ListResources', {}, {}, 400, 'MissingParameter'],
    ['a body that is no object', 'ListResources', [], {}, 400, 'InvalidJson'],
    ['a task that is not there', 'GetTask', { TaskID: 'x' }, {}, 404, 'NotFound'],
    [
      'a foreign key',
      'ListResources',
      {},
      { authorization: 'HMAC-SHA256 Credential=X/1' },
      401,
      'InvalidAccessKey',
    ],
  ])('refuses %s', async (_, action, body, headers, status, code) => {
    const call = await client(emptyCloud());
    const answer = await call(action, body, headers);
    expect(answer).toMatchObject({ status, error: { Code: code, CodeN: 100_000 + status } });
  });
});

describe('roles', () => {
  const TRN = 'trn:iam::2100000000:role/deployer';
  const readAs = async (cloud: Cloud, changes: object = {}, secret = 'any') => {
    const server = await startCloudServer(cloud, 'AK');
    onTestFinished(() => server.stop());
    const endpoint = `http://127.0.0.1:${server.port}`;
    const reader = await openCloudReader(
      { region: 'cn-beijing', assume_role: { assume_role_trn: TRN, ...changes } },
      {
        VOLCENGINE_CC_ENDPOINT: endpoint,
        VOLCENGINE_STS_ENDPOINT: endpoint,
        VOLCENGINE_ACCESS_KEY: 'AK',
        VOLCENGINE_SECRET_KEY: secret,
      },
    );
    onTestFinished(() => reader.close());
    return reader.list(VPC);
  };

  test('read the cloud with the keys of their session', async () => {
    const cloud = emptyCloud();
    const identifier = cloud.create(VPC, {});
    expect(await readAs(cloud)).toMatchObject([{ identifier }]);
  });

  test.each([
    ['another form of name', { assume_role_trn: 'trn:iam::role/x' }, 'InvalidRoleTrn'],
    ['a session that is too short', { duration_seconds: 60 }, 'InvalidDurationSeconds'],
  ])('are refused with %s', async (_, changes, code) => {
    await expect(readAs(emptyCloud(), changes)).rejects.toThrow(code);
  });

  test('are nobody without the token of their session', async () => {
    const call = await client(emptyCloud());
    const authorization = AUTHORIZATION.replace('=AK/', '=AKSANDBOXROLE/');
    const refused = await call('ListResources', { TypeName: VPC }, { authorization });
    expect(refused).toMatchObject({ status: 401, error: { Code: 'InvalidAccessKey' } });
  });
});

describe('what a web page on this machine could send', () => {
  async function statusOf(
    options: RequestOptions,
    body = JSON.stringify({ TypeName: VPC }),
  ): Promise<number | undefined> {
    const cloud = emptyCloud();
    cloud.create(VPC, {});
    const server = await startCloudServer(cloud, 'AK');
    onTestFinished(() => server.stop());
    const send = (more: RequestOptions) =>
      new Promise<number | undefined>((resolve, reject) => {
        const path = '/?Action=ListResources&Version=2025-06-01';
        const common = { host: '127.0.0.1', port: server.port, method: 'POST', path };
        request({ ...common, ...more }, (response) => {
          response.resume().once('end', () => resolve(response.statusCode));
        })
          .once('error', reject)
          .end(more.method === 'GET' ? '' : body);
      });
    const status = await send(options);
    // It keeps serving.
    expect(await send({ headers: JSON_TYPE })).toBe(200);
    return status;
  }

  test.each<[string, RequestOptions]>([
    ['a host name', { headers: { ...JSON_TYPE, host: 'rebound.example' } }],
    ['an origin', { headers: { ...JSON_TYPE, origin: 'https://page.example' } }],
    ['no origin that can be named', { headers: { ...JSON_TYPE, origin: 'null' } }],
    ['the content type of a form', { headers: { 'content-type': 'text/plain' } }],
    ['no content type', {}],
    ['a target that is no URL', { method: 'GET', path: '//' }],
  ])('is refused: %s', async (_, options) => {
    expect(await statusOf(options)).toBe(403);
  });
});

describe('names that every object inherits', () => {
  const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];

  test.each(inherited)('%s is no action, type, resource or task', async (name) => {
    const call = await client(emptyCloud());
    expect(await call(name, {})).toMatchObject({ status: 404, result: {} });
    expect(await call('ListResources', { TypeName: name })).toMatchObject({ status: 400 });
    expect(await call('GetResource', target(name))).toMatchObject({ status: 404, result: {} });
    expect(await call('GetTask', { TaskID: name })).toMatchObject({ status: 404, result: {} });
  });

  test.each(inherited)('%s is no reference either, also after a restart', async (name) => {
    const file = join(temporaryFolder(), 'cloud.json');
    emptyCloud({ file }).create(VPC, {});
    const cloud = emptyCloud({ file });
    expect(() => cloud.get(VPC, name)).toThrow(/not exist|NotFound/);
    expect(() => cloud.create(SUBNET, subnetInput(name))).toThrow('names nothing that exists');
  });
});
