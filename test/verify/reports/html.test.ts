import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Verification } from '../../../src/verify/model/verification.js';
import { htmlReport } from '../../../src/verify/reports/written.js';
import { CHROMIUM, startChromium } from '../../support/chromium.js';
import { HALF_DEAD, HOSTILE, HOSTILE_LINK, MANY_ALIKE, MIXED, verificationOf } from './samples.js';

// What runs in the page is text here, for these tests are compiled without the types of a browser.
const LINE_STYLE = `getComputedStyle(
  document.querySelectorAll('.way')[1].querySelectorAll('.hop')[1], '::before').borderTopStyle`;
const OPEN_ALL = `document.querySelectorAll('details').forEach((one) => { one.open = true; })`;
const OVERFLOW = `document.documentElement.scrollWidth - document.documentElement.clientWidth`;
const OVERLAPS = `(() => {
  const boxes = [...document.querySelector('.path').querySelectorAll('.hop')].map((hop) => hop.getBoundingClientRect());
  const meet = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  return boxes.filter((a, i) => boxes.some((b, j) => j > i && meet(a, b))).length;
})()`;
/** The lowest contrast of any text with its background, by the formula of WCAG. */
const WORST_CONTRAST = `(() => {
  const parse = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const channel = (one) => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4;
  const luminance = (colour) => {
    const [r, g, b] = parse(colour).map((one) => channel(one / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const groundOf = (element) => {
    if (element === null) return 'rgb(255, 255, 255)';
    const colour = getComputedStyle(element).backgroundColor;
    return parse(colour)[3] === 0 ? groundOf(element.parentElement) : colour;
  };
  const hasText = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  return Math.min(...[...document.querySelectorAll('main *')].filter(hasText).map((one) => {
    const pair = [getComputedStyle(one).color, groundOf(one)].map(luminance);
    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  }));
})()`;

test('nothing of the page comes from elsewhere, and it runs no script', () => {
  const page = htmlReport(MIXED);
  expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|base)\b|@import|url\(/i);
  expect(page).not.toMatch(/\b(src|href)="(?!#)/);
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
});

test('the head says what was checked, from where, when and under which title', () => {
  const [, head = ''] = /<header[^>]*>([\s\S]*?)<\/header>/.exec(htmlReport(MANY_ALIKE)) ?? [];
  expect(head).toContain('connectivity check of api-access-production');
  const facts = [...head.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, ...pair]) => pair);
  expect(facts.slice(0, 4)).toEqual([
    ['seen', '1 of 6 links reachable'],
    ['checked', 'https://ep-1.example (service-endpoint)'],
    ['from', 'linux x64, DNS server 10.0.0.2:53'],
    ['started', '2026-11-21 02:03:04 UTC'],
  ]);
});

test('links that fail for the same causes share a card, and so do their warnings', () => {
  const page = htmlReport(MANY_ALIKE);
  expect(page.match(/<article class="card failed">/g)).toHaveLength(1);
  expect(page.match(/<article class="card warned">/g)).toHaveLength(1);
  for (const name of ['north', 'south', 'east', 'west', 'centre']) {
    expect(page).toMatch(new RegExp(`<li><a href="#subject-\\d">${name}</a></li>`));
    expect(page).toContain(`<dt>${name}</dt>`);
    expect(page).toContain(`seen from ${name}`);
  }
  expect(htmlReport(MIXED).match(/<article class="card failed">/g)).toHaveLength(2);
});

test('addresses that fare alike are one row; the one that does not has its own', () => {
  const { links } = MANY_ALIKE;
  const page = htmlReport(verificationOf(...links.slice(1, 2)));
  expect(page.match(/<ol class="way">/g)).toHaveLength(2);
  expect(page).toContain('<summary>Connect-to <small>24</small></summary>');
  for (const { address = '' } of links[1]?.stages ?? []) expect(page).toContain(address);
});

describe.skipIf(CHROMIUM === undefined)(
  'in a real browser (skipped where Chromium is missing)',
  () => {
    let browser: Browser;
    // One for all: Chromium opens a window, with processes of its own, for each.
    let page: Page;
    beforeAll(async () => {
      browser = await startChromium();
      page = await browser.newPage();
    });
    afterAll(async () => {
      await browser?.close();
    });

    async function open(
      verification: Verification,
      { width = 1200, scheme = 'light' as 'light' | 'dark' } = {},
    ): Promise<{ page: Page; requests: string[]; problems: string[] }> {
      onTestFinished(() => void page.removeAllListeners());
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: scheme });
      const requests: string[] = [];
      const problems: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      page.on('console', (message) => problems.push(message.text()));
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('dialog', (dialog) => {
        problems.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await page.setContent(htmlReport(verification), { waitUntil: 'load' });
      return { page, requests, problems };
    }

    test('the diagnosis is on top: what is broken, what to do, what is ruled out', async () => {
      const { page, requests, problems } = await open(MIXED);
      const verdict =
        'unreachable in 10.3 s, exit 10: half-dead fails at tcp; no-name fails at dns';
      expect(await page.title()).toBe(verdict);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(verdict);
      const card = page.locator('.card').first();
      expect(await card.innerText()).toMatch(
        /The connection attempt gets no answer[\s\S]*What to do[\s\S]*Allow inbound TCP 443/i,
      );
      const [diagnosisBox, linkBox] = await Promise.all([
        card.boundingBox(),
        page.locator('.link').first().boundingBox(),
      ]);
      expect(diagnosisBox?.y).toBeLessThan(linkBox?.y ?? 0);
      expect([requests, problems]).toEqual([[], []]);
    });

    test('the path is shown hop by hop, one way for each address, and breaks where it failed', async () => {
      const { page } = await open(verificationOf(HALF_DEAD));
      expect(await page.locator('.way').count()).toBe(2);
      const places = await page.locator('.way').nth(1).locator('.place').allTextContents();
      expect(places).toEqual(['Address', 'Connection', 'TLS', 'Service']);
      const dead = page.locator('.way').nth(1).locator('.hop');
      expect(
        await dead.getByRole('img').evaluateAll((all) => all.map((one) => one.ariaLabel)),
      ).toEqual(['passed', 'failed', 'skipped', 'skipped']);
      const line = await page.evaluate(LINE_STYLE);
      expect(line).toBe('dashed');
    });

    test.each([
      360, 390, 768, 1200,
    ])('at a width of %d nothing is cut off or overlaps', async (width) => {
      const { page } = await open(
        { ...MANY_ALIKE, links: [...MIXED.links, ...MANY_ALIKE.links.slice(1, 3), HOSTILE_LINK] },
        { width },
      );
      await page.evaluate(OPEN_ALL);
      expect(await page.evaluate(OVERFLOW)).toBe(0);
      const overlaps = await page.evaluate(OVERLAPS);
      expect(overlaps).toBe(0);
    });

    test.each(['light', 'dark'] as const)('text of the %s page can be read', async (scheme) => {
      const { page } = await open(MIXED, { scheme });
      const worst = await page.evaluate(WORST_CONTRAST);
      expect(worst).toBeGreaterThanOrEqual(4.5);
    });

    test('whatever a server said is shown, not obeyed', async () => {
      const { page, requests, problems } = await open(verificationOf(HOSTILE_LINK));
      const shown = ['\u0001', '\r', '\uD800'].reduce(
        (text, one) => text.replace(one, '\uFFFD'),
        HOSTILE,
      );
      expect(await page.locator('.link .name').textContent()).toBe(shown);
      expect(await page.locator('img, script').count()).toBe(0);
      expect([requests, problems]).toEqual([[], []]);
    });
  },
);
