import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMAT_NAMES } from '../../src/cli/verify/flags/row.js';
import { verificationSchema } from '../../src/verify/model/verification.js';
import { textReport } from '../../src/verify/reports/text-report.js';
import { API_HOST, ENDPOINT_HOST } from '../support/application.js';
import { startDns } from '../support/dns-responder.js';
import { startProxy } from '../support/fake-fronts.js';
import { runHere } from '../support/run-here.js';
import { ADDRESS, check, createWorld, link } from '../support/verifiable-link.js';
import { worldFlags } from '../support/world-flags.js';

const { version } = JSON.parse(await readFile('package.json', 'utf8'));
const SECRETS = ['s3cret', 'pa%40ss', 'pa@ss', 'alice'];

test('the program tells with what and where it ran, and no password of a proxy', async () => {
  const world = await createWorld();
  const { baseUrl, via } = link();
  const files = FORMAT_NAMES.map((name) => join(world.folder, `report.${name}`));
  const args = [
    ...['verify', '--base-url', baseUrl, '--via', via, '--api-host', API_HOST],
    ...['--expect-address', ADDRESS, ...worldFlags(world)],
    ...FORMAT_NAMES.flatMap((name, i) => ['--format', `${name}=${files[i]}`]),
  ];
  const env = {
    HTTPS_PROXY: 'http://alice:s3cret@proxy.example:3128/s3cret',
    http_proxy: 'alice:pa%40ss@other.example:8080',
    ALL_PROXY: 'socks5://alice:pa@ss@socks.example:1080',
    NO_PROXY: '10.0.0.0/8,.internal,alice:s3cret@odd',
    SSL_CERT_FILE: '/etc/ssl/own.pem',
  };
  const { exit, stdout, stderr } = await runHere(args, { env });
  expect([exit, stderr]).toEqual([0, '']);
  const reports = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  for (const report of [stdout, ...reports]) {
    for (const secret of SECRETS) expect(report).not.toContain(secret);
  }
  const { environment } = JSON.parse(reports[FORMAT_NAMES.indexOf('json')] ?? '');
  expect(environment).toEqual({
    tool: `cdktf-secure-connectivity ${version}`,
    node: process.version,
    openssl: process.versions.openssl,
    platform: expect.stringMatching(new RegExp(`^${process.platform} ${process.arch} .`)),
    resolvers: [world.options.dnsServer],
    proxies: [
      { name: 'HTTPS_PROXY', value: 'http://proxy.example:3128' },
      { name: 'http_proxy', value: 'http://other.example:8080' },
      { name: 'ALL_PROXY', value: 'socks5://socks.example:1080' },
      { name: 'NO_PROXY', value: '10.0.0.0/8,.internal,…' },
    ],
    trust: [
      { name: '--ca-file', value: world.options.caFile },
      { name: 'SSL_CERT_FILE', value: '/etc/ssl/own.pem' },
    ],
  });
  const page = reports[FORMAT_NAMES.indexOf('html')];
  for (const shown of [process.version, 'proxy.example:3128', '/etc/ssl/own.pem']) {
    expect(page).toContain(shown);
  }
});

test('a sound link has asked one resolver and dialled one address', async () => {
  const world = await createWorld();
  const verification = await check(world);
  expect(verification.links[0]?.hosts).toEqual([
    { use: 'resolver', host: '127.0.0.1', port: portOf(world.options.dnsServer) },
    {
      use: 'service',
      host: ENDPOINT_HOST,
      port: 443,
      address: `127.0.0.1:${world.service.port}`,
    },
  ]);
  expect(verificationSchema.parse(verification)).toEqual(verification);
  expect(textReport(verification, { isVerbose: true })).toMatch(
    /checked with +cdktf-secure-connectivity \d/,
  );
});

test('links of one run keep apart what they have dialled; without DNS no resolver is named', async () => {
  const world = await createWorld();
  const links = [link({ name: 'one' }), link({ name: 'two', baseUrl: `https://${ADDRESS}` })];
  const { links: results } = await check(world, { links, probes: false });
  const hosts = results.map((result) => result.hosts?.map(({ use, host }) => `${use} ${host}`));
  expect(hosts).toEqual([
    ['resolver 127.0.0.1', `service ${ENDPOINT_HOST}`],
    [`service ${ADDRESS}`],
  ]);
});

test('what probes ask and dial is reported too', async () => {
  const world = await createWorld();
  const other = await startDns(() => ({ names: { [ENDPOINT_HOST]: [ADDRESS] } }));
  world.dns = { names: {} };
  const { links } = await check(world, { compareResolvers: [other.server] });
  expect(links[0]?.hosts).toEqual([
    { use: 'resolver', host: '127.0.0.1', port: portOf(world.options.dnsServer) },
    { use: 'resolver', host: '127.0.0.1', port: portOf(other.server) },
    { use: 'service', host: ENDPOINT_HOST, port: 443, address: `127.0.0.1:${world.service.port}` },
  ]);
});

test('through a proxy the proxy is named, and of its URL nothing secret', async () => {
  const world = await createWorld();
  const proxy = await startProxy({ status: 200, port: world.service.port });
  const port = portOf(proxy.url);
  const url = `http://alice:s3cret@127.0.0.1:${port}`;
  const verification = await check(world, { proxy: url, probes: false });
  expect(verification.links[0]?.hosts).toContainEqual({
    use: 'proxy',
    host: '127.0.0.1',
    port,
    address: `127.0.0.1:${port}`,
  });
  expect(verification.environment?.proxies).toEqual([
    { name: '--proxy', value: `http://127.0.0.1:${port}` },
  ]);
  for (const secret of SECRETS) expect(JSON.stringify(verification)).not.toContain(secret);
});

function portOf(server = ''): number {
  return Number(server.split(':').at(-1));
}
