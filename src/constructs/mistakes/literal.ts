import { Token } from 'cdktf';
import { DOMAIN_NAME, DOMAIN_NAME_RULE } from '../../net/host-name.js';

/** Whether a value is known only when Terraform runs; a list of them is one too. */
export function isToken(value: unknown): boolean {
  return Token.isUnresolved(value) || (typeof value === 'string' && Token.isUnresolved([value]));
}

/** The problem of a value that must be known when the stack is synthesized, as a list of none or one. */
export function literalProblems(property: string, ...values: readonly unknown[]): string[] {
  return values.some(isToken)
    ? [
        `\`${property}\` must be a literal: access rules are reviewed before the deploy; got: a token`,
      ]
    : [];
}

/** The problem of a text that must be a literal of some form, such as a CIDR, as a list of none or one. */
export function problemOf(
  property: string,
  value: string,
  read: (text: string) => unknown,
): string[] {
  const unknown = literalProblems(property, value);
  if (unknown.length > 0) return unknown;
  try {
    read(value);
    return [];
  } catch (error) {
    return [`\`${property}\` ${(error as Error).message}, got: "${value}"`];
  }
}

/** The problems of whole numbers between two limits that must be literals. */
export function numberProblems(
  property: string,
  values: readonly number[],
  [least, most]: readonly [number, number],
): string[] {
  const unknown = literalProblems(property, values, ...values);
  if (unknown.length > 0) return unknown;
  return values
    .filter((value) => !(Number.isInteger(value) && value >= least && value <= most))
    .map((value) => `\`${property}\` must be ${least} to ${most}, got: ${value}`);
}

/** The problem of a text that must be a host name, where it is known, as a list of none or one. */
export function hostProblems(property: string, value: string): string[] {
  return isToken(value) || DOMAIN_NAME.test(value)
    ? []
    : [`\`${property}\` ${DOMAIN_NAME_RULE}, got: "${value}"`];
}
