import { Token } from 'cdktf';
import type { Construct } from 'constructs';
import { parseCidr } from '../net/cidr.js';
import { DOMAIN_NAME, DOMAIN_NAME_RULE } from '../net/host-name.js';
import { StackAccess } from './stack-access.js';
import { keepMistakes } from './stack-problems.js';

/**
 * Reports mistakes of a construct when its stack is synthesized, together with those of all others.
 * Until then a construct that has some makes nothing.
 *
 * @returns whether there are any
 */
export function hasMistakes(construct: Construct, problems: readonly string[]): boolean {
  if (problems.length === 0) return false;
  construct.node.addValidation({ validate: () => [...problems] });
  keepMistakes(construct, problems);
  // Where no validation runs, as in unit tests, the stack's digest refuses them.
  StackAccess.of(construct);
  return true;
}

/** A problem where a condition holds, as a list of none or one. */
export function problemIf(isWrong: boolean, problem: string): string[] {
  return isWrong ? [problem] : [];
}

/** The problem of a list that has something twice, as a list of none or one. */
export function onceProblems(property: string, what: string, values: readonly string[]): string[] {
  return problemIf(
    new Set(values).size < values.length,
    `\`${property}\` must name each ${what} once, got: ${values.join(', ')}`,
  );
}

/** Whether a value is known only when Terraform runs; a list of them is one too. */
export function isToken(value: unknown): boolean {
  return Token.isUnresolved(value) || (typeof value === 'string' && Token.isUnresolved([value]));
}

/** The problem of a value that must be known when the stack is synthesized, as a list of none or one. */
export function literalProblems(property: string, ...values: readonly unknown[]): string[] {
  return problemIf(
    values.some(isToken),
    `\`${property}\` must be a literal: access rules are reviewed before the deploy; got: a token`,
  );
}

/** The problem of a text that must be a literal of some form, such as a CIDR, as a list of none or one. */
export function formatProblems(
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

export function portProblems(property: string, ports: readonly number[]): string[] {
  return ports.length === 0
    ? [`\`${property}\` must name at least one port`]
    : numberProblems(property, ports, [1, 65535]);
}

/** The problems of CIDRs that must be literals, and none of them every address. */
export function cidrProblems(property: string, cidrs: readonly string[], remedy = ''): string[] {
  // A token where JavaScript gives it for the list is not even an array.
  const unknown = literalProblems(property, cidrs);
  if (unknown.length > 0) return unknown;
  return cidrs.flatMap((cidr) => {
    const malformed = formatProblems(property, cidr, parseCidr);
    return malformed.length === 0 && parseCidr(cidr).prefix === 0
      ? [`\`${property}\` must not be every address, got: "${cidr}"${remedy}`]
      : malformed;
  });
}
