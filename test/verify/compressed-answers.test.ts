import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { answerRaw, ordinary } from '../support/raw-service.js';
import { check, createWorld, findingOf } from '../support/verifiable-link.js';

test.each([
  ['gzip', gzipSync, true],
  ['gzip', gzipSync, false],
  ['deflate', deflateSync, true],
  ['br', brotliCompressSync, true],
])('a body in %s, for which nobody asked, is named and not quoted', async (coding, compress, isSaid) => {
  const world = await createWorld();
  await answerRaw(world, (request) => {
    const [head = '', body = ''] = ordinary(request).split('\r\n\r\n');
    const bytes = compress(body);
    const said = isSaid ? `\r\ncontent-encoding: ${coding}` : '';
    const start = head.replace(/content-length: \d+/, `content-length: ${bytes.length}${said}`);
    return Buffer.concat([Buffer.from(`${start}\r\n\r\n`), bytes]);
  });
  const { status, code, evidence } = findingOf(await check(world, { auth: false }), 'http');
  const how = isSaid ? coding : 'without saying so';
  expect([status, code, evidence.problem]).toEqual([
    'failed',
    'http.unexpected-answer',
    `a compressed body (${how}), where only \`identity\` was accepted (application/json)`,
  ]);
});
