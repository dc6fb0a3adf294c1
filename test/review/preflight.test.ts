import { describe, expect, test } from 'vitest';
import { rulesDigest } from '../../src/access/access-model.js';
import { reviewOfTerraform } from './trees.js';

const DIGEST = rulesDigest([]);

const KEY = {
  SECURE_CONNECTIVITY_KEY_ID: 'kid',
  SECURE_CONNECTIVITY_PRIVATE_KEY: '',
  SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: '../keys/private_key.pem',
};

interface Change {
  readonly host?: string;
  readonly program?: string;
  readonly options?: readonly string[];
  readonly environment?: object;
  readonly triggers?: object;
  readonly more?: object;
}

/** The first step of a deploy as the constructs write it, after a change. */
function preflight(change: Change = {}): Record<string, unknown> {
  return {
    resource: { null_resource: { check_preflight: bodyOf(change) } },
    output: { 'rules-digest': { value: DIGEST } },
  };
}

function preflightOf(program: string, host = 'api.example.com', options: readonly string[] = []) {
  const [required, networks] = options[0] === '--report-only' ? [options, []] : [[], options];
  const mode = ['verify', '--preflight', ...networks, ...required];
  return [program, ...mode, '--api-host', host, '--title'];
}

function bodyOf(change: Change = {}): Record<string, unknown> {
  const { host = 'api.example.com', program = '../../../dist/cli/main.js', options = [] } = change;
  const step = {
    interpreter: ['node', ...preflightOf(program, host, options)],
    command: 'preflight of api',
    environment: { ...KEY, ...change.environment },
    ...change.more,
  };
  const triggers = { access: DIGEST, keys: 'kid', ...change.triggers };
  return JSON.parse(JSON.stringify({ provisioner: [{ 'local-exec': step }], triggers }));
}

/** An endpoint that lets networks in, behind a preflight. */
function open(cidrs: readonly string[], change: Change = {}): Record<string, unknown> {
  const ports = { port_start: 443, port_end: 443, protocol: 'tcp' };
  const accepts = cidrs.map((cidr_ip) => ({ cidr_ip, policy: 'accept', priority: 10, ...ports }));
  const drop = { cidr_ip: '0.0.0.0/0', policy: 'drop', priority: 100, protocol: 'all' };
  const { resource, ...rest } = preflight(change);
  return {
    ...rest,
    resource: {
      ...(resource as object),
      volcenginecc_vpc_security_group: {
        own: { ingress_permissions: accepts, egress_permissions: [drop] },
      },
      volcenginecc_privatelink_vpc_endpoint: {
        own: { security_group_ids: ['${volcenginecc_vpc_security_group.own.security_group_id}'] },
      },
    },
  };
}

const at = (...networks: readonly string[]): Change => ({
  options: networks,
});

/** The report on the preflight alone; no access rules are there to state what is open. */
function factsOfChange(base: Record<string, unknown>, head: Record<string, unknown>) {
  return reviewOfTerraform(base, head).findings.filter(
    ({ resource }) => resource === 'null_resource.check_preflight',
  );
}

describe('the place that a preflight proves', () => {
  const WHOLE = open(['10.0.0.0/23'], at('10.0.0.0/23'));

  test.each<[what: string, head: Record<string, unknown>]>([
    ['in other words', open(['10.0.0.0/23'], at('10.0.0.0/24', '10.0.1.0/24'))],
    ['narrower', open(['10.0.0.0/23'], at('10.0.1.0/24'))],
    ['narrower, as who may call', open(['10.0.1.0/24'], at('10.0.1.0/24'))],
    ['wider, as who may call', open(['10.0.0.0/22'], at('10.0.0.0/22'))],
  ])('is no change where it is %s', (_, head) => {
    expect(factsOfChange(WHOLE, head)).toEqual([]);
  });

  test.each<[what: string, head: Record<string, unknown>, finding: object]>([
    [
      'wider than who may call',
      open(['10.0.0.0/23'], at('10.0.0.0/22', 'fd00::/8')),
      {
        what: 'networks of the preflight that may not call',
        after: '10.0.2.0/23, fd00::/8',
      },
    ],
    [
      'not an address',
      open(['10.0.0.0/23'], at('10.0.0.0/23', '1.2/3')),
      { what: 'networks of the preflight that may not call', after: 'somebody unknown (1.2/3)' },
    ],
    [
      'any',
      open(['10.0.0.0/23']),
      { what: 'location that the preflight requires', before: 'checked', after: 'none' },
    ],
  ])('needs approval where it is %s', (_, head, finding) => {
    expect(factsOfChange(WHOLE, head)).toEqual([
      expect.objectContaining({ kind: 'safeguard', decision: 'needs-approval', ...finding }),
    ]);
  });
});

