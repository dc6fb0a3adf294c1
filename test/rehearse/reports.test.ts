import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rehearsalFigure } from '../../src/cli/rehearsal-figure.js';
import { reachReport } from '../../src/reach/questions/report.js';
import { rehearsalExit } from '../../src/rehearse/outcome.js';
import { rehearsalDocument } from '../../src/rehearse/report/document.js';
import { withFindings } from '../../src/rehearse/report/finding-lanes.js';
import type { RehearsalReport, TimelineStep } from '../../src/rehearse/report-schema.js';
import { makeAccount } from '../../src/rehearse/timeline/timeline.js';
import { documentAsPage } from '../../src/report/html.js';
import { documentAsMarkdown } from '../../src/report/markdown.js';
import { documentAsText } from '../../src/report/text.js';
import { CHROMIUM, startChromium } from '../support/chromium.js';
import { randomPassage } from './orders/random-passage.js';

const textReport = (report: RehearsalReport, width?: number) =>
  documentAsText(rehearsalDocument(report), { width });
const shortReport = (report: RehearsalReport) =>
  documentAsText(rehearsalDocument(report), { isVerbose: false });
const markdownReport = (report: RehearsalReport) =>
  documentAsMarkdown(rehearsalDocument(report, [rehearsalFigure(report)]));
const htmlReport = (report: RehearsalReport) =>
  documentAsPage(rehearsalDocument(report, [rehearsalFigure(report)]));

const step = (number: number, text: string, effects: TimelineStep['effects']): TimelineStep => ({
  number,
  stack: 'api',
  resource:
    'volcenginecc_privatelink_vpc_endpoint.service-endpoint_with-a-name-that-is-long_1A2B3C4D',
  type: 'Volcengine::PrivateLink::VpcEndpoint',
  operation: 'update',
  text,
  effects,
});

const OPENED = '10.0.0.0/8 can reach orders:8443';
const PASSED = { status: 'passed' as const, errors: [] };
const CHECKED = {
  status: 'passed' as const,
  links: [{ stack: 'api', name: 'service-endpoint', seen: 'reachable' }],
};
const REPLANNED = { status: 'passed' as const, changes: [] };

const REPORT: RehearsalReport = {
  schema: 'secure-connectivity/rehearsal@1',
  outcome: 'noticed',
  network: 'none',
  trees: { base: 'base.out', head: 'head.out' },
  startedAt: '2030-01-02T03:04:05.678Z',
  summary:
    'CLIENTS NOTICE: service-endpoint is interrupted from step 1 to 2 (packets are dropped) (and 1 more)',
  findings: [
    {
      kind: 'cut',
      stack: 'api',
      what: 'service-endpoint',
      text: 'service-endpoint is interrupted from step 1 to 2 (packets are dropped)',
      from: 1,
      until: 2,
      remedy: 'in two deploys',
    },
    {
      kind: 'cut',
      stack: 'api',
      what: 'group',
      text: 'volcenginecc_vpc_security_group.fixed-ip-ingress_security-group_EED57DB8 is replaced: what it allowed is closed from step 1 on, until people attach the new group where the old one was',
      from: 1,
      remedy: 'attach volcenginecc_vpc_security_group.fixed-ip-ingress_security-group_EED57DB8',
    },
  ],
  base: { deploy: PASSED, check: CHECKED },
  head: {
    deploy: PASSED,
    check: CHECKED,
    replan: REPLANNED,
    timeline: {
      steps: [
        step(1, 'endpoint updated', [
          { kind: 'down', text: 'service-endpoint down until step 2 (packets are dropped)' },
          { kind: 'transient-opening', text: `${OPENED} (neither before nor after)` },
        ]),
        step(2, 'endpoint updated', [{ kind: 'up', text: 'service-endpoint is open again' }]),
      ],
      lanes: [
        {
          kind: 'link',
          stack: 'api',
          name: 'service-endpoint',
          baseUrl: 'https://ep-1a2b.example',
          clients: ['10.30.255.254'],
          states: ['open', 'dropped', 'open'],
        },
        {
          kind: 'subject',
          stack: '',
          name: '<script>orders',
          clients: [],
          states: ['as before or after', 'wider', 'as before or after'],
        },
      ],
    },
  },
  rollback: {
    deploy: PASSED,
    check: CHECKED,
    replan: REPLANNED,
    timeline: { steps: [], lanes: [] },
    findings: [],
  },
  destroy: { deploy: PASSED, left: [] },
  replaced: [],
  notes: [],
};

