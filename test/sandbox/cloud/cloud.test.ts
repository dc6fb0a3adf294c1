import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Attribute, type Attributes, cloudName } from '../../../src/cloud/table/row.js';
import { CLOUD_TYPES } from '../../../src/sandbox/cloud/types/index.js';
import { buildEndpoint, buildNetwork, emptyCloud, temporaryFolder, VPC } from '../support.js';

describe('a task', () => {
  test('tells its outcome at the poll that was asked for, and then for ever', () => {
    const cloud = emptyCloud({ taskPolls: 3 });
    const id = cloud.startCreate(VPC, {}, 'token');
    const polls = Array.from({ length: 5 }, () => cloud.poll(id).polls);
    expect(polls).toEqual([2, 1, 0, 0, 0]);
    expect(cloud.poll(id).identifier).toBe(cloud.list(VPC)[0]?.identifier);
  });

  test('is the same for the same client token', () => {
    const cloud = emptyCloud();
    expect(cloud.startCreate(VPC, {}, 'once')).toBe(cloud.startCreate(VPC, {}, 'once'));
    expect(cloud.list(VPC)).toHaveLength(1);
  });

  test('leaves nothing behind when a create fails', () => {
    const cloud = emptyCloud();
    const task = cloud.poll(cloud.startCreate(VPC, { CidrBlock: '8.0.0.0/16' }, ''));
    expect(task).toMatchObject({ error: { code: 'InvalidCidrBlock.Range' } });
    expect(task.identifier).toBeUndefined();
    expect(cloud.resources()).toEqual([]);
  });
});

test.each(
  CLOUD_TYPES.filter(({ references }) => references).map((type) => [type.row.type, type]),
)('the references of %s are properties of the type', (_, { row, references = {} }) => {
  for (const path of Object.keys(references)) {
    const [first = '', member] = path.split('/');
    const holder = findProperty(row.attributes, first);
    expect(holder?.is, path).toMatch(member === undefined ? /string|number/ : /^set.object.$/);
    if (member !== undefined) expect(findProperty(holder?.of ?? {}, member)?.is).toBe('string');
  }
});

function findProperty(attributes: Attributes, name: string): Attribute | undefined {
  return Object.entries(attributes).find(
    ([each, attribute]) => cloudName(each, attribute) === name,
  )?.[1];
}

describe('the state', () => {
  test('is continued by the next cloud on the same file', () => {
    const file = join(temporaryFolder(), 'cloud.json');
    const first = emptyCloud({ file, taskPolls: 2 });
    buildEndpoint(first);
    const task = first.startCreate(VPC, {}, 'token');
    first.poll(task);
    const second = emptyCloud({ file, taskPolls: 2 });
    expect(second.resources()).toEqual(first.resources());
    expect(second.poll(task).polls).toBe(0);
    const known = new Set(second.resources().map(({ identifier }) => identifier));
    expect(known).not.toContain(second.create(VPC, {}));
  });

  test('is in one file, with no part-written one beside it', () => {
    const folder = temporaryFolder();
    buildNetwork(emptyCloud({ file: join(folder, 'cloud.json') }));
    expect(readdirSync(folder)).toEqual(['cloud.json']);
  });

  test('needs no file', () => {
    const folder = temporaryFolder();
    buildNetwork(emptyCloud());
    expect(existsSync(join(folder, 'cloud.json'))).toBe(false);
  });
});
