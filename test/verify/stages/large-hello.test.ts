import { connect, createServer, type Socket } from 'node:net';
import tls from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runOptions } from '../../../src/cli/verify/command-line.js';
import { openFilter } from '../../../src/sandbox/listeners/faulty-ports.js';
import type { VerifyOptions } from '../../../src/verify/model/options.js';
import { exitOf } from '../../../src/verify/model/verdict.js';
import { textReport } from '../../../src/verify/reports/text.js';
import { LARGE_HELLO_BYTES } from '../../../src/verify/transport/tls/hello-size.js';
import { listen } from '../../support/service-server.js';
import {
  ADDRESS,
  check,
  createWorld,
  link,
  outline,
  stagesOf,
} from '../../support/verifiable-link.js';

const CLIENT_HELLO = 0x16;
const FIRST_PACKET = 1_400;
const CODE = 'tls.large-hello-lost';

/** As with a Node.js before OpenSSL 3.5, on whatever this runs. */
function withSmallHello(): void {
  const before = tls.DEFAULT_ECDH_CURVE;
  tls.DEFAULT_ECDH_CURVE = 'X25519:P-256';
  onTestFinished(() => {
    tls.DEFAULT_ECDH_CURVE = before;
  });
}

const reset = (socket: Socket) => socket.resetAndDestroy();

function isLong(bytes: Buffer): boolean {
  return bytes[0] === CLIENT_HELLO && bytes.readUInt16BE(3) + 5 > FIRST_PACKET;
}

/** Opens a port that lets the first packet of a hello through and loses the next, as such firewalls do. */
async function openLossy(behindPort: number, onLoss: () => void): Promise<number> {
  const server = createServer((socket) => {
    const onward = connect(behindPort, '127.0.0.1');
    onward.on('error', () => socket.destroy());
    socket.once('close', () => onward.destroy());
    onward.pipe(socket);
    let seen = 0;
    let hello = 0;
    socket.on('data', (bytes) => {
      if (seen === 0) hello = bytes.readUInt16BE(3) + 5;
      const isLost = seen < hello && hello > FIRST_PACKET;
      if (isLost && seen === 0) onLoss();
      const passes = isLost ? bytes.subarray(0, Math.max(0, FIRST_PACKET - seen)) : bytes;
      seen += bytes.length;
      onward.write(passes);
    });
  });
  return await listen(server);
}

async function behind(stops: (bytes: Buffer) => boolean, refuse?: (socket: Socket) => void) {
  withSmallHello();
  const world = await createWorld();
  const filter = await openFilter(world.service.port, { stops, ...(refuse && { refuse }) });
  onTestFinished(filter.stop);
  await world.connectTo({ [ADDRESS]: filter.port });
  return {
    world,
    run: (change: Partial<VerifyOptions> = {}) => check(world, { newerClients: true, ...change }),
  };
}

test('a firewall that cuts off large hellos is forecast by a check that passes', async () => {
  const { run } = await behind(isLong, reset);
  const verification = await run();
  const warnings = stagesOf(verification).filter(({ status }) => status !== 'passed');
  expect(warnings).toMatchObject([{ stage: 'tls', status: 'warned', code: CODE }]);
  expect(warnings[0]?.evidence).toEqual({
    address: ADDRESS,
    small: 'answered',
    '1.4 kB more, first try': 'tls.reset',
    '1.4 kB more, second try': 'tls.reset',
    '1.4 kB more, in small packets': 'tls.reset',
    see: 'path.large-hello',
  });
  expect(outline(verification).indexOf(`tls warned ${CODE}`)).toBe(5);
  expect(textReport(verification)).toMatch(/warned +tls .*lost +see path\.large-hello$/m);
  expect([verification.verdict, exitOf(verification)]).toEqual(['reachable', 0]);
  expect(exitOf(verification, { strict: true })).toBe(21);
});

