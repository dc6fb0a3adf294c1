import { expect, test } from 'vitest';
import { parseAddress } from '../../src/net/address.js';
import { parseNetwork } from '../../src/net/cidr.js';
import { judgeIntents } from '../../src/reach/intents/judge-intents.js';
import { answerQuestion, joinAnswers, type Question } from '../../src/reach/questions/answer.js';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { type Services, toServices } from '../../src/reach/sets/services.js';
import { type Reached, readReached } from '../../src/reach/ways/doors.js';
import { runs } from '../support/samples.js';
import { isIn, outcomes, type Packet, passes, type Tree } from './brute-force.js';
import { PROBED, randomTree } from './random-tree.js';
import { randomOf } from './two-engines.js';

const TREES = runs(60);
const SEED = Number(process.env.BRUTE_FORCE_SEED ?? 1);
const PACKETS = 6;
const PORTS = [0, 1, 2, 79, 80, 81, 443, 444, 65_535] as const;
const PLACES = /^volcenginecc_(vpc_security_group|privatelink_vpc_endpoint|vpc_eni|clb_listener)$/;

const NETWORKS = ['10.20.0.0/16', '10.20.0.0/31', '198.51.100.0/24', '2001:db8::/32'] as const;

interface Case {
  readonly tree: Tree;
  readonly reached: Reached;
  readonly place: string;
  readonly direction: 'ingress' | 'egress';
  readonly packet: Packet;
}

function* cases(): Generator<Case> {
  for (let seed = 0; seed < TREES; seed += 1) {
    const random = randomOf(SEED * 100_003 + seed);
    const tree = randomTree(random);
    const terraform = readTerraform({ resource: tree.resource });
    const reached = readReached({ name: 'random', file: 'cdk.tf.json', terraform });
    const places = Object.entries(tree.resource).flatMap(([type, all]) =>
      PLACES.test(type) ? Object.keys(all).map((name) => `${type}.${name}`) : [],
    );
    for (const place of places) {
      const directions = place.includes('listener')
        ? (['ingress'] as const)
        : (['ingress', 'egress'] as const);
      for (const direction of directions) {
        for (let i = 0; i < PACKETS; i += 1) {
          const protocol = random.pick<Packet['protocol']>(['tcp', 'tcp', 'udp', 'icmp']);
          const packet = {
            address: random.pick(PROBED),
            protocol,
            port: random.pick(PORTS),
          } as const;
          yield { tree, reached, place, direction, packet };
        }
      }
    }
  }
}

function askPacket(one: Case): string {
  const { peer, services } = readPacket(one.packet);
  return ask(one, peer, services);
}

function readPacket({ address, protocol, port }: Packet) {
  const { family, value } = parseAddress(address);
  const peer = { kind: 'addresses', family, first: value, last: value } as const;
  const ports = { first: port, last: port };
  return { peer, services: protocol === 'icmp' ? toServices('icmp') : toServices(protocol, ports) };
}

function ask(
  { reached, place, direction }: Case,
  peer: Question['peer'],
  services: Services,
): string {
  const answers = answerQuestion([reached], { direction, peer, services, subject: place });
  const own = answers.filter(({ carriers }) => carriers.includes(place));
  return own[0]?.answer ?? answers[0]?.answer ?? 'no such place';
}

function expected(one: Case): string {
  const { tree, place, direction, packet } = one;
  const all = outcomes((world) => passes(tree, place, direction, packet, world));
  if (all.size === 2) return 'undecided';
  return all.has(true) ? 'reachable' : 'closed';
}

test('answers each packet as an evaluation of every possible world does', () => {
  const wrong: string[] = [];
  const counts = new Map<string, number>();
  for (const one of cases()) {
    // A group that an endpoint has is asked about by the endpoint.
    const isAttached = one.place.includes('security_group.group');
    if (isAttached) continue;
    const [said, truth] = [askPacket(one), expected(one)];
    counts.set(truth, (counts.get(truth) ?? 0) + 1);
    if (said === truth || (said === 'no such place' && truth === 'closed')) continue;
    const { address, protocol, port } = one.packet;
    wrong.push(
      `${one.direction} ${one.place} ${address} ${protocol} ${port}: ${said}, and is ${truth}`,
    );
  }
  expect(wrong).toEqual([]);
  for (const truth of ['reachable', 'closed', 'undecided']) {
    expect(counts.get(truth)).toBeGreaterThan(TREES);
  }
});

