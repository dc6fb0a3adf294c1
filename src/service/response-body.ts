import { safeText } from '../codes/redact.js';
import { asObject, duplicateKeys } from '../files/json.js';

/** A body with its status and headers. */
interface ReceivedBody {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** Undefined where it is not JSON. */
  readonly json: unknown;
}

interface BodyProblem {
  readonly problem: string;
  /** A field of the service's formats that the body has although it cannot be used. */
  readonly holds?: string;
}

/** Characters of a body that an error quotes. */
const FIRST_WORDS = 120;

/** A word as long as a token. */
const LONG_WORD = /[\w.~+/=-]{16,}/g;

/** Words with a slash between them, of which no token is made: `disconnect/reset`, `application/json`. */
const WORDS = /^\/?[A-Z]?[a-z.+-]+(\/[A-Z]?[a-z.+-]+)+$/;

/**
 * Describes why a body is not what was expected: what it is instead, its type and sender by the headers, its
 * first words, and a field of the service's own formats in it.
 *
 * @param missing what JSON would have to have: `` `data` ``
 * @param options.mayBeToken the body may be a token in another shape than the service's: no long word is quoted
 */
export function bodyProblem(
  response: ReceivedBody,
  missing: string,
  { mayBeToken = false }: { readonly mayBeToken?: boolean } = {},
): BodyProblem {
  const { headers, text } = response;
  const type = safeText(headers['content-type'] ?? '') || 'no content type';
  // Redaction does not know secrets in bytes that are no text.
  const isText = !isCompressed(response) && !isUtf16(text) && !isBinary(text);
  const hide = (word: string) => (WORDS.test(word) ? word : '[redacted]');
  const quoted = mayBeToken ? text.replace(LONG_WORD, hide) : text;
  const words = isText ? safeText(quoted).slice(0, FIRST_WORDS) : '';
  const by = TELLING.map((name) => headers[name] && `, ${name} ${safeText(headers[name])}`);
  const head = [type, ...by].join('');
  const problem = `${describeBody(response, missing)} (${head})${words && `: ${words}`}`;
  const own = isEventStream(headers['content-type']) ? OWN_EVENT : OWN_FIELD;
  const [holds] = own.exec(text.replaceAll('\0', '')) ?? [];
  return { problem, ...(holds !== undefined && { holds: holds.replaceAll(/["\s]/g, '') }) };
}

/** Headers that say what answers or passes the answer on, and what it wants. */
const TELLING = [
  ...['server', 'via', 'www-authenticate', 'proxy-authenticate', 'allow', 'upgrade'],
] as const;

/** A field that no gateway has in the service's place: of a token, of a refusal, or of a success. */
const OWN_FIELD = /"(access_token|error_message)"(?=\s*:)|"code"\s*:\s*"?0(?![\d.])/;

/** An event of the service's streams: by the specification, that of a chat has an event `chat`. */
const OWN_EVENT = /^event: ?(\w+\.)*chat(\.\w+)*$/m;

/** The type of a stream of events. */
export const EVENTS = 'text/event-stream';

/** Tells whether a content type is that of a stream of events. */
export function isEventStream(contentType = ''): boolean {
  return contentType.split(';')[0]?.trim().toLowerCase() === EVENTS;
}

function describeBody(response: ReceivedBody, missing: string): string {
  const { headers, text, json } = response;
  if (isCompressed(response)) {
    const said = headers['content-encoding'] ?? headers['transfer-encoding'] ?? '';
    const how = safeText(said) || 'without saying so';
    return `a compressed body (${how}), where only \`identity\` was accepted`;
  }
  if (text.trim() === '') return 'an empty body';
  if (isUtf16(text)) return 'a body in UTF-16, where JSON is in UTF-8 (RFC 8259)';
  if (isBinary(text)) return 'bytes that are no text in UTF-8';
  if (text.startsWith('\uFEFF')) return 'a body that begins with a byte order mark';
  if (asObject(json) !== undefined) return `JSON without ${missing}`;
  if (json !== undefined) return 'JSON that is no object';
  if (isEventStream(headers['content-type'])) return 'a stream of events in place of JSON';
  if (/^\s*</.test(text)) return 'HTML or XML in place of JSON';
  if (/^\s*[{[]/.test(text)) return describeDamaged(text, headers);
  return 'text in place of JSON';
}

/** Tells whether damaged JSON has the length that its headers declare. */
function describeDamaged(text: string, headers: ReceivedBody['headers']): string {
  if (isParsable(text)) return 'JSON that is nested more deeply, or holds more, than is read here';
  const damage = `JSON that is damaged or breaks off after ${text.length} characters`;
  const isDeclared = headers['content-length'] === String(Buffer.byteLength(text));
  return isDeclared ? `${damage}, as many as its \`content-length\` says` : damage;
}

function isParsable(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Lists what contradicts itself in an answer that can be used: stricter readers refuse it. */
export function contradictions(received: ReceivedBody): string[] {
  const { status, headers, json, text } = received;
  const odd = NO_CODING.filter(
    ([name, none]) => json !== undefined && !none.test(headers[name]?.trim() ?? ''),
  );
  const repeated = json === undefined ? [] : duplicateKeys(text);
  const twice = repeated.map((key) => `\`${safeText(key)}\``);
  return [
    ...odd.map(
      ([name]) => `\`${name}\` is ${safeText(headers[name] ?? '')}, which the body is not`,
    ),
    ...oddMessage(json),
    ...(twice.length > 0 ? [`the body has ${twice.join(', ')} more than once`] : []),
    ...(ODD_STATUS.has(status) ? [`the status is ${status}, ${ODD_STATUS.get(status)}`] : []),
  ];
}

/** A success whose `msg` says otherwise; by the specification, it is empty then. */
function oddMessage(json: unknown): string[] {
  const { code, msg } = asObject(json) ?? {};
  if (code !== 0 || (msg ?? '') === '') return [];
  if (typeof msg === 'string' && MSG_OF_SUCCESS.test(msg.trim())) return [];
  return [`\`code\` is 0, and \`msg\` says ${safeText(JSON.stringify(msg)).slice(0, FIRST_WORDS)}`];
}

const MSG_OF_SUCCESS = /^(|ok|okay|success(ful(ly)?)?|succeeded|(操作|请求)?成功)[.!。]?$/i;

/** The values of the headers that name codings with which a body is as it is. */
const NO_CODING = [
  ['content-encoding', /^(identity)?$/i],
  ['transfer-encoding', /^(identity|chunked)?$/i],
] as const;

/** Statuses of success of which stricter clients take no answer for the service's whole one. */
const ODD_STATUS = new Map([
  [203, 'which says that a proxy has changed the answer (RFC 9110, 15.3.4)'],
  [206, 'a part of an answer, where the whole was asked for (RFC 9110, 15.3.7)'],
]);

/** Recognizes UTF-16 by its byte order mark, which is no UTF-8, or by the zero bytes beside the first characters. */
export function isUtf16(text: string): boolean {
  return /^(\uFFFD{2})?([^\0]\0){2}|^(\uFFFD{2})?(\0[^\0]){2}/.test(text);
}

function isBinary(text: string): boolean {
  return /[\0\uFFFD]/.test(text.slice(0, FIRST_WORDS));
}

/** Recognizes a compressed body by its header, or by how gzip begins. */
function isCompressed({ headers, text }: ReceivedBody): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  return !/^(identity)?$/i.test(encoding.trim()) || text.startsWith('\u001f\uFFFD');
}
