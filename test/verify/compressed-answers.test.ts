import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { answerRaw, isTokenCall, ordinary } from '../support/raw-service.js';
import { check, createWorld, findingOf, stagesOf } from '../support/verifiable-link.js';

test.each([
  ['gzip', gzipSync, true],
  ['gzip', gzipSync, false],
  ['deflate', deflateSync, true],
  ['br', brotliCompressSync, true],
])('bodies in %s, for which nobody asked, are read and warn', async (coding, compress, isSaid) => {
  const world = await createWorld();
  await answerRaw(world, (request) => {
    const [head = '', body = ''] = ordinary(request).split('\r\n\r\n');
    const bytes = compress(body);
    const said = isSaid ? `\r\ncontent-encoding: ${coding}` : '';
    const start = head.replace(/content-length: \d+/, `content-length: ${bytes.length}${said}`);
    return Buffer.concat([Buffer.from(`${start}\r\n\r\n`), bytes]);
  });
  const verification = await check(world);
  const codes = stagesOf(verification).flatMap(({ code }) => code ?? []);
  expect([verification.verdict, codes]).toEqual([
    'reachable',
    ['token.odd-answer', 'api.odd-answer'],
  ]);
  expect(findingOf(verification, 'token').evidence.problem).toBe(
    `the body is compressed (${coding}), where only \`identity\` was accepted`,
  );
});

test('a call that carries no token warns of them as well', async () => {
  const world = await createWorld();
  await answerRaw(world, (request) => {
    const [head = '', body = ''] = ordinary(request).split('\r\n\r\n');
    const bytes = gzipSync(body);
    const start = head.replace(/content-length: \d+/, `content-length: ${bytes.length}`);
    return Buffer.concat([Buffer.from(`${start}\r\n\r\n`), bytes]);
  });
  const { status, code, evidence } = findingOf(await check(world, { auth: false }), 'http');
  expect([status, code, evidence.problem]).toEqual([
    'warned',
    'http.odd-answer',
    'the body is compressed (gzip), where only `identity` was accepted',
  ]);
});

test('a compressed body that would grow beyond what is read stays compressed', async () => {
  const bytes = gzipSync(Buffer.alloc(8 * 1024 * 1024));
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n`;
  const world = await createWorld();
  await answerRaw(world, (request) =>
    isTokenCall(request) ? Buffer.concat([Buffer.from(head), bytes]) : undefined,
  );
  const { code, evidence } = findingOf(await check(world), 'token');
  expect(code).toBe('token.unexpected-answer');
  expect(evidence.problem).toMatch(/^a compressed body/);
});
