import { createParser } from 'eventsource-parser';
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
 * Reads server-sent events. As the standard has it, an event that breaks off is not given.
 *
 * @throws BodyTooLong where one event is longer than 1 MiB
 */
export async function* serverSentEvents(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const decoder = new TextDecoder();
  const ready: ServerSentEvent[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent: ({ event = 'message', data }) => ready.push({ event, data }),
    // Fields that are not known are passed over, as the standard has it.
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded';
    },
  });
  let last = '';
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true });
    // A piece can be empty, or hold only a part of a character.
    if (text === '') continue;
    last = text;
    parser.feed(text);
    yield* ready.splice(0);
    if (isTooLong) throw new BodyTooLong(LONGEST_EVENT, 'event');
  }
  // After CR the parser waits for the LF that may follow.
  if (last.endsWith('\r')) parser.feed('\n');
  yield* ready.splice(0);
}
