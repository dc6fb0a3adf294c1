import { BodyTooLong } from './body.js';

/** One event of a stream in the format of the HTML standard. */
export interface ServerSentEvent {
  /** `message` where the stream names none. */
  readonly event: string;
  /** The data lines, joined by line feeds. */
  readonly data: string;
}

const LONGEST_EVENT = 1024 * 1024;

/**
 * Reads server-sent events. Unlike a browser it also gives the last event when the stream ends
 * without the blank line after it.
 *
 * @throws BodyTooLong where one event is longer than 1 MiB
 */
export async function* serverSentEvents(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let event = '';
  let data: string[] = [];
  let length = 0;
  const take = (): ServerSentEvent | undefined => {
    const taken =
      data.length > 0 ? { event: event || 'message', data: data.join('\n') } : undefined;
    event = '';
    data = [];
    length = 0;
    return taken;
  };
  for await (const line of linesOf(pieces)) {
    if (line === '') {
      const taken = take();
      if (taken) yield taken;
      continue;
    }
    const { name, value } = fieldOf(line);
    if (name === 'event') event = value;
    if (name !== 'data') continue;
    data.push(value);
    length += value.length;
    if (length > LONGEST_EVENT) throw new BodyTooLong(LONGEST_EVENT);
  }
  const last = take();
  if (last) yield last;
}

/** A line that begins with a colon is a comment: its field has no name. */
function fieldOf(line: string): { name: string; value: string } {
  const colon = line.indexOf(':');
  if (colon < 0) return { name: line, value: '' };
  const value = line.slice(colon + 1);
  return { name: line.slice(0, colon), value: value.startsWith(' ') ? value.slice(1) : value };
}

/** The lines of a text in UTF-8; CR, LF and CRLF end one, wherever the pieces are cut. */
async function* linesOf(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let afterReturn = false;
  for await (const piece of pieces) {
    const decoded = decoder.decode(piece, { stream: true });
    if (decoded === '') continue;
    const text = afterReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    afterReturn = decoded.endsWith('\r');
    const lines = `${rest}${text}`.split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_EVENT) throw new BodyTooLong(LONGEST_EVENT);
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
