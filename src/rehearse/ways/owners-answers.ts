import { jointAnswers, readAnswers } from '../../reach/rules/stated-answers.js';
import type { StatedAnswers } from '../../reach/semantics.js';
import type { RehearsedTree } from '../read-trees.js';

/** Reads the owner's answers from the base alone, for the head is not approved yet. */
export function answersOf([base = []]: readonly RehearsedTree[]): StatedAnswers {
  return jointAnswers(base.map(({ terraform }) => readAnswers(terraform.outputs)));
}
