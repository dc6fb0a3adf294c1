import { redact } from '../../codes/redact.js';
import { isToken } from '../token.js';

const MAX_SHOWN = 100;

/** A value that a user gave, short and without secrets: `"HTTPS"`, `an object with name, cidr`. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return shownText(value);
  if (isToken(value)) return 'a token';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'function') return `the function ${value.name || 'without a name'}`;
  if (typeof value !== 'object' || value === null) return String(value);
  return shownObject(value);
}

function shownText(text: string): string {
  if (isToken(text)) return 'a token';
  if (text.includes('PRIVATE KEY')) return 'a private key, which is not shown';
  const shown = redact(text);
  return shown.length <= MAX_SHOWN ? `"${shown}"` : `"${shown.slice(0, MAX_SHOWN)}…"`;
}

function shownObject(value: object): string {
  const { name } = value.constructor ?? Object;
  if (name !== 'Object') return `a ${name}`;
  const keys = Object.keys(value);
  return keys.length === 0 ? 'an empty object' : `an object with ${keys.slice(0, 8).join(', ')}`;
}