/** Of a network, at the ends of every block and port range that the tree has. */
function expectedOfNetwork(one: Case, network: string): string {
  const addresses = PROBED.filter((address) => isIn(address, network));
  const found = new Set<boolean>();
  let isInDoubt = false;
  for (const address of addresses) {
    for (const port of PORTS.filter((port) => port > 0)) {
      const packet = { address, protocol: 'tcp', port } as const;
      const all = outcomes((world) => passes(one.tree, one.place, one.direction, packet, world));
      if (all.size === 2) isInDoubt = true;
      else for (const is of all) found.add(is);
    }
  }
  if (found.size === 2) return 'partly';
  return isInDoubt ? 'undecided' : found.has(true) ? 'reachable' : 'closed';
}

test('answers for a network and every port what holds for each of its packets', () => {
  const wrong: string[] = [];
  const counts = new Map<string, number>();
  let i = 0;
  for (const one of cases()) {
    i += 1;
    if (one.place.includes('security_group.group') || i % 7 > 0) continue;
    const network = NETWORKS[i % NETWORKS.length] ?? '10.20.0.0/16';
    const { family, first, last } = parseNetwork(network);
    const peer = { kind: 'addresses', family, first, last } as const;
    const said = ask(one, peer, toServices('tcp', { first: 1, last: 65_535 }));
    const truth = expectedOfNetwork(one, network);
    counts.set(truth, (counts.get(truth) ?? 0) + 1);
    if (said === truth || (said === 'no such place' && truth === 'closed')) continue;
    wrong.push(`${one.direction} ${one.place} ${network}: ${said}, and is ${truth}`);
  }
  expect(wrong).toEqual([]);
  expect(counts.get('partly')).toBeGreaterThan(runs(10));
});

const EXPECTED = ['reachable', 'closed'] as const;

/** The verdict that follows from the answers for all places. */
function verdictOn(expected: string, answers: readonly string[]): string {
  const others = answers.filter((answer) => answer !== expected);
  if (others.length === 0) return 'holds';
  return others.every((answer) => answer === 'undecided') ? 'undecided' : 'broken';
}

test('answers each packet as the intents do that expect it to pass, and not to', () => {
  const wrong: string[] = [];
  const counts = new Map<string, number>();
  for (const one of cases()) {
    const { reached, place, direction, packet } = one;
    if (packet.port === 0 || !reached.ways.some((way) => isPlace(way, one))) continue;
    const question = { direction, ...readPacket(packet), subject: place };
    const answers = answerQuestion([reached], question).map(({ answer }) => answer);
    const said = joinAnswers(answers);
    const [from, to] = direction === 'ingress' ? [packet.address, place] : [place, packet.address];
    const { protocol } = packet;
    const intents = EXPECTED.map((expect) => ({
      ...{ name: expect, from, to, protocol, expect },
      ...(protocol !== 'icmp' && { port: packet.port }),
    }));
    const judged = judgeIntents({ intents }, [{ ...reached, rules: [], links: [] }]);
    counts.set(said, (counts.get(said) ?? 0) + 1);
    const verdicts = judged.map(({ verdict }) => verdict);
    if (verdicts.join() === EXPECTED.map((one) => verdictOn(one, answers)).join()) continue;
    wrong.push(`${from} ${to} ${protocol} ${packet.port}: ${said}, and ${verdicts.join(', ')}`);
  }
  expect(wrong).toEqual([]);
  for (const answer of ['reachable', 'closed', 'undecided']) {
    expect(counts.get(answer)).toBeGreaterThan(TREES);
  }
});

function isPlace(way: Reached['ways'][number], { place, direction }: Case): boolean {
  return way.direction === direction && way.names.includes(place);
}
