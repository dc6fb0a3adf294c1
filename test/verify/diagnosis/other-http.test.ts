import { createServer as createPlain } from 'node:net';
import { createServer } from 'node:tls';
import { expect, test } from 'vitest';
import { ENDPOINT_HOST } from '../../support/application.js';
import { expectDiagnosis } from '../../support/explained.js';
import { listen } from '../../support/service-server.js';
import { ADDRESS, check, createWorld, link, type World } from '../../support/verifiable-link.js';

/** An empty frame SETTINGS. */
const SETTINGS = Buffer.from('000000040000000000', 'hex');

const never = ['server.other-service', 'path.inspection', 'path.gateway', 'path.name-filter'];

async function secureServer({ authority }: World, protocols: string[] | undefined) {
  const certificate = await authority.issue([ENDPOINT_HOST]);
  const options = { ...certificate, ...(protocols && { ALPNProtocols: protocols }) };
  return await listen(createServer(options, (socket) => socket.end(SETTINGS)) as never);
}

test.each([
  ['refuses every other protocol', ['h2'], 'tls.failed: alert'],
  ['agrees on none and begins with a frame', undefined, 'http.unexpected-answer'],
])('a server of HTTP/2 alone that %s is told as one', async (_, protocols, fails) => {
  const world = await createWorld();
  await world.connectTo({ [ADDRESS]: await secureServer(world, protocols) });
  expectDiagnosis(await check(world), { fails, shown: ['server.other-http'], never });
});

test('so is one over plain http', async () => {
  const world = await createWorld({ scheme: 'http' });
  const server = createPlain((socket) => socket.once('data', () => socket.end(SETTINGS)));
  await world.connectTo({ [ADDRESS]: await listen(server) });
  const links = [link({ baseUrl: `http://${ENDPOINT_HOST}` })];
  const verification = await check(world, { links });
  expectDiagnosis(verification, {
    fails: 'http.unexpected-answer',
    shown: ['server.other-http'],
    never,
  });
  expect(verification.verdict).toBe('unreachable');
});
