import { createServer } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { TreeIntents } from '../../../src/intents/intents-file.js';
import { listen } from '../../../src/sandbox/listeners/listen.js';
import { settleSilence } from '../../../src/verify/intents/settle-silence.js';
import { tryIntents } from '../../../src/verify/intents/try-intents.js';
import type { RunOptions, VerifiableLink } from '../../../src/verify/model/options.js';
import type { IntentResult, LinkResult } from '../../../src/verify/model/results.js';
import { prepareRun } from '../../../src/verify/run/prepare-run.js';
import { bracketed } from '../../../src/verify/transport/addresses.js';
import { startBlackHole } from '../../support/black-hole.js';

export const DOOR = '10.30.1.5';
export const CONTROL = '10.30.9.9';
export const OWN = '10.9.0.1';
const EMPTY = '10.30.1.238';

export const LINK = {
  name: 'service-endpoint',
  via: 'service-endpoint' as const,
  baseUrl: `https://${DOOR}`,
  apiHost: 'api.example.com',
  expectedAddresses: [`${DOOR}/32`],
  expectedNetworks: ['10.30.1.0/24'],
} satisfies VerifiableLink;

export const CLOSED: TreeIntents['intents'][number] = {
  name: 'nobody else',
  from: { not: ['10.30.0.0/16'] },
  to: 'service-endpoint',
  expect: 'closed',
};

/** A port of loopback whose server sends this to whoever connects, and counts connections. */
export async function server(says: string, onConnection?: (count: number) => void) {
  const ports: (number | undefined)[] = [];
  const made = createServer((socket) => {
    ports.push(socket.remotePort);
    onConnection?.(ports.length);
    socket.on('error', () => undefined);
    if (says !== '') socket.write(says);
  });
  const { port, stop } = await listen(made);
  onTestFinished(stop);
  return { port, ports };
}

export interface World {
  readonly door?: number;
  readonly control?: number;
  readonly empty?: number;
  readonly intent?: Partial<TreeIntents['intents'][number]>;
  readonly file?: Partial<TreeIntents>;
  readonly options?: Partial<RunOptions>;
  /** Nothing else has seen the door open. */
  readonly isUnheard?: true;
  /** Places that the checks of links have seen open from here. */
  readonly passed?: readonly string[];
  /** Addresses that a name is answered with. */
  readonly answers?: readonly string[];
}

export function seen(address: string, status: 'passed' | 'failed'): LinkResult {
  const tcp = { stage: 'tcp', status, address, elapsedMs: 1, evidence: {} } as const;
  const { name, via } = LINK;
  const own = { name, via, baseUrl: `https://${bracketed(address)}`, accessDigest: '' };
  const nothing = { notes: [], connectTo: [], causes: [], ruledOut: [], attempts: 1, elapsedMs: 1 };
  return { ...own, ...nothing, verdict: 'unreachable', stages: [tcp] };
}

/** Tries intents in a world of loopback ports; whatever is not given drops what is sent to it. */
export async function tryAllIn(world: World): Promise<IntentResult[]> {
  const hole = await startBlackHole();
  const open = await server('hello');
  const { door = hole, control = open.port, empty = hole, isUnheard } = world;
  const { passed = [CONTROL], answers = [DOOR] } = world;
  const run = await prepareRun({
    connectTo: [
      `${DOOR}:1-65535:127.0.0.1:${door}`,
      ...passed.map((address) => `${bracketed(address)}:1-65535:127.0.0.1:${control}`),
      `${EMPTY}:1-65535:127.0.0.1:${empty}`,
      `*:1-65535:127.0.0.1:${hole}`,
    ],
    ownAddresses: [OWN],
    ...world.options,
  });
  const links = answers.map((address) => seen(address, 'failed'));
  const before = { links: [...links, ...passed.map((one) => seen(one, 'passed'))], backends: [] };
  const file: TreeIntents = { intents: [{ ...CLOSED, ...world.intent }], ...world.file };
  const intents = await tryIntents(run, file, { links: [LINK] }, before, 300);
  const elsewhere = isUnheard ? [] : [{ ...seen(DOOR, 'passed'), vantagePoint: 'office' }];
  return settleSilence({ links: elsewhere, backends: [], intents });
}

/** Tries the only intent of a world. */
export async function tryIn(world: World): Promise<IntentResult> {
  const [result, ...others] = await tryAllIn(world);
  expect(others).toEqual([]);
  if (result === undefined) throw new Error('no result');
  return result;
}
