import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTree } from '../../src/reach/read/read-tree.js';
import { fingerprint } from '../../src/reach/read/terraform-json.js';
import type { ReviewReport } from '../../src/review/report-schema.js';
import { exitOf, review } from '../../src/review/review.js';
import { Random } from '../reach/differential/random.js';
import { temporaryFolder } from '../support/cleanup.js';
import { expectOneAnswer } from '../support/one-answer.js';
import { synthesizeAll } from '../support/synthesize-all.js';
import { ACCESS_ATTACKS, ATTACKS } from './attacks.js';
import { OneStack } from './one-stack.js';
import { BASE } from './settings-changes.js';
import { TODAY } from './trees.js';

const TREE = join(synthesizeAll({ base: BASE }), 'base');
const UNCHANGED = readTree(TREE, '--base');

/** A copy of the tree in which one stack's folder was changed. */
async function tampered(change: (stackFolder: string) => void, stack: string): Promise<string> {
  const copy = join(await temporaryFolder(), 'tree');
  cpSync(TREE, copy, { recursive: true });
  change(join(copy, 'stacks', stack));
  return copy;
}

function reviewOf(head: string) {
  return review(UNCHANGED, readTree(head, '--head'), TODAY);
}

const STACKS = [...UNCHANGED.keys()].map((name) => new OneStack(TREE, name));

/** The review of a stack some of whose files say something else. */
function reviewOfOne(stack: OneStack, texts: Readonly<Record<string, string>>): ReviewReport {
  const base = new Map([...UNCHANGED].filter(([name]) => name === stack.name));
  const head = stack.readWith(texts);
  const report = review(base, head, TODAY);
  expectOneAnswer(report, [base, head], new Random(1));
  return report;
}

/** Places where packets are let through, and peers: names that digests contain as well. */
const NAMED =
  /^(?:Cloud Firewall, (?:in|e)gress of|whoever is allowed by the group|rules that refer to the) /;

/** Identities tell all findings apart, and no text for people is in them but values that are one. */
function expectIdentities({ findings }: ReviewReport): void {
  const texts = findings
    .flatMap(({ identity, before, after }) =>
      identity.filter((one) => one !== before && one !== after),
    )
    .filter((one) => /[a-z]{2,} [a-z]{2,}/.test(one) && !NAMED.test(one));
  expect(texts).toEqual([]);
  const identities = findings.map(({ kind, code, stack, resource, identity }) =>
    JSON.stringify([code ?? kind, stack, resource, ...identity]),
  );
  expect(identities).toEqual([...new Set(identities)]);
}

describe('a change of cdk.tf.json alone is never let through', () => {
  test.each(Object.entries(ATTACKS))('%s', (_, attack) => {
    let tried = 0;
    for (const stack of STACKS) {
      const json: unknown = JSON.parse(stack.text('cdk.tf.json'));
      if (!attack(json)) continue;
      tried += 1;
      const report = reviewOfOne(stack, { 'cdk.tf.json': JSON.stringify(json) });
      expect(exitOf(report), `${stack.name}: ${report.summary}`).toBeGreaterThanOrEqual(3);
      expectIdentities(report);
    }
    expect(tried).toBeGreaterThan(0);
  });
});

describe('a change of access.json whose digest follows in cdk.tf.json is never let through', () => {
  test.each(Object.entries(ACCESS_ATTACKS))('%s', (_, attack) => {
    let tried = 0;
    for (const stack of STACKS) {
      const access = JSON.parse(stack.text('access.json'));
      const before: string = access.digest;
      if (!attack(access)) continue;
      tried += 1;
      access.digest = fingerprint(access.rules);
      const report = reviewOfOne(stack, {
        'access.json': JSON.stringify(access),
        'cdk.tf.json': stack.text('cdk.tf.json').replaceAll(before, access.digest),
      });
      expect(exitOf(report), `${stack.name}: ${report.summary}`).toBeGreaterThanOrEqual(3);
      expectIdentities(report);
    }
    expect(tried).toBeGreaterThan(0);
  });

  test('a digest alone, everywhere', async () => {
    const head = await tampered((place) => {
      const access = JSON.parse(readFileSync(join(place, 'access.json'), 'utf8'));
      for (const name of ['access.json', 'cdk.tf.json']) {
        const text = readFileSync(join(place, name), 'utf8');
        writeFileSync(join(place, name), text.replaceAll(access.digest, '0'.repeat(64)));
      }
    }, 'api-access-live');
    expect(reviewOf(head).violations.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^access\.json states the digest 0{64}, and its rules have /),
    ]);
  });
});

describe('what Terraform would load beside it needs approval', () => {
  const OPEN = { resource: { volcenginecc_vpc_security_group: { evil: { vpc_id: 'vpc-1' } } } };

  test.each<[what: string, name: string, text: string]>([
    ['another JSON file', 'more.tf.json', JSON.stringify(OPEN)],
    ['HCL', 'more.tf', 'resource "volcenginecc_vpc_vpc" "x" {}'],
    ['HCL of OpenTofu', 'more.tofu', 'resource "volcenginecc_vpc_vpc" "x" {}'],
    ['variables', 'terraform.tfvars', 'a = 1'],
    ['any other file', 'assets/template.txt', 'text'],
  ])('%s', async (_, name, text) => {
    const head = await tampered((place) => {
      if (name.includes('/')) cpSync(join(place, 'access.json'), join(place, name));
      writeFileSync(join(place, name), text);
    }, 'api-access-live');
    expect(exitOf(reviewOf(head))).toBeGreaterThanOrEqual(3);
  });

  test('an override', async () => {
    const provider = { provider: { volcenginecc: { region: 'cn-shanghai' } } };
    const head = await tampered((place) => {
      writeFileSync(join(place, 'x_override.tf.json'), JSON.stringify(provider));
    }, 'api-access-live');
    const report = reviewOf(head);
    expect(exitOf(report)).toBe(3);
    expect(report.findings.map(({ kind, what }) => [kind, what])).toContainEqual([
      'control',
      'region',
    ]);
  });

  test('a link', async () => {
    const head = await tampered((place) => {
      symlinkSync('/etc/hostname', join(place, 'more.txt'));
    }, 'api-access-live');
    expect(exitOf(reviewOf(head))).toBe(3);
  });

  test('a key that occurs twice is refused', async () => {
    const head = await tampered((place) => {
      const file = join(place, 'cdk.tf.json');
      const text = readFileSync(file, 'utf8').trimEnd().slice(0, -1);
      writeFileSync(file, `${text},"resource":${JSON.stringify(OPEN.resource)}}`);
    }, 'api-access-live');
    expect(() => reviewOf(head)).toThrow(
      /^`--head` must hold `resource` once only, got: .*cdk\.tf\.json$/,
    );
  });
});
