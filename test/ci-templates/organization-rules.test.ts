import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ReviewReport } from '../../src/review/report-schema.js';
import { from, reviewOf } from '../review/trees.js';
import { temporaryFolder } from '../support/cleanup.js';
import { run } from './run.js';

const POLICY = fileURLToPath(new URL('../../shipped/ci-templates/policy', import.meta.url));
const HAS_CONFTEST = spawnSync('conftest', ['--version']).status === 0;

/** The verdict of conftest on a report, with the shipped rules. */
async function judge(report: object) {
  const file = join(await temporaryFolder(), 'review.json');
  await writeFile(file, JSON.stringify(report));
  return run('conftest', ['test', '--no-color', '--policy', POLICY, file]);
}

const base = [from('10.0.0.0/24')];
const opened = from('10.1.0.0/24', { reason: 'calls of the new workers' });
const passing = reviewOf(base, [...base, opened]);
const destroying: ReviewReport = {
  ...passing,
  plans: [{ stack: 'api-production', import: 0, add: 0, change: 1, replace: 0, destroy: 2 }],
};

describe.skipIf(!HAS_CONFTEST)(
  `the rules of an organization${HAS_CONFTEST ? '' : ' (skipped: needs conftest)'}`,
  () => {
    test('let a report pass that opens little, for a reason of its own', async () => {
      expect(passing.decision).toBe('needs-approval');
      const { status, stdout } = await judge(passing);
      expect(stdout).toContain('3 tests, 3 passed, 0 warnings, 0 failures');
      expect(status).toBe(0);
    });

    test.each<[what: string, report: object, message: string]>([
      [
        'access for a reason that is not new',
        reviewOf(base, [...base, from('10.1.0.0/24')]),
        'api-access: 10.1.0.0/24 can now reach endpoint, tcp 443 without a reason of its own',
      ],
      [
        'a plan that destroys something in production',
        destroying,
        'api-production: the deploy destroys 2 and replaces 0 objects',
      ],
      ['another kind of report', { findings: [] }, 'the input must be a report of'],
    ])('refuse %s', async (_, report, message) => {
      const { status, stdout } = await judge(report);
      expect(stdout).toContain(message);
      expect(stdout).toContain('1 failure');
      expect(status).toBe(1);
    });
  },
);
