import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { Link } from '../../src/link/link.js';
import type { JsonObject } from '../../src/sandbox/json.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { API_HOST } from '../../src/sandbox/surroundings.js';
import {
  buildTwoZones,
  ENDPOINT,
  GROUP,
  RECORD,
  rule,
  SUBNET,
  sandboxForTest,
  VPC,
  ZONE,
} from '../sandbox/support.js';
import { DeployedProject, SECRET } from '../support/deployed-project.js';

const loaded = vi.hoisted(() => ({ cloudCauses: 0 }));
vi.mock('../../src/cli/verify/cloud-causes.js', async (original) => {
  loaded.cloudCauses += 1;
  return await original();
});

const ACL = 'Volcengine::VPC::NetworkAcl';
/** By which the network knows the machine of the check: the sandbox's own choice. */
const MACHINE = '10.20.1.252';
const ADDRESSES = ['10.20.1.1/32', '10.20.2.1/32'];

/** An endpoint in a deployed stack, in the folder of a project. */
async function deployed(options: { readonly isZoned?: boolean; readonly client?: string } = {}) {
  const { client } = options;
  const sandbox = await sandboxForTest(client === undefined ? {} : { clientAddress: () => client });
  const { cloud } = sandbox;
  const endpoint = buildTwoZones(cloud);
  const [group = ''] = Object.keys(cloud.state.resources[GROUP] ?? {});
  const [vpc = ''] = Object.keys(cloud.state.resources[VPC] ?? {});
  const { EndpointDomain: domain } = cloud.get(ENDPOINT, endpoint);
  let zone = '';
  if (options.isZoned) {
    zone = cloud.create(ZONE, {
      ZoneName: API_HOST,
      Vpcs: [{ Region: 'cn-beijing', VpcId: vpc }],
    });
    for (const address of ADDRESSES) {
      const Value = address.slice(0, -3);
      cloud.create(RECORD, { ZID: Number(zone), Host: '@', Type: 'A', Value });
    }
  }
  const host = options.isZoned ? API_HOST : domain;
  const project = new DeployedProject(sandbox);
  await project.start();
  const link: Link = {
    name: 'api',
    via: 'service-endpoint',
    baseUrl: `https://${host}`,
    apiHost: API_HOST,
    expectedAddresses: ADDRESSES,
    expectedNetworks: ['10.20.1.0/24', '10.20.2.0/24'],
    ...(options.isZoned && { privateZone: true }),
  };
  project.deploy({ links: [link] });
  return { sandbox, endpoint, group, vpc, zone, project };
}

function edit(sandbox: Sandbox, type: string, id: string, property: string, value: unknown) {
  const patch = [{ op: 'replace', path: `/${property}`, value }] as never;
  sandbox.cloud.startUpdate(type, id, patch, `edit-${Math.random()}`);
}

const DROP = { Policy: 'drop', CidrIp: '10.20.1.0/24' };

function addAcl(sandbox: Sandbox, entries: readonly JsonObject[]): string {
  const { cloud } = sandbox;
  const [vpc = ''] = Object.keys(cloud.state.resources[VPC] ?? {});
  const Resources = Object.keys(cloud.state.resources[SUBNET] ?? {}).map((ResourceId) => ({
    ResourceId,
  }));
  return cloud.create(ACL, { VpcId: vpc, Resources, IngressAclEntries: [...entries] });
}

const ENTRY = { Policy: 'drop', Protocol: 'tcp', Port: '443/443', CidrIp: '10.20.1.0/24' };

test('without credentials nothing of it is loaded and nothing is asked', async () => {
  const { sandbox, group, project } = await deployed();
  edit(sandbox, GROUP, group, 'IngressPermissions', [rule(), rule({ ...DROP, Priority: 1 })]);
  const { failed, shown, notes, exit, asked } = await project.check({ VOLCENGINE_SECRET_KEY: '' });
  expect([failed, exit, shown, asked]).toEqual(['tcp.timeout', 12, [], []]);
  expect(notes.join()).not.toContain('cloud');
  expect(loaded.cloudCauses).toBe(0);
});