test('draws what is so in another order alone as a stretch of its lane', () => {
  const { head } = REPORT;
  const { lanes, steps } = head.timeline;
  const text = 'orders is down if Terraform does step 2 before step 1';
  const others = lanes.map((lane) => ({ ...lane, otherOrders: [text] }));
  const page = htmlReport({ ...REPORT, head: { ...head, timeline: { steps, lanes: others } } });
  expect(page.split(`<li class="failed" title="${text}"></li>`)).toHaveLength(lanes.length + 1);
  expect(htmlReport(REPORT)).not.toContain(text);
});

test.each([
  ['not sealed: unshare failed', true],
  ['none', false],
])('a rehearsal whose network was %s says so without --verbose: %s', (network, isSaid) => {
  const report = { ...REPORT, network };
  expect(shortReport(report).includes(`network: ${network}`)).toBe(isSaid);
  expect(textReport(report)).toContain(`network: ${network}`);
});

test('a cut that depends on something unknown is not shown, in colour and in words', () => {
  const { head } = REPORT;
  const lane = { kind: 'link' as const, stack: 'api', name: 'api', clients: [] };
  const states = ['open', 'dropped', 'open'];
  const unseen = {
    kind: 'not-shown',
    stack: 'api',
    what: 'group',
    text: 'not shown',
    from: 1,
  } as const;
  const pageOf = (finding: RehearsalReport['findings'][number]) => {
    const told = { findings: [finding], others: [] };
    const timeline = { ...head.timeline, lanes: withFindings([{ ...lane, states }], told, 2) };
    return htmlReport({ ...REPORT, findings: [finding], head: { ...head, timeline } });
  };
  expect(pageOf(unseen)).toMatch(/class="warned" title="after step 1: not shown"/);
  expect(pageOf(unseen)).toContain('api: not shown from step 1 to 2');
  const cut = { ...unseen, kind: 'cut', what: 'api', until: 2 } as const;
  expect(pageOf(cut)).toMatch(/class="failed" title="after step 1: dropped"/);
  expect(pageOf(cut)).toContain('api: interrupted from step 1 to 2');
});

test('has a line for each step, with what it cuts and opens', () => {
  const text = textReport(REPORT);
  expect(text).toContain(
    `step 1/2 endpoint updated (service-endpoint_with-a-name-that-is-long): service-endpoint down until step 2 (packets are dropped); ${OPENED} (neither before nor after)`,
  );
  expect(text).toContain('destroy: works; it leaves nothing');
  expect(markdownReport(REPORT)).toMatch(
    /^<!-- secure-connectivity rehearsal -->\n## CLIENTS NOTICE/,
  );
});

test('is short by default: what matters, with the names that people gave', () => {
  const { head, rollback } = REPORT;
  const more = step(3, 'security group updated', []);
  const timeline = { ...head.timeline, steps: [...head.timeline.steps, more] };
  const findings = [...REPORT.findings].reverse();
  const report = {
    ...REPORT,
    head: { ...head, timeline },
    rollback: { ...rollback, timeline, findings },
  };
  const text = shortReport(report);
  expect(text.split('\n').length).toBeLessThanOrEqual(27);
  expect(text).toContain('\nSteps that matter (2 of 3)\n');
  expect(text).not.toMatch(/step \d\/\d .*volcenginecc_/);
  expect(text).toContain('What the rollback costs\n  - the same as the deploy, in reverse\n');
  expect(text).toMatch(/more sections with --verbose: Every step \(3\); The same in reverse \(2\)/);
  expect(textReport(report)).toContain('Every step\n');
  const [first] = REPORT.findings;
  const other = first && [{ ...first, what: 'orders', text: 'orders is interrupted' }];
  expect(shortReport({ ...report, rollback: { ...rollback, findings: other ?? [] } })).toMatch(
    /What the rollback costs\n.*\n.*orders is interrupted/,
  );
});

