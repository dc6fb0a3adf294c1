import { expect, test } from 'vitest';
import { statePlace } from '../../src/terraform/state-place.js';

test.each<[string, [type: string, config: unknown, folder: string][]]>([
  [
    'a path from the folder of each stack',
    [
      ['local', { path: '../b/terraform.tfstate' }, '/tree/a'],
      ['local', { path: null }, '/tree/b'],
      ['local', {}, '/tree/b'],
      ['local', undefined, '/tree/b'],
      ['local', [{ path: '' }], '/tree/b'],
    ],
  ],
  [
    'null for what is absent, at any depth',
    [
      ['s3', { bucket: 'x', endpoints: { s3: 'y', iam: null }, profile: null }, '/tree/a'],
      ['s3', { endpoints: { s3: 'y' }, bucket: 'x' }, '/tree/b'],
    ],
  ],
])('places are equal with %s', (_, places) => {
  expect(new Set(places.map((place) => statePlace(...place))).size).toBe(1);
});

test.each<[string, [type: string, config: unknown, folder: string][]]>([
  [
    'the same path in two folders',
    [
      ['local', { path: 'x.tfstate' }, '/tree/a'],
      ['local', { path: 'x.tfstate' }, '/tree/b'],
    ],
  ],
  [
    'null for a path',
    [
      ['local', { path: '../x.tfstate' }, '/tree/a'],
      ['local', { path: null }, '/tree/a'],
    ],
  ],
  [
    'two backends',
    [
      ['consul', { path: 'x' }, '/tree/a'],
      ['local', { path: 'x' }, '/tree/a'],
    ],
  ],
])('places differ with %s', (_, places) => {
  expect(new Set(places.map((place) => statePlace(...place))).size).toBe(places.length);
});
