import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Verification } from '../../src/verify/model/verification.js';
import { startBlackHole } from '../support/black-hole.js';
import { runCli } from '../support/run-cli.js';
import {
  ADDRESS,
  createWorld,
  findingOf,
  NETWORK,
  outline,
  type World,
} from '../support/verifiable-link.js';
import { worldFlags } from '../support/world-flags.js';

/** Longer than any stage may wait. */
const PAUSE_MS = 2_200;

/** Has the check of a link stopped, as a snapshot or a laptop's sleep stops it, when a step is reached. */
async function checkPaused(
  arrange: (world: World, pause: () => void) => Promise<void> | void,
  pauseMs = PAUSE_MS,
): Promise<{ exit: number | null; report: Verification }> {
  const world = await createWorld();
  let kill: (signal: NodeJS.Signals) => void = () => undefined;
  let isStopped = false;
  await arrange(world, () => {
    // A question that is read late must not end the next standstill early.
    if (isStopped) return;
    isStopped = true;
    kill('SIGSTOP');
    setTimeout(() => {
      isStopped = false;
      kill('SIGCONT');
    }, pauseMs);
  });
  return await checkIn(world, (killer) => {
    kill = killer;
  });
}

async function checkIn(
  world: World,
  onStart: (kill: (signal: NodeJS.Signals) => void) => void,
): Promise<{ exit: number | null; report: Verification }> {
  const { baseUrl = '', via = '', apiHost = '' } = world.options.links[0] ?? {};
  const link = ['--base-url', baseUrl, '--via', via, '--api-host', apiHost];
  const expected = ['--expect-address', NETWORK, '--expect-address', ADDRESS];
  const how = ['--timeout', '2s', '--format', 'json'];
  const args = ['verify', ...link, ...expected, ...how, ...worldFlags(world)];
  const { exit, stdout } = await runCli(args, { onStart });
  return { exit, report: JSON.parse(stdout) };
}

/** Calls what is given when the DNS server is asked, the first so many times. */
function onQuestion(world: World, times: number, reached: () => void): void {
  let { dns } = world;
  let asked = 0;
  Object.defineProperty(world, 'dns', {
    get: () => {
      asked += 1;
      if (asked <= times) reached();
      return dns;
    },
    set: (changed) => {
      dns = changed;
    },
  });
}

/** Calls what is given at the first request whose path has an end. */
function onRequest({ service }: World, end: string, reached: () => void): void {
  let isReached = false;
  service.handler = ({ path }) => {
    if (!isReached && path.replace(/\?.*/, '').endsWith(end)) {
      isReached = true;
      reached();
    }
    return undefined;
  };
}

test.each<[stage: string, (world: World, pause: () => void) => void]>([
  ['a name is asked for', (world, pause) => onQuestion(world, 1, pause)],
  ['a token is asked for', (world, pause) => onRequest(world, '/token', pause)],
  ['the API is called', (world, pause) => onRequest(world, '/workspaces', pause)],
])('a machine that stands still while %s is no failure of the link', async (_, arrange) => {
  const { exit, report } = await checkPaused(arrange);
  expect(outline(report).filter((line) => !line.endsWith('passed'))).toEqual([]);
  expect(exit).toBe(0);
  expect(report.links[0]?.elapsedMs).toBeGreaterThan(PAUSE_MS / 2);
});

test('a machine that stands still in both attempts is told as that, without a cause in the network', async () => {
  const { exit, report } = await checkPaused((world, pause) => {
    world.dns = { fault: 'silent' };
    onQuestion(world, Number.POSITIVE_INFINITY, pause);
  }, 1_200);
  expect(exit).toBe(20);
  expect(report.verdict).toBe('incomplete');
  expect(findingOf(report, 'dns')).toMatchObject({ code: 'run.machine-paused' });
  expect(report.links[0]?.causes.map(({ code }) => code)).toEqual(['run.machine-paused']);
  expect(report.links[0]?.probes).toBeUndefined();
});

test('a real silence is told as one after a standstill too', async () => {
  const { exit, report } = await checkPaused(async (world, pause) => {
    await world.connectTo({ [ADDRESS]: await startBlackHole() });
    onQuestion(world, 1, () => void sleep(200).then(pause));
  });
  expect(exit).toBe(12);
  expect(findingOf(report, 'tcp')).toMatchObject({ code: 'tcp.timeout' });
  expect(report.links[0]?.notes.join()).toContain('stood still');
});
