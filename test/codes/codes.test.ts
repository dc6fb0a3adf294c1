import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CODES, EXIT, factsOf, isCode } from '../../src/codes/codes.js';

const EXITS = new Set<number>(Object.values(EXIT));

test.each(Object.entries(CODES))('%s says what is wrong, why, and what to do', (code, facts) => {
  expect(code).toMatch(/^[a-z]+\.[a-z-]+$/);
  expect(facts.title).toMatch(/^[A-Z].*[^.]$/);
  expect(facts.cause).toMatch(/\.$/);
  expect(facts.remedy).toMatch(/\.$/);
  expect(EXITS.has(facts.exit)).toBe(true);
});

test.each([
  'endpoint.zone',
  'path.one-address',
] as const)('the title of %s is true however many addresses fail', (code) => {
  expect(CODES[code].title).toMatch(/^Not every address /);
  expect(CODES[code].cause).toMatch(/at those that fail/);
});

test.each([
  ['dns.not-found', 10],
  ['address.public', 11],
  ['tcp.timeout', 12],
  ['tls.untrusted', 13],
  ['http.unexpected-answer', 14],
  ['token.invalid-client', 15],
  ['api.permission', 16],
  ['run.deadline', 20],
  ['clock.skew', 21],
  ['internal.bug', 70],
  ['run.interrupted', 130],
] as const)('%s ends a program with %i', (code, exit) => {
  expect(CODES[code].exit).toBe(exit);
});

/** All that a folder has in TypeScript outside of one of its own. */
function textOf(folder: string, outside: string): string {
  const files = readdirSync(folder, { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.ts') && !file.startsWith(outside))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  return files.join('\n');
}

test('every code is named where something ends with it', () => {
  const sources = textOf('src', join('codes', 'table'));
  const unused = [...Object.keys(CODES), 'dns.nobody'].filter(
    (code) => !sources.includes(`'${code}'`),
  );
  expect(unused).toEqual(['dns.nobody']);
});

test('every code is named by a test of what ends with it', () => {
  // A pattern has a backslash before the dot.
  const tests = textOf('test', 'codes').replaceAll('\\.', '.');
  const untested = [...Object.keys(CODES), ['dns', 'nobody'].join('.')].filter(
    (code) => !tests.includes(code),
  );
  expect(untested).toEqual(['dns.nobody']);
});

test('codes that name an unknown or internal error ask for the log id', () => {
  for (const [code, { remedy }] of Object.entries(CODES)) {
    if (/^(token|api)\.(unknown|internal|server)/.test(code)) expect(remedy).toMatch(/log id/);
  }
});

test('a text is a code only when the table has it', () => {
  expect([isCode('dns.not-found'), isCode('dns.nothing'), isCode('toString')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('no text speaks of an endpoint where a link has none', () => {
  const ofPrivateLinks = ['address.public', 'dns.managed-elsewhere'];
  const stages = /^(dns|address|tcp|tls|http|server|host|route|path|proxy)\./;
  const codes = Object.keys(CODES)
    .filter(isCode)
    .filter((code) => stages.test(code));
  const speaking = codes.filter((code) => {
    const { cause, remedy, inspect = '' } = factsOf(code, { hasEndpoint: false });
    return /endpoint/.test(`${cause} ${remedy} ${inspect}`);
  });
  expect(speaking.toSorted()).toEqual(ofPrivateLinks);
});
