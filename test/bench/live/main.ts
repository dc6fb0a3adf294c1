/**
 * Measures how a stack's cloud is read in an account with many objects of others: calls, time and memory.
 *
 *   npx tsx test/bench/live/main.ts [NUMBER OF OBJECTS...]
 */
import { performance } from 'node:perf_hooks';
import { type OpenCloud, readOutward } from '../../../src/live/read-outward.js';

const SERVICE = 'Volcengine::PrivateLink::EndpointService';
const CONNECTION = 'Volcengine::PrivateLink::VpcEndpointConnection';
const GROUP = 'Volcengine::VPC::SecurityGroup';
const INTERFACE = 'Volcengine::VPC::ENI';
const ENDPOINT = 'Volcengine::PrivateLink::VpcEndpoint';

/** As many as a page of the cloud's lists has. */
const PAGE = 100;
const MAX_READS = 500;

type Objects = Readonly<Record<string, object>>;

const OWN: Objects = {
  service: { ServiceId: 'service' },
  endpoint: { SecurityGroupIds: ['group'], VpcId: 'vpc', Zones: [] },
  group: { IngressPermissions: [], VpcId: 'vpc' },
};

/**
 * The objects of a type that others have: a connection of the service, and an interface that carries the
 * group, are among them.
 */
function strangersOf(type: string, count: number): [string, object][] {
  return Array.from({ length: count }, (_, i): [string, object] => {
    const isMeant = i === 7;
    const carried = {
      SecurityGroupIds: isMeant ? ['group', 'theirs'] : [`group-${i}`],
      SubnetId: 'subnet',
      VpcId: 'vpc',
      PrimaryIpAddress: { PrivateIpAddress: '10.9.9.9' },
    };
    const asked = { ServiceId: isMeant ? 'service' : `other-${i}` };
    return [`${type} ${i}`, type === INTERFACE ? carried : asked];
  });
}

/** @param isTold where not, lists give identifiers alone */
function crowdedCloud(strangers: number, isTold: boolean) {
  let calls = 0;
  const all = new Map(
    [CONNECTION, INTERFACE].map((type) => [type, strangersOf(type, strangers)] as const),
  );
  const byId = new Map([...all.values()].flat());
  const cloud: OpenCloud = {
    async get(_, identifier) {
      calls += 1;
      return { identifier, properties: { ...(OWN[identifier] ?? byId.get(identifier)) } };
    },
    async *pages(type) {
      const objects = all.get(type) ?? [];
      for (let at = 0; at === 0 || at < objects.length; at += PAGE) {
        calls += 1;
        yield objects.slice(at, at + PAGE).map(([identifier, properties]) => {
          return { identifier, properties: isTold ? { ...properties } : {} };
        });
      }
    },
  };
  return { cloud, calls: () => calls };
}

const SEEDS = [
  { cloudType: SERVICE, identifier: 'service' },
  { cloudType: ENDPOINT, identifier: 'endpoint' },
  { cloudType: GROUP, identifier: 'group' },
];

const counts = process.argv.slice(2).map(Number);
for (const strangers of counts.length > 0 ? counts : [100, 1000, 10_000]) {
  for (const isTold of [true, false]) {
    const { cloud, calls } = crowdedCloud(strangers, isTold);
    const began = performance.now();
    const { resources, unread } = await readOutward(cloud, SEEDS, MAX_READS);
    const ms = Math.round(performance.now() - began);
    if (calls() > MAX_READS) throw new Error(`${calls()} calls, more than ${MAX_READS}`);
    const kept = [CONNECTION, INTERFACE].map((type) => Object.keys(resources[type] ?? {}).length);
    const memory = Math.round(process.memoryUsage().rss / 2 ** 20);
    const lists = isTold ? 'lists with properties' : 'lists of identifiers';
    process.stdout.write(
      `${strangers} objects of others of each type, ${lists}: ${calls()} calls, ${ms} ms, ${memory} MB, ${kept.join(' connection and ')} interface kept, ${unread.length === 0 ? 'all read' : 'the rest named as not read'}\n`,
    );
  }
}
