import { writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Progress } from '../../../src/verify/model/verification.js';
import { expectDiagnosis } from '../../support/explained.js';
import { isTokenCall } from '../../support/raw-service.js';
import { listen, TOKEN } from '../../support/service-server.js';
import { ADDRESS, check, createWorld, findingOf } from '../../support/verifiable-link.js';

/** A balancer in front of the service whose connections fail where it is said so, by their number. */
async function startBalancer(
  behind: number,
  isLost: (count: number) => boolean,
  lose: (socket: Socket) => void,
): Promise<number> {
  let count = 0;
  const server = createServer((near) => {
    near.on('error', () => undefined);
    count += 1;
    if (isLost(count)) return lose(near);
    const far = connect(behind, '127.0.0.1');
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    near.pipe(far).pipe(near);
  });
  return await listen(server);
}

/** Causes that go by what differs between two connections. */
const never = ['path.name-filter', 'tls.server-name', 'path.mtu', 'server.no-target'];

test.each([
  ['is silent', 'tls.timeout', () => undefined],
  ['ends', 'tls.reset', (socket: Socket) => void socket.once('data', () => socket.end())],
])('where the first of many connections %s, the name is not what differs', async (_, fails, lose) => {
  const world = await createWorld();
  const port = await startBalancer(world.service.port, (count) => count === 1, lose);
  await world.connectTo({ [ADDRESS]: port });
  const verification = await check(world, { timeoutMs: 6_000 });
  expectDiagnosis(verification, { fails, shown: ['server.unsteady'], never });
});

test('a second connection that fails in its handshake is named by how it failed', async () => {
  const world = await createWorld();
  world.service.handler = ({ method, path }) =>
    isTokenCall(`${method} ${path} `)
      ? { headers: { connection: 'close' }, ...given() }
      : undefined;
  const port = await startBalancer(
    world.service.port,
    (count) => count > 1,
    (socket) => void socket.once('data', () => socket.end()),
  );
  await world.connectTo({ [ADDRESS]: port });
  const { code, evidence } = findingOf(await check(world), 'workspaces');
  expect([code, evidence.error]).toEqual(['http.reset', expect.stringMatching(/: ECONNRESET$/)]);
});

test('a service that restarts between two calls is tried again first', async () => {
  const world = await createWorld();
  world.service.handler = ({ method, path }) => {
    if (!isTokenCall(`${method} ${path} `)) return undefined;
    writeFileSync(rules, down);
    return { headers: { connection: 'close' }, ...given() };
  };
  const [rules, up] = [join(world.folder, 'connect-to'), `${ADDRESS}:443:127.0.0.1:`];
  const down = `${up}${world.refusingPort}\n`;
  const onProgress = ({ kind }: Progress) => {
    if (kind === 'probes') writeFileSync(rules, `${up}${world.service.port}\n`);
  };
  const verification = await check(world, { onProgress });
  expectDiagnosis(verification, {
    fails: 'tcp.refused',
    consistent: ['server.unsteady: one call lost'],
    never: ['path.filter'],
  });
  expect(verification.links[0]?.causes[0]?.remedy).toMatch(/^Try again/);
});

function given() {
  return { body: { access_token: TOKEN, expires_in: Math.floor(Date.now() / 1000) + 900 } };
}
