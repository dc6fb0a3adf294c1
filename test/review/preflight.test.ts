import { expect, test } from 'vitest';
import { reviewOfTerraform } from './trees.js';

const KEY = {
  SECURE_CONNECTIVITY_KEY_ID: 'kid',
  SECURE_CONNECTIVITY_PRIVATE_KEY: '',
  SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: '../keys/private_key.pem',
};

interface Change {
  readonly command?: string;
  readonly program?: string;
  readonly options?: readonly string[];
  readonly environment?: object;
  readonly triggers?: object;
  readonly more?: object;
}

/** The first step of a deploy as the constructs write it, after a change. */
function preflight(change: Change = {}): Record<string, unknown> {
  return { resource: { null_resource: { check_preflight: bodyOf(change) } } };
}

function bodyOf(change: Change = {}): Record<string, unknown> {
  const { command = 'api.example.com', program = '../dist/cli/main.js', options = [] } = change;
  const step = {
    interpreter: ['node', program, 'preflight', ...options, '--api-host'],
    command,
    environment: { ...KEY, ...change.environment },
    ...change.more,
  };
  const triggers = { access: 'a', keys: 'kid', ...change.triggers };
  return { provisioner: [{ 'local-exec': step }], triggers };
}

const network = { options: ['--network', '10.0.0.0/8', '--network', 'fd00::/8'] };

test('what only follows from who may call is no change', () => {
  expect(
    reviewOfTerraform(preflight(), preflight({ ...network, triggers: { access: 'b' } })).findings,
  ).toEqual([]);
});

test.each<[what: string, head: Record<string, unknown>, finding: object]>([
  [
    'that only reports',
    preflight({ options: ['--report-only'] }),
    { kind: 'safeguard', what: 'preflight', after: 'runs' },
  ],
  ['that is gone', {}, { kind: 'safeguard', what: 'preflight', after: 'none' }],
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
    'that asks another host',
    preflight({ command: 'api.other.example' }),
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
    'at another time',
    preflight({ triggers: { other: 'x' } }),
    { kind: 'unread', what: 'triggers' },
  ],
])('a preflight %s needs approval', (_, head, finding) => {
  const { decision, findings } = reviewOfTerraform(preflight(), head);
  expect(decision).toBe('needs-approval');
  expect(findings).toContainEqual(expect.objectContaining(finding));
});

test.each([
  '/tmp/other.js',
  '../other/dist/cli/main.js',
])('a resource that is new, and runs %s under the name of the preflight, needs approval', (program) => {
  const head = {
    resource: {
      null_resource: { check_preflight: bodyOf(), zzz: bodyOf({ program }) },
    },
  };
  expect(reviewOfTerraform(preflight(), head)).toMatchObject({
    decision: 'needs-approval',
    findings: [{ kind: 'unread', resource: 'null_resource.zzz', what: 'provisioner' }],
  });
});
