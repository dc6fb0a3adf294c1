import { afterEach, describe, expect, it } from 'vitest';
import { vpcVpc } from '../../../../src/cloud/table/vpc.js';
import { CloudControlClient } from '../../../../src/sandbox/provider/cloud/cloud-control-client.js';
import { ResourceOperations } from '../../../../src/sandbox/provider/cloud/cloud-stand-in.js';
import { planChange } from '../../../../src/sandbox/provider/plan.js';
import { nullObject } from '../../../../src/sandbox/provider/value.js';
import { type Reply, startScriptedCloud } from './scripted-cloud.js';

type ScriptedCloud = Awaited<ReturnType<typeof startScriptedCloud>>;

const NOTHING = nullObject(vpcVpc.attributes);
const CONFIG = { ...NOTHING, vpc_name: 'a', enable_ipv_6: true };
const PLANNED = planChange(vpcVpc.attributes, {
  prior: null,
  proposed: CONFIG,
  config: CONFIG,
}).planned;
const STARTED: Reply = { result: { OperationStatus: 'PENDING', TaskID: 'task-1' } };
const RUNNING: Reply = { result: { OperationStatus: 'IN_PROGRESS', TaskID: 'task-1' } };
const SUCCEEDED: Reply = { result: { OperationStatus: 'SUCCESS', Identifier: 'vpc-1' } };
const GONE: Reply = {
  status: 404,
  error: { Code: 'NotFound', Message: 'vpc-1 (HandlerErrorCode: NotFound)' },
};

let cloud: ScriptedCloud;
let stopped: AbortController;

async function operations(script: Record<string, readonly Reply[]>) {
  cloud = await startScriptedCloud(script);
  stopped = new AbortController();
  const settings = { endpoint: cloud.endpoint, region: 'cn-beijing', accessKey: 'AK' };
  return new ResourceOperations(vpcVpc, new CloudControlClient(settings, stopped.signal));
}

afterEach(() => cloud.stop());

function described(properties: object): Reply {
  return { result: { ResourceDescription: { Properties: JSON.stringify(properties) } } };
}

function calls(action: string) {
  return cloud.received.filter((call) => call.action === action).map(({ body }) => body);
}

describe('a create', () => {
  it('polls its task to the end and fills in what the plan did not know', async () => {
    const vpcs = await operations({
      CreateResource: [STARTED],
      GetTask: [RUNNING, RUNNING, SUCCEEDED],
      GetResource: [described({ VpcName: 'changed', VpcId: 'vpc-1', Status: 'Available' })],
    });
    expect(await vpcs.create(PLANNED)).toEqual({
      state: {
        ...NOTHING,
        vpc_name: 'a',
        enable_ipv_6: true,
        id: 'vpc-1',
        vpc_id: 'vpc-1',
        status: 'Available',
      },
      diagnostics: [],
    });
    expect(calls('CreateResource')).toEqual([
      {
        TypeName: 'Volcengine::VPC::VPC',
        RegionID: 'cn-beijing',
        ClientToken: expect.stringMatching(/^[0-9a-f-]{36}$/),
        TargetState: { VpcName: 'a', EnableIpv6: true },
      },
    ]);
    expect(calls('GetTask')).toHaveLength(3);
  });

  it('tries again under the same token when it is throttled', async () => {
    const throttled = { error: { Code: 'Throttling', Message: 'slow down' } };
    const vpcs = await operations({
      CreateResource: [throttled, { status: 503 }, STARTED],
      GetTask: [SUCCEEDED],
      GetResource: [described({})],
    });
    expect((await vpcs.create(PLANNED)).diagnostics).toEqual([]);
    const tokens = calls('CreateResource').map(({ ClientToken }) => ClientToken);
    expect(tokens).toHaveLength(3);
    expect(new Set(tokens).size).toBe(1);
  });

  it("leaves nothing behind and tells the cloud's reason when it is refused", async () => {
    const vpcs = await operations({
      CreateResource: [{ error: { Code: 'QuotaExceeded', Message: 'too many' } }],
    });
    expect(await vpcs.create(PLANNED)).toEqual({
      state: null,
      diagnostics: [
        {
          severity: 'ERROR',
          summary: 'CreateResource failed for Volcengine::VPC::VPC',
          detail: 'QuotaExceeded: too many (status 200, request id request-1)',
        },
      ],
    });
    expect(cloud.received).toHaveLength(1);
  });

  it('leaves nothing behind where its failed task made nothing', async () => {
    const failure = { OperationStatus: 'FAILED', ErrorCode: 'Broken', StatusMessage: 'no luck' };
    const vpcs = await operations({ CreateResource: [STARTED], GetTask: [{ result: failure }] });
    const { state, diagnostics } = await vpcs.create(PLANNED);
    expect(state).toBeNull();
    expect(diagnostics[0]?.detail).toBe('Broken: no luck (task task-1)');
  });

  it('leaves nothing in the state where its failed task did make an object', async () => {
    const failure = { OperationStatus: 'FAILED', ErrorCode: 'Broken', Identifier: 'vpc-1' };
    const vpcs = await operations({ CreateResource: [STARTED], GetTask: [{ result: failure }] });
    expect(await vpcs.create(PLANNED)).toMatchObject({ state: null, diagnostics: [{}] });
  });

  it('records the object that cannot be read afterwards, with nothing left unknown', async () => {
    const vpcs = await operations({
      CreateResource: [STARTED],
      GetTask: [SUCCEEDED],
      GetResource: [{ error: { Code: 'Internal', Message: 'oops' } }],
    });
    const { state, diagnostics } = await vpcs.create(PLANNED);
    expect(state).toEqual({ ...CONFIG, id: 'vpc-1' });
    expect(diagnostics[0]?.detail).toContain('Internal: oops');
  });

  it('leaves nothing in the state when Terraform was interrupted', async () => {
    const seen = { OperationStatus: 'IN_PROGRESS', TaskID: 'task-1', Identifier: 'vpc-1' };
    const vpcs = await operations({
      CreateResource: [{ result: seen }],
      GetTask: [RUNNING],
    });
    const outcome = vpcs.create(PLANNED);
    stopped.abort();
    const { state, diagnostics } = await outcome;
    expect(state).toBeNull();
    expect(diagnostics[0]?.detail).toBe("The task's end was not seen: Terraform was interrupted.");
  });
});

