import { describe, expect, test } from 'vitest';
import type { ConnectivityError } from '../../src/codes/connectivity-error.js';
import type { Links } from '../../src/link/link.js';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { makeFindings } from '../../src/rehearse/report/findings.js';
import { summarize } from '../../src/rehearse/report/headline.js';
import type { Passage } from '../../src/rehearse/timeline/account.js';
import { Recorder, withoutTasks } from '../../src/rehearse/timeline/recorder.js';
import { makeAccount } from '../../src/rehearse/timeline/timeline.js';
import { Cloud } from '../../src/sandbox/cloud/cloud.js';
import { connectPlugin, pluginRoute } from '../../src/sandbox/plugin/connections.js';
import { SANDBOX_SERVICE } from '../../src/sandbox/surroundings.js';
import {
  BALANCER,
  buildBalancer,
  buildNetwork,
  buildService,
  CONNECTION,
  ENDPOINT,
  endpointInput,
  GROUP,
  LISTENER,
  type Network,
  PREFIX_LIST,
  rule,
  SERVERS,
} from '../sandbox/support.js';
import { recordedPassage } from './passage.js';
import { NOTHING_UNDERSTOOD } from './understood.js';

const recorder: Recorder = new Recorder(() => cloud.state);
let cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });

function linksTo(id: string): Links {
  const domain = String(cloud.get(ENDPOINT, id).EndpointDomain);
  const link = {
    name: 'api',
    via: 'service-endpoint' as const,
    baseUrl: `https://${domain}`,
    apiHost: 'api.sandbox.example',
    expectedAddresses: [],
    expectedNetworks: [],
  };
  return { rulesDigest: '', links: [link] };
}

interface Course {
  /** Deploys what is there before. */
  readonly before: (network: Network) => string;
  /** Makes the change, and answers the endpoint after it. */
  readonly change: (id: string, network: Network) => string;
  readonly trees?: Passage['trees'];
  /** Terraform's addresses of more resources, by identifiers. */
  readonly named?: () => readonly (readonly [id: string, address: string])[];
}

/** The outcome of a change of the cloud. */
function report({ before, change, trees = [], named = () => [] }: Course) {
  cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const network = buildNetwork(cloud);
  const id = before(network);
  const links = linksTo(id);
  recorder.take();
  const state = withoutTasks(cloud.state);
  const now = change(id, network);
  const passage = recordedPassage(recorder, state, {
    links: {
      before: new Map([['api', links]]),
      after: new Map([['api', linksTo(now)]]),
    },
    addresses: new Map([
      [id, 'volcenginecc_privatelink_vpc_endpoint.api'],
      [now, 'volcenginecc_privatelink_vpc_endpoint.api'],
      [network.group, 'volcenginecc_vpc_security_group.callers'],
      ...named(),
    ]),
    trees,
  });
  const account = makeAccount(passage);
  return { account, findings: makeFindings(account, []) };
}

const patch = (path: string, value: never) => [{ op: 'replace', path, value }];

function create(network: Network): string {
  return cloud.create(ENDPOINT, endpointInput(network));
}

function replaceEndpoint(id: string, network: Network): string {
  cloud.startDelete(ENDPOINT, id, 'a');
  cloud.startCreate(ENDPOINT, endpointInput(network), 'b');
  return cloud.list(ENDPOINT)[0]?.identifier ?? '';
}

