import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inertMarkdown, markdownTable } from '../../src/files/markdown.js';

/** Markdown without its code spans, read as CommonMark does. */
function outsideCode(markdown: string): string {
  let [rest, outside] = [markdown, ''];
  for (;;) {
    const [run] = /`+/.exec(rest) ?? [];
    if (run === undefined) return outside + rest;
    const start = rest.indexOf(run);
    const after = rest.slice(start + run.length);
    const [end] = [...after.matchAll(/`+/g)].filter(([found]) => found.length === run.length);
    if (end === undefined) return outside + rest;
    outside += `${rest.slice(0, start)}\u0000`;
    rest = after.slice(end.index + run.length);
  }
}

test.each([
  '@team',
  'a@example.com',
  '&#64;team',
  '&commat;team',
  '#123',
  'owner/name#123',
  'GH-123',
  '!12',
  '~bug',
  '%release',
  '$4',
  '&7',
  'https://example.com',
  'www.example.com',
  'mailto:a',
  'deadbee',
  '2001:100::1',
  '<img/src=x>',
  '[x](y)',
  '**bold**',
  'snake_case_word',
  '\\',
])('%s is a code span, whole', (word) => {
  expect(inertMarkdown(`see ${word} now`)).toBe(`see \`${word}\` now`);
});

test('a table keeps its cells, and shows what was written', () => {
  expect(inertMarkdown('a | b')).toBe('a &#124; b');
  expect(inertMarkdown('@a|@b')).toBe('`@a`&#124;`@b`');
  expect(inertMarkdown('x\\|y')).toBe('`x\\`&#124;`y`');
});

test('a table is the same whatever its cells say', () => {
  const rows = markdownTable(['who', 'why'], [['a|b\n| @c', '']]);
  expect(rows).toEqual(['| who | why |', '| --- | --- |', '| `a`&#124;`b` &#124; `@c` |  |']);
});

test('text between backticks stays code, and a lone backtick opens nothing', () => {
  expect(inertMarkdown('`ports` of @a')).toBe('`ports` of `@a`');
  expect(inertMarkdown('a ` @b')).toBe('a `` ` `` `@b`');
  expect(inertMarkdown('``x @team')).toBe('``` ``x ``` `@team`');
});

test('ordinary sentences and addresses stay as they are', () => {
  for (const text of [
    'calls to the service (OPS-12)',
    '10.0.0.0/8',
    'tcp 443, udp 53',
    '2001:db8::/32',
  ])
    expect(inertMarkdown(text)).toBe(text.includes(':db8:') ? `\`${text}\`` : text);
});

test('a line cannot begin a list, a heading or a rule', () => {
  for (const text of ['- x', '+ x', '1. x', '2) x', '# x', '--- x', '> x'])
    expect(inertMarkdown(text)).toMatch(/^`/);
});

test('is cut after so many characters, and not inside of one', () => {
  expect(inertMarkdown('x'.repeat(1000), 240)).toBe(`${'x'.repeat(240)}…`);
  expect(inertMarkdown(`${'x'.repeat(239)}😀😀`, 240)).not.toMatch(/\p{Cs}/u);
  expect(inertMarkdown('x'.repeat(1000))).toBe('x'.repeat(1000));
});

test('code spans that touch stay two', () => {
  expect(inertMarkdown('`a`@b')).toBe('`a`\u200b`@b`');
});

test('whatever is written, nothing active is outside of code, and there is one line and one cell', () => {
  const piece = fc.constantFrom(
    '`',
    '``',
    '|',
    '\\',
    '@a',
    '#1',
    'www.',
    '<b>',
    '&amp;',
    ' ',
    '\n',
    '*',
    'x',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const markdown = inertMarkdown(pieces.join(''));
      expect(markdown).not.toMatch(/[|\n]/);
      expect(outsideCode(markdown).replaceAll('&#124;', '')).not.toMatch(/[`@#<&*\\]|www\./);
    }),
    { numRuns: 2000 },
  );
});
