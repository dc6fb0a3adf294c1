import { expect, test } from 'vitest';
import type { Finding } from '../../../src/review/report-schema.js';
import {
  closed,
  forbidden,
  opened,
  replaced,
  reportOf,
  unencrypted,
  unread,
} from '../hand-made.js';

const summaryOf = (...findings: Finding[]) => reportOf(findings).summary;

test.each<[what: string, finding: Finding, summary: string]>([
  [
    'what is opened',
    opened,
    'NEEDS APPROVAL: 10.0.0.0/8 can now reach orders, tcp 443 through the firewall',
  ],
  [
    'what is closed',
    closed,
    'NARROWER: 192.0.2.0/30 can no longer reach orders, tcp 443 through the security group',
  ],
  [
    'a safeguard that goes',
    unencrypted,
    'NEEDS APPROVAL: JWT and token travel unencrypted (plain HTTP of orders: none → http)',
  ],
  [
    'clients that are cut',
    replaced,
    'NEEDS APPROVAL: every client is cut off until it calls the new domain (vpc_id of the endpoint: deployed → replaced)',
  ],
  [
    'what is forbidden',
    forbidden,
    'FORBIDDEN: Open wider than the policy allows: endpoint admits 4294967296 IPv4 addresses',
  ],
  [
    'what cannot be read',
    unread,
    'NEEDS APPROVAL: module.network has changed in a way that the review cannot read (all of it): a module can open anything',
  ],
  [
    'a rule that Terraform does not follow',
    { ...opened, kind: 'disagreement', what: 'tcp 443', before: 'stated', after: 'not opened' },
    'NEEDS APPROVAL: access.json and Terraform differ: 10.0.0.0/8: tcp 443 of the firewall: stated → not opened',
  ],
])('says in words: %s', (_, finding, summary) => {
  expect(summaryOf(finding)).toBe(summary);
});

test('no finding is no change, and information changes nothing', () => {
  expect(summaryOf()).toBe('NO CHANGE: access is the same as before');
  expect(summaryOf({ ...replaced, decision: 'no-change' })).toBe(
    'NO CHANGE: access is the same as before (1 for information)',
  );
});

test('the worst comes first, and of the same kind the one with the most addresses', () => {
  const many = { ...opened, who: '0.0.0.0/1', addresses: '2147483648' };
  const { findings, decision } = reportOf([closed, unencrypted, opened, many, forbidden]);
  expect(decision).toBe('forbidden');
  expect(findings).toEqual([forbidden, many, opened, unencrypted, closed]);
});

test('counts what else needs a decision', () => {
  expect(summaryOf(closed, opened, unencrypted)).toMatch(/^NEEDS APPROVAL: 10\..* \(and 1 more\)$/);
  expect(summaryOf(opened, forbidden, { ...forbidden, who: 'x' }, closed)).toMatch(
    /^FORBIDDEN: .* \(and 1 more; 1 need approval\)$/,
  );
});

test('a reason that the base gives already is marked as old where something is opened', () => {
  const old = (reason: string, finding = opened) =>
    reportOf([{ ...finding, reason }], { baseReasons: ['a', 'b; c'] }).findings[0]?.isReasonOld;
  expect([old('a'), old('b; c'), old('a; b; c'), old('d'), old('a; d')]).toEqual([
    true,
    true,
    undefined,
    undefined,
    undefined,
  ]);
  expect(old('a', closed)).toBeUndefined();
});