describe('an endpoint that is replaced', () => {
  test('cuts its link for good, for its domain is another one', () => {
    const { account, findings } = report({ before: create, change: replaceEndpoint });
    expect(account.steps.map(({ text }) => text)).toEqual([
      'endpoint deleted to be replaced',
      'endpoint created in place of another',
    ]);
    expect(account.steps[0]?.effects).toContainEqual({
      kind: 'down',
      text: 'api: old base URL stops here (its name is gone; lost for good: the change removes it), new base URL works from step 2',
    });
    expect(findings.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'cut: api: old base URL stops at step 1 (its name is gone; lost for good: the change removes it), new base URL works from step 2',
      expect.stringMatching(/^client-change: api has a new base URL: clients must call https/),
    ]);
  });

  test('says where the new domain lets nobody in', () => {
    const { findings } = report({
      before: create,
      change: (id, network) => {
        const closed = patch('/IngressPermissions', [] as never);
        cloud.startUpdate(GROUP, network.group, closed, 'close');
        return replaceEndpoint(id, network);
      },
    });
    expect(findings.map(({ text }) => text)).toContain(
      'api: old base URL stops at step 1 (packets are dropped; lost for good: the change removes it), new base URL does not work for every client in the end',
    );
  });

  test('cuts nothing but the domain where the new one comes first', () => {
    const { account } = report({
      before: create,
      change: (id, network) => {
        cloud.startCreate(ENDPOINT, endpointInput(network), 'b');
        cloud.startDelete(ENDPOINT, id, 'a');
        return cloud.list(ENDPOINT)[0]?.identifier ?? '';
      },
    });
    const [lane] = account.lanes;
    expect(lane?.states).toEqual(['open', 'open', 'no-name']);
  });
});

test('a link that is closed and opened again is cut until the step that opens it', () => {
  const { account, findings } = report({
    before: create,
    change: (id, { group }) => {
      const closed = patch('/IngressPermissions', [rule({ PortStart: 80, PortEnd: 80 })] as never);
      cloud.startUpdate(GROUP, group, closed, 'a');
      const named = [{ op: 'add', path: '/Description', value: 'callers' }];
      cloud.startUpdate(GROUP, group, named, 'b');
      cloud.startUpdate(GROUP, group, patch('/IngressPermissions', [rule()] as never), 'c');
      return id;
    },
  });
  expect(account.lanes[0]?.states[1]).toBe('dropped');
  expect(findings[0]).toMatchObject({ kind: 'cut', from: 1, until: account.steps.length });
  expect(findings.map(({ kind }) => kind)).toEqual(['cut', 'transient-opening']);
  expect(account.steps.at(-1)?.effects).toContainEqual({ kind: 'up', text: 'api is open again' });
});

describe('a rule over a prefix list', () => {
  const over = (list: string, port: number) => {
    const { CidrIp: _, ...listed } = rule({ PrefixListId: list, PortStart: port, PortEnd: port });
    return listed;
  };
  const entries = (cidr: string) => patch('/PrefixListEntries', [{ Cidr: cidr }] as never);
  const makeList = (cidr: string) =>
    cloud.create(PREFIX_LIST, { MaxEntries: 2, PrefixListEntries: [{ Cidr: cidr }] });

  test('opens during the deploy where the list is changed before the port', () => {
    let list = '';
    const { findings } = report({
      before: (network) => {
        list = makeList('10.1.0.0/16');
        const group = cloud.create(GROUP, {
          VpcId: network.vpc,
          IngressPermissions: [over(list, 443)],
        });
        return cloud.create(ENDPOINT, endpointInput({ ...network, group }));
      },
      change: (id) => {
        const [group = ''] = cloud.get(ENDPOINT, id).SecurityGroupIds as string[];
        cloud.startUpdate(PREFIX_LIST, list, entries('10.2.0.0/16'), 'a');
        cloud.startUpdate(
          GROUP,
          group,
          patch('/IngressPermissions', [over(list, 8443)] as never),
          'b',
        );
        return id;
      },
    });
    const opening = findings.find(({ kind }) => kind === 'transient-opening');
    expect(opening).toMatchObject({ from: 1, until: 2 });
    expect(opening?.text).toMatch(
      /^10\.2\.0\.0\/16 can reach .*:443 from step 1 to 2, neither before nor after$/,
    );
    expect(opening?.remedy).toMatch(/depends_on/);
  });

  const LIST = 'volcenginecc_vpc_prefix_list.callers';
  test('says what it loses, and not that others may lose it too who refer to the list', () => {
    let list = '';
    const output = { list: { value: `\${${LIST}.prefix_list_id}` } };
    const terraform = readTerraform({ output });
    const { findings } = report({
      trees: [[{ name: 'api', folder: '', terraform, understood: NOTHING_UNDERSTOOD }]],
      named: () => [[list, LIST]],
      before: (network) => {
        list = makeList('10.1.0.0/16');
        cloud.create(GROUP, { VpcId: network.vpc, IngressPermissions: [over(list, 8443)] });
        return create(network);
      },
      change: (id) => {
        cloud.startUpdate(PREFIX_LIST, list, entries('10.2.0.0/16'), 'a');
        return id;
      },
    });
    expect(findings.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      expect.stringMatching(/^cut: 10\.1\.0\.0\/16 can no longer reach \S+:8443 from step 1 on \(/),
    ]);
  });
});

