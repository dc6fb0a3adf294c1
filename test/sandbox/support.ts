import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Cloud, type CloudOptions } from '../../src/sandbox/cloud/cloud.js';
import type { JsonObject } from '../../src/sandbox/json.js';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.js';
import { makeStateFolder, sandboxFiles } from '../../src/sandbox/state-folder.js';
import { PKCS8 } from '../support/application.js';

export const VPC = 'Volcengine::VPC::VPC';
export const SUBNET = 'Volcengine::VPC::Subnet';
export const GROUP = 'Volcengine::VPC::SecurityGroup';
export const INTERFACE = 'Volcengine::VPC::ENI';
export const ENDPOINT = 'Volcengine::PrivateLink::VpcEndpoint';
export const PREFIX_LIST = 'Volcengine::VPC::PrefixList';
export const BALANCER = 'Volcengine::CLB::CLB';
export const SERVERS = 'Volcengine::CLB::ServerGroup';
export const LISTENER = 'Volcengine::CLB::Listener';
export const ACL = 'Volcengine::CLB::ACL';
export const SERVICE = 'Volcengine::PrivateLink::EndpointService';
export const CONNECTION = 'Volcengine::PrivateLink::VpcEndpointConnection';
export const BOOK = 'Volcengine::FWCenter::AddressBook';
export const POLICY = 'Volcengine::FWCenter::ControlPolicy';
export const ZONE = 'Volcengine::PrivateZone::PrivateZone';
export const RECORD = 'Volcengine::PrivateZone::Record';
export const SERVICE_ACCOUNT = '2100000001';
export const SERVICE_ID = 'epsvc-sandbox';
export const SERVICE_NAME = 'com.volces.privatelink.cn-beijing.epsvc-sandbox';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A sandbox of its own for one test, without what Terraform needs. */
export async function sandboxForTest(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const stateFolder = options.stateFolder ?? temporaryFolder();
  giveKey(stateFolder);
  const sandbox = await startSandbox({ terraform: false, ...options, stateFolder });
  onTestFinished(() => sandbox.stop());
  return sandbox;
}

/** The key of the application, which a sandbox makes only where there is none. */
export function giveKey(stateFolder: string): void {
  const files = sandboxFiles(stateFolder);
  if (existsSync(files.privateKey)) return;
  makeStateFolder(files);
  writeFileSync(files.privateKey, PKCS8, { mode: 0o600 });
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
    ServiceId: SERVICE_ID,
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

/** An endpoint with an address in each of two zones: 10.20.1.1 and 10.20.2.1. */
export function buildTwoZones(cloud: Cloud): string {
  const network = buildNetwork(cloud);
  const place = { CidrBlock: '10.20.2.0/24', ZoneId: 'cn-beijing-b' };
  const second = cloud.create(SUBNET, subnetInput(network.vpc, place));
  const Zones = [
    { SubnetId: network.subnet, ZoneId: 'cn-beijing-a' },
    { SubnetId: second, ZoneId: 'cn-beijing-b' },
  ];
  return cloud.create(ENDPOINT, endpointInput(network, { Zones }));
}

/** The code of the error that a task ended with. */
export function failureOf(cloud: Cloud, taskId: string): string | undefined {
  return cloud.poll(taskId).error?.code;
}

export interface PluginNetwork extends Network {
  readonly balancer: string;
  readonly servers: string;
  readonly acl: string;
  readonly listener: string;
}

/** A private load balancer whose listener lets private links in and leads to one server. */
export function buildBalancer(cloud: Cloud, listenerFacts: JsonObject = {}): PluginNetwork {
  const behind = rule({ CidrIp: '100.64.0.0/10', PortStart: 8080, PortEnd: 8080 });
  const network = buildNetwork(cloud, [rule(), behind]);
  const balancer = cloud.create(BALANCER, { Type: 'private', SubnetId: network.subnet });
  const servers = cloud.create(SERVERS, {
    LoadBalancerId: balancer,
    Type: 'ip',
    Servers: [{ InstanceId: '10.20.1.10', Ip: '10.20.1.10', Type: 'ip', Port: 8080, Weight: 100 }],
  });
  const acl = cloud.create(ACL, { AclEntries: [{ Entry: '100.64.0.0/10' }] });
  const listener = cloud.create(LISTENER, {
    LoadBalancerId: balancer,
    Port: 80,
    Protocol: 'HTTP',
    ServerGroupId: servers,
    AclStatus: 'on',
    AclType: 'white',
    AclIds: [acl],
    ...listenerFacts,
  });
  return { ...network, balancer, servers, acl, listener };
}

/** An endpoint service before a load balancer, which permits the service's account. */
export function buildService(cloud: Cloud, balancer: string, facts: JsonObject = {}): string {
  return cloud.create(SERVICE, {
    Resources: [{ ResourceId: balancer }],
    PermitAccountIds: [SERVICE_ACCOUNT],
    ...facts,
  });
}

/** The outcome of a dial, without waiting for the kernel to give up on it. */
export function dial(port: number, patienceMs = 300): Promise<'connected' | 'refused' | 'silent'> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (outcome: 'connected' | 'refused' | 'silent') => {
      socket.destroy();
      resolve(outcome);
    };
    socket.once('connect', () => end('connected'));
    socket.once('error', () => end('refused'));
    // What has come while this process did not run is heard of first.
    socket.setTimeout(patienceMs, () => setImmediate(end, 'silent'));
  });
}
