import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Cloud, type CloudOptions } from '../../src/sandbox/cloud/cloud.js';
import type { JsonObject } from '../../src/sandbox/json.js';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.js';

export const VPC = 'Volcengine::VPC::VPC';
export const SUBNET = 'Volcengine::VPC::Subnet';
export const GROUP = 'Volcengine::VPC::SecurityGroup';
export const ENDPOINT = 'Volcengine::PrivateLink::VpcEndpoint';
export const SERVICE_NAME = 'com.volces.privatelink.cn-beijing.epsvc-sandbox';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A sandbox of its own for one test, without what Terraform needs. */
export async function sandboxForTest(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const stateFolder = options.stateFolder ?? temporaryFolder();
  const sandbox = await startSandbox({ terraform: false, ...options, stateFolder });
  onTestFinished(() => sandbox.stop());
  return sandbox;
}

export function emptyCloud(options: Partial<CloudOptions> = {}): Cloud {
  return new Cloud({ taskPolls: 1, ...options });
}

export function rule(facts: JsonObject = {}): JsonObject {
  return {
    CidrIp: '10.20.0.0/16',
    Description: 'clients',
    Policy: 'accept',
    PortEnd: 443,
    PortStart: 443,
    Priority: 10,
    Protocol: 'tcp',
    ...facts,
  };
}

export interface Network {
  readonly vpc: string;
  readonly subnet: string;
  readonly group: string;
}

/** A VPC with a subnet in zone A and a group that lets the VPC in on 443. */
export function buildNetwork(cloud: Cloud, ingress: JsonObject[] = [rule()]): Network {
  const vpc = cloud.create(VPC, { CidrBlock: '10.20.0.0/16' });
  const subnet = cloud.create(SUBNET, subnetInput(vpc));
  const group = cloud.create(GROUP, { VpcId: vpc, IngressPermissions: ingress });
  return { vpc, subnet, group };
}

export function subnetInput(vpc: string, facts: JsonObject = {}): JsonObject {
  return { VpcId: vpc, CidrBlock: '10.20.1.0/24', ZoneId: 'cn-beijing-a', ...facts };
}

export function endpointInput(network: Network, facts: JsonObject = {}): JsonObject {
  return {
    ServiceName: SERVICE_NAME,
    VpcId: network.vpc,
    SecurityGroupIds: [network.group],
    Zones: [{ SubnetId: network.subnet, ZoneId: 'cn-beijing-a' }],
    ...facts,
  };
}

export function buildEndpoint(cloud: Cloud, ingress?: JsonObject[]): string {
  return cloud.create(ENDPOINT, endpointInput(buildNetwork(cloud, ingress)));
}

/** What becomes of a dial, without waiting for the kernel to give up on it. */
export function dial(port: number, patienceMs = 300): Promise<'connected' | 'refused' | 'silent'> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (outcome: 'connected' | 'refused' | 'silent') => {
      socket.destroy();
      resolve(outcome);
    };
    socket.once('connect', () => end('connected'));
    socket.once('error', () => end('refused'));
    socket.setTimeout(patienceMs, () => end('silent'));
  });
}
