import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePicture } from '../../../src/picture/make-picture.js';
import { pictureFigure } from '../../../src/picture/page.js';
import { pictureAsSvg } from '../../../src/picture/svg.js';
import { readReached } from '../../../src/reach/ways/doors.js';
import { documentAsPage } from '../../../src/report/html.js';
import { reviewDocument } from '../../../src/review/reports/document.js';
import { forbidden, opened, reportOf } from '../../review/hand-made.js';
import { from, stackOf } from '../../review/trees.js';
import { CHROMIUM, startChromium } from '../../support/chromium.js';

const LONG = 'a-name-that-is-as-long-as-people-and-generators-make-them'.repeat(2);
const HOSTILE = '"><img src="https://example.com/x" onerror=alert(1)>\u202e';

/** Fifty links, some with names that are long or hostile; one network of each comes and one goes. */
function reached(third: number, length = 50) {
  const names = Array.from({ length }, (_, i) =>
    i === 0 ? LONG : i === 1 ? HOSTILE : `link-${i}`,
  );
  return names.map((subject, i) => {
    const rules = [10, 20, third].map((octet) => from(`${octet}.${i}.0.0/16`, { subject }));
    const terraform = {
      resource: {
        volcenginecc_vpc_security_group: {
          [`group-${i}`]: {
            vpc_id: 'vpc-1',
            ingress_permissions: [10, 20, third].map((octet) => ({
              ...{ policy: 'accept', priority: 1, protocol: 'tcp', port_start: 443, port_end: 443 },
              cidr_ip: `${octet}.${i}.0.0/16`,
            })),
          },
        },
        volcenginecc_privatelink_vpc_endpoint: {
          [`endpoint-${i}`]: {
            vpc_id: 'vpc-1',
            security_group_ids: [
              `\${volcenginecc_vpc_security_group.group-${i}.security_group_id}`,
            ],
          },
        },
      },
    };
    const stated = rules.map((rule) => ({
      ...rule,
      carriers: [`volcenginecc_vpc_security_group.group-${i}`],
    }));
    return readReached({ ...stackOf(stated, terraform, `stack-${i % 3}`), file: 'cdk.tf.json' });
  });
}

const [base, head] = [{ stacks: reached(30) }, { stacks: reached(40) }];
const [few, fewer] = [{ stacks: reached(30, 5) }, { stacks: reached(40, 5) }];
const pagesOf = (now: typeof head, was: typeof base) =>
  [['reach', makePicture(now)] as const, ['review', makePicture(now, was)] as const].map(
    ([name, picture]) => {
      const report = reportOf([opened, forbidden]);
      return [
        name,
        documentAsPage(reviewDocument(report, [pictureFigure(() => picture)])),
      ] as const;
    },
  );
const pages = pagesOf(head, base);

test.each(
  pages,
)('the page of a %s of fifty links is small, and loads and runs nothing', (_, page) => {
  expect(Buffer.byteLength(page)).toBeLessThan(200_000);
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|base)\b|@import|url\(/i);
  expect(page).not.toMatch(/\b(src|href)="(?!#)/);
});

describe.skipIf(CHROMIUM === undefined)('in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  const looks = [
    [375, 'dark'],
    [1440, 'light'],
  ] as const;
  const all = pagesOf(fewer, few).flatMap(([name, page]) =>
    looks.map(([width, scheme]) => [name, width, scheme, page] as const),
  );
  test.each(
    all,
  )('the page of a %s, %i pixels wide and %s, is accessible and nothing sticks out', async (_, width, colorScheme, page) => {
    const tab = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const asked: string[] = [];
    tab.on('request', (request) => asked.push(request.url()));
    await tab.setContent(page);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await tab.evaluate(overflow)).toBe(0);
    await tab.evaluate(axe.source);
    const { violations } = (await tab.evaluate('axe.run()')) as axe.AxeResults;
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    expect(asked).toEqual([]);
    await tab.close();
  });

  test('without scripts every line is there, is reached by the keyboard, and opens its rules', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const tab = await context.newPage();
    const [, [, page = ''] = []] = pages;
    await tab.setContent(page);
    const lines = tab.locator('svg a.line');
    const sentences = await lines.evaluateAll((found) => found.map((one) => one.textContent));
    expect(sentences.length).toBeGreaterThanOrEqual(150);
    const opens = lines.filter({ hasText: 'can now reach link-7' }).first();
    await opens.focus();
    await tab.keyboard.press('Enter');
    const rules = tab.locator('dl:target');
    await rules.waitFor({ state: 'visible' });
    expect(await rules.innerText()).toContain('volcenginecc_vpc_security_group.group-7');
    await context.close();
  });

  test('a drawing by itself is XML that a browser shows, with a sentence for each line', async () => {
    const tab = await browser.newPage();
    const svg = pictureAsSvg(makePicture(head, base));
    await tab.goto(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
    const lines = tab.locator('g.line');
    expect(await lines.count()).toBeGreaterThanOrEqual(150);
    expect(await lines.first().getAttribute('aria-label')).toMatch(/ reach /);
    const stroke = `(({ strokeWidth, strokeDasharray }) => [strokeWidth, strokeDasharray])(
      getComputedStyle(document.querySelector('g.line.added .way')))`;
    expect(await tab.evaluate(stroke)).toEqual(['4px', 'none']);
    await tab.close();
  });
});
