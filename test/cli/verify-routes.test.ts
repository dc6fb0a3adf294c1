import { expect, test } from 'vitest';
import { verificationSchema } from '../../src/verify/model/verification.js';
import { API_HOST, APPLICATION, ENDPOINT_HOST } from '../support/application.js';
import { startDns } from '../support/dns-responder.js';
import { startProxy } from '../support/fake-fronts.js';
import type { CliOptions } from '../support/run-cli.js';
import { runHere } from '../support/run-here.js';
import { unwrapped } from '../support/unwrapped.js';
import { ADDRESS, createWorld, type World } from '../support/verifiable-link.js';

const BY_HAND = [
  ...['--base-url', `https://${ENDPOINT_HOST}`],
  ...['--via', 'service-endpoint'],
  ...['--api-host', API_HOST],
  ...['--expect-address', ADDRESS],
];

function verify({ options }: World, args: readonly string[], more: CliOptions = {}) {
  const env = {
    SECURE_CONNECTIVITY_ENTERPRISE_ID: APPLICATION.enterpriseId,
    SECURE_CONNECTIVITY_APP_ID: APPLICATION.appId,
    SECURE_CONNECTIVITY_KEY_ID: APPLICATION.keyId,
    SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: options.credentials?.privateKeyFile ?? '',
    SECURE_CONNECTIVITY_DNS_SERVER: options.dnsServer ?? '',
    SECURE_CONNECTIVITY_CA_FILE: options.caFile ?? '',
    SECURE_CONNECTIVITY_CONNECT_TO: options.connectTo?.[0] ?? '',
  };
  return runHere(['verify', ...BY_HAND, ...args], { ...more, env: { ...env, ...more.env } });
}

test('address, server name and family of the route are chosen independently', async () => {
  const world = await createWorld({ names: [API_HOST] });
  const { exit, stdout } = await verify(world, [
    ...['--resolve', `${ENDPOINT_HOST}:443:${ADDRESS}`],
    ...['--tls-server-name', API_HOST],
    ...['--family', '4', '--verbose'],
  ]);
  expect([exit, world.asked]).toEqual([0, []]);
  expect(stdout).toMatch(/skipped +dns .*the addresses are given/);
  expect(world.service.requests[0]?.headers.host).toBe(ENDPOINT_HOST);
});

test('the API host itself may be called where a private zone resolves it', async () => {
  const world = await createWorld({ names: [API_HOST] });
  const args = [
    ...['--base-url', `https://${API_HOST}`],
    ...['--resolve', `${API_HOST}:443:${ADDRESS}`],
  ];
  expect((await verify(world, args)).exit).toBe(2);
  expect((await verify(world, [...args, '--via', 'private-zone'])).exit).toBe(0);
});

test('TLS verification cannot be switched off', async () => {
  const world = await createWorld({ untrusted: true });
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  expect((await verify(world, [], { env })).exit).toBe(13);
  expect(world.service.requests).toEqual([]);
});

test('another resolver is asked when the link fails, and is named', async () => {
  const world = await createWorld();
  world.dns = { names: {} };
  const other = await startDns(() => ({ names: { [ENDPOINT_HOST]: [ADDRESS] } }));
  const { exit, stdout } = await verify(world, ['--compare-resolver', other.server]);
  expect(exit).toBe(10);
  expect(stdout).toContain('dns.other-resolver');
  expect(stdout).toContain(other.server);
});

test('a proxy of the environment is shown and not obeyed; one that is given is', async () => {
  const world = await createWorld();
  const proxy = await startProxy({ status: 200, port: world.service.port });
  const env = { HTTPS_PROXY: proxy.url };
  const { exit, stdout } = await verify(world, [], { env });
  expect([exit, proxy.asked]).toEqual([0, []]);
  expect(unwrapped(stdout)).toMatch(/note +HTTPS_PROXY names .*; this check goes directly/);
  const given = await verify(world, ['--proxy', proxy.url], {
    env: { SECURE_CONNECTIVITY_CONNECT_TO: '' },
  });
  expect([given.exit, proxy.asked]).toEqual([0, [`${ENDPOINT_HOST}:443`]]);
});

test('settling prints each pass', async () => {
  const world = await createWorld();
  const { exit, stderr, stdout } = await verify(world, ['--settle', '2']);
  expect(exit).toBe(0);
  expect(stderr).toMatch(/pass 1 of 2/);
  expect(stdout).toContain('passes in a row: 2');
});

test.each<[why: string, args: readonly string[], message: RegExp]>([
  ['a wrong family', ['--family', '5'], /must be 4 or 6/],
  ['a wrong address', ['--resolve', 'a:443:b'], /`--resolve` must be HOST:PORT:ADDRESS/],
  [
    'a wrong proxy, without its password',
    ['--proxy', 'socks5://alice:pass-word@x:1080'],
    /`--proxy` must be an http URL with a host and a port, with or without credentials, got: "socks5:\/\/…@x:1080"$/m,
  ],
  ['a proxy without scheme', ['--proxy', 'foo'], /must be an http URL with a host and a port/],
  ['a wrong resolver', ['--compare-resolver', 'x'], /`--compare-resolver` must be an IP/],
  ['no passes', ['--settle', '0'], /`--settle` must be a whole number above 0/],
  [
    'a wrong own address',
    ['--own-address', 'here'],
    /`--own-address` must be IP addresses.*"here"/,
  ],
])('%s: one clear error and exit 2', async (_, args, message) => {
  const { exit, stdout, stderr } = await runHere(['verify', ...BY_HAND, ...args]);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  expect(stderr).toMatch(message);
});

test.each<[how: string, args: readonly string[], env: Record<string, string>, source: string]>([
  ['a flag', ['--own-address', '192.0.2.7', '--own-address', '10.1.9.9'], {}, 'command line'],
  [
    'a variable',
    [],
    { SECURE_CONNECTIVITY_OWN_ADDRESS: '192.0.2.7, 10.1.9.9' },
    'SECURE_CONNECTIVITY_OWN_ADDRESS',
  ],
])('%s names the addresses of this machine, and the report shows it', async (_, args, env, source) => {
  const world = await createWorld();
  world.dns = { names: {} };
  const network = ['--expect-address', '10.1.0.0/16', '--format', 'json'];
  const { stdout } = await verify(world, [...network, ...args], { env });
  const report = verificationSchema.parse(JSON.parse(stdout));
  expect(report.settings).toContainEqual({
    name: '--own-address',
    source,
    value: '192.0.2.7, 10.1.9.9',
  });
  expect(report.links[0]?.probes).toContainEqual(
    expect.objectContaining({
      name: 'own-address',
      ok: true,
      evidence: { inside: '10.1.9.9', own: '192.0.2.7, 10.1.9.9', networks: '10.1.0.0/16' },
    }),
  );
});
