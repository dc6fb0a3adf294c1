import { expect, test } from 'vitest';
import { exitOf } from '../../src/review/review.js';
import { reviewOfTerraform } from './trees.js';

const RANGE = '>= 0.0.53, < 0.1.0';

const requires = (version: string | undefined, source = 'volcengine/volcenginecc') => ({
  terraform: { required_providers: { volcenginecc: { source, version } } },
});

test.each([
  ['0.0.53', RANGE],
  [RANGE, '0.0.53'],
  [RANGE, '= 0.0.60'],
  [RANGE, '~> 0.0.53'],
  [RANGE, '>=0.0.53,<= 0.0.99'],
  [RANGE, '> 0.0.60, < 0.0.70, != 0.0.65'],
  ['0.0.60', '0.0.70'],
])('from %j to %j of the provider changes nothing', (before, after) => {
  const report = reviewOfTerraform(requires(before), requires(after));
  expect(report.findings).toEqual([]);
  expect(exitOf(report)).toBe(0);
});

test.each([
  '0.0.52',
  '0.1.0',
  '>= 0.0.53',
  '>= 0.0.53, <= 0.1.0',
  '>= 0.0.1, < 0.1.0',
  '< 0.1.0',
  '~> 0.0',
  '~> 0',
  '0.0.60-beta',
  '!= 0.0.60',
  'latest',
  undefined,
])('a constraint that leaves the range needs approval: %j', (version) => {
  const leaves = reviewOfTerraform(requires(RANGE), requires(version));
  expect(leaves.findings.map(({ what, before, after }) => `${what}: ${before} → ${after}`)).toEqual(
    [
      `provider volcenginecc: volcengine/volcenginecc within ${RANGE} → ${`volcengine/volcenginecc ${version ?? ''}`.trim()}`,
    ],
  );
  expect(exitOf(leaves)).toBe(3);
});

test('another source needs approval, whatever its versions', () => {
  const report = reviewOfTerraform(requires(RANGE), requires(RANGE, 'others/volcenginecc'));
  expect(report.findings.map(({ after }) => after)).toEqual([`others/volcenginecc ${RANGE}`]);
  expect(exitOf(report)).toBe(3);
});
