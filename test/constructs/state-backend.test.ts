import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type App, S3Backend, TerraformStack, Testing } from 'cdktf';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StackAccess } from '../../src/constructs/stack-access.js';
import { keepState } from '../../src/constructs/state-backend.js';
import type { Settings } from '../../src/settings/schema.js';

type State = Settings['state'];

const HTTP = 'https://state.example/team';

/** Every kind of backend, with nothing, with a prefix and with a place for the stack's name. */
const STATES: readonly [string, State][] = [
  ['local', { backend: 'local', folder: 'states' }],
  ['s3', { backend: 's3', config: { bucket: 'b' } }],
  ['s3 with a key', { backend: 's3', config: { bucket: 'b', key: 'network/state' } }],
  ['s3 with a template', { backend: 's3', config: { bucket: 'b', key: 'x/{stack}/state' } }],
  ['http', { backend: 'http', config: { address: HTTP } }],
  ['http with a query', { backend: 'http', config: { address: `${HTTP}?name={stack}` } }],
  ['pg', { backend: 'pg', config: {} }],
  ['pg with a schema', { backend: 'pg', config: { schema_name: 'network' } }],
  ['consul', { backend: 'consul', config: {} }],
  ['consul with a path', { backend: 'consul', config: { path: 'network/' } }],
  ['kubernetes', { backend: 'kubernetes', config: { namespace: 'n' } }],
  ['kubernetes with a suffix', { backend: 'kubernetes', config: { secret_suffix: 'network' } }],
];

let app: App;
let outdir: string;
beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), 'state-'));
  app = Testing.app({ outdir });
});
afterEach(() => rmSync(outdir, { recursive: true, force: true }));

function stackWith(id: string, state: State, environment?: string): TerraformStack {
  const stack = new TerraformStack(app, id);
  keepState(stack, state, { folder: '', environment });
  return stack;
}

/** The backend of a stack as Terraform reads it. */
function configured(stack: TerraformStack): Record<string, Record<string, unknown>> {
  return JSON.parse(Testing.synth(stack)).terraform.backend;
}

test.each(STATES)('gives each stack a state of its own: %s', (_, state) => {
  const [one, other] = ['api-access-a', 'plugin-access-a'].map((id) => stackWith(id, state));
  const places = [one, other].map((stack) => JSON.stringify(stack && configured(stack)));
  expect(places[0]).toContain('api-access-a');
  expect(places[1]).toBe(places[0]?.replaceAll('api-access-a', 'plugin-access-a'));
});

test.each(STATES)('gives each environment a state of its own: %s', (_, state) => {
  const places = ['blue', 'green'].map((environment) => {
    app = Testing.app({ outdir });
    return JSON.stringify(configured(stackWith('api-access', state, environment)));
  });
  expect(places[0]).toContain('api-access-blue');
  expect(places[1]).toBe(places[0]?.replaceAll('blue', 'green'));
});

test('names an environment once that the id of the stack ends with', () => {
  const { pg } = configured(stackWith('api-access-blue', { backend: 'pg', config: {} }, 'blue'));
  expect(pg).toEqual({ schema_name: 'api-access-blue' });
});

