import { Token } from 'cdktf';

/** Tells whether a value is known only when Terraform runs; a list of them is one too. */
export function isToken(value: unknown): boolean {
  return Token.isUnresolved(value) || (typeof value === 'string' && Token.isUnresolved([value]));
}
