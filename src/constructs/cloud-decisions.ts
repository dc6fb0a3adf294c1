import { TerraformOutput, type TerraformStack } from 'cdktf';
import { ANSWERS_OUTPUT, type StatedAnswers } from '../reach/semantics.js';

/**
 * States answers of your own to the questions that are marked `assumed` in how the cloud decides. Reviews,
 * rehearsals, `reach` and assertions then decide by them in place of both answers.
 *
 * @example
 * ```ts
 * stateCloudDecisions(stack, {
 *   'group-outward': { answer: 'closed', seen: '2026-11-20', how: 'dialled from a test VPC' },
 * });
 * ```
 */
export function stateCloudDecisions(stack: TerraformStack, answers: StatedAnswers): void {
  new TerraformOutput(stack, ANSWERS_OUTPUT, {
    value: answers,
    description: 'How the cloud decides, as its owner saw it',
  });
}