test.each<[string, State, object]>([
  ['s3', { backend: 's3', config: { bucket: 'b' } }, { bucket: 'b', key: 'api.tfstate' }],
  [
    's3 with a key',
    { backend: 's3', config: { bucket: 'b', key: 'net' } },
    { bucket: 'b', key: 'net/api.tfstate' },
  ],
  ['pg', { backend: 'pg', config: { schema_name: 'net' } }, { schema_name: 'net_api' }],
  ['consul', { backend: 'consul', config: { path: 'net' } }, { path: 'net/api' }],
  [
    'kubernetes',
    { backend: 'kubernetes', config: { secret_suffix: 'net' } },
    { secret_suffix: 'net-api' },
  ],
  [
    'http with locks below its address',
    {
      backend: 'http',
      config: { address: `${HTTP}/`, lock_address: `${HTTP}/lock`, unlock_address: `${HTTP}/lock` },
    },
    {
      address: `${HTTP}/api`,
      lock_address: `${HTTP}/api/lock`,
      unlock_address: `${HTTP}/api/lock`,
    },
  ],
  [
    'http with locks elsewhere',
    { backend: 'http', config: { address: HTTP, lock_address: 'https://lock.example' } },
    { address: `${HTTP}/api`, lock_address: 'https://lock.example/api' },
  ],
  [
    'http with templates',
    {
      backend: 'http',
      config: { address: `${HTTP}/{stack}`, lock_address: `${HTTP}/{stack}/lock` },
    },
    { address: `${HTTP}/api`, lock_address: `${HTTP}/api/lock` },
  ],
])('writes the key where the backend reads it: %s', (_, state, expected) => {
  expect(Object.values(configured(stackWith('api', state)))).toEqual([expected]);
});

describe('a key that the backend cannot hold is refused', () => {
  test.each<[string, string, State, string]>([
    [
      'longer than PostgreSQL reads',
      'x'.repeat(64),
      { backend: 'pg', config: {} },
      '`state.config.schema_name` must be at most 63 bytes',
    ],
    [
      'no name of Kubernetes',
      'Api_access',
      { backend: 'kubernetes', config: {} },
      '`state.config.secret_suffix` must be lower-case letters, digits and `-`',
    ],
    [
      'a number where Kubernetes numbers the parts of a state',
      'api-access-2',
      { backend: 'kubernetes', config: {} },
      'not ending with `-` and a number, got: "api-access-2"',
    ],
    [
      'a query without a place for the stack',
      'api',
      { backend: 'http', config: { address: `${HTTP}?name=x` } },
      '`state.config.address` has a query, so it must hold `{stack}`',
    ],
    [
      'no URL',
      'api',
      { backend: 'http', config: { address: 'state.example' } },
      '`state.config.address` must be an http or https URL',
    ],
  ])('%s', (_, id, state, message) => {
    expect(() => stackWith(id, state)).toThrow(message);
  });
});

describe('a state that another stack has is refused', () => {
  test.each<[string, State]>([
    ['pg', { backend: 'pg', config: {} }],
    ['local', { backend: 'local', folder: 'states' }],
  ])('where two names become one: %s', (_, state) => {
    stackWith('api', state, 'blue');
    expect(() => stackWith('api-blue', state, 'blue')).toThrow(
      'api-blue/state is not valid:\n  the state must not be shared with another stack, got the location of api;',
    );
  });

  test('where a stack that is made later names the same place by hand', () => {
    stackWith('api', { backend: 's3', config: { bucket: 'b' } });
    const other = new TerraformStack(app, 'other');
    new S3Backend(other, { bucket: 'b', key: 'api.tfstate', region: 'cn-beijing' });
    expect(() => app.synth()).toThrow(
      'the state must not be shared with another stack, got the location of other',
    );
  });
});

test('two stacks with one state by hand are refused, too, where either has access rules', () => {
  for (const id of ['api', 'plugin']) {
    const stack = new TerraformStack(app, id);
    new S3Backend(stack, { bucket: 'b', key: 'state', region: 'cn-beijing' });
    StackAccess.of(stack);
  }
  expect(() => app.synth()).toThrow('the state must not be shared with another stack');
});

test('a local folder that is given replaces every backend, as in the sandbox', () => {
  const stack = new TerraformStack(app, 'api');
  keepState(stack, { backend: 's3', config: { bucket: 'b' } }, { folder: join(outdir, 'own') });
  app.synth();
  const file = join(outdir, 'stacks/api/cdk.tf.json');
  const { local } = JSON.parse(readFileSync(file, 'utf8')).terraform.backend;
  expect(resolve(outdir, 'stacks/api', local.path)).toBe(join(outdir, 'own', 'api.tfstate'));
});