describe('a check that fails after an edit behind Terraform', () => {
  test.each([
    [
      'a drop before the accept',
      [rule(), rule({ ...DROP, Priority: 1 })],
      /: blocked by rule 2 of sg-\w+, drop 10\.20\.1\.0\/24 tcp 443, priority 1 \(not in Terraform\)$/,
    ],
    [
      'two drops, each of which is enough',
      [
        rule({ ...DROP, Priority: 2 }),
        rule(),
        rule({ ...DROP, CidrIp: '10.0.0.0/8', Priority: 1 }),
      ],
      /: blocked by rule 3 of sg-\w+, drop 10\.0\.0\.0\/8 tcp 443, priority 1 \(not in Terraform\); blocked by rule 1 of sg-\w+, drop 10\.20\.1\.0\/24 tcp 443, priority 2 \(not in Terraform\)$/,
    ],
    [
      'the accept removed',
      [rule({ CidrIp: '10.99.0.0/16' })],
      /: no rule of sg-\w+ accepts 10\.20\.1\.252 tcp 443; accept 10\.20\.0\.0\/16 tcp 443, priority 10, which Terraform has, is gone$/,
    ],
  ])('names %s, and nothing else', async (_, rules, evidence) => {
    const { sandbox, group, project } = await deployed();
    edit(sandbox, GROUP, group, 'IngressPermissions', rules);
    const { failed, shown, exit, stdout, asked } = await project.check();
    expect([failed, exit]).toEqual(['tcp.timeout', 12]);
    expect(shown).toEqual([
      expect.stringMatching(
        new RegExp(
          `^endpoint.security-group: from ${MACHINE} to 10.20.1.1, 10.20.2.1${evidence.source}`,
        ),
      ),
    ]);
    expect(stdout).not.toContain(SECRET);
    // Only reads are sent, and none twice, whatever the number of addresses.
    expect(new Set(asked.map(({ action }) => action))).toEqual(
      new Set(
        ['GetResource', 'ListResources'].filter((one) =>
          asked.some(({ action }) => action === one),
        ),
      ),
    );
    expect(new Set(asked.map(({ body }) => body)).size).toBe(asked.length);
    expect(asked.length).toBeGreaterThan(0);
  });

  test('names a network ACL and the group behind it', async () => {
    const { sandbox, group, project } = await deployed();
    const acl = addAcl(sandbox, [ENTRY]);
    const one = await project.check();
    const ofAcl = `blocked by a rule of ${acl}, drop 10.20.1.0/24 tcp 443`;
    expect(one.shown).toEqual([
      expect.stringMatching(`: ${ofAcl}, priority \\d+ \\(not in this stack’s Terraform\\)$`),
    ]);
    edit(sandbox, GROUP, group, 'IngressPermissions', [rule(), rule({ ...DROP, Priority: 1 })]);
    const both = await project.check();
    expect(both.shown).toEqual([expect.stringContaining(`blocked by a rule of ${acl}`)]);
    expect(both.shown).toEqual([expect.stringContaining(`blocked by rule 2 of ${group}`)]);
  });

  test('says what is undecided, and shows no cause', async () => {
    const { sandbox, project } = await deployed();
    addAcl(sandbox, [ENTRY, { ...ENTRY, Policy: 'accept', CidrIp: '0.0.0.0/0' }]);
    const { shown, notes, failed } = await project.check();
    expect([failed, shown]).toEqual(['tcp.timeout', []]);
    const doubt = /^the cloud’s configuration does not decide on 10\.20\.1\.1, 10\.20\.2\.1: /;
    expect(notes.filter((note) => doubt.test(note))).toHaveLength(1);
  });

  test('names a connection that is not accepted', async () => {
    const { sandbox, project, endpoint } = await deployed({ isZoned: true });
    sandbox.faults.set('pending-acceptance');
    const { shown, failed } = await project.check();
    expect(failed).toBe('tcp.timeout');
    expect(shown).toEqual([
      `endpoint.not-accepted: from ${MACHINE} to 10.20.1.1, 10.20.2.1: the connection of ${endpoint} is PendingAcceptance`,
    ]);
  });

  test('names an endpoint that was deleted', async () => {
    const { sandbox, project, endpoint } = await deployed();
    sandbox.cloud.startDelete(ENDPOINT, endpoint, '');
    const { shown, failed } = await project.check();
    expect(failed).toBe('dns.not-found');
    expect(shown).toEqual([
      expect.stringMatching(
        `^endpoint.missing: .*: ${endpoint} is in the state and no longer in the cloud$`,
      ),
    ]);
  });
});

