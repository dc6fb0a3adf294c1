import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readStackFacts } from '../../../src/cli/deploy/tree/stack-facts.js';
import { temporaryFolder } from '../../support/cleanup.js';

const cloud = { organization: 'o', workspaces: { name: 'w' } };

// Terraform reads all of them, and a deploy would miss where the run or the state is.
test.each<[what: string, stack: object]>([
  ['settings in a list', { terraform: [{ cloud }] }],
  ['a backend in a list', { terraform: { backend: [{ s3: { bucket: 'b' } }] } }],
  ['data sources in a list', { data: [{ terraform_remote_state: { other: { backend: 's3' } } }] }],
  ['states in a list', { data: { terraform_remote_state: [{ other: { backend: 's3' } }] } }],
  ['a backend that is no text', { data: { terraform_remote_state: { other: { backend: 1 } } } }],
  ['resources in a list', { resource: [{ terraform_data: { one: {} } }] }],
])('a deploy refuses %s', async (_, stack) => {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'cdk.tf.json'), JSON.stringify(stack));
  expect(() => readStackFacts({ name: 'one', folder, dependencies: [] })).toThrow(
    /a stack must have its Terraform JSON, got: .*cdk\.tf\.json, which is missing or is no stack's/,
  );
});
