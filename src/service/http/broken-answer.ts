import { safeText } from '../../codes/redact.js';
import { type AnswerWatch, UNASKED } from './answer-watch.js';
import { TimedOut } from './limits.js';
import { describeBytes } from './shown-bytes.js';
import { receivedAlert } from './tls-alert.js';

/** The facts of an answer that did not come to its end. */
export interface Came {
  readonly watch: AnswerWatch | undefined;
  /** Of its body; undefined as long as its head is not whole. */
  readonly body: { readonly bytes: number; readonly declared: string | undefined } | undefined;
}

/** An answer that had begun, and ended before its end or broke the rules of HTTP. */
export class BrokenAnswer extends Error {
  constructor(
    readonly code: 'CUT_SHORT' | 'DAMAGED' | 'EARLY' | 'EARLY_408' | 'MALFORMED',
    message: string,
    override readonly cause?: unknown,
  ) {
    super(message);
  }
}

/**
 * The error of a call of whose answer something came: what came first says more than how it ended.
 *
 * @param how the machine-readable name of the error
 * @returns the error itself where nothing had come, or it says as much
 */
export function brokenAnswer(error: unknown, how: string, came: Came): unknown {
  if (error instanceof Error && NO_ANSWER.has(error.message)) {
    const { head } = came.watch ?? {};
    return error.message === UNASKED && head?.length ? earlyAnswer(head) : error;
  }
  if (error instanceof TimedOut || ENDS.includes(how)) return cutShort(error, how, came) ?? error;
  if (UNREADABLE.includes(how)) return malformed(error, how, came) ?? error;
  const isBehindHandshake = came.watch?.isSent === true && how.startsWith('ERR_SSL_');
  if (!isBehindHandshake || receivedAlert(error) !== undefined) return error;
  return new BrokenAnswer('DAMAGED', `a record of TLS that cannot be read (${how})`, error);
}

/** The error for bytes that came before any request was sent. */
export function earlyAnswer(bytes: Buffer): BrokenAnswer {
  const end = bytes.indexOf('\r\n');
  const line = end < 0 ? bytes : bytes.subarray(0, end);
  const code = /^HTTP\/1\.[01] 408/.test(line.toString('latin1')) ? 'EARLY_408' : 'EARLY';
  return new BrokenAnswer(code, `bytes before any request was sent: ${describeBytes(line)}`);
}

/** The HTTP client's errors for bytes that are no answer, or none that was asked for. */
export const NO_ANSWER = new Map([
  ['bad upgrade', 'a change of protocol that was not asked for (101 Switching Protocols)'],
  [UNASKED, 'bytes of an answer before any request was sent'],
]);

/** Errors of a request on a connection that the server has closed. */
export const ENDS: readonly string[] = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];

const MISMATCH = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
const UNREADABLE: readonly string[] = ['HTTPParserError', MISMATCH];

function cutShort(error: unknown, how: string, came: Came): BrokenAnswer | undefined {
  const part = partOf(came);
  if (part === undefined) return undefined;
  // Something may have come all the time, only too slowly.
  const [prefix, suffix] =
    error instanceof TimedOut
      ? ['an answer of which ', ` came within ${Math.round(error.timeoutMs)} ms`]
      : ['an answer that breaks off after ', ` (${how})`];
  return new BrokenAnswer('CUT_SHORT', prefix + part + suffix, error);
}

function partOf({ watch, body }: Came): string | undefined {
  if (body !== undefined) {
    const { bytes, declared } = body;
    if (declared === undefined) return `${bytes} bytes of an undeclared number`;
    return `${bytes} of ${safeText(declared)} bytes`;
  }
  const { head = '', interim } = watch ?? {};
  const first = interim === undefined ? '' : `an interim answer (${safeText(interim)})`;
  const begun = head.length > 0 ? `${head.length} bytes of its head` : '';
  return [first, begun].filter(Boolean).join(' and ') || undefined;
}

const HTTP = /^HTTP\/\d/;

function malformed(error: unknown, how: string, came: Came): BrokenAnswer | undefined {
  const { watch, body } = came;
  const head = watch?.head.toString('latin1') ?? '';
  if (body === undefined && !HTTP.test(head)) return undefined;
  const inHead = problemOfHead(head);
  // The client compares the lengths whatever it objects to, the end of the connection included.
  const isShort = how === MISMATCH && body !== undefined && body.bytes < Number(body.declared);
  if (inHead === undefined && isShort) return cutShort(error, how, came);
  const place = inHead || body === undefined ? 'head' : `body after ${body.bytes} bytes`;
  const why = inHead ?? (error instanceof Error ? safeText(error.message) : how);
  const message = `an answer that breaks the rules of HTTP in its ${place}: ${why}`;
  return new BrokenAnswer('MALFORMED', message, error);
}

/** The line of an answer in HTTP/1 (RFC 9112, 4); some leave out the space before no reason. */
const STATUS_LINE = /^HTTP\/1\.\d \d{3}( |$)/;

/** A field's name and value (RFC 9110, 5.1 and 5.5). */
const FIELD = /^[!#$%&'*+.^`|~\w-]+:[\t\x20-\x7e\x80-\xff]*$/;

function problemOfHead(head: string): string | undefined {
  const [start = '', ...lines] = head.replace(/\r\n\r\n$/, '').split('\r\n');
  const lengths = valuesOf(lines, 'content-length');
  const codings = valuesOf(lines, 'transfer-encoding');
  const length = safeText(lengths.join(', '));
  if (lengths.length > 1) return `more than one \`content-length\` (${length})`;
  if (lengths.length > 0 && codings.length > 0) {
    return `\`content-length\` (${length}) beside \`transfer-encoding\` (${safeText(codings.join())})`;
  }
  if (length !== '' && / 204\b/.test(start))
    return `a length (${length}) at status 204, without a body`;
  if (!/^\d*$/.test(length)) return `a \`content-length\` that is no number (${length})`;
  const bad = STATUS_LINE.test(start) ? lines.find((line) => !FIELD.test(line)) : start;
  if (bad === undefined) return undefined;
  const folded = /^[ \t]/.test(bad) ? 'a header that is folded (RFC 9112, 5.2): ' : '';
  return `${folded}the line "${safeText(bad).slice(0, 80)}"`;
}

function valuesOf(lines: readonly string[], name: string): string[] {
  const start = `${name}:`;
  const own = lines.filter((line) => line.toLowerCase().startsWith(start));
  return own.map((line) => line.slice(start.length).trim());
}
