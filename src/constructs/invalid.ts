import type { Construct } from 'constructs';
import { ConnectivityError } from '../codes/connectivity-error.js';

/**
 * Stops with every problem of a construct's properties at once.
 *
 * @throws ConnectivityError `construct.invalid`, unless there are no problems
 */
export function refuse(scope: Construct, id: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const path = [scope.node.path, id].filter((part) => part !== '').join('/');
  throw new ConnectivityError(
    'construct.invalid',
    `${path} is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  );
}

/** The problem of a text that must be a CIDR, as a list of none or one. */
export function problemOf(
  property: string,
  value: string,
  read: (text: string) => unknown,
): string[] {
  try {
    read(value);
    return [];
  } catch (error) {
    return [`\`${property}\` ${(error as Error).message}, got: "${value}"`];
  }
}
