import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Codes for what an interrupted deploy leaves, and for what prevents its adoption. */
export const ADOPT_CODES = codesWithExit(EXIT.leftBehind, {
  'adopt.left-behind': {
    title: 'An interrupted deploy left objects in the cloud',
    cause:
      'Terraform or the provider was stopped while it was creating or deleting something. The object is either in the cloud but not in the state, so that a deploy would create it again, or in the state but no longer in the cloud.',
    remedy: 'Run secure-connectivity adopt for the stack, then deploy again.',
  },
  'adopt.ambiguous': {
    title: 'An object cannot be adopted without a decision',
    cause:
      'Several objects carry the mark of one resource, an object differs from what is planned or was made to replace another, or an object in the state is no longer in the cloud.',
    remedy:
      'Do what the message says for each object: choose one with --id, run the Terraform command that it names, or delete what is not needed.',
  },
  'adopt.unsettled': {
    title: 'The cloud is still creating an object',
    cause: 'The task that an interrupted deploy started is still running.',
    remedy: 'Run secure-connectivity adopt again later, or with a longer --wait.',
    isRetryable: true,
  },
  'cloud.unreadable': {
    title: 'The cloud’s API cannot be read',
    cause:
      'The call was refused or got no answer. A deploy that looks for what an interrupted one left, and whatever else reads the cloud, uses ListResources and GetResource of each type.',
    remedy:
      'Check the credentials, the proxy and the list actions in docs/permissions.md; deploy --adopt off deploys without looking for what was left.',
    isRetryable: true,
  },
  'terraform.failed': {
    title: 'Terraform failed',
    cause: 'A Terraform command that this program runs ended with an error.',
    remedy: 'Read what Terraform printed, which the message repeats.',
  },
});
