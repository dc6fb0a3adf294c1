import { expect, test } from 'vitest';
import { FIXED_CIDRS } from '../../../src/net/fixed-addresses.js';
import type { IntentsReport } from '../../../src/reach/intents/report.js';
import { intentsDocument } from '../../../src/reach/intents/report.js';
import { tableCells, tableText } from '../../../src/reach/reports/document.js';
import { documentAsPage } from '../../../src/report/html.js';
import { documentAsText } from '../../../src/report/text.js';

function report(name: string): IntentsReport {
  const row = { name, environment: '', from: 'a', to: 'b', on: '', only: ['live'] };
  return { schema: 'secure-connectivity/intents-report@1', rows: [{ ...row, expect: 'closed' }] };
}

test('one intent and one part are told in the singular', () => {
  expect(documentAsText(intentsDocument(report('nobody')))).toMatch(/^1 intent\n/);
  const table = { schema: 'secure-connectivity/reach@1', rows: [], unread: ['a module'] };
  expect(tableText(table as never)).toBe('0 rows of who may reach what; 1 part is not read');
});

test.each([
  [FIXED_CIDRS.map((cidr) => cidr.replace('/32', '')), "the service's 24 fixed addresses"],
  [['10.0.0.1', '10.0.0.3'], '10.0.0.1, 10.0.0.3'],
  [['0.0.0.0 – 9.255.255.255', '11.0.0.0 – 255.255.255.255'], 'every IPv4 address but 10.0.0.0/8'],
])('%j are one row', (peers, text) => {
  expect(
    tableCells(peers.map((peer) => ({ peer, resource: '' })) as never).map(([, to]) => to),
  ).toEqual([text]);
});

test('rows that no one text names are rows of their own: none is left out', () => {
  const peers = ['10.0.0.1', '10.0.0.3', '10.0.0.5', '10.0.0.7'];
  const cells = tableCells(peers.map((peer) => ({ peer, resource: '' })) as never);
  expect(cells.map(([, to]) => to)).toEqual(peers);
});

test('a name in the page is no markup, and does not turn the text around', () => {
  const page = documentAsPage(intentsDocument(report('<b>"\u202Eclosed\u202C"</b>\u0007')));
  expect(page).toMatch(/>&lt;b&gt;&quot;.?closed.?&quot;&lt;\/b&gt;.?<\/td>/);
  expect(page).not.toContain('\u202E');
});
