import { expect, test } from 'vitest';
import { ConnectToRules } from '../../../src/verify/transport/connect-to.js';
import { ENDPOINT_HOST } from '../../support/application.js';
import { ADDRESS, check, createWorld, findingOf, link } from '../../support/verifiable-link.js';

const HOST = 'api.example';

/** The port that a dial is led to; each rule of these tests leads to a port of its own. */
async function led(rules: readonly string[], address: string, port = 443) {
  return (await new ConnectToRules(rules).find(HOST, address, port))?.port;
}

test('a rule for the address comes before one for the host, and that before one for any address', async () => {
  const rules = [
    '*:443:127.0.0.1:3',
    `${HOST}:443:127.0.0.1:2`,
    '10.0.0.1:443:127.0.0.1:1',
  ] as const;
  expect(await led(rules, '10.0.0.1')).toBe(1);
  expect(await led(rules, '10.0.0.2')).toBe(2);
  expect(await led(rules.slice(0, 1), '10.0.0.2')).toBe(3);
  expect(await led(rules.slice(0, 1), '2001:db8::1')).toBe(3);
  expect(await led(rules, '10.0.0.1', 444)).toBeUndefined();
});

test('a rule for any address leaves a name alone that a proxy resolves', async () => {
  expect(await led(['*:1-65535:127.0.0.1:3'], HOST)).toBeUndefined();
});

test('a rule can hold for a range of ports, both ends of it included', async () => {
  const rules = ['10.0.0.1:444-500:127.0.0.1:1', '[2001:db8::1]:1-65535:127.0.0.1:2'];
  const found = [443, 444, 500, 501].map((port) => led(rules, '10.0.0.1', port));
  expect(await Promise.all(found)).toEqual([undefined, 1, 1, undefined]);
  expect(await led(rules, '2001:db8::1', 65_535)).toBe(2);
});

test('a check of another port goes where the range leads, and the report says so', async () => {
  const world = await createWorld();
  const links = [link({ baseUrl: `https://${ENDPOINT_HOST}:8443` })];
  const connectTo = [`*:8000-9000:127.0.0.1:${world.service.port}`];
  const verification = await check(world, { links, connectTo });
  expect(verification.verdict).toBe('reachable');
  expect(findingOf(verification, 'tcp').evidence).toMatchObject({
    port: 8443,
    connectedTo: `127.0.0.1:${world.service.port}`,
  });
  expect(verification.links[0]?.connectTo).toEqual([
    { from: `${ADDRESS}:8443`, to: `127.0.0.1:${world.service.port}` },
  ]);
});

test.each([
  '10.0.0.1:500-444:127.0.0.1:1',
  '10.0.0.1:0-5:127.0.0.1:1',
  '10.0.0.1:1-65536:127.0.0.1:1',
  '10.0.0.1:1-5:127.0.0.1:1-5',
  '10.0.0.1:443:*:1',
])('%s is no rule', async (rule) => {
  await expect(new ConnectToRules([rule]).read()).rejects.toMatchObject({
    code: 'usage.invalid',
    message: expect.stringContaining(`got: "${rule}"`),
  });
});

test('a rule for an IPv6 address holds in any spelling of it', async () => {
  expect(await led(['[2001:DB8:0:0::1]:443:127.0.0.1:1'], '2001:db8::1')).toBe(1);
  expect(await led(['[::ffff:10.1.2.3]:443:127.0.0.1:1'], '::ffff:a01:203')).toBe(1);
});
