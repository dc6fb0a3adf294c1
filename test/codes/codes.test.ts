import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CODES, casesOf, EXIT, factsOf, isCode, type Reason } from '../../src/codes/codes.js';
import { failedExits } from '../../src/codes/stated.js';

/** 0 is of what a command says that did what it was asked. */
const EXITS = new Set<number>([0, ...Object.values(EXIT)]);

const ALL = Object.keys(CODES).filter(isCode);
/** Each code, and each with the words of what was seen. */
const REASONS = ALL.flatMap((code) => [
  code,
  ...casesOf(code).map(({ seen }) => `${code}: ${seen}` as Reason),
]);

test.each(REASONS)('%s says what is wrong, why, and what to do', (reason) => {
  const facts = factsOf(reason);
  // A cause has its words before its evidence, which begins after a comma.
  expect(reason).toMatch(/^[a-z]+\.[a-z-]+(: [^,;=:]+)?$/);
  expect(facts.title).toMatch(/^[A-Z].*[^.]$/);
  expect(facts.cause).toMatch(/\.$/);
  expect(facts.remedy).toMatch(/\.$/);
  expect(EXITS.has(facts.exit)).toBe(true);
});

test('there are few codes, and each asks its reader for something else', () => {
  expect(ALL.length).toBeLessThanOrEqual(90);
  const remedies = ALL.map((code) => CODES[code].remedy);
  expect(new Set(remedies).size).toBe(remedies.length);
});

test('the title of a link that works at some addresses is true however many fail', () => {
  expect(CODES['path.partial'].title).toMatch(/^Not every address /);
  expect(CODES['path.partial'].cause).toMatch(/at those that fail/);
});

test.each([
  ['dns.not-found', 10],
  ['tcp.timeout', 12],
  ['api.permission', 16],
  ['api.permission: no workspace', 21],
  ['host.clock: 60 s', 19],
  ['host.outside-network: before a deploy', 2],
  ['run.deadline', 20],
  ['internal.bug', 70],
  ['run.interrupted', 130],
] as const)('%s ends a program with %i', (reason, exit) => {
  expect(factsOf(reason).exit).toBe(exit);
});

test.each([
  ['tcp', 'tcp.refused', undefined, 12],
  ['workspaces', 'tcp.refused', undefined, 16],
  ['workspaces', 'http.unexpected-answer', 'too long', 16],
  ['token', 'host.clock', 'JWT out of time', 15],
  ['token', 'host.clock', '60 s', 19],
  ['tls', 'run.deadline', undefined, 20],
  ['tls', 'a.later-code', undefined, 70],
  [undefined, 'backend.unhealthy', undefined, 18],
] as const)('stage %s that fails with %s, seen %s, ends with %i', (stage, code, seen, exit) => {
  const stated = { status: 'failed', code, evidence: { seen }, ...(stage && { stage }) };
  expect(failedExits([stated])).toEqual([exit]);
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
  // A code that only comes with what was seen is quoted with the words.
  const words = REASONS.filter((reason) => reason.includes(': '));
  const unused = [...words, ...ALL, 'dns.nobody'].filter(
    (one) => !sources.includes(`'${one}'`) && !sources.includes(`'${one}: `),
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
  const ofPrivateLinks = [
    'address.list-outdated: endpoint replaced',
    'address.unexpected: public',
    'dns.record-wrong: earlier endpoint',
    'dns.record-wrong: managed elsewhere',
    'host.outside-network: before a deploy',
  ];
  const stages = /^(dns|address|tcp|tls|http|server|host|route|path|proxy)\./;
  const speaking = REASONS.filter((reason) => stages.test(reason)).filter((reason) => {
    const { cause, remedy, inspect = '' } = factsOf(reason, { hasEndpoint: false });
    return /endpoint/.test(`${cause} ${remedy} ${inspect}`);
  });
  expect(speaking.toSorted()).toEqual(ofPrivateLinks);
});
