import { Annotations } from 'cdktf';
import type { Construct } from 'constructs';
import { type AccessException, isExpired } from '../../access/access-rule.js';

/** Shown when the stack is synthesized; it stops nothing. */
export function warn(scope: Construct, text: string): void {
  const known = scope.node.metadata.some(({ data }) => data === text);
  if (!known) Annotations.of(scope).addWarning(text);
}

/** An expired exception must not stop a destroy or another fix: here it only warns, and the review fails. */
export function warnIfExpired(scope: Construct, exception: AccessException | undefined): void {
  if (exception === undefined || !isExpired(exception)) return;
  const { reason, owner, expires } = exception;
  warn(
    scope,
    `the exception "${reason}" expired on ${expires}; ${owner} must end it or give it a new day`,
  );
}
