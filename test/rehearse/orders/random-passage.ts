import type { Passage } from '../../../src/rehearse/timeline/account.js';
import { Recorder, type Step, withoutTasks } from '../../../src/rehearse/timeline/recorder.js';
import { Cloud } from '../../../src/sandbox/cloud/cloud.js';
import type { JsonObject } from '../../../src/sandbox/json.js';
import { connectPlugin } from '../../../src/sandbox/plugin/connections.js';
import { SANDBOX_SERVICE } from '../../../src/sandbox/surroundings.js';
import { Random } from '../../reach/differential/random.js';
import {
  ACL,
  BALANCER,
  buildService,
  CONNECTION,
  ENDPOINT,
  endpointInput,
  GROUP,
  LISTENER,
  POLICY,
  PREFIX_LIST,
  RECORD,
  rule,
  SERVERS,
  SUBNET,
  subnetInput,
  VPC,
  ZONE,
} from '../../sandbox/support.js';

/** The peers and ports of all rules; every packet fares like one of their samples. */
export const PEERS = ['10.20.1.9', '10.20.7.7', '10.30.1.1', '100.64.1.1', '198.51.100.7'];
export const PORTS = [80, 81, 443, 8080, 8081, 8443];
const NETWORKS = ['10.20.0.0/16', '10.20.1.0/24', '10.30.0.0/16', '100.64.0.0/10', '0.0.0.0/0'];

