import { afterAll, beforeAll, describe, test } from 'vitest';
import { ChangeRun } from './change-run.js';
import type { ChangeRow } from './row.js';
import { runRow } from './run-row.js';

/** Tests of rows by group, one after the other in one sandbox. */
export function describeRows(groups: Readonly<Record<string, readonly ChangeRow[]>>): void {
  let run: ChangeRun;
  beforeAll(async () => {
    run = await ChangeRun.start();
  });
  afterAll(() => run.stop());

  describe.each(Object.entries(groups))('%s', (_, rows) => {
    test.each(rows)('$name', (row) => runRow(run, row));
  });
}
