import { expect, test } from 'vitest';
import type { Fact, ReportDocument, Suite } from '../../src/report/document.js';
import { STATUS } from '../../src/report/document.js';
import { documentAsLog } from '../../src/report/github.js';
import { documentAsPage } from '../../src/report/html.js';
import { suiteParts } from '../../src/report/junit.js';
import { documentAsMarkdown } from '../../src/report/markdown.js';
import { documentAsText } from '../../src/report/text.js';
import { allNamed, parseXml } from '../support/xml.js';

/** What a terminal, a runner of CI, a forge, a browser and a parser of XML obey. */
const HOSTILE = [
  '::error::pwn\n::stop-commands::x\r\n##[add-mask]x ##vso[x]',
  '\u001b[2J\u009b\u202e\u2028\u0001\uD800',
  '</script></p><img src=x onerror=alert(1)> "\'& ]]> --> <!-- mark -->',
  '| `x` **b** [l](http://evil.example) @all #1 %0A \\',
].join('\n');

const FACTS: readonly Fact[] = [[`${HOSTILE}`, HOSTILE, 'warned']];

const DOCUMENT: ReportDocument = {
  ...{ title: HOSTILE, headline: HOSTILE, tone: 'failed', facts: FACTS },
  sections: [
    {
      ...{ title: HOSTILE, tone: 'failed', about: HOSTILE, facts: FACTS, more: FACTS },
      problems: (['failed', 'warned', 'skipped'] as const).map((tone) => ({
        ...{ tone, code: HOSTILE, title: HOSTILE, at: HOSTILE, cause: HOSTILE },
        ...{ evidence: HOSTILE, remedy: HOSTILE, inspect: HOSTILE },
      })),
      columns: [STATUS, 'stage', 'time', 'seen'],
      rows: [['failed', HOSTILE, HOSTILE, HOSTILE]],
    },
    { title: HOSTILE, columns: ['a', 'b'], rows: [[HOSTILE, HOSTILE]] },
    { title: 'more', columns: [], rows: [[HOSTILE]], isFolded: true },
    { title: HOSTILE, columns: [], rows: [[HOSTILE]], isAnswer: true },
  ],
};

/** What is not shown but obeyed, beside the ends of lines that a report has. */
const NEVER = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/u;
const COMMAND = /^\s*::|##/m;

test.each([20, 80, 400])('a text of %d columns moves no cursor and commands no runner', (width) => {
  for (const isVerbose of [true, false]) {
    const text = documentAsText(DOCUMENT, { width, isVerbose });
    expect(NEVER.exec(text)?.[0]).toBeUndefined();
    expect(COMMAND.exec(text)?.[0]).toBeUndefined();
    expect(text).toContain('alert(1)');
  }
});

test('a log for GitHub has an annotation for each problem, and no other command', () => {
  const lines = documentAsLog(DOCUMENT, documentAsText(DOCUMENT)).split('\n');
  const commands = lines.filter((line) => /^\s*::/.test(line));
  expect(commands.map((line) => line.split(' ')[0])).toEqual(['::error', '::warning', '::notice']);
  for (const command of commands) {
    const [, , properties = ''] = /^::(\w+) title=([^:]*)::/.exec(command) ?? [];
    expect(properties).toContain('%3A%3Aerror%3A%3Apwn%0A');
    expect(command).not.toContain('\r');
  }
});

test('Markdown has no markup of others, and each row of a table as many cells as its head', () => {
  const text = documentAsMarkdown(DOCUMENT);
  expect(NEVER.exec(text)?.[0]).toBeUndefined();
  expect(COMMAND.exec(text.replaceAll(/^##+ /gm, ''))?.[0]).toBeUndefined();
  // What stands in a span of code, a forge shows as it is.
  const shown = text.replaceAll(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, 'code');
  const own = shown.replaceAll(/<\/?(?:details(?: open)?|summary)>|\*\*/g, '');
  expect(own).not.toMatch(/[<>`@[\]]|https?:|&(?!#?\w+;)/);
  const [head, ...rows] = shown.split('\n').filter((line) => line.startsWith('| '));
  expect(rows.slice(0, 2).map((row) => row.split(' | ').length)).toEqual([
    head?.split(' | ').length,
    head?.split(' | ').length,
  ]);
});

test('a page has no element, attribute or script of others', () => {
  const page = documentAsPage(DOCUMENT);
  expect(NEVER.exec(page)?.[0]).toBeUndefined();
  expect(page).not.toMatch(/<(?:img|script)|onerror=alert\(1\)>|<!-- mark/);
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
});

test('JUnit gives a parser each text as it was, but for what is obeyed', () => {
  const failure = { type: HOSTILE, message: HOSTILE };
  const suite: Suite = {
    ...{ name: HOSTILE, properties: { via: HOSTILE }, text: HOSTILE },
    cases: (['failure', 'skipped', 'passed'] as const).map((outcome) => {
      return { of: HOSTILE, name: HOSTILE, outcome, failure, text: () => HOSTILE };
    }),
  };
  const written = [...suiteParts(HOSTILE, [suite])].join('');
  expect(NEVER.exec(written)?.[0]).toBeUndefined();
  const shown = HOSTILE.replaceAll(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, '\uFFFD');
  const root = parseXml(written);
  expect(root.attributes).toMatchObject({ name: shown, tests: '3', failures: '1' });
  expect(allNamed(root, 'failure')[0]).toMatchObject({ attributes: { type: shown }, text: shown });
  expect(allNamed(root, 'skipped')[0]?.attributes.message).toBe(shown);
});