test.each([
  ['is dropped', MACHINE, [new RegExp(`: from ${MACHINE} to .*: blocked by rule 2 of sg-`)]],
  ['passes', '10.20.2.7', [/^path\.configured-open: from 10\.20\.2\.7 to /]],
])('at a vantage point, whose address %s, the rules are asked of that address', async (_, own, shown) => {
  const { sandbox, group, project } = await deployed();
  edit(sandbox, GROUP, group, 'IngressPermissions', [rule(), rule({ ...DROP, Priority: 1 })]);
  const run = await project.check({}, ['--run-via', 'far=env', '--own-address', own]);
  expect([run.failed, run.report.links[0]?.vantagePoint]).toEqual(['tcp.timeout', 'far']);
  expect(run.shown).toEqual(shown.map((one) => expect.stringMatching(one)));
});

describe('a name that no longer leads to the endpoint', () => {
  test('names the zone that lost its network', async () => {
    const { sandbox, project, vpc, zone } = await deployed({ isZoned: true });
    edit(sandbox, ZONE, zone, 'Vpcs', []);
    const { shown, failed } = await project.check();
    expect(failed).toBe('address.unexpected');
    expect(shown[0]).toBe(
      `dns.record-wrong: seen=drift, the zone ${API_HOST} (${zone}) is not associated with ${vpc}, which Terraform associates it with`,
    );
  });

  test('names the records that were deleted, and another that somebody added', async () => {
    const { sandbox, project, zone } = await deployed({ isZoned: true });
    for (const id of Object.keys(sandbox.cloud.state.resources[RECORD] ?? {})) {
      sandbox.cloud.startDelete(RECORD, id, `delete-${id}`);
    }
    const gone = await project.check();
    expect(gone.failed).toBe('dns.not-found');
    expect(gone.shown[0]).toMatch(
      /^dns\.record-wrong: seen=drift, the record of .* is no longer in the cloud; the record/,
    );
    const other = sandbox.cloud.create(RECORD, {
      ZID: Number(zone),
      Host: '@',
      Type: 'A',
      Value: '10.20.1.77',
    });
    const wrong = await project.check();
    expect(wrong.failed).toBe('address.unexpected');
    expect(wrong.shown[0]).toBe(
      `dns.record-wrong: seen=drift, record ${other} leads ${API_HOST} to 10.20.1.77 (not in Terraform)`,
    );
  });
});

test.each([
  [
    undefined,
    'shown',
    `path.configured-open: the zone of ${API_HOST} and its records are as Terraform has them`,
  ],
  ['10.50.0.7', 'consistent', /^dns\.record-wrong: .* alone, and 10\.50\.0\.7 is in none of them$/],
] as const)('a name that is lost though its zone is right, from %s, is %s', async (client, certainty, text) => {
  const { sandbox, project } = await deployed({ isZoned: true, ...(client && { client }) });
  sandbox.faults.set('dns-missing');
  const { causes, failed } = await project.check();
  expect(failed).toBe('dns.not-found');
  const found = causes.find(({ code }) => /configured-open|record-wrong/.test(code));
  expect(found?.certainty).toBe(certainty);
  expect(`${found?.code}: ${found?.evidence}`).toMatch(text);
});

