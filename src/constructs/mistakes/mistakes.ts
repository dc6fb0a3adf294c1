import type { Construct } from 'constructs';
import { StackAccess } from '../stack-access.js';
import { keepMistakes } from './invalid.js';

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