test('a client whose network is no longer allowed is cut, and others are not', () => {
  const { findings } = report({
    before: ({ vpc, subnet }) => {
      const IngressPermissions = [rule(), rule({ CidrIp: '10.31.0.0/16' })];
      const group = cloud.create(GROUP, { VpcId: vpc, IngressPermissions });
      return cloud.create(ENDPOINT, endpointInput({ vpc, subnet, group }));
    },
    change: (id) => {
      const [group = ''] = cloud.get(ENDPOINT, id).SecurityGroupIds as string[];
      cloud.startUpdate(GROUP, group, patch('/IngressPermissions', [rule()] as never), 'a');
      return id;
    },
  });
  expect(findings.map(({ text }) => text)).toEqual([
    'api is partly cut off at step 1 for clients in 10.31.0.0/16 (packets are dropped; lost for good: the change removes it)',
    '10.31.0.0/16 can no longer reach volcenginecc_privatelink_vpc_endpoint.api:443 from step 1 on (lost for good: the change removes it)',
  ]);
});

test('each step names the clients that it cuts off, however many there are', () => {
  const from = (networks: readonly string[]) => networks.map((CidrIp) => rule({ CidrIp })) as never;
  const many = Array.from({ length: 21 }, (_, i) => `10.31.${2 * i}.0/24`);
  const { account, findings } = report({
    before: ({ vpc, subnet }) => {
      const group = cloud.create(GROUP, { VpcId: vpc, IngressPermissions: from(many) });
      return cloud.create(ENDPOINT, endpointInput({ vpc, subnet, group }));
    },
    change: (id) => {
      const [group = ''] = cloud.get(ENDPOINT, id).SecurityGroupIds as string[];
      cloud.startUpdate(GROUP, group, patch('/IngressPermissions', from(many.slice(0, 20))), 'a');
      cloud.startUpdate(GROUP, group, patch('/IngressPermissions', from(many.slice(1, 20))), 'b');
      return id;
    },
  });
  const ofLink = findings.filter(({ what }) => what === 'api').map(({ text }) => text);
  expect(ofLink).toEqual([
    'api is partly cut off at step 1 for clients in 10.31.40.0/24, at step 2 for clients in 10.31.0.0/24 (packets are dropped; lost for good: the change removes it)',
  ]);
  expect(account.lanes[0]?.states).toEqual(['open', 'partly', 'partly']);
});

test.each([
  { ttl: 'as it was', steps: 0, seconds: 60 },
  { ttl: 'shortened by the step before', steps: 1, seconds: 600 },
])('an address that resolvers may still give is told of once it no longer answers, its TTL $ttl', ({
  steps,
  seconds,
}) => {
  const ZONE = 'Volcengine::PrivateZone::PrivateZone';
  const RECORD = 'Volcengine::PrivateZone::Record';
  const addressesOf = (id: string) =>
    (cloud.get(ENDPOINT, id).Zones as { PrivateIpAddress: string }[]).map(
      (zone) => zone.PrivateIpAddress,
    );
  cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const network = buildNetwork(cloud);
  const [old, next] = [create(network), create(network)];
  const zone = cloud.create(ZONE, {
    ZoneName: 'api.sandbox.example',
    Vpcs: [{ Region: 'cn-beijing', VpcId: network.vpc }],
  });
  const enter = (id: string) =>
    cloud.create(RECORD, {
      ZID: Number(zone),
      Host: '@',
      Type: 'A',
      TTL: seconds,
      Value: addressesOf(id)[0] ?? '',
    });
  const record = enter(old);
  const gone = addressesOf(old)[0];
  const link = { ...linksTo(old).links[0], baseUrl: 'https://api.sandbox.example' };
  const links = new Map([['api', { rulesDigest: '', links: [link] } as Links]]);
  recorder.take();
  const before = withoutTasks(cloud.state);
  if (steps > 0) cloud.startUpdate(RECORD, record, patch('/TTL', 60 as never), 't');
  cloud.startUpdate(RECORD, record, patch('/Value', (addressesOf(next)[0] ?? '') as never), 'a');
  cloud.startDelete(ENDPOINT, old, 'b');
  const account = makeAccount(
    recordedPassage(recorder, before, {
      links: { before: links, after: links },
    }),
  );
  expect(new Set(account.lanes[0]?.states)).toEqual(new Set(['open']));
  expect(makeFindings(account, []).map(({ text }) => text)).toContain(
    `api is partly cut off from step ${steps + 2} on, up to ${seconds} s after step ${steps + 1}: resolvers may still give ${gone}, which no longer answers`,
  );
});