async function behindLossy() {
  let losses = 0;
  const { world, run } = await behind(() => false);
  await world.connectTo({ [ADDRESS]: await openLossy(world.service.port, () => losses++) });
  return { world, run, losses: () => losses };
}

test('a firewall that loses the second packet of a hello is forecast', async () => {
  const { run, losses } = await behindLossy();
  const verification = await run();
  expect(verification.verdict).toBe('reachable');
  expect(stagesOf(verification).find(({ status }) => status === 'warned')).toMatchObject({
    code: CODE,
    evidence: { '1.4 kB more, second try': 'tls.timeout', see: 'path.large-hello' },
  });
  expect(losses()).toBe(4);
});

test('a lost hello is not forecast where too little time is left to compare it with others', async () => {
  let passedMs = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
  onTestFinished(() => void vi.restoreAllMocks());
  const { world, run, losses } = await behindLossy();
  world.service.handler = ({ path }) => {
    // The last call of the check: what it may take is measured out already.
    if (path.startsWith('/v1/workspaces')) passedMs = 56_500;
    return undefined;
  };
  const verification = await run({ timeoutMs: 60_000 });
  expect(verification.verdict).toBe('reachable');
  expect(stagesOf(verification).filter(({ status }) => status === 'warned')).toEqual([]);
  expect(losses()).toBe(1);
});

test('a server that takes no second connection is not blamed on the size of a hello', async () => {
  let hellos = 0;
  const { run } = await behind((bytes) => bytes[0] === CLIENT_HELLO && ++hellos > 1, reset);
  expect(outline(await run()).filter((line) => !line.endsWith('passed'))).toEqual([]);
  expect(hellos).toBeGreaterThan(2);
});

test('a link that fails is not warned of, and is diagnosed by its own failure', async () => {
  const { world, run } = await behind(isLong, reset);
  world.service.handler = ({ path }) =>
    path.startsWith('/v1/workspaces') ? { status: 500, body: {} } : undefined;
  const verification = await run();
  expect(outline(verification)).toContain('workspaces failed api.server-error');
  expect(outline(verification)).not.toContain(`tls warned ${CODE}`);
});

test('a path that is sound costs one connection more for each host, and only where it is asked for', async () => {
  withSmallHello();
  const world = await createWorld();
  const links = [link(), link({ name: 'second' })];
  const verification = await check(world, {
    links,
    newerClients: true,
    settle: 2,
    retryDelayMs: 1,
  });
  expect(verification.links.map(({ verdict }) => verdict)).toEqual(['reachable', 'reachable']);
  expect(outline(verification).join()).not.toContain('warned');
  expect(world.service.count.connections).toBe(5);
  for (const options of [{}, { newerClients: true, probes: false }]) {
    const before = world.service.count.connections;
    await check(world, options);
    expect(world.service.count.connections - before).toBe(1);
  }
});

test('each link of a host has the warning, for one try', async () => {
  let large = 0;
  const { run } = await behind((bytes) => isLong(bytes) && ++large > 0, reset);
  const verification = await run({ links: [link(), link({ name: 'second' })] });
  for (const one of verification.links)
    expect(outline({ ...verification, links: [one] })).toContain(`tls warned ${CODE}`);
  expect(large).toBe(4);
});

test('a check whose own hello is large needs no other', async () => {
  const world = await createWorld();
  await check(world, { newerClients: true });
  const isOwnLarge = Number(process.versions.openssl.match(/^\d+\.\d+/)) >= 3.5;
  expect(world.service.count.connections).toBe(isOwnLarge ? 1 : 2);
  expect(LARGE_HELLO_BYTES).toBeLessThan(1_600);
});

test('the check of a deploy asks for it', () => {
  expect(runOptions({ linksFromEnvironment: true }, {}).newerClients).toBe(true);
  expect(runOptions({ baseUrl: 'https://a.example' }, {}).newerClients).toBe(undefined);
});