test.each([
  4, 5, 6,
])('draws each state of cloud %i in which reach answers otherwise than before', (seed) => {
  const account = makeAccount(randomPassage(seed));
  const page = rehearsalFigure(REPORT, account).page().markup;
  const drawn = [...page.matchAll(/<summary>After steps? (\d+)(?: to (\d+))?/g)].flatMap(
    ([, from, until = from]) =>
      account.steps
        .map(({ number }) => number)
        .filter((n) => Number(from) <= n && n <= Number(until)),
  );
  const [before, ...tables] = account.reached.map((one) => {
    const { rows } = reachReport([one]);
    const texts = rows.map(({ direction, subject, peer, services, depends }) =>
      JSON.stringify([direction, subject, peer, services, depends !== '']),
    );
    return JSON.stringify([...new Set(texts)].sort());
  });
  const differing = tables.flatMap((table, i) => (table === before ? [] : [i + 1]));
  expect(differing.length).toBeGreaterThan(0);
  expect(drawn).toEqual(differing);
});

test('says what was rehearsed and what its words mean, and the headline only once', () => {
  const text = textReport(REPORT);
  for (const line of ['base: base.out', 'head: head.out', 'date: 2030-01-02 03:04 UTC']) {
    expect(text).toContain(`\n  - ${line}\n`);
  }
  expect(text).toMatch(/\nLegend\n {2}- step 1\/2: .*\n {2}- cut: .*"partly" means some/);
  for (const report of [
    text,
    markdownReport(REPORT),
    htmlReport(REPORT).replace(/<title>.*/, ''),
  ]) {
    expect(report.match(/is interrupted from step 1 to 2/g)).toHaveLength(1);
    expect(report).toContain('in two deploys');
  }
  // Without a verdict the headline says something else.
  const undecided = textReport({ ...REPORT, outcome: 'no-verdict', summary: 'NO VERDICT' });
  expect(undecided).toMatch(/is\s+interrupted/);
});

test.each([40, 80, 120])('fits in a terminal of %i columns, without losing a word', (width) => {
  const [narrow, wide] = [textReport(REPORT, width), textReport(REPORT)];
  const long = narrow.split('\n').filter((line) => line.length > width);
  // Only a word that is longer itself.
  expect(long.filter((line) => !/^ *(?:- )?\S+$/.test(line))).toEqual([]);
  const words = (text: string) => new Set(text.match(/[^\s:-]{3,}/g));
  expect([...words(wide)].filter((word) => !words(narrow).has(word) && word !== 'kind')).toEqual(
    [],
  );
});

test.each([
  ['clean', 0],
  ['noticed', 3],
  ['failed', 4],
] as const)('ends with %s as %i', (outcome, status) => {
  expect(rehearsalExit({ outcome })).toBe(status);
});

test('a page loads nothing, and shows names of the trees as text', () => {
  const page = htmlReport(REPORT);
  expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|base)\b|@import|url\(/i);
  expect(page).toContain('&lt;script&gt;orders');
});

/** The contrast of each text against the nearest background, as WCAG computes it; runs in the page. */
const contrastsOf = `() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = parts(colour).map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const colour = element ? getComputedStyle(element).backgroundColor : 'rgb(255, 255, 255)';
    return !element || (parts(colour)[3] ?? 1) > 0 ? colour : ground(element.parentElement);
  };
  return [...document.querySelectorAll('body *')]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
    .map((element) => {
      const [a, b] = [light(getComputedStyle(element).color), light(ground(element))].sort((x, y) => y - x);
      return (a + 0.05) / (b + 0.05);
    });
}`;

describe.skipIf(CHROMIUM === undefined)('in Chromium', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await startChromium();
    page = await browser.newPage();
  });
  afterAll(() => browser?.close());

  test.each([
    [375, 'light'],
    [375, 'dark'],
    [1280, 'light'],
  ] as const)('at a width of %i pixels in the %s nothing sticks out, texts are readable, and each lane has its cells', async (width, colorScheme) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.setContent(htmlReport(REPORT));
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow).toBe(0);
    const contrasts = (await page.evaluate(`(${contrastsOf})()`)) as number[];
    expect(contrasts.length).toBeGreaterThan(10);
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5);
    const lanes = page.locator('.lane');
    expect(await lanes.count()).toBe(2);
    expect(await lanes.first().innerText()).toContain('interrupted from step 1 to 2');
    const plain = await page.evaluate(
      `[...document.querySelector('.lane').querySelectorAll('.states li')].map(
        (cell) => getComputedStyle(cell).backgroundImage === 'none')`,
    );
    expect(plain).toEqual([true, false, true]);
  });
});