test('a plugin whose listener moves to another port is cut for good, for calls go to a port', () => {
  cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const { balancer, servers, listener } = buildBalancer(cloud);
  const serviceId = buildService(cloud, balancer);
  const world = () => ({ cloud: cloud.state, faults: new Set<never>(), service: SANDBOX_SERVICE });
  const { endpointId: EndpointId } = connectPlugin(cloud, world, serviceId);
  cloud.startCreate(CONNECTION, { ServiceId: serviceId, EndpointId }, 'accept');
  const plugin = { name: 'orders', serviceId, networks: [], servers: [] };
  const links = new Map([['plugin', { rulesDigest: '', links: [], plugins: [plugin] }]]);
  recorder.take();
  const before = withoutTasks(cloud.state);
  const moved = { LoadBalancerId: balancer, ServerGroupId: servers, Protocol: 'HTTP', Port: 81 };
  cloud.startCreate(LISTENER, moved, 'a');
  cloud.startDelete(LISTENER, listener, 'b');
  const passage = recordedPassage(recorder, before, {
    stack: 'plugin',
    links: { before: links, after: links },
  });
  const account = makeAccount(passage);
  expect(account.lanes[0]?.states).toEqual(['open', 'open', 'no-listener']);
  expect(makeFindings(account, []).map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    'cut: orders stops at step 2 (nothing listens at its port; lost for good: the change removes it)',
    'client-change: orders listens on port 81 instead of 80: the plugin must be called there',
  ]);
});

test.each([
  { first: 'servers', port: 8081 },
  { first: 'group', port: 8080 },
])("calls fail in between where the $first of a backend's port change first", ({ first, port }) => {
  cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const { group, servers } = buildBalancer(cloud);
  const letIn = (at: number) => [rule({ CidrIp: '100.64.0.0/10', PortStart: at, PortEnd: at })];
  const server = {
    InstanceId: '10.20.1.10',
    Ip: '10.20.1.10',
    Type: 'ip',
    Port: 8081,
    Weight: 100,
  };
  recorder.take();
  const before = withoutTasks(cloud.state);
  const changes = {
    servers: () => cloud.startUpdate(SERVERS, servers, patch('/Servers', [server] as never), 's'),
    group: () =>
      cloud.startUpdate(GROUP, group, patch('/IngressPermissions', letIn(8081) as never), 'g'),
  };
  changes[first === 'servers' ? 'servers' : 'group']();
  changes[first === 'servers' ? 'group' : 'servers']();
  const account = makeAccount(
    recordedPassage(recorder, before, {
      stack: 'plugins',
      addresses: new Map([
        [servers, 'servers'],
        [group, 'guard'],
      ]),
    }),
  );
  const fail = makeFindings(account, []).filter(({ text }) => text.startsWith('calls'));
  expect(fail).toMatchObject([
    {
      kind: 'cut',
      from: 1,
      until: 2,
      text: `calls that servers gets fail, interrupted from step 1 to 2: guard does not let 100.64.0.0/10 in to 10.20.1.10:${port}`,
    },
  ]);
});

test('an unattached group that is replaced cuts no link, and is told as replaced', () => {
  cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const { vpc } = buildNetwork(cloud);
  const input = { VpcId: vpc, IngressPermissions: [rule()] };
  const old = cloud.create(GROUP, input);
  recorder.take();
  const before = withoutTasks(cloud.state);
  cloud.startCreate(GROUP, input, 'a');
  const next = cloud.list(GROUP).at(-1)?.identifier ?? '';
  cloud.startDelete(GROUP, old, 'b');
  const address = 'volcenginecc_vpc_security_group.backend';
  const account = makeAccount(
    recordedPassage(recorder, before, {
      stack: 'plugins',
      addresses: new Map([old, next].map((id) => [id, address])),
    }),
  );
  expect(makeFindings(account, [])).toEqual([]);
  expect(account.replaced).toEqual([{ stack: 'plugins', resource: address }]);
});

