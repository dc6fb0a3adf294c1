import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTree, type SynthesizedTree } from '../../src/reach/read/read-tree.js';
import { exitOf, review } from '../../src/review/review.js';
import { LOCK_FILE, readTreeFiles, treeDigest } from '../../src/terraform/tree-digest.js';
import { temporaryFolder } from '../support/cleanup.js';
import { synthesizeAll } from '../support/synthesize-all.js';
import type { Json } from './attacks.js';
import { BASE } from './settings-changes.js';
import { TODAY } from './trees.js';

const TREE = join(synthesizeAll({ base: BASE }), 'base');
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

async function changedFolder(change: (json: Json) => void): Promise<string> {
  const copy = join(await temporaryFolder(), 'tree');
  cpSync(TREE, copy, { recursive: true });
  for (const stack of STACKS) {
    const file = join(copy, 'stacks', stack, 'cdk.tf.json');
    const json = JSON.parse(readFileSync(file, 'utf8'));
    change(json);
    writeFileSync(file, JSON.stringify(json));
  }
  return copy;
}

const changed = async (change: (json: Json) => void) =>
  readTree(await changedFolder(change), '--head');

describe.each<[name: string, base: SynthesizedTree]>([
  ['in a stack that is there', UNCHANGED],
  ['in a first change', new Map()],
])('two contents need two approvals %s', (_, base) => {
  test.each(Object.entries(CONTENTS))('%s', async (__, change) => {
    const heads = await Promise.all(
      ['one', 'another'].map((value) => changedFolder((json) => change(json, value))),
    );
    const reports = heads.map((head) => review(base, readTree(head, '--head'), TODAY));
    expect(reports.map((report) => exitOf(report) >= 3)).toEqual([true, true]);
    for (const head of heads) {
      for (const stack of STACKS) writeFileSync(join(head, 'stacks', stack, LOCK_FILE), '');
    }
    const [one, another] = heads.map((head) => treeDigest(readTreeFiles(head)));
    expect(one).not.toBe(another);
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

describe('the digest of reviewed files that a state keeps', () => {
  test('is no change when it comes or goes', async () => {
    const without = await changed((json) => {
      delete json.output['reviewed-files'];
      delete json.variable;
    });
    for (const [base, head] of [
      [UNCHANGED, without],
      [without, UNCHANGED],
    ] as const) {
      const report = review(base, head, TODAY);
      expect([exitOf(report), report.findings]).toEqual([0, []]);
    }
  });

  test.each<[string, (json: Json) => void]>([
    [
      'a value of the tree',
      (json) => {
        json.variable.reviewed_files.default = 'a'.repeat(64);
      },
    ],
    [
      'another use of its variable',
      (json) => {
        json.locals = { anything: '${var.reviewed_files}' };
      },
    ],
    [
      'another use of it that has spaces',
      (json) => {
        json.locals = { anything: '${ var . reviewed_files }' };
      },
    ],
  ])('needs approval with %s', async (_, change) => {
    expect(exitOf(review(UNCHANGED, await changed(change), TODAY))).toBe(3);
  });
});
