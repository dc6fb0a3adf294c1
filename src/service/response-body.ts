import { safeText } from '../codes/redact.js';
import { asObject } from '../files/json.js';
import { duplicateKeys } from '../files/json-text.js';

/** A body, with what its head says of it. */
interface ReceivedBody {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** Undefined where it is not JSON. */
  readonly json: unknown;
  readonly hasStray?: boolean | undefined;
}

/** Characters of a body that an error quotes. */
const FIRST_WORDS = 120;

/**
 * Says why a body is not what was expected: what it is instead, its content type and its first words.
 *
 * @param missing what JSON would have to have: `` `data` ``
 */
export function bodyProblem(response: ReceivedBody, missing: string): string {
  const { headers, text } = response;
  const type = safeText(headers['content-type'] ?? '') || 'no content type';
  // Redaction does not know secrets in bytes that are no text.
  const isText = !isCompressed(response) && !isUtf16(text) && !isBinary(text);
  const words = isText ? safeText(text).slice(0, FIRST_WORDS) : '';
  const stray = response.hasStray === true ? `; ${STRAY}` : '';
  return `${describeBody(response, missing)} (${type})${words && `: ${words}`}${stray}`;
}

const STRAY =
  'bytes that belong to no answer came on the connection, behind this one or the one before';

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
  if (/^\s*</.test(text)) return 'HTML or XML in place of JSON';
  if (/^\s*[{[]/.test(text)) return describeDamaged(text, headers);
  return 'text in place of JSON';
}

/** Says of damaged JSON whether its length is the one that its head declares. */
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
export function contradictions({ headers, json, text, hasStray }: ReceivedBody): string[] {
  const encoding = headers['content-encoding'] ?? 'identity';
  const isOdd = json !== undefined && !/^(identity)?$/i.test(encoding.trim());
  const twice = json === undefined ? [] : duplicateKeys(text).map((key) => `\`${safeText(key)}\``);
  return [
    ...(isOdd ? [`\`content-encoding\` is ${safeText(encoding)}, which the body is not`] : []),
    ...(twice.length > 0 ? [`the body has ${twice.join(', ')} more than once`] : []),
    ...(hasStray === true ? [STRAY] : []),
  ];
}

/** By its byte order mark, which is no UTF-8, or by the zero bytes beside the first characters. */
function isUtf16(text: string): boolean {
  return /^(\uFFFD{2})?([^\0]\0){2}|^(\uFFFD{2})?(\0[^\0]){2}/.test(text);
}

function isBinary(text: string): boolean {
  return /[\0\uFFFD]/.test(text.slice(0, FIRST_WORDS));
}

/** By its header, or by how gzip begins. */
function isCompressed({ headers, text }: ReceivedBody): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  return !/^(identity)?$/i.test(encoding.trim()) || text.startsWith('\u001f\uFFFD');
}