const OPEN =
  /^path\.configured-open: from 10\.20\.1\.252 to 10\.20\.1\.1, 10\.20\.2\.1: rule 1 of sg-\w+, accept 10\.20\.0\.0\/16 tcp 443, priority 10 \(volcenginecc_vpc_security_group\./;

const CLOSED =
  /^endpoint\.security-group: .*: blocked by rule 2 of sg-\w+, drop 0\.0\.0\.0\/0 .*, priority 1 \(not in Terraform\)$/;

test.each([
  ['tcp-silent', OPEN],
  ['rules-not-enforced', OPEN],
  ['security-group-closed', CLOSED],
] as const)('under %s the first cause is what the cloud’s configuration shows', async (fault, shown) => {
  const { sandbox, project } = await deployed();
  sandbox.faults.set(fault);
  const found = await project.check();
  expect(found.failed).toBe('tcp.timeout');
  expect(found.shown).toEqual([expect.stringMatching(shown)]);
  const [first] = found.causes;
  // As the README and the demo have it, which ask no configuration.
  if (shown === CLOSED) expect(readFileSync('README.md', 'utf8')).toContain(`    ${first?.code}: `);
});

test.each([
  'tcp-refused',
  'tls-reset',
] as const)('no rule is named where %s is the failure', async (fault) => {
  const { sandbox, group, project } = await deployed();
  // A rule about others does not matter either.
  edit(sandbox, GROUP, group, 'IngressPermissions', [
    rule(),
    rule({ ...DROP, CidrIp: '10.20.9.0/24', Priority: 1 }),
  ]);
  sandbox.faults.set(fault);
  const { report, asked } = await project.check();
  const without = await project.check({ VOLCENGINE_SECRET_KEY: '' });
  expect(asked).toEqual([]);
  expect(report.links[0]?.causes).toEqual(without.report.links[0]?.causes);
});

test.each([
  ['fails', 400, '{"ResponseMetadata":{"Error":{"Code":"InvalidParameter","Message":"no"}}}'],
  ['refuses', 403, '{"ResponseMetadata":{"Error":{"Code":"AccessDenied","Message":"no"}}}'],
] as const)('a cloud that %s changes neither verdict nor exit status, and is one line', async (_, status, body) => {
  const { sandbox, group, project } = await deployed();
  edit(sandbox, GROUP, group, 'IngressPermissions', [rule({ ...DROP, Priority: 1 })]);
  const without = await project.check({ VOLCENGINE_SECRET_KEY: '' });
  project.answer = { status, body };
  const { exit, report, stderr, shown } = await project.check();
  expect([exit, report.verdict, shown]).toEqual([without.exit, without.report.verdict, []]);
  expect(report.links[0]?.causes).toEqual(without.report.links[0]?.causes);
  expect(
    stderr.match(/^verify: the cloud’s configuration of api was not read: .+$/gm),
  ).toHaveLength(1);
  expect(stderr).not.toContain(SECRET);
});

test('a cloud that does not answer is waited for no longer than the limit', async () => {
  const { sandbox, group, project } = await deployed();
  edit(sandbox, GROUP, group, 'IngressPermissions', [rule({ ...DROP, Priority: 1 })]);
  const { report } = await project.check({ VOLCENGINE_SECRET_KEY: '' });
  project.answer = 'nothing';
  const { exit, stderr, stdout } = await project.withCloud(report, 300);
  expect(stderr).toMatch(
    /^verify: the cloud’s configuration of api was not read: no result within \d+ ms\n$/,
  );
  expect(stdout).toEqual(report);
  expect(exit).toBe(12);
});
