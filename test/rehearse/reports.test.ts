import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rehearsalExit } from '../../src/rehearse/outcome.js';
import { htmlReport } from '../../src/rehearse/report/html.js';
import { markdownReport, textReport } from '../../src/rehearse/report/text.js';
import type { RehearsalReport, TimelineStep } from '../../src/rehearse/report-schema.js';
import { CHROMIUM, startChromium } from '../support/chromium.js';

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
  summary: 'CLIENTS NOTICE: service-endpoint is down during step 1',
  findings: [
    {
      kind: 'cut',
      stack: 'api',
      what: 'service-endpoint',
      text: 'service-endpoint is down during step 1 (packets are dropped)',
      from: 1,
      until: 2,
      remedy: 'in two deploys',
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
          states: ['as stated', 'wider', 'as stated'],
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

test('has a line for each step, with what it cuts and opens', () => {
  const text = textReport(REPORT);
  expect(text).toContain(
    `step 1/2 endpoint updated: service-endpoint down until step 2 (packets are dropped); ${OPENED} (neither before nor after)`,
  );
  expect(text).toContain('destroy: works; it leaves nothing');
  expect(markdownReport(REPORT)).toMatch(
    /^<!-- secure-connectivity rehearsal -->\n## CLIENTS NOTICE/,
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

describe.skipIf(CHROMIUM === undefined)('in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  test.each([
    360, 1280,
  ])('at a width of %i pixels nothing sticks out, and each lane has its cells', async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    await page.setContent(htmlReport(REPORT));
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow).toBe(0);
    const lanes = page.locator('.lane');
    expect(await lanes.count()).toBe(2);
    expect(await lanes.first().innerText()).toContain('down during step 1');
    const plain = await page.evaluate(
      `[...document.querySelector('.lane').querySelectorAll('.states li')].map(
        (cell) => getComputedStyle(cell).backgroundImage === 'none')`,
    );
    expect(plain).toEqual([true, false, true]);
    await page.close();
  });
});
