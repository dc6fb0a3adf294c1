import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ServerSentEvent, serverSentEvents } from '../../../src/service/chat/stream-chat.js';

async function read(...pieces: Uint8Array[]): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of serverSentEvents(piecesOf(pieces))) events.push(event);
  return events;
}

async function* piecesOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

const bytes = (text: string) => Buffer.from(text);

test('reads names, data of several lines, comments and fields that it does not need', async () => {
  const text = [
    '\uFEFF: a comment',
    'event: first',
    'data: one',
    'data:two',
    'data',
    'id: 7',
    'retry: 10',
    '',
    'event: without data',
    '',
    'data:  two spaces: and a colon',
    '',
    '',
  ].join('\n');
  expect(await read(bytes(text))).toEqual([
    { event: 'first', data: 'one\ntwo\n' },
    { event: 'message', data: ' two spaces: and a colon' },
  ]);
});

test.each([
  'event:done\ndata:"[DO',
  'data: x',
  'data: x\n',
  'data: x\r',
])('gives no event that breaks off: %j', async (rest) => {
  expect(await read(bytes(`data: whole\n\n${rest}`))).toEqual([
    { event: 'message', data: 'whole' },
  ]);
});

test('gives the same events wherever the stream is cut and however its lines end', async () => {
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, ' '));
  const event = fc.record({
    event: line.filter((text) => text.trim() !== ''),
    data: fc.array(line, { minLength: 1 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(event), lineEnd, fc.array(fc.nat()), async (events, end, cuts) => {
      const lines = events.flatMap((each) => [
        `event: ${each.event}`,
        ...each.data.map((data) => `data: ${data}`),
        '',
      ]);
      const whole = bytes(lines.map((each) => each + end).join(''));
      const places = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort(
        (a, b) => a - b,
      );
      const pieces = [0, ...places].map((from, i) =>
        whole.subarray(from, places[i] ?? whole.length),
      );
      expect(await read(...pieces)).toEqual(
        events.map((each) => ({ event: each.event, data: each.data.join('\n') })),
      );
    }),
    { numRuns: 200 },
  );
});

test.each(['data: ', 'data: x\ndata: '])('refuses an event without end: %j', async (start) => {
  const lines = start.includes('\n') ? 'data: yyyyyyyyyyyyyyyyyyyyy\n' : 'y'.repeat(28);
  await expect(read(bytes(start), bytes(lines.repeat(60_000)))).rejects.toMatchObject({
    code: 'STREAM_TOO_LONG',
  });
});
