import { expect, test } from 'vitest';
import type { IntentsReport } from '../../../src/reach/intents/report-schema.js';
import { intentsPage, intentsText } from '../../../src/reach/intents/write-reports.js';
import { tableText } from '../../../src/reach/reports/words.js';

function report(name: string): IntentsReport {
  const row = { name, environment: '', from: 'a', to: 'b', on: '', only: ['live'] };
  return { schema: 'secure-connectivity/intents-report@1', rows: [{ ...row, expect: 'closed' }] };
}

test('one intent and one part are told in the singular', () => {
  expect(intentsText(report('nobody'))).toMatch(/^1 intent\n/);
  const table = {
    schema: 'secure-connectivity/reach@1',
    rows: [],
    unread: ['a module'],
  };
  expect(tableText(table as never)).toBe('0 rows of who may reach what; 1 part is not read');
});

test('a name in the page is no markup, and does not turn the text around', () => {
  const page = intentsPage(report('<b>"\u202Eclosed\u202C"</b>\u0007'));
  expect(page).toContain('<td>&lt;b&gt;&quot;\uFFFDclosed\uFFFD&quot;&lt;/b&gt;\uFFFD</td>');
  expect(page).not.toContain('\u202E');
});
