import { expect, test } from 'vitest';
import { factsOf } from '../../../src/codes/codes.js';
import type { Finding } from '../../../src/verify/model/verification.js';
import { linkSection, notRun, stageRows } from '../../../src/verify/reports/link-section.js';
import { GOOD_LINK } from './samples.js';

const tcp = (last: number, change: Partial<Finding> = {}): Finding => ({
  stage: 'tcp',
  status: 'passed',
  elapsedMs: last,
  address: `192.0.2.${last}`,
  evidence: { port: 443, connectedTo: `127.0.0.1:${last}` },
  ...change,
});
const rows = (...findings: Finding[]) => stageRows(findings);
const CAUSE = { code: 'path.mtu', text: '', evidence: '', certainty: 'consistent' } as const;

/** The rows and the line of what passed of a link that fails. */
const brief = (...stages: Finding[]) => {
  const { rows: shown, facts } = linkSection({ ...GOOD_LINK, causes: [CAUSE], stages }, false);
  return { rows: [...shown], passed: facts?.map(([name, text]) => `${name} ${text}`) };
};

test('a few addresses have a line each where all is asked for', () => {
  expect(rows(tcp(1), tcp(2))).toEqual([
    ['passed', 'tcp', '1.0 ms', '192.0.2.1  port 443  connect-to 127.0.0.1:1'],
    ['passed', 'tcp', '2.0 ms', '192.0.2.2  port 443  connect-to 127.0.0.1:2'],
  ]);
});

test('of a link that fails, stages that pass share a line, and so do addresses that fail alike', () => {
  const failed = { status: 'failed', code: 'tcp.timeout' } as const;
  const error = { ...failed, evidence: { error: 'TimedOut', port: 443 } };
  const dead = { ...failed, evidence: { error: 'x'.repeat(200) } };
  const preflight: Finding = { ...tcp(1), stage: 'preflight', address: undefined };
  const both = [tcp(1, error), tcp(2, error)];
  expect(brief(preflight, ...both, tcp(3))).toEqual({
    rows: [['failed', 'tcp', '1.0 ms – 2.0 ms', '2 addresses  tcp.timeout  error TimedOut']],
    passed: ['passed preflight, tcp at 192.0.2.3'],
  });
  const [row = []] = brief(tcp(1, dead)).rows;
  expect(row[3]).toMatch(/^tcp\.timeout {2}error x+…$/);
  const causes = [{ ...CAUSE, evidence: 'error=TimedOut, address=192.0.2.1' }];
  const { rows: said } = linkSection({ ...GOOD_LINK, causes, stages: both }, false);
  expect([...said]).toEqual([['failed', 'tcp', '1.0 ms – 2.0 ms', '2 addresses  tcp.timeout']]);
  const late = [{ ...CAUSE, evidence: `body=${'x'.repeat(200)}, error=TimedOut` }];
  const cut = linkSection({ ...GOOD_LINK, causes: late, stages: both }, false);
  expect([...cut.rows][0]?.[3]).toBe('2 addresses  tcp.timeout  error TimedOut');
  expect(cut.problems?.[0]?.evidence).toMatch(/^body=x{124}…$/);
  const names =
    'serverName=ep-1.example, names=DNS:a.example, DNS:b.example, issuer=Own CA, error=X';
  const named = { ...GOOD_LINK, baseUrl: 'https://ep-1.example', stages: both };
  const { problems } = linkSection({ ...named, causes: [{ ...CAUSE, evidence: names }] }, false);
  expect(problems?.[0]?.evidence).toBe('names=DNS:a.example, …, issuer=Own CA, error=X');
});

test('another cause has a line unless that would say the same again', () => {
  const stages = [tcp(1, { status: 'failed', code: 'tcp.timeout' })];
  const found = (code: string, evidence = '') => ({ ...CAUSE, code, evidence });
  const causes = [
    found('path.partial'),
    found('path.partial', 'address=192.0.2.1'),
    found('path.partial', 'seen=missing in DNS'),
    found('tcp.timeout'),
  ];
  const titles = (isWhole: boolean) =>
    linkSection({ ...GOOD_LINK, causes, stages }, isWhole).problems?.map(({ title }) => title);
  expect(titles(true)).toHaveLength(4);
  expect(titles(false)).toEqual([
    factsOf('path.partial').title,
    'An expected address is missing from the DNS answer',
  ]);
});

