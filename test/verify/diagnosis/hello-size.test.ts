import { createServer, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { openFilter } from '../../../src/sandbox/listeners/faulty-ports.js';
import { HANDSHAKE_RULES } from '../../../src/verify/diagnosis/handshake-rules.js';
import { failed } from '../../../src/verify/model/findings.js';
import { HELLO_NAMES } from '../../../src/verify/transport/tls/hello-size.js';
import { expectDiagnosis } from '../../support/explained.js';
import { listen } from '../../support/service-server.js';
import { ADDRESS, check, createWorld, link } from '../../support/verifiable-link.js';

const timeoutMs = 6_000;
const CLIENT_HELLO = 0x16;

/** The bytes of this Node's own hello, as the check sends it. */
async function ownHelloBytes(servername: string): Promise<number> {
  let socket: Socket | undefined;
  const seen = new Promise<number>((resolve) => {
    const server = createServer((one) => one.once('data', ({ length }) => resolve(length)));
    listen(server).then((port) => {
      socket = connect({ port, host: '127.0.0.1', servername, ALPNProtocols: ['http/1.1'] });
      socket.on('error', () => undefined);
    });
  });
  return await seen.finally(() => socket?.destroy());
}

/** Stops a hello by its length, as its first packet tells it, and one that is not whole. */
function stopsLonger(most: number, refuse?: (socket: Socket) => void) {
  return {
    stops: (bytes: Buffer) => bytes[0] === CLIENT_HELLO && bytes.readUInt16BE(3) + 5 > most,
    ...(refuse && { refuse }),
  };
}

test.each<[how: string, refuse: ((socket: Socket) => void) | undefined]>([
  ['drops', undefined],
  ['cuts off', (socket) => socket.resetAndDestroy()],
])('a firewall that %s large hellos is shown, and nothing else is blamed', async (_, refuse) => {
  const world = await createWorld();
  const own = await ownHelloBytes(new URL(world.options.links[0]?.baseUrl ?? '').hostname);
  // One segment, as such firewalls read; Node.js 20 has a smaller hello of its own.
  const most = Math.min(1_400, own - 1);
  const { port, stop } = await openFilter(world.service.port, stopsLonger(most, refuse));
  onTestFinished(stop);
  await world.connectTo({ [ADDRESS]: port });
  const verification = await check(world, { timeoutMs });
  expectDiagnosis(verification, {
    fails: refuse ? 'tls.reset' : 'tls.timeout',
    shown: ['path.large-hello'],
    never: ['path.mtu', 'endpoint.no-target', 'path.filter', 'path.name-filter'],
  });
  const probes = verification.links[0]?.probes?.filter(({ name }) => name === 'hello-size');
  expect(probes?.map(({ ok }) => ok)).toEqual([true, false, false, false]);
});

test('an endpoint that answers no hello at all is not blamed on its size', async () => {
  const world = await createWorld();
  await world.connectTo({ [ADDRESS]: await listen(createServer(() => undefined)) });
  expectDiagnosis(await check(world, { timeoutMs }), {
    fails: 'tls.timeout',
    consistent: ['endpoint.no-target'],
    never: ['path.large-hello'],
  });
});

/** @param outcomes small, large, large again, large in small packets, as a firewall between two processes would have it */
function causesOf(outcomes: readonly boolean[]) {
  const probes = outcomes.map((ok, i) => {
    const code = ok ? {} : { code: 'tls.timeout' };
    const changed = HELLO_NAMES[i] ?? '';
    return { name: 'hello-size', changed, ok, elapsedMs: 1, evidence: {}, ...code };
  });
  const failure = failed('tls', 'tls.timeout', { address: ADDRESS });
  const facts = {
    ...{ link: link(), host: '', tlsServerName: '', proxy: undefined },
    ...{
      isPlain: false,
      run: { options: {}, ownAuthority: undefined },
      seen: { skewMs: undefined },
      findings: [failure],
      probes,
    },
  };
  const causes = HANDSHAKE_RULES['tls.timeout']?.(facts, [failure]) ?? [];
  return causes.filter(({ isShown }) => isShown).map(({ code }) => code);
}

test('what comes through in small packets is the path’s MTU, and one lost try says nothing', () => {
  expect(causesOf([true, false, false, true])).toEqual(['path.mtu']);
  expect(causesOf([true, false, false, false])).toEqual(['path.large-hello']);
  expect(causesOf([true, false, true, false])).toEqual([]);
  expect(causesOf([false, false, false, false])).toEqual([]);
});