test('another value of a fact is another finding, also for whoever has accepted the first', () => {
  const identities = ['api.other.example', 'api.third.example'].map((host) =>
    factsOfChange(preflight(), preflight({ host })).map(({ identity }) => identity.join()),
  );
  expect(identities.map(({ length }) => length)).toEqual([1, 1]);
  expect(identities[0]).not.toEqual(identities[1]);
});

test.each<[what: string, head: Record<string, unknown>, finding: object]>([
  [
    'that only reports',
    preflight({ options: ['--report-only'] }),
    { kind: 'safeguard', what: 'preflight', after: 'runs' },
  ],
  [
    'that is gone',
    {},
    { kind: 'safeguard', before: expect.stringMatching(/^preflight: runs/), after: 'none' },
  ],
  [
    'of another program',
    preflight({ program: '/tmp/other.js' }),
    { kind: 'unread', what: 'provisioner' },
  ],
  [
    'with another key pair',
    preflight({ environment: { SECURE_CONNECTIVITY_KEY_ID: 'other' } }),
    { kind: 'safeguard', what: 'key pairs' },
  ],
  [
    'that signs for another host',
    preflight({ host: 'api.other.example' }),
    { kind: 'safeguard', what: 'API host of the preflight', after: 'api.other.example' },
  ],
  [
    'with an option that is not known',
    preflight({ options: ['--require', 'x.js'] }),
    { kind: 'unread', what: 'provisioner' },
  ],
  [
    'with a variable of its own',
    preflight({ environment: { NODE_OPTIONS: '--require x.js' } }),
    { kind: 'unread', what: 'provisioner' },
  ],
  [
    'in another folder',
    preflight({ more: { working_dir: '/tmp' } }),
    { kind: 'unread', what: 'provisioner' },
  ],
  [
    'by the program on the PATH',
    preflight({
      more: { interpreter: preflightOf('secure-connectivity') },
    }),
    { kind: 'safeguard', what: 'program of the preflight', after: 'secure-connectivity' },
  ],
  [
    'by another program on the PATH',
    preflight({ more: { interpreter: preflightOf('sh') } }),
    { kind: 'unread', what: 'provisioner' },
  ],
  [
    'at another time',
    preflight({ triggers: { other: 'x' } }),
    { kind: 'unread', what: 'triggers' },
  ],
  [
    'that access rules do not run again',
    preflight({ triggers: { access: 'constant' } }),
    { kind: 'safeguard', what: 'preflight not rerun by access rules', after: 'constant' },
  ],
  [
    'without the trigger of access rules',
    preflight({ triggers: { access: undefined } }),
    { kind: 'safeguard', what: 'changes that rerun the preflight', before: 'access' },
  ],
  [
    'that another key pair does not run again',
    preflight({ triggers: { keys: 'constant' } }),
    { kind: 'safeguard', what: 'preflight not rerun by key pairs', after: 'constant' },
  ],
])('a preflight %s needs approval', (_, head, finding) => {
  const { decision, findings } = reviewOfTerraform(preflight(), head);
  expect(decision).toBe('needs-approval');
  expect(findings).toContainEqual(expect.objectContaining(finding));
});

test.each([
  '/tmp/other.js',
  '../../../other/dist/cli/main.js',
  '../dist/cli/main.js',
])('a resource that is new, and runs %s under the name of the preflight, needs approval', (program) => {
  const head = {
    resource: {
      null_resource: { check_preflight: bodyOf(), zzz: bodyOf({ program }) },
    },
    output: { 'rules-digest': { value: DIGEST } },
  };
  expect(reviewOfTerraform(preflight(), head)).toMatchObject({
    decision: 'needs-approval',
    findings: [{ kind: 'unread', resource: 'null_resource.zzz', what: 'provisioner' }],
  });
});
