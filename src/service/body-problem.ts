import { asObject, type ServiceResponse } from './response.js';
import { safeText } from './safe-text.js';

const FIRST_WORDS = 120;

/**
 * Says why a body is not what was expected: what it is instead, its content type and its first words.
 *
 * @param missing what JSON would have to have: `` `data` ``
 */
export function bodyProblem(response: ServiceResponse, missing: string): string {
  const { headers, text } = response;
  const type = safeText(headers['content-type'] ?? '') || 'no content type';
  const words = isCompressed(response) ? '' : safeText(text).slice(0, FIRST_WORDS);
  return `${formOf(response, missing)} (${type})${words && `: ${words}`}`;
}

function formOf(response: ServiceResponse, missing: string): string {
  const { headers, text, json } = response;
  if (isCompressed(response)) {
    const how = safeText(headers['content-encoding'] ?? '') || 'without saying so';
    return `a compressed body (${how}), which was not asked for`;
  }
  if (text.trim() === '') return 'an empty body';
  if (text.startsWith('\uFEFF')) return 'a body that begins with a byte order mark';
  if (asObject(json) !== undefined) return `JSON without ${missing}`;
  if (json !== undefined) return 'JSON that is no object';
  if (/^\s*</.test(text)) return 'HTML or XML in place of JSON';
  if (/^\s*[{[]/.test(text))
    return `JSON that is damaged or breaks off after ${text.length} characters`;
  return 'text in place of JSON';
}

/** By its header, or by how gzip begins. */
function isCompressed({ headers, text }: ServiceResponse): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  return !/^(identity)?$/i.test(encoding.trim()) || text.startsWith('\u001f\uFFFD');
}