/** A small cloud, and up to so many changes of it in a random order that has random waits. */
export function randomPassage(seed: number, most = 7): Passage {
  const random = new Random(seed);
  const recorder: Recorder = new Recorder(() => cloud.state);
  const cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const pick = <T>(all: readonly T[]): T => all[random.below(all.length)] as T;
  const some = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
  const chance = (percent: number) => random.below(100) < percent;

  const vpc = cloud.create(VPC, { CidrBlock: '10.20.0.0/16' });
  const subnet = cloud.create(SUBNET, subnetInput(vpc));
  const entries = () => [...new Set(some(1 + random.below(2), () => pick(NETWORKS)))];
  const list = () => ({ PrefixListEntries: entries().map((Cidr) => ({ Cidr })) });
  const lists = some(2, () => cloud.create(PREFIX_LIST, { MaxEntries: 4, ...list() }));
  const rules = () =>
    some(1 + random.below(3), (): JsonObject => {
      const first = pick(PORTS);
      const { CidrIp: _, ...own } = rule({
        PortStart: first,
        PortEnd: chance(30) ? Math.max(first, pick(PORTS)) : first,
        Priority: pick([1, 10, 50]),
        Policy: chance(75) ? 'accept' : 'drop',
        Description: String(random.below(1e9)),
      });
      return chance(40)
        ? { ...own, PrefixListId: pick(lists) }
        : { ...own, CidrIp: pick(NETWORKS) };
    });
  const permissions = () => ({
    IngressPermissions: rules(),
    ...(chance(40) && { EgressPermissions: rules() }),
  });
  const groups = some(3, () => cloud.create(GROUP, { VpcId: vpc, ...permissions() }));
  const carried = () => [...new Set(some(1 + random.below(2), () => pick(groups)))];
  const network = { vpc, subnet, group: groups[0] ?? '' };
  const ends = some(2, () =>
    cloud.create(ENDPOINT, endpointInput(network, { SecurityGroupIds: carried() })),
  );
  const addresses = ends.flatMap((id) =>
    (cloud.get(ENDPOINT, id).Zones as JsonObject[]).map((zone) => String(zone.PrivateIpAddress)),
  );
  const zone = cloud.create(ZONE, {
    ZoneName: 'api.sandbox.example',
    Vpcs: [{ Region: 'cn-beijing', VpcId: vpc }],
  });
  const record = () => ({ ZID: Number(zone), Host: '@', Type: 'A', TTL: 60 });
  const records = addresses
    .slice(0, 1 + random.below(2))
    .map((Value) => cloud.create(RECORD, { ...record(), Value }));

  const balancer = cloud.create(BALANCER, { Type: 'private', SubnetId: subnet });
  const backends = () =>
    [...new Set(some(1 + random.below(2), () => pick([8080, 8081])))].map((Port) => ({
      ...{ InstanceId: '10.20.1.10', Ip: '10.20.1.10', Type: 'ip', Port },
      Weight: chance(80) ? 100 : 0,
    }));
  const servers = some(2, () =>
    cloud.create(SERVERS, { LoadBalancerId: balancer, Type: 'ip', Servers: backends() }),
  );
  const acl = cloud.create(ACL, { AclEntries: [{ Entry: '100.64.0.0/10' }] });
  const listener = cloud.create(LISTENER, {
    ...{ LoadBalancerId: balancer, Port: 80, Protocol: 'HTTP', ServerGroupId: pick(servers) },
    ...{ AclStatus: 'on', AclType: 'white', AclIds: [acl] },
  });
  const behind = cloud.create(GROUP, {
    VpcId: vpc,
    IngressPermissions: [rule({ CidrIp: '100.64.0.0/10', PortStart: 8080, PortEnd: 8080 })],
  });
  const service = { ...SANDBOX_SERVICE, backendGroups: new Map([[balancer, behind]]) };
  const world = () => ({ cloud: cloud.state, faults: new Set<never>(), service });
  const serviceId = buildService(cloud, balancer);
  const { endpointId: EndpointId } = connectPlugin(cloud, world, serviceId);
  cloud.startCreate(CONNECTION, { ServiceId: serviceId, EndpointId }, 'accept');
  const policy = (): JsonObject => ({
    Direction: pick(['in', 'in', 'out']),
    Action: pick(['accept', 'deny', 'deny']),
    ...{ Source: pick(NETWORKS), SourceType: 'net' },
    ...{
      Destination: pick(['10.20.1.0/24', '203.0.113.0/24', '0.0.0.0/0']),
      DestinationType: 'net',
    },
    ...(chance(50)
      ? { Proto: 'TCP', DestPort: String(pick(PORTS)), DestPortType: 'port' }
      : { Proto: 'ANY' }),
    Prio: 1 + random.below(4),
    Status: true,
  });
  const policies = some(random.below(4), () => cloud.create(POLICY, policy()));

  const update = (type: string, id: string, facts: () => JsonObject) => () => {
    const patch = Object.entries(facts()).map(([name, value]) => ({
      ...{ op: 'add', path: `/${name}`, value },
    }));
    cloud.startUpdate(type, id, patch, '');
  };
  const before = withoutTasks(cloud.state);
  const links = new Map([
    [
      'api',
      {
        rulesDigest: '',
        links: [
          'https://api.sandbox.example',
          `https://${cloud.get(ENDPOINT, ends[0] ?? '').EndpointDomain}`,
        ].map((baseUrl, i) => ({
          ...{ name: `link-${i}`, via: 'service-endpoint' as const, baseUrl },
          ...{ apiHost: 'api.sandbox.example', expectedAddresses: [], expectedNetworks: [] },
        })),
        plugins: [{ name: 'orders', serviceId, networks: [], servers: [] }],
      },
    ],
  ]);
  const work = [
    ...lists.map((id) => update(PREFIX_LIST, id, list)),
    ...groups.map((id) => update(GROUP, id, permissions)),
    ...ends.map((id) => update(ENDPOINT, id, () => ({ SecurityGroupIds: carried() }))),
    ...servers.map((id) => update(SERVERS, id, () => ({ Servers: backends() }))),
    update(LISTENER, listener, () => ({
      ServerGroupId: pick(servers),
      Enabled: pick(['on', 'off']),
    })),
    update(GROUP, behind, () => ({
      IngressPermissions: [8080, 8081]
        .filter(() => chance(60))
        .map((port) =>
          rule({
            CidrIp: pick(['100.64.0.0/10', '100.64.0.0/11']),
            PortStart: port,
            PortEnd: port,
          }),
        ),
    })),
    ...policies.map((id) => update(POLICY, id, policy)),
    ...policies.map((id) => () => void cloud.startDelete(POLICY, id, '')),
    () => void cloud.startCreate(POLICY, policy(), String(random.below(1e9))),
    () => void cloud.startCreate(POLICY, policy(), String(random.below(1e9))),
    ...records.map((id) => update(RECORD, id, () => ({ Value: pick(addresses) }))),
    ...records.map((id) => () => void cloud.startDelete(RECORD, id, '')),
    () => void cloud.startCreate(RECORD, { ...record(), Value: pick(addresses) }, 'new'),
  ];
  const steps: Step[] = [];
  while (steps.length < most && work.length > 0) {
    const [next] = work.splice(random.below(work.length), 1);
    recorder.take();
    try {
      next?.();
    } catch {
      continue;
    }
    const [step] = recorder.take();
    if (step !== undefined && step.error === undefined) steps.push(step);
  }
  const named = steps.map((step) => ({ ...step, stack: 'api' }));
  const waits = steps.map((_, i) => [...steps.keys()].filter((k) => k < i && chance(15)));
  return {
    ...{ before, steps: named, links: { before: links, after: links } },
    ...{ ...graphOf(steps, waits), trees: [], service },
  };
}

/** Terraform's graph of a plan that does these steps, each after those that it waits for. */
export function graphOf(
  steps: readonly Pick<Step, 'operation' | 'identifier'>[],
  waits: readonly (readonly number[])[] = [],
) {
  const addresses = new Map(steps.map(({ identifier = '' }) => [identifier, `x.n${identifier}`]));
  const nodes = steps.map(
    ({ operation, identifier = '' }) =>
      `"[root] ${addresses.get(identifier)}${operation === 'DELETE' ? ' (destroy)' : ''}"`,
  );
  const lines = nodes.flatMap((node, i) => [
    `${node} [label = "${i}", shape = "box"]`,
    ...(waits[i] ?? []).map((other) => `${node} -> ${nodes[other]}`),
  ]);
  const dot = `digraph {\n\tsubgraph "root" {\n${lines.join('\n')}\n\t}\n}\n`;
  return { addresses, graphs: new Map([['api', dot]]) };
}
