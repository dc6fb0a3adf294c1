import { expect, test } from 'vitest';
import { hanging } from '../../../src/report/wrap.js';
import { textReport } from '../../../src/verify/reports/text-report.js';
import { unwrapped } from '../../support/unwrapped.js';
import { check, createWorld } from '../../support/verifiable-link.js';
import { GOOD_LINK, LOG_ID, MIXED, NO_NAME, verificationOf } from './samples.js';

test('a failing link says in a line what passed, and control characters of a server do not reach the terminal', async () => {
  const world = await createWorld();
  world.service.handler = () => ({ body: { code: 1, msg: 'red \u001b[31m\nalert\u0007\u202e' } });
  const text = textReport(await check(world));
  expect(text).toContain('"red [31m alert"');
  expect(text).toMatch(/^ {2}passed {3}preflight, dns, address, tcp, tls, http {2}/m);
  expect(text).toMatch(/^ {2}not run {2}workspaces \(token failed\)$/m);
});

test('what has a meaning is painted by it', async () => {
  const world = await createWorld();
  const text = textReport(await check(world), { paint: (style, part) => `<${style}>${part}</>` });
  expect(text).toMatch(/^<green>reachable in /);
  expect(text).toMatch(/^<bold>api<\/> {2}service-endpoint/m);
  expect(text).toMatch(/^ {2}<green>passed<\/> {3}8 stages/m);
});

test('a passing check of a link with 24 addresses fits in 15 lines of 80 columns', async () => {
  const addresses = Array.from({ length: 24 }, (_, i) => `203.0.113.${i + 1}`);
  const stages = GOOD_LINK.stages.flatMap((finding) => {
    if (finding.address === '10.1.2.4') return [];
    if (finding.stage === 'dns') {
      return [{ ...finding, evidence: { ...finding.evidence, addresses: addresses.join(', ') } }];
    }
    if (finding.address === undefined) return [finding];
    return addresses.map((address) => ({ ...finding, address }));
  });
  const connectTo = addresses.map((address) => ({ from: `${address}:443`, to: '127.0.0.1:4001' }));
  const settings = [{ name: '--key-id', source: 'command line', value: 'kid-1' }];
  const report = { ...verificationOf({ ...GOOD_LINK, stages, connectTo }), settings };
  const text = textReport(report);
  const lines = text.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(15);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(text).toMatch(/^note {2}connect-to 24 addresses to 127\.0\.0\.1:4001$/m);
  expect(text).toMatch(new RegExp(`workspaces\\s+log id ${LOG_ID}$`, 'm'));
  expect(text).toMatch(/^reachable in /m);
  expect(text).not.toMatch(/digest|--key-id/);
  const verbose = textReport(report, { isVerbose: true });
  expect(verbose).toMatch(/--key-id +kid-1 \(command line\).*access digest/s);
  expect(verbose.match(/^ {2}203\S+:443 +127\.0\.0\.1:4001$/gm)).toHaveLength(24);
});

test('of a failing link come the stages, the likeliest cause with its remedy, then the others', () => {
  const [, half = '', name = '', good] = textReport(MIXED).split(/^(?=api|half-dead|no-name)/m);
  expect(good).not.toContain('failed');
  expect(half.trimEnd().split('\n').slice(3)).toEqual([
    '  passed   preflight, dns, address, tcp at 10.1.2.3, tls at 10.1.2.3, token,',
    '           workspaces  10.1.2.3, 10.1.2.4',
    '  failed   tcp  10.0 s  10.1.2.4  tcp.timeout',
    '  tcp.timeout: The connection attempt gets no answer',
    '    cause   Consistent with a closed security group in zone B, or a zone that is',
    '            not connected.',
    '    because address=10.1.2.4, port=443; 10.1.2.3 passed',
    '    remedy  Allow inbound TCP 443 from this network in the endpoint’s security',
    '            group.',
    '    inspect The zone’s connection status at the endpoint.',
    '  also possible: The name resolves to an unexpected address (address.unexpected)',
    '  warned   This machine’s clock and the server’s differ (host.clock)',
    '  not run  tls at 10.1.2.4, http at 10.1.2.4 (tcp failed)',
    '  with --verbose: 1 try, what is ruled out (1), other causes, all evidence',
  ]);
  const short = textReport(verificationOf(GOOD_LINK, NO_NAME)).trimEnd().split('\n');
  expect(short.length).toBeLessThanOrEqual(18);
  expect(name).toMatch(/^ {2}failed {3}dns .*\n {2}dns\.not-found: /m);
});

test('a stage that did not run is a line of its own, and no stage of a link is a pass by itself', () => {
  const [first, ...others] = GOOD_LINK.stages;
  const skipped = others.map((one) => ({
    ...one,
    status: 'skipped' as const,
    evidence: { reason: 'nothing asked for it' },
  }));
  const linesOf = (stages: typeof GOOD_LINK.stages) =>
    textReport(verificationOf({ ...GOOD_LINK, stages })).split('\n');
  const some = linesOf(first === undefined ? [] : [first, ...skipped]);
  expect(some).toContainEqual(expect.stringMatching(/^ {2}passed {3}1 stage /));
  expect(some.filter((line) => / nothing asked for it$/.test(line))).toHaveLength(skipped.length);
  for (const stages of [[], skipped])
    expect(linesOf(stages).filter((line) => line.startsWith('  passed'))).toEqual([]);
});

test('a 401 to a call without a token says why it is a pass', async () => {
  const world = await createWorld();
  const text = textReport(await check(world, { auth: false }));
  expect(unwrapped(text)).toMatch(
    /passed +6 stages .* HTTP 401, as the service answers a call without a token/,
  );
});

test('lines hang at the width of whoever reads them, and scripts without blanks are cut', () => {
  expect(hanging('  head ', 'one two three four  key value', 31)).toBe(
    '  head one two three four\n       key value',
  );
  expect(hanging('  a ', '连接被安全组拒绝所以没有回应，请检查端点的安全组', 30)).toBe(
    '  a 连接被安全组拒绝所以没有回\n    应，请检查端点的安全组',
  );
  expect(hanging('', 'see https://example.com/a/very/long/path/indeed now', 30)).toBe(
    'see\nhttps://example.com/a/very/long/path/indeed\nnow',
  );
});
