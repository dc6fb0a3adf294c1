import { usageError } from '../codes/connectivity-error.js';

/**
 * Shows a value that a caller gave in place of another kind; what an object or a list holds is not shown, for
 * it can be a secret, or nothing that JSON can write.
 */
export function givenText(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** Refuses an empty text and what is none. @param of what has the field: ` of the chat` */
export function checkGiven(field: string, value: unknown, of = ''): void {
  if (typeof value === 'string' && value.trim() !== '') return;
  throw usageError(`\`${field}\`${of} must be a text that is not empty, got: ${givenText(value)}`);
}
