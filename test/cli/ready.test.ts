import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Cloud } from '../../src/sandbox/cloud/cloud.js';
import { requestedConnection } from '../../src/sandbox/cloud/types/endpoint-connection.js';
import {
  buildBalancer,
  buildService,
  CONNECTION,
  SERVICE,
  SERVICE_ACCOUNT,
  sandboxForTest,
} from '../sandbox/support.js';
import { temporaryFolder } from '../support/cleanup.js';
import { startDns } from '../support/dns-responder.js';
import { runHere } from '../support/run-here.js';
import { startRefusing } from '../support/verifiable-link.js';

const SETTINGS = JSON.parse(readFileSync('stacks/settings/sandbox.json', 'utf8'));
const INSIDE = ['--own-address', '10.20.1.9'];

interface Point {
  readonly name: string;
  readonly status: string;
  readonly text: string;
  readonly code?: string;
}

interface Given {
  readonly settings?: object;
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
  readonly project?: boolean;
  readonly prepare?: (cloud: Cloud) => void;
}

/** Runs `ready` on a sandbox, in a folder with nothing but a settings file. */
async function run({ settings = SETTINGS, env = {}, args = INSIDE, project, prepare }: Given) {
  const sandbox = await sandboxForTest();
  prepare?.(sandbox.cloud);
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'agents.json'), JSON.stringify(settings));
  if (project) await writeFile(join(folder, 'cdktf.json'), '{}');
  const own = { PATH: process.env.PATH ?? '', ...sandbox.env };
  return runHere(['ready', '--settings', 'agents.json', ...args], {
    cwd: folder,
    env: { ...own, ...env },
  });
}

async function judged(given: Given) {
  const { args = INSIDE } = given;
  const { exit, stdout, stderr } = await run({ ...given, args: [...args, '--format', 'json'] });
  expect(stderr).toBe('');
  const report = JSON.parse(stdout) as { verdict: string; points: Point[]; deploy: string[] };
  const failed = report.points.filter(({ status }) => status === 'failed');
  return { exit, stdout, ...report, failed };
}

