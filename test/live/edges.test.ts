import { expect, test } from 'vitest';
import { CloudControlError } from '../../src/cloud-control/transport.js';
import type { OpenCloud } from '../../src/live/read-outward.js';
import { findDrift } from '../../src/review/found/drift.js';
import {
  buildNetwork,
  ENDPOINT,
  emptyCloud,
  endpointInput,
  GROUP,
  INTERFACE,
  rule,
} from '../sandbox/support.js';
import { DeployedCloud } from './deployed-cloud.js';

function deployed() {
  const cloud = emptyCloud();
  const network = buildNetwork(cloud, [rule({ CidrIp: '10.20.0.0/16' })]);
  const endpoint = cloud.create(ENDPOINT, endpointInput(network));
  return { cloud, network, endpoint, deployment: new DeployedCloud(cloud) };
}

const told = (live: Awaited<ReturnType<DeployedCloud['live']>>) =>
  findDrift(live).map(({ what }) => what);

test('an object that is gone is named, and its place is not closed without a word', async () => {
  const { cloud, endpoint, deployment } = deployed();
  cloud.startDelete(ENDPOINT, endpoint, 'gone');
  const live = await deployment.live();
  const clause = `${endpoint} is in the state and no longer in the cloud`;
  expect(live.gone.map((one) => one.clause)).toEqual([clause]);
  expect(live.unread).toContainEqual(expect.stringContaining(clause));
  expect(told(live)).toContainEqual(expect.stringContaining(clause));
});

/** The cloud with a fault in some of its calls. */
async function faulty(
  deployment: DeployedCloud,
  fault: (call: 'get' | 'list', type: string, page: number) => CloudControlError | undefined,
  maxReads?: number,
) {
  const { reader } = deployment;
  const broken: OpenCloud = {
    get: async (type, id) => {
      const error = fault('get', type, 0);
      if (error) throw error;
      return await reader.get(type, id);
    },
    async *pages(type) {
      let page = 0;
      for await (const all of reader.pages(type)) {
        for (const one of all) {
          const error = fault('list', type, page);
          if (error) throw error;
          page += 1;
          yield [one];
        }
      }
    },
  };
  return await deployment.live([], { cloud: broken, ...(maxReads && { maxReads }) });
}

const refusal = (code: string) => new CloudControlError(code, 'not now', 429, 'r');

test('a type that the cloud refuses is named once for all its objects, and needs approval', async () => {
  const { cloud, network, deployment } = deployed();
  for (const address of ['10.20.1.30', '10.20.1.31']) {
    cloud.create(INTERFACE, {
      ...{ SubnetId: network.subnet, PrimaryIpAddress: { PrivateIpAddress: address } },
      SecurityGroupIds: [network.group],
    });
  }
  const denied = await faulty(deployment, (call, type) =>
    call === 'list' && type === INTERFACE ? refusal('AccessDenied') : undefined,
  );
  expect(denied.missed).toEqual(['the list of network interfaces: AccessDenied: not now']);
  expect(told(denied)).toEqual([expect.stringContaining('not read, so that it is not known')]);
});

test('a list that is throttled on its second page keeps the first, and says that it ends there', async () => {
  const { cloud, network, deployment } = deployed();
  const theirs = cloud.create(GROUP, {
    VpcId: network.vpc,
    IngressPermissions: [rule({ CidrIp: '203.0.113.0/24' })],
  });
  for (const address of ['10.20.1.30', '10.20.1.31']) {
    cloud.create(INTERFACE, {
      ...{ SubnetId: network.subnet, PrimaryIpAddress: { PrivateIpAddress: address } },
      SecurityGroupIds: [network.group, theirs],
    });
  }
  const live = await faulty(deployment, (call, type, page) =>
    call === 'list' && type === INTERFACE && page === 1 ? refusal('Throttling') : undefined,
  );
  expect(live.missed).toEqual(['the list of network interfaces: Throttling: not now']);
  expect(told(live)).toEqual([
    expect.stringContaining('203.0.113.0/24 can reach'),
    expect.stringContaining('not read, so that it is not known'),
  ]);
});

test('what there were no reads left for is named, and decides nothing', async () => {
  const { deployment } = deployed();
  for (let maxReads = 1; maxReads < 12; maxReads += 1) {
    const live = await faulty(deployment, () => undefined, maxReads);
    const isWhole = live.missed.length === 0;
    const sure = told(live).filter((one) => / can (no longer )?reach /.test(one));
    expect(isWhole || live.missed[0]?.includes(`the ${maxReads} reads of --max-reads`)).toBe(true);
    expect(sure, `${maxReads} reads`).toEqual([]);
  }
});
