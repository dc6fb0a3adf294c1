import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTree, type SynthesizedTree } from '../../src/reach/read/read-tree.js';
import { exitOf, review } from '../../src/review/review.js';
import { surfacesOf } from '../../src/review/statement/surface.js';
import { temporaryFolder } from '../support/cleanup.js';
import { synthesizeAll } from '../support/synthesize-all.js';
import type { Json } from './attacks.js';
import { BASE } from './settings-changes.js';
import { TODAY } from './trees.js';

const check = { ...BASE.check, requireReviewed: true };
const TREE = join(synthesizeAll({ base: { ...BASE, check } }), 'base');
const UNCHANGED = readTree(TREE, '--base');
const STACKS = ['api-access-live', 'plugin-access-live'];

const all = (json: Json, type: string): Json[] => Object.values(json.resource[type] ?? {});
const each = (type: string, change: (one: Json, value: string) => void) => {
  return (json: Json, value: string) => {
    for (const one of all(json, type)) change(one, value);
  };
};
const step = (json: Json) => json.resource.null_resource.check.provisioner[0]['local-exec'];
const told = (json: Json) => json.output.connectivity ?? json.output.connections;

/** Each gives a stack one of two contents; both need approval, each its own. */
const CONTENTS: Readonly<Record<string, (json: Json, value: string) => void>> = {
  'the key that signs statements': (json, value) => {
    json.output.reviewed.value.key = value;
  },
  'what the check is told': (json, value) => {
    told(json).value += value;
  },
  'when the check runs again': (json, value) => {
    json.resource.null_resource.check.triggers.links = value;
  },
  'a key in the configuration': (json, value) => {
    step(json).environment.SECURE_CONNECTIVITY_PRIVATE_KEY = value;
  },
  'the file of the key': (json, value) => {
    step(json).environment.SECURE_CONNECTIVITY_PRIVATE_KEY_FILE = value;
  },
  'the network': each('volcenginecc_vpc_vpc', (one, value) => {
    one.cidr_block = `10.${value.length}.0.0/16`;
  }),
  'the network, from a local': (json, value) => {
    json.locals = { cidr: `10.${value.length}.0.0/16` };
    for (const one of all(json, 'volcenginecc_vpc_vpc')) one.cidr_block = '${local.cidr}';
  },
  'the project, which replaces all': (json, value) => {
    for (const type of ['vpc_endpoint', 'endpoint_service'])
      for (const one of all(json, `volcenginecc_privatelink_${type}`)) one.project_name = value;
  },
  'the state': (json, value) => {
    json.terraform.backend = { s3: { bucket: value } };
  },
  'a file that a label shows': (json, value) => {
    for (const one of all(json, 'volcenginecc_vpc_security_group'))
      one.description = `\${file("/${value}")}`;
  },
};

async function changed(change: (json: Json) => void): Promise<SynthesizedTree> {
  const copy = join(await temporaryFolder(), 'tree');
  cpSync(TREE, copy, { recursive: true });
  for (const stack of STACKS) {
    const file = join(copy, 'stacks', stack, 'cdk.tf.json');
    const json = JSON.parse(readFileSync(file, 'utf8'));
    change(json);
    writeFileSync(file, JSON.stringify(json));
  }
  return readTree(copy, '--head');
}

describe.each<[name: string, base: SynthesizedTree]>([
  ['in a stack that is there', UNCHANGED],
  ['in a first change', new Map()],
])('two contents need two approvals and have two statements %s', (_, base) => {
  test.each(Object.entries(CONTENTS))('%s', async (__, change) => {
    const heads = await Promise.all(
      ['one', 'another'].map((value) => changed((json) => change(json, value))),
    );
    const reports = heads.map((head) => review(base, head, TODAY));
    expect(reports.map((report) => exitOf(report) >= 3)).toEqual([true, true]);
    const [a, b] = reports.map((report) => JSON.stringify(report));
    expect(a).not.toBe(b);
    const [one, other] = heads.map((head) => JSON.stringify([...surfacesOf(head)]));
    expect(one).not.toBe(other);
  });
});

test('the same content has the same report, whatever is written beside it', async () => {
  const noted = (note: string) =>
    changed((json) => {
      json['//'] = note;
      for (const one of all(json, 'volcenginecc_vpc_security_group')) {
        one.description = note;
        one.ingress_permissions.reverse();
      }
      json.terraform.backend = { s3: { bucket: 'b' } };
    });
  const [a, b] = await Promise.all([noted('one'), noted('another')]);
  expect(review(UNCHANGED, a as SynthesizedTree, TODAY)).toEqual(
    review(UNCHANGED, b as SynthesizedTree, TODAY),
  );
});

describe('the rule that only what was reviewed is deployed', () => {
  const rows = (base: SynthesizedTree, head: SynthesizedTree) =>
    review(base, head, TODAY).findings.map(({ resource, before, after, decision }) => [
      `${resource}: ${before} → ${after}`,
      decision,
    ]);

  test('is one row of a stack when it comes, when its key changes and when it goes', async () => {
    const without = await changed((json) => {
      delete json.output.reviewed;
      delete json.variable;
    });
    const signed = await changed((json) => {
      json.output.reviewed.value.key = 'MCow';
    });
    const expected = (before: string, after: string) =>
      STACKS.map(() => [`output.reviewed: ${before} → ${after}`, 'needs-approval']);
    const rule = 'the rule that only what was reviewed is deployed';
    const free = 'statements without a signature';
    expect(rows(without, signed)).toEqual(expected('none', `${rule}: statements signed by MCow`));
    expect(rows(UNCHANGED, signed)).toEqual(expected(free, 'statements signed by MCow'));
    expect(rows(UNCHANGED, without)).toEqual(expected(`${rule}: ${free}`, 'none'));
  });

  test.each<[string, (json: Json) => void]>([
    [
      'statements that count as deployed',
      (json) => {
        json.variable.reviewed_statements.default = 'a'.repeat(64);
      },
    ],
    [
      'a rule that forgets what was deployed',
      (json) => {
        json.output.reviewed.value.statements = '';
      },
    ],
    [
      'another use of its variable',
      (json) => {
        json.locals = { anything: '${var.reviewed_statements}' };
      },
    ],
  ])('needs approval with %s', async (_, change) => {
    expect(exitOf(review(UNCHANGED, await changed(change), TODAY))).toBe(3);
  });
});