/** A cloud that answers every list with nothing, at another time. */
async function cloudAt(offsetMs: number) {
  const server = createServer((_, response) => {
    response.setHeader('date', new Date(Date.now() + offsetMs).toUTCString());
    response.end(JSON.stringify({ Result: { ResourceDescriptions: [] } }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return { VOLCENGINE_CC_ENDPOINT: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const PAGE = '<html>Sign in</html>';
const result = (Result: unknown) => JSON.stringify({ ResponseMetadata: {}, Result });
const refusal = (Code: string) =>
  JSON.stringify({ ResponseMetadata: { Error: { Code, Message: 'no' } } });

/** Something that gives each call the same answer. */
function answering(status: number, body: string, headers: Record<string, string> = {}) {
  return serving(() => ({ status, body, headers }));
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Record<string, string>;
}

/** Something that answers each action of the cloud’s API. */
async function serving(answer: (action: string | null) => Answer) {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://cloud');
    const { status, body, headers } = answer(searchParams.get('Action'));
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return { VOLCENGINE_CC_ENDPOINT: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('what answers in the place of the cloud is neither ready nor a refusal', () => {
  const NONE =
    /^ListResources of Volcengine::VPC::VPC failed: UnexpectedAnswer: this is no answer of the cloud’s API/;
  test.each([
    ['a page to sign in', 200, PAGE, NONE],
    ['nothing', 200, '', NONE],
    ['an empty object', 200, '{}', NONE],
    ['another place', 302, result({ ResourceDescriptions: [] }), NONE],
    ['no result', 200, JSON.stringify({ ResponseMetadata: {} }), NONE],
    ['an error as text', 200, '{"ResponseMetadata":{"Error":"no"},"Result":{}}', NONE],
    [
      'a list that is none',
      200,
      result({ ResourceDescriptions: {} }),
      /the list has no descriptions/,
    ],
    ['an object without a name', 200, result({ ResourceDescriptions: [{}] }), /has no identifier/],
    [
      'an error of the cloud',
      500,
      refusal('InternalError'),
      /failed: InternalError: no \(status 500/,
    ],
    ['a proxy that wants a password', 407, PAGE, /failed: Unknown: no message \(status 407/],
  ])('%s', async (_, status, body, text) => {
    const { exit, verdict, failed } = await judged({ env: await answering(status, body) });
    expect(failed[0]).toMatchObject({ name: 'read', code: 'cloud.unreadable' });
    expect(failed[0]?.text).toMatch(text);
    expect([exit, verdict]).toEqual([22, 'not-ready']);
  });

  test('and a permission is named where the cloud says that one is missing', async () => {
    const { failed } = await judged({ env: await answering(403, refusal('AccessDenied')) });
    expect(failed[0]?.text).toMatch(
      /the cloud refuses Volcengine::VPC::VPC: AccessDenied \(no\); needs vpc:DescribeVpcs/,
    );
  });

  test.each([
    [403, 'AccessDenied', /AccessDenied \(no\); needs vpc:DescribeVpcAttributes$/],
    [409, 'InvalidOperation', /InvalidOperation \(no\)$/],
  ])('and an object that is listed and not read is a warning, with status %i', async (status, code, text) => {
    const first = { Identifier: 'x-1', Properties: '{}' };
    const env = await serving((action) =>
      action === 'ListResources'
        ? { status: 200, body: result({ ResourceDescriptions: [first] }) }
        : { status, body: refusal(code) },
    );
    const { points } = await judged({ env });
    const warned = points.filter((one) => one.name === 'read');
    expect(warned[0]).toMatchObject({
      status: 'passed',
      text: expect.stringMatching(/of 0 of them/),
    });
    expect(warned[1]).toMatchObject({ status: 'warned', text: expect.stringMatching(text) });
  });

  test('and by the clock of a cached answer no clock is judged', async () => {
    const headers = { date: new Date(Date.now() - 900_000).toUTCString(), age: '900' };
    const list = result({ ResourceDescriptions: [] });
    const { points } = await judged({ env: await answering(200, list, headers) });
    expect(points.find(({ name }) => name === 'clock')).toMatchObject({ status: 'unknown' });
  });
});

test('a machine inside with a key and a readable cloud is ready, and gets the commands', async () => {
  const { exit, stdout: written, stderr } = await run({});
  expect([exit, stderr]).toEqual([0, '']);
  expect(written).toMatch(/^agents is ready\n/);
  const stdout = written.replaceAll(/\n {2,}(?=\S)/g, (all) => (all.length > 4 ? ' ' : all));
  expect(stdout).toMatch(/passed +key +\S+ signs a JWT for api\.sandbox\.example/);
  expect(stdout).toMatch(/passed +location +10\.20\.1\.9 may call the service/);
  expect(stdout).toMatch(/passed +resolver +127\.0\.0\.1:\d+ answers/);
  expect(stdout).toMatch(/passed +read +the cloud lists all \d+ types/);
  expect(stdout).toMatch(/passed +clock/);
  expect(stdout).toMatch(/unknown +quota/);
  const write = stdout.split('\n').filter((line) => /unknown +write +not shown/.test(line));
  expect(write).toHaveLength(1);
  for (const named of [
    'privatelink:CreateVpcEndpointService',
    'clb:CreateListener',
    '::CLB::ACL',
  ]) {
    expect(write[0]).toContain(named);
  }
  expect(write[0]).not.toMatch(/Describe|List\w*s,/);
  expect(stdout).toContain('service console: an OAuth application');
  expect(stdout).toContain('npx secure-connectivity synth --settings agents.json --out terraform');
  expect(stdout).toContain('terraform -chdir=terraform/stacks/plugin-access-agents apply');
});

test('what is missing comes first, with its exit status and remedy, and no command deploys', async () => {
  const args = ['--own-address', '10.99.0.1', '--private-key-file', '/no/key.pem'];
  const { exit, stdout } = await run({ args });
  const [verdict, , , ...others] = stdout.split('\n');
  expect([exit, verdict]).toEqual([2, 'agents is not ready, exit 2: key, location']);
  expect(others[0]).toBe('  failed at key');
  expect(others[1]).toMatch(/^ {2}key\.unusable: The private key/);
  expect(others[2]).toMatch(/^ {4}remedy {2}\S/);
  expect(stdout).toMatch(/^ {2}failed {3}location {3}\S/m);
  expect(stdout).not.toContain('deploy with');
});

test('the manual steps are what service and cloud ask of people for each option that is set', async () => {
  const stepsOf = async (settings: object) => JSON.parse((await judged({ settings })).stdout).steps;
  const { privateZone: _, ...serviceEndpoint } = SETTINGS.serviceEndpoint;
  const { fixedIpEgress, fixedIpIngress, pluginEndpointService, userIdHeader, ...none } = SETTINGS;
  const ways = { fixedIpEgress, fixedIpIngress, pluginEndpointService, userIdHeader };
  expect(await stepsOf({ ...none, ...ways, serviceEndpoint })).toEqual([
    'service: the enterprise flagship plan, for serviceEndpoint, fixedIpEgress, fixedIpIngress, pluginEndpointService',
    'service console: an OAuth application of type enterprise privileged app, client type service-side (enterprise plan, flagship or standard; made by a super administrator or administrator of the default organization), with a key pair; after creating it, confirm its authorization',
    'settings: a remote `state`, before anyone else or a CI job deploys',
    'clients: call the endpoint domain, the output service-endpoint-base-url, with the usual paths',
    'cloud console: attach the group of the fixed-IP access to the workloads; clients call the fixed-IP base URL',
    'business manager of the service: ask for allow-listing of the plugin, with the ID of its workspace (cloud-side plugins created from an existing service alone); put the address list that the service provides into `fixedIpIngress.addresses`',
    'service console, resource library: turn on fixed-IP calling of the plugin; attach the group to its backend',
    'cloud console: grant the cross-service role of endpoint services once; attach the group to the backend',
    'service console, private network management: add a private connection with the service ID of the deploy; put the pending endpoint’s ID into `acceptedEndpointIds` and deploy again',
    'service console: choose the private connection when creating the plugin',
    'backend: start it with the output user-id-header-options',
  ]);
  expect(
    await stepsOf({ ...none, serviceEndpoint: { ...serviceEndpoint, privateZone: true } }),
  ).toEqual([
    'service: the enterprise flagship plan, for serviceEndpoint',
    expect.stringMatching(/^service console: an OAuth application/),
    expect.stringMatching(/^settings: a remote/),
  ]);
});

test('the commands can be pasted into a shell, whatever the folder is called', async () => {
  const sandbox = await sandboxForTest();
  const cwd = await temporaryFolder();
  await mkdir(join(cwd, 'our $(id)'));
  await writeFile(join(cwd, 'our $(id)', 'agents.json'), JSON.stringify(SETTINGS));
  const args = ['ready', '--settings', 'our $(id)/agents.json', ...INSIDE, '--format', 'json'];
  const env = { PATH: process.env.PATH ?? '', ...sandbox.env };
  const { stdout } = await runHere(args, { cwd, env });
  expect(JSON.parse(stdout).deploy[0]).toBe(
    "npx secure-connectivity synth --settings 'our $(id)/agents.json' --out terraform",
  );
});

test('in a project it gets the command of the project', async () => {
  const { deploy } = await judged({ project: true });
  expect(deploy).toEqual([
    'CONNECTIVITY_ENV=agents npx secure-connectivity deploy api-access-agents plugin-access-agents',
  ]);
});

test('before a deploy the location may not be known, which decides nothing', async () => {
  const { exit, points } = await judged({ args: [] });
  expect(points).toContainEqual(expect.objectContaining({ name: 'location', status: 'unknown' }));
  expect(exit).toBe(0);
});

const existing = {
  vpcId: 'vpc-none',
  cidrs: ['10.20.0.0/16'],
  subnets: { 'cn-beijing-a': { subnetId: 'subnet-none', cidr: '10.20.1.0/24' } },
};

describe('what is missing is named, and no command is given', () => {
  test.each<[what: string, given: Given, name: string, code: string, exit: number, text: RegExp]>([
    [
      'credentials',
      { env: { SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: '' } },
      'key',
      'credentials.missing',
      2,
      /is missing/,
    ],
    [
      'the key of a key pair',
      { settings: { ...SETTINGS, keyPairs: [{ kid: 'k1', keyFile: 'keys/none.pem' }] } },
      'key',
      'key.unusable',
      2,
      /./,
    ],
    [
      'a location inside',
      { args: ['--own-address', '192.0.2.7'] },
      'location',
      'host.outside-network',
      2,
      /this machine has 192\.0\.2\.7, and only 10\.20\.0\.0\/16 may call/,
    ],
    [
      'a proxy that can be used',
      { env: { HTTPS_PROXY: 'ftp://user:pass-word@proxy.example' } },
      'proxy',
      'usage.invalid',
      2,
      /`HTTPS_PROXY` must be the URL of an HTTP proxy/,
    ],
    ['Terraform', { env: { PATH: '' } }, 'terraform', 'usage.invalid', 2, /not on the PATH/],
    [
      'credentials of the cloud',
      { env: { VOLCENGINE_ACCESS_KEY: '' } },
      'cloud',
      'usage.invalid',
      2,
      /`VOLCENGINE_ACCESS_KEY` and `VOLCENGINE_SECRET_KEY`/,
    ],
    [
      'the permission to read',
      { env: { VOLCENGINE_ACCESS_KEY: 'AKOTHER' } },
      'read',
      'cloud.unreadable',
      22,
      /the cloud refuses Volcengine::VPC::VPC: \w+ \([^)]*\)\. /,
    ],
    [
      'a network that the settings name',
      { settings: { ...SETTINGS, network: existing } },
      'exists',
      'usage.invalid',
      2,
      /`network\.vpcId` must be the id of something that exists .*vpc-none/,
    ],
  ])('%s', async (_, given, name, code, exit, text) => {
    const result = await judged(given);
    expect(result.failed[0]).toMatchObject({ name, code });
    expect(result.failed[0]?.text).toMatch(text);
    expect(result.exit).toBe(exit);
    expect(result).toMatchObject({ verdict: 'not-ready', deploy: [] });
    expect(result.stdout).not.toContain('pass-word');
  });

  test('a DNS server', async () => {
    const { server } = await startDns(() => ({ fault: 'SERVFAIL' }));
    const result = await judged({ args: [...INSIDE, '--dns-server', server] });
    expect(result.failed).toMatchObject([{ name: 'resolver', code: 'dns.server-failed' }]);
    expect(result.exit).toBe(10);
  });

  test('the true time', async () => {
    const result = await judged({ env: await cloudAt(-300_000) });
    expect(result.failed).toMatchObject([{ name: 'clock', code: 'host.clock' }]);
    expect(result.failed[0]?.text).toMatch(/the cloud’s clock is \d+\.\d s earlier/);
    expect(result.exit).toBe(19);
    const names = result.points.map(({ name }) => name);
    expect(names.indexOf('clock')).toBeLessThan(names.indexOf('read'));
  });

  test('a cloud that answers', async () => {
    const port = await startRefusing();
    const result = await judged({ env: { VOLCENGINE_CC_ENDPOINT: `127.0.0.1:${port}` } });
    expect(result.failed[0]).toMatchObject({ name: 'read', code: 'cloud.unreadable' });
    expect(result.points).toContainEqual(
      expect.objectContaining({ name: 'clock', status: 'unknown' }),
    );
    expect(result.exit).toBe(22);
  });
});

test('a key ID that is the fingerprint of another key is a warning, and one of another form is not', async () => {
  const keys = async (id: string) => {
    const { exit, points } = await judged({ env: { SECURE_CONNECTIVITY_KEY_ID: id } });
    const point = points.find(({ name }) => name === 'key');
    return [exit, point?.status, point?.code];
  };
  expect(await keys('x'.repeat(43))).toEqual([0, 'warned', 'token.key-pair']);
  expect(await keys('key-of-somebody')).toEqual([0, 'passed', undefined]);
});

test('a clock that is a little off is a warning', async () => {
  const { exit, points } = await judged({ env: await cloudAt(20_000) });
  expect(points).toContainEqual(
    expect.objectContaining({ name: 'clock', status: 'warned', code: 'host.clock' }),
  );
  expect(exit).toBe(0);
});

test('a DNS server that has no such name answers all the same', async () => {
  const { server } = await startDns(() => ({ names: {} }));
  const { exit, points } = await judged({ args: [...INSIDE, '--dns-server', server] });
  expect(points).toContainEqual(expect.objectContaining({ name: 'resolver', status: 'passed' }));
  expect(exit).toBe(0);
});

test.each([
  ['report', { name: 'location', status: 'warned', code: 'host.outside-network' }],
  ['off', { name: 'check', status: 'unknown' }],
])('with a check in mode %s, what only the check needs stops no deploy', async (mode, point) => {
  const settings = { ...SETTINGS, check: { mode } };
  const { exit, points } = await judged({ settings, args: ['--own-address', '192.0.2.7'] });
  expect(points).toContainEqual(expect.objectContaining(point));
  expect(exit).toBe(0);
});

test('settings with a mistake end before anything is asked', async () => {
  const { exit, stdout, stderr } = await run({ settings: { ...SETTINGS, apiHost: 'https://x' } });
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toContain('`apiHost`');
});

/** An endpoint service that a stack has marked as its own, with the connections that two accounts ask for. */
function askedBy(stack: string) {
  return (cloud: Cloud) => {
    const Tags = [{ Key: 'secure-connectivity:stack', Value: stack }];
    const service = buildService(cloud, buildBalancer(cloud).balancer, { Tags });
    for (const [endpointId, accountId] of [
      ['ep-asked', SERVICE_ACCOUNT],
      ['ep-stranger', '2100000666'],
    ] as const) {
      cloud.receive(CONNECTION, (scope) =>
        requestedConnection(
          cloud.get(SERVICE, service),
          { endpointId, accountId, vpcId: 'vpc-x', zoneId: 'cn-beijing-a' },
          scope,
        ),
      );
    }
  };
}

describe('connections that wait for the endpoint service', () => {
  const texts = (points: readonly Point[]) =>
    points.filter(({ name }) => name === 'waiting').map(({ status, text }) => [status, text]);

  test('are warned of, and decide nothing', async () => {
    const { exit, points } = await judged({ prepare: askedBy('plugin-access-agents') });
    expect(texts(points)).toEqual([
      ['warned', expect.stringMatching(/^ep-asked .*add "ep-asked" to `acceptedEndpointIds`/)],
      ['warned', expect.stringMatching(/^ep-stranger .* a stranger's/)],
    ]);
    expect(exit).toBe(0);
  });

  test('of another environment are not its own', async () => {
    const { points } = await judged({ prepare: askedBy('plugin-access-others') });
    expect(texts(points)).toEqual([['passed', 'there is no endpoint service yet']]);
  });
});