test('many addresses that fare alike share a line, with what they have in common', () => {
  expect(rows(tcp(1), tcp(2), tcp(3), tcp(24))).toEqual([
    ['passed', 'tcp', '1.0 ms – 24 ms', '4 addresses  port 443'],
  ]);
});

test('an address that fares otherwise keeps its own line', () => {
  const dead = tcp(9, { status: 'failed', code: 'tcp.timeout' });
  const [together, apart] = rows(tcp(1), tcp(2), dead, tcp(3), tcp(4));
  expect(together?.[3]).toContain('4 addresses');
  expect(apart?.slice(0, 3)).toEqual(['failed', 'tcp', '9.0 ms']);
  expect(apart?.[3]).toMatch(/^192\.0\.2\.9 +tcp\.timeout/);
});

const blocked = (stage: Finding['stage'], by: string, address?: string): Finding => ({
  stage,
  status: 'skipped',
  elapsedMs: 0,
  evidence: { reason: `blocked by ${by}` },
  ...(address !== undefined && { address }),
});

test('what a failure kept from running shares one line, which names the failure', () => {
  const dead = tcp(9, { status: 'failed', code: 'tcp.timeout' });
  const others = (['tls', 'http', 'token', 'workspaces'] as const).map((stage) =>
    blocked(stage, 'tcp'),
  );
  expect(notRun([dead, ...others])).toEqual([
    ['not run', 'tls, http, token, workspaces (tcp failed)', 'skipped'],
  ]);
  const stages = [dead, ...others];
  expect(linkSection({ ...GOOD_LINK, stages }, false).rows).toHaveLength(1);
  expect(linkSection({ ...GOOD_LINK, stages }, true).rows).toHaveLength(5);
});

test('where only one address fails, the line says what was not run there', () => {
  const dead = tcp(9, { status: 'failed', code: 'tcp.timeout' });
  const secured: Finding = { ...tcp(1), stage: 'tls', evidence: { protocol: 'TLSv1.3' } };
  const [left] = notRun([tcp(1), dead, secured, blocked('tls', 'tcp', '192.0.2.9')]);
  expect(left?.[1]).toBe('tls at 192.0.2.9 (tcp failed)');
});

test('a stage that is skipped without a failure keeps its line and its reason', () => {
  const skipped: Finding = {
    ...blocked('dns', ''),
    evidence: { reason: 'the addresses are given' },
  };
  expect(rows(skipped, tcp(1))[0]).toEqual(['skipped', 'dns', '0.0 ms', 'the addresses are given']);
});

test('a line says how long to wait, and for which family DNS fails', () => {
  const failed = (stage: Finding['stage'], evidence: Finding['evidence']): string =>
    rows({ stage, status: 'failed', code: 'x.y', elapsedMs: 1, evidence }).join('\n');
  for (const stage of ['http', 'token', 'workspaces'] as const) {
    expect(failed(stage, { httpStatus: 429, retryAfterSeconds: 120 })).toMatch(
      /HTTP 429 {2}retry after 120 s$/,
    );
    expect(failed(stage, { retryAfter: 'not readable: "-5"' })).toMatch(
      /retry after not readable: "-5"$/,
    );
  }
  expect(failed('dns', { fails: 'AAAA: ESERVFAIL' })).toContain('fails AAAA: ESERVFAIL');
});

test('a line shows the first of many names of a certificate', () => {
  const names = (count: number) =>
    Array.from({ length: count }, (_, i) => `DNS:h${i}.example`).join(', ');
  const line = (count: number) =>
    rows({
      stage: 'tls',
      status: 'failed',
      code: 'tls.name-mismatch',
      elapsedMs: 1,
      evidence: { names: names(count) },
    })
      .join(' ')
      .replaceAll(/\s+/g, ' ');
  expect(line(8)).toMatch(/h7\.example$/);
  expect(line(200)).toMatch(/h7\.example and 192 more$/);
});