test('a stack that is not in the head keeps its links', () => {
  cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const id = create(buildNetwork(cloud));
  recorder.take();
  const plugins = [{ name: 'orders', serviceId: 'epsvc-1a2b', networks: [], servers: [] }];
  const account = makeAccount({
    before: withoutTasks(cloud.state),
    steps: [],
    links: { before: new Map([['api', { ...linksTo(id), plugins }]]), after: new Map() },
    addresses: new Map(),
    trees: [],
    service: SANDBOX_SERVICE,
  });
  expect(makeFindings(account, [])).toEqual([]);
});

describe('of two groups for the same calls', () => {
  const OUT = ['36.110.186.29/32', '36.110.186.35/32'];
  const out = (...cidrs: readonly string[]) => cidrs.map((CidrIp) => rule({ CidrIp }));
  const stated = OUT.map((cidr) => ({
    ...{ via: 'fixed-ip-egress', direction: 'egress' as const, subject: 'workloads' },
    ...{ peer: { kind: 'cidr', cidr }, protocol: 'tcp', ports: { first: 443, last: 443 } },
    reason: 'calls',
    carriers: ['first', 'second'].map((name) => `volcenginecc_vpc_security_group.${name}`),
  }));
  const change = (then: (first: string) => void) => {
    cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
    const { vpc } = buildNetwork(cloud);
    const [first = '', second = ''] = [1, 2].map(() =>
      cloud.create(GROUP, { VpcId: vpc, EgressPermissions: out(...OUT) }),
    );
    recorder.take();
    const before = withoutTasks(cloud.state);
    then(first);
    const access = { schema: '', stack: 'api', digest: '', rules: stated };
    const terraform = readTerraform({});
    const account = makeAccount(
      recordedPassage(recorder, before, {
        addresses: new Map([
          [first, 'volcenginecc_vpc_security_group.first'],
          [second, 'volcenginecc_vpc_security_group.second'],
        ]),
        trees: [[{ name: 'api', folder: '', terraform, access, understood: NOTHING_UNDERSTOOD }]],
      }),
    );
    return makeFindings(account, []).map(({ kind, text }) => `${kind}: ${text}`);
  };

  test('what one loses is told, for who has it alone', () => {
    const found = change((first) => {
      const left = out(OUT[0] ?? '') as never;
      cloud.startUpdate(GROUP, first, patch('/EgressPermissions', left), 'a');
    });
    expect(found).toEqual([
      'cut: workloads can no longer reach 36.110.186.35:443 through volcenginecc_vpc_security_group.first from step 1 on (in doubt: perhaps lost for good)',
    ]);
  });

  test('what goes with one is told, for who has it alone', () => {
    expect(change((first) => cloud.startDelete(GROUP, first, 'a'))).toEqual([
      'cut: workloads can no longer reach 36.110.186.29, 36.110.186.35:443 through volcenginecc_vpc_security_group.first from step 1 on (lost for good: the change removes it)',
    ]);
  });
});

