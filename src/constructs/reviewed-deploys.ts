import { TerraformOutput, type TerraformStack, TerraformVariable } from 'cdktf';

/** The rule of an environment about reviewed deploys, as its settings have it. */
export interface ReviewedDeploysProps {
  /** True if a deploy needs the statements of reviewed changes (`deploy --reviewed`). @default false */
  readonly requireReviewed?: boolean | undefined;
  /**
   * The public key that must have signed the statements: base64 of SPKI.
   * @default - signatures are not checked
   */
  readonly statementKey?: string | undefined;
}

/**
 * Makes it the rule of a stack that only what was reviewed may be deployed. The state keeps the rule, its
 * key and the statements that were deployed: `deploy` judges the next tree by them, and not by the tree.
 */
export function requireReviewedDeploys(
  stack: TerraformStack,
  { requireReviewed = false, statementKey = '' }: ReviewedDeploysProps,
): void {
  if (!requireReviewed) return;
  const statements = new TerraformVariable(stack, 'reviewed_statements', {
    type: 'string',
    default: '',
    description:
      'SHA-256 of the statements by which the stack is deployed; set by deploy --reviewed',
  });
  new TerraformOutput(stack, 'reviewed', {
    value: { key: statementKey, statements: statements.value },
    description: 'the rule that only what was reviewed may be deployed',
  });
}
