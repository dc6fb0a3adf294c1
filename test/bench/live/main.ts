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
const ENDPOINT = 'Volcengine::PrivateLink::VpcEndpoint';

/** As many as a page of the cloud's lists has. */
const PAGE = 100;

/** One service and one endpoint of a stack, and so many connections and groups of others. */
function crowdedCloud(strangers: number) {
  let calls = 0;
  const own: Readonly<Record<string, object>> = {
    service: { ServiceId: 'service' },
    endpoint: { SecurityGroupIds: ['group'] },
    group: { IngressPermissions: [] },
  };
  const cloud: OpenCloud = {
    async get(_, identifier) {
      calls += 1;
      const properties = own[identifier] ?? { ServiceId: 'service' };
      return { identifier, properties: { ...properties } };
    },
    async *pages(type) {
      for (let at = 0; at < strangers; at += PAGE) {
        calls += 1;
        yield Array.from({ length: Math.min(PAGE, strangers - at) }, (_, i) => ({
          identifier: `${type} ${at + i}`,
          properties: { ServiceId: at + i === 7 ? 'service' : `other-${at + i}` },
        }));
      }
    },
  };
  return { cloud, calls: () => calls };
}

const SEEDS = [
  { cloudType: SERVICE, identifier: 'service' },
  { cloudType: ENDPOINT, identifier: 'endpoint' },
];

for (const strangers of process.argv.length > 2
  ? process.argv.slice(2).map(Number)
  : [100, 10_000]) {
  const { cloud, calls } = crowdedCloud(strangers);
  const began = performance.now();
  const { resources, unread } = await readOutward(cloud, SEEDS, 500);
  const ms = Math.round(performance.now() - began);
  const kept = [GROUP, CONNECTION].map((type) => Object.keys(resources[type] ?? {}).length);
  const memory = Math.round(process.memoryUsage().rss / 2 ** 20);
  process.stdout.write(
    `${strangers} objects of others: ${calls()} calls, ${ms} ms, ${memory} MB, ${kept.join(' group and ')} connection kept, ${unread.length} unread\n`,
  );
}