test('of two plugins in one VPC on one port, each has the group that outputs name', () => {
  cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const first = buildBalancer(cloud);
  const behind = rule({ CidrIp: '100.64.0.0/10', PortStart: 8080, PortEnd: 8080 });
  const balancer = cloud.create(BALANCER, { Type: 'private', SubnetId: first.subnet });
  const second = {
    balancer,
    group: cloud.create(GROUP, { VpcId: first.vpc, IngressPermissions: [behind] }),
    servers: cloud.create(SERVERS, { LoadBalancerId: balancer, Type: 'ip', Servers: [] }),
  };
  const onPort = { LoadBalancerId: balancer, Port: 80, Protocol: 'HTTP' };
  cloud.create(LISTENER, { ...onPort, ServerGroupId: second.servers });
  const world = () => ({ cloud: cloud.state, faults: new Set<never>(), service });
  const service = {
    ...SANDBOX_SERVICE,
    backendGroups: new Map([first, second].map(({ balancer, group }) => [balancer, group])),
  };
  const move = (at: { readonly servers: string }, ip: string, port: number) => {
    const server = { InstanceId: ip, Ip: ip, Type: 'ip', Port: port, Weight: 100 };
    cloud.startUpdate(SERVERS, at.servers, patch('/Servers', [server] as never), `${ip} ${port}`);
  };
  move(second, '10.20.1.11', 8080);
  const plugins = [first, second].map(({ balancer }, i) => {
    const serviceId = buildService(cloud, balancer);
    const { endpointId: EndpointId } = connectPlugin(cloud, world, serviceId);
    cloud.startCreate(CONNECTION, { ServiceId: serviceId, EndpointId }, `accept ${i}`);
    return { name: `plugin-${i}`, serviceId, networks: [], servers: [] };
  });
  const links = new Map([['plugins', { rulesDigest: '', links: [], plugins }]]);
  recorder.take();
  const before = withoutTasks(cloud.state);
  const letIn = [rule({ CidrIp: '100.64.0.0/10', PortStart: 8081, PortEnd: 8081 })];
  cloud.startUpdate(GROUP, first.group, patch('/IngressPermissions', letIn as never), 'g');
  move(first, '10.20.1.10', 8081);
  const account = makeAccount(
    recordedPassage(recorder, before, {
      stack: 'plugins',
      links: { before: links, after: links },
      service,
    }),
  );
  expect(account.lanes.slice(0, 2).map(({ states }) => states)).toEqual([
    ['open', 'dropped', 'open'],
    ['open', 'open', 'open'],
  ]);
  const routes = account.passage.steps.map((step) =>
    plugins.map(({ serviceId }) => {
      try {
        return pluginRoute({ ...world(), cloud: step.cloud }, serviceId).port;
      } catch (error) {
        return (error as ConnectivityError).code;
      }
    }),
  );
  expect(routes).toEqual([
    ['backend.unhealthy', 8080],
    [8081, 8080],
  ]);
});

describe('a group of others, of which only the identifier is known', () => {
  const change = (isThere: boolean, standIns: (group: string) => string[]) => {
    cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
    const network = buildNetwork(cloud);
    const other = cloud.create(GROUP, { VpcId: network.vpc });
    const both = [network.group, other];
    const SecurityGroupIds = isThere ? both : [network.group];
    const id = cloud.create(ENDPOINT, endpointInput(network, { SecurityGroupIds }));
    const links = new Map([['api', linksTo(id)]]);
    recorder.take();
    const before = withoutTasks(cloud.state);
    const now = isThere ? [network.group] : both;
    cloud.startUpdate(ENDPOINT, id, patch('/SecurityGroupIds', now as never), 'a');
    const account = makeAccount(
      recordedPassage(recorder, before, {
        links: { before: links, after: links },
        addresses: new Map([[id, 'volcenginecc_privatelink_vpc_endpoint.api']]),
        standIns: standIns(other),
      }),
    );
    const findings = makeFindings(account, []);
    return { other, account, findings, summary: summarize(findings, 1) };
  };

  test.each([
    [true, 'no longer has'],
    [false, 'has'],
  ])('is neither cut nor clean where it goes or comes: there before: %s', (isThere, verb) => {
    const { other, account, findings, summary } = change(isThere, (group) => [group]);
    const text = `volcenginecc_privatelink_vpc_endpoint.api ${verb} the group ${other} from step 1 on: whom that lets in or keeps out is not shown, for no tree says what is in it`;
    expect(findings).toEqual([
      expect.objectContaining({ kind: 'not-shown', text, remedy: expect.stringContaining(other) }),
    ]);
    expect(summary).toBe(`NOT SHOWN: ${text}`);
    expect(account.steps.flatMap(({ effects }) => effects)).toEqual([]);
    expect(account.lanes.map(({ states }) => states)).toEqual([['open', 'open']]);
  });

  test('is told as what it is where somebody has described it', () => {
    const { findings } = change(true, () => []);
    expect(findings.map(({ kind }) => kind)).not.toContain('not-shown');
  });
});
