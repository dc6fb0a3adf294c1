import { expect } from 'vitest';
import { parseAddress } from '../../src/net/address.js';
import { LINK_NETWORK } from '../../src/net/cidr.js';

import { networkPeer } from '../../src/reach/packet-rule.js';
import { answerQuestion, type Question } from '../../src/reach/questions/answer.js';
import { toName } from '../../src/reach/read/cloud-state.js';
import type { Reachability } from '../../src/reach/report-schema.js';
import { toServices } from '../../src/reach/sets/services.js';
import type { Reached } from '../../src/reach/ways/doors.js';
import type { Account, IntentCourse, Passage } from '../../src/rehearse/timeline/account.js';
import type { Lane } from '../../src/rehearse/timeline/lanes.js';
import { dialedPort } from '../../src/rehearse/ways/link-way.js';
import { seeStates } from './step-answers.js';

/** How often `reach` was asked about links, plugins and intents, and had an answer. */
export interface LanesAsked {
  readonly links: number;
  readonly plugins: number;
  readonly intents: number;
}

/**
 * Asks `reach` in each state about the packets of each client of a link, by the name that clients call, about those of
 * the service to a plugin's listener, and about each packet by which an intent is broken.
 */
export function expectLaneAnswers({
  lanesSeen,
  intents,
  passage,
}: Pick<Account, 'lanesSeen' | 'intents' | 'passage'>): LanesAsked {
  const asked = { links: 0, plugins: 0, intents: 0 };
  const states = [passage.before, ...passage.steps.map(({ cloud }) => cloud)];
  for (const [i, state] of states.map(seeStates(passage)).entries()) {
    for (const lane of lanesSeen) {
      asked.links += expectClients(lane, i, state);
      asked.plugins += expectCalls(lane, i, state, passage);
    }
    for (const course of intents) asked.intents += expectIntent(course, i, state);
  }
  return asked;
}

function answersTo(state: Reached, question: Question): Reachability[] {
  return answerQuestion([state], question).map(({ answer }) => answer);
}

function expectClients({ name, baseUrl, clients, via }: Lane, i: number, state: Reached): number {
  if (baseUrl === undefined || via !== 'service-endpoint') return 0;
  const port = dialedPort(baseUrl);
  const services = toServices('tcp', { first: port, last: port });
  let asked = 0;
  for (const { first, last, states } of clients) {
    for (const value of new Set([first, last])) {
      const peer = { kind: 'addresses', family: 4, first: value, last: value } as const;
      const subject = new URL(baseUrl).hostname;
      const answers = answersTo(state, { direction: 'ingress', peer, services, subject });
      if (answers.length === 0) continue;
      const says = `${name} for ${value} in state ${i}: ${states[i]}, reach ${answers.join(', ')}`;
      // What is not shown, as whom a group of others lets in, no answer contradicts.
      const isSame = (one: Reachability) =>
        one === 'undecided' || (one === 'reachable') === (states[i] === 'open');
      expect(answers.some(isSame), says).toBe(true);
      asked += 1;
    }
  }
  return asked;
}

/** Whether the service is connected is no question about packets. */
function expectCalls(
  { kind, stack, name, port, states }: Lane,
  i: number,
  state: Reached,
  { links }: Passage,
): number {
  if (kind !== 'plugin' || port === undefined || states[i] === 'not-connected') return 0;
  const { serviceId = '' } =
    links.before.get(stack)?.plugins?.find((one) => one.name === name) ?? {};
  const address = `volcenginecc_privatelink_endpoint_service.${toName(serviceId)}`;
  const [own] = state.privateLinks.filter(({ service }) => service === address);
  const subjects = new Set(own?.listeners.map(({ subject }) => subject));
  const services = toServices('tcp', { first: port, last: port });
  const peer = peerAt(LINK_NETWORK);
  const answers = [...subjects].flatMap((subject) =>
    answersTo(state, { direction: 'ingress', peer, services, subject }),
  );
  if (answers.length === 0) return 0;
  const says = `calls of ${name} in state ${i}: ${states[i]}, reach ${answers.join(', ')}`;
  const isSame = (one: Reachability) =>
    one === 'undecided' || (one === 'reachable') === (states[i] === 'open');
  expect(answers.some(isSame), says).toBe(true);
  return 1;
}

function expectIntent({ answers }: IntentCourse, i: number, state: Reached): number {
  const answer = answers[i];
  if (answer?.verdict !== 'broken' || answer.packet === undefined) return 0;
  const question = readPacket(answer.packet);
  const told = question === undefined ? [] : answersTo(state, question);
  if (told.length === 0) return 0;
  const isSame = (one: Reachability) => (one === 'reachable') === (answer.expect === 'closed');
  expect(told.some(isSame), `${answer.name} in state ${i}: ${answer.packet}`).toBe(true);
  return 1;
}

/** Reads `10.9.0.1 → agent-service:443`; undefined where neither end is an address. */
function readPacket(text: string): Question | undefined {
  const [, from = '', to = '', port] =
    /^(\S+) → \[?([^\]\s]+?)\]?(?::(\d+)|(?: \(.*\)))?$/.exec(text) ?? [];
  const services = toServices('tcp', { first: Number(port), last: Number(port) });
  if (port === undefined) return undefined;
  if (isAddress(from)) return { direction: 'ingress', peer: peerAt(from), subject: to, services };
  if (isAddress(to)) return { direction: 'egress', peer: peerAt(to), subject: from, services };
  return undefined;
}

function peerAt(address: string): Question['peer'] {
  const peer = networkPeer(address);
  if (peer.kind !== 'addresses') throw new Error(`no address: ${address}`);
  return peer;
}

function isAddress(text: string): boolean {
  try {
    parseAddress(text);
    return true;
  } catch {
    return false;
  }
}
