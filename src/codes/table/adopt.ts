import { type CodeFacts, EXIT } from '../code-facts.js';

/** What an interrupted deploy leaves, and what keeps it from being adopted. */
export const ADOPT_CODES = {
  'adopt.left-behind': {
    title: 'An interrupted deploy left objects in the cloud',
    cause:
      'Terraform or the provider was ended while it created or deleted something: the object is in the cloud and not in the state, where a deploy would make it again, or in the state and no longer in the cloud.',
    remedy: 'Run secure-connectivity adopt with the stack, then deploy again.',
    kind: 'final',
    exit: EXIT.leftBehind,
  },
  'adopt.ambiguous': {
    title: 'An object cannot be adopted without a decision',
    cause:
      'Several objects carry the mark of one resource, an object differs from what is planned, or one of the state is no longer in the cloud.',
    remedy:
      'Do what the message says of each object: choose one with --id, accept the differences with --with-differences, forget what is gone with --forget-gone, or delete what is not needed.',
    kind: 'final',
    exit: EXIT.leftBehind,
  },
  'adopt.unsettled': {
    title: 'The cloud is still creating an object',
    cause: 'The task that an interrupted deploy started is still under way.',
    remedy: 'Run secure-connectivity adopt again later, or with a longer --wait.',
    kind: 'retryable',
    exit: EXIT.leftBehind,
  },
  'cloud.unreadable': {
    title: 'The cloud’s API cannot be read',
    cause:
      'The call was refused, or no answer came. The look for objects of an interrupted deploy reads each type with ListResources and GetResource.',
    remedy:
      'Check credentials, proxy and the list actions of docs/permissions.md; deploy --adopt off deploys without the look.',
    kind: 'retryable',
    exit: EXIT.leftBehind,
  },
  'terraform.failed': {
    title: 'Terraform failed',
    cause: 'A Terraform command that this program runs ended with an error.',
    remedy: 'Read what Terraform printed, which the message repeats.',
    kind: 'final',
    exit: EXIT.leftBehind,
  },
} as const satisfies Record<string, CodeFacts>;