describe('a read', () => {
  it('keeps what is write-only', async () => {
    const vpcs = await operations({ GetResource: [described({ VpcName: 'a' })] });
    const { state } = await vpcs.read({ ...CONFIG, id: 'vpc-1', description: 'old' });
    expect(state).toEqual({ ...CONFIG, id: 'vpc-1' });
  });

  it('keeps an object that is gone, with a warning', async () => {
    const vpcs = await operations({ GetResource: [GONE] });
    const state = { ...CONFIG, id: 'vpc-1' };
    const outcome = await vpcs.read(state);
    expect(outcome.state).toEqual(state);
    expect(outcome.diagnostics).toMatchObject([
      { severity: 'WARNING', summary: 'Resource Not Found During Refresh' },
    ]);
  });

  it('imports nothing as an empty object, with the same warning', async () => {
    const vpcs = await operations({ GetResource: [GONE] });
    expect(await vpcs.read(vpcs.import('vpc-1'))).toMatchObject({
      state: { ...NOTHING, id: 'vpc-1' },
      diagnostics: [{ severity: 'WARNING' }],
    });
  });
});

describe('a change that fails', () => {
  const prior = { ...CONFIG, id: 'vpc-1' };

  it('keeps the prior state at update', async () => {
    const vpcs = await operations({
      GetResource: [described({ VpcName: 'a' })],
      UpdateResource: [STARTED],
      GetTask: [{ result: { OperationStatus: 'FAILED', ErrorCode: 'Broken' } }],
    });
    const { state, diagnostics } = await vpcs.update(prior, { ...prior, vpc_name: 'b' });
    expect(state).toEqual(prior);
    expect(diagnostics).toHaveLength(1);
    expect(calls('UpdateResource')[0]?.PatchDocument).toEqual([
      { op: 'replace', path: '/VpcName', value: 'b' },
    ]);
  });

  it('keeps the prior state at delete', async () => {
    const vpcs = await operations({
      DeleteResource: [{ error: { Code: 'DependencyViolation', Message: 'in use' } }],
    });
    const { state, diagnostics } = await vpcs.delete(prior);
    expect(state).toEqual(prior);
    expect(diagnostics[0]?.detail).toContain('DependencyViolation: in use');
  });
});
