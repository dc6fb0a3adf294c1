import { expect, test } from 'vitest';
import { DialExplainer } from '../../src/live/explain-dial.js';
import { networkPeer } from '../../src/reach/packet-rule.js';
import { answerQuestion, joinAnswers } from '../../src/reach/questions/answer.js';
import { toServices } from '../../src/reach/sets/services.js';
import { readReached } from '../../src/reach/ways/doors.js';
import type { JsonObject } from '../../src/sandbox/json.js';
import {
  buildNetwork,
  ENDPOINT,
  emptyCloud,
  endpointInput,
  GROUP,
  rule,
} from '../sandbox/support.js';
import { DeployedCloud, dice, type Roll } from './deployed-cloud.js';

const TO = '10.20.1.9';
const FROMS = ['10.20.1.7', '10.20.130.7', '10.30.0.7', '203.0.113.7'];
const NETWORKS = ['0.0.0.0/0', '10.20.0.0/16', '10.20.128.0/17', '10.30.0.0/24', '203.0.113.0/24'];

function pick<T>(roll: Roll, all: readonly T[]): T {
  return all[roll(all.length)] ?? expect.fail('nothing to pick');
}

function rules(roll: Roll): JsonObject[] {
  return Array.from({ length: 1 + roll(4) }, (_, i) => {
    const [PortStart = 0, PortEnd = 0] = pick(roll, [
      [443, 443],
      [1, 65_535],
      [8080, 8080],
    ]);
    const verdict = { Policy: pick(roll, ['accept', 'accept', 'drop']), Priority: 1 + roll(3) };
    return rule({
      CidrIp: pick(roll, NETWORKS),
      Description: `${i}`,
      PortStart,
      PortEnd,
      ...verdict,
    });
  });
}

/** An endpoint with one or two groups, in whose subnet there may be a network ACL, and whose connection may be lost. */
function network(roll: Roll) {
  const cloud = emptyCloud();
  const own = buildNetwork(cloud, rules(roll));
  const second = cloud.create(GROUP, { VpcId: own.vpc, IngressPermissions: rules(roll) });
  const endpoint = cloud.create(
    ENDPOINT,
    endpointInput(own, {
      SecurityGroupIds: roll(2) ? [own.group] : [own.group, second],
      Zones: [{ SubnetId: own.subnet, ZoneId: 'cn-beijing-a', PrivateIpAddress: TO }],
    }),
  );
  if (roll(3) === 0) {
    const entry = { Protocol: 'tcp', Port: '443/443', CidrIp: pick(roll, NETWORKS) };
    cloud.create('Volcengine::VPC::NetworkAcl', {
      VpcId: own.vpc,
      Resources: [{ ResourceId: own.subnet }],
      IngressAclEntries: [
        { ...entry, Policy: pick(roll, ['accept', 'drop']) },
        { ...entry, Port: '400/9000', Policy: pick(roll, ['accept', 'drop']) },
      ],
    });
  }
  const deployment = new DeployedCloud(cloud);
  const { get, pages } = deployment.reader;
  const isLost = roll(5) === 0;
  const reader = {
    pages,
    get: async (type: string, id: string) => {
      const found = await get(type, id);
      if (found === undefined || type !== ENDPOINT || !isLost) return found;
      return { ...found, properties: { ...found.properties, ConnectionStatus: 'Rejected' } };
    },
  };
  return { endpoint, live: () => deployment.live([], { cloud: reader }) };
}

test('a dial is explained as reach answers for it, over random networks', async () => {
  const counts = { reachable: 0, closed: 0, undecided: 0, partly: 0 };
  for (let seed = 1; seed <= 60; seed += 1) {
    const { endpoint, live: read } = network(dice(seed));
    const live = await read();
    const explainer = new DialExplainer(live);
    const { name, terraform, unread } = live;
    const stack = readReached({ name, terraform, unread, file: '' });
    const subject = `volcenginecc_privatelink_vpc_endpoint.${endpoint}`;
    for (const from of FROMS) {
      for (const port of [443, 8080]) {
        const peer = networkPeer(from);
        if (peer.kind !== 'addresses') expect.fail(from);
        const services = toServices('tcp', { first: port, last: port });
        const question = { direction: 'ingress', peer, services, subject } as const;
        const answer = joinAnswers(answerQuestion([stack], question).map((one) => one.answer));
        const said = explainer.explain({ from, to: TO, port, via: 'service-endpoint' });
        const [stops, doubts] = [
          [...(said?.blockers ?? []), ...(said?.notConnected ?? [])],
          said?.unclear ?? [],
        ];
        const told = stops.length > 0 ? 'closed' : said?.isOpen ? 'reachable' : 'undecided';
        expect(told, `seed ${seed}, ${from}:${port}, ${stops.join('; ')}`).toBe(answer);
        if (told === 'undecided') expect(doubts).not.toEqual([]);
        if (told === 'reachable') expect(said?.openers).not.toEqual([]);
        counts[answer] += 1;
      }
    }
  }
  expect(
    Object.values(counts)
      .slice(0, 3)
      .every((count) => count > 20),
  ).toBe(true);
});
