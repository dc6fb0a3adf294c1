import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CompactSign } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTree } from '../../src/reach/read/read-tree.js';
import { readStateFile } from '../../src/reach/read/state-file.js';
import { openingsOf, surfacesOf } from '../../src/review/statement/surface.js';
import { type Run, StackRun } from '../support/stack-run.js';

const STACK = 'api-access-sandbox';
const OWN = generateKeyPairSync('ed25519');
const OTHER = generateKeyPairSync('ec', { namedCurve: 'P-256' });

let run: StackRun;
beforeAll(async () => {
  run = await StackRun.start();
  run.change('sandbox', (settings) => {
    Object.assign(settings, {
      check: { requireReviewed: true, statementKey: spki(OWN.publicKey), wait: '1s' },
    });
  });
  mkdirSync(join(run.folder, 'empty'));
  synthesize('first');
  networks(['10.20.1.0/24', '10.30.0.0/24']);
  synthesize('wider');
});
afterAll(() => run.stop());

const spki = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('base64');

const at = (name: string) => join(run.folder, name);
const state = () => join(run.folder, 'sandbox', 'terraform', `${STACK}.tfstate`);

function networks(allowedNetworks: readonly string[]): void {
  run.change('sandbox', ({ serviceEndpoint }) => {
    Object.assign(serviceEndpoint as object, { allowedNetworks });
  });
}

const synthesize = (tree: string) => run.synth({}, tree);

/** A statement as the gate writes it. */
async function statement(
  base: string,
  head: string,
  { approvedBy = ['reviewer'], key = OWN.privateKey as KeyObject | 'none' } = {},
): Promise<string> {
  const file = at(`${base}-${head}.json`);
  await run.cli([
    'review',
    '--base',
    at(base),
    '--head',
    at(head),
    '--format',
    `statement=${file}`,
  ]);
  const text = JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), approvedBy });
  const alg = key === OTHER.privateKey ? 'ES256' : 'EdDSA';
  const signed =
    key !== 'none' &&
    (await new CompactSign(new TextEncoder().encode(text)).setProtectedHeader({ alg }).sign(key));
  const name = `${file}.${approvedBy.length}.${key === 'none' ? key : alg}.jws`;
  writeFileSync(name, signed || text);
  return name;
}

function deploy(tree: string, ...reviewed: readonly string[]): Promise<Run> {
  const statements = reviewed.length === 0 ? [] : ['--reviewed', ...reviewed];
  return run.cli(['deploy', STACK, '--auto-approve', '--tree', at(tree), ...statements]);
}

test('without a statement that is approved and signed by the key, nothing is deployed', async () => {
  const refused = [
    [[], 'must name the statements of the changes since the last deploy'],
    [[await statement('empty', 'first', { approvedBy: [] })], 'approved by nobody'],
    [[await statement('empty', 'first', { key: 'none' })], 'unsigned'],
    [[await statement('empty', 'first', { key: OTHER.privateKey })], 'of another key'],
  ] as const;
  for (const [files, why] of refused) {
    const { status, output } = await deploy('first', ...files);
    expect([status, output]).toEqual([2, expect.stringContaining(why)]);
    expect(output).toContain('deploy.not-reviewed');
    expect(output).not.toContain('Plan:');
  }
  expect(existsSync(state())).toBe(false);
});

test('what was reviewed is deployed, and the check prints the digest of its statement', async () => {
  const { status, output } = await deploy('first', await statement('empty', 'first'));
  expect(status, output).toBe(0);
  const { outputs } = JSON.parse(readFileSync(state(), 'utf8'));
  expect(outputs.reviewed.value.key).toBe(spki(OWN.publicKey));
  const deployed: string = outputs.reviewed.value.statements;
  expect(deployed).toMatch(/^[0-9a-f]{64}$/);
  expect(output).toContain(`deployed as reviewed in statement ${deployed}`);
});

test('a tree that opens more is refused with a packet, and passes with its own statement', async () => {
  const known = await statement('empty', 'first');
  const swapped = await deploy('wider', known);
  expect([swapped.status, swapped.output]).toEqual([
    2,
    expect.stringContaining('it opens 10.30.0.0 → volcenginecc_privatelink_vpc_endpoint'),
  ]);
  const { status, output } = await deploy('wider', await statement('first', 'wider'));
  expect(status, output).toBe(0);
});

test('what is deployed decides: a tree without the rule, or with another key, needs a statement too', async () => {
  run.change('sandbox', (settings) => {
    Object.assign(settings, { check: { wait: '1s' } });
  });
  synthesize('free');
  const { status, output } = await deploy('free');
  expect([status, output]).toEqual([2, expect.stringContaining('deploy.not-reviewed')]);
  const review = await run.cli(['review', '--base', at('wider'), '--head', at('free')]);
  expect(review.status).toBe(3);
  expect(review.output).toContain('the rule that only what was reviewed is deployed');
  run.change('sandbox', (settings) => {
    const check = { requireReviewed: true, statementKey: spki(OTHER.publicKey), wait: '1s' };
    Object.assign(settings, { check });
  });
  synthesize('hostile');
  const forged = await statement('wider', 'hostile', { key: OTHER.privateKey });
  const ended = await deploy('hostile', forged);
  expect([ended.status, ended.output]).toEqual([2, expect.stringContaining('of another key')]);
});

test('a statement is no use without a tree', async () => {
  const ended = await run.cli(['deploy', STACK, '--auto-approve', '--reviewed', 'x.json']);
  expect([ended.status, ended.output]).toEqual([
    2,
    expect.stringContaining('`--reviewed` must be given with --tree'),
  ]);
});

test('a state opens what its tree does, with every option', async () => {
  const all = await StackRun.start({ everyOption: true });
  try {
    all.synth();
    const tree = join(all.folder, 'cdktf.out');
    const { status, output } = await all.cli(['deploy', '*', '--auto-approve', '--tree', tree]);
    expect(status, output).toBe(0);
    const surfaces = surfacesOf(readTree(tree, '--tree'));
    expect([...surfaces.keys()]).toEqual(['api-access-sandbox', 'plugin-access-sandbox']);
    for (const [name, { opens }] of surfaces) {
      const file = join(all.folder, 'sandbox', 'terraform', `${name}.tfstate`);
      expect(openingsOf(readStateFile(file, '--state'))).toEqual(opens);
    }
  } finally {
    await all.stop();
  }
});
