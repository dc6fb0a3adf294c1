import { codesWithExit, EXIT } from '../code-facts.js';

/** Why a deploy stops before Terraform plans. */
const DEPLOY = codesWithExit(EXIT.usage, {
  'deploy.state-in-checkout': {
    title: 'The state would be lost with the checkout',
    cause: 'A CI job keeps the state in its checkout, which the next job cleans.',
    remedy:
      'Set state to a remote backend, or CONNECTIVITY_STATE_FOLDER to a folder outside the checkout that stays on the runner.',
  },
  'deploy.other-state': {
    title: 'The state belongs to another stack',
    cause: 'The backend’s key refers to a state that contains the resources of another stack.',
    remedy:
      'Give each stack a state of its own; if the stack was renamed, give its former id with --state-of.',
  },
  'deploy.state-locked': {
    title: 'The state is locked by another run',
    cause:
      'Another deploy, destroy or adopt of the stack is running, or one was killed and left its lock.',
    remedy:
      'Wait until it has ended, or set a longer --lock-timeout. Release the lock with the force-unlock command in the message only if that run is dead.',
    isRetryable: true,
  },
  'deploy.state-unreadable': {
    title: 'The state cannot be read',
    cause: 'The backend does not answer Terraform, or does not allow it to read the state.',
    remedy:
      'Check the backend’s address and credentials; the message includes what Terraform printed.',
    isRetryable: true,
  },
  'deploy.state-unsaved': {
    title: 'An earlier state is not saved yet',
    cause:
      'Terraform could not save the state of an earlier run and left it in errored.tfstate, and the backend still refuses it.',
    remedy:
      'Keep errored.tfstate, make sure that the backend accepts states again, and deploy from the same folder.',
    isRetryable: true,
  },
});

/** What an interrupted deploy leaves, and what keeps it from being adopted. */
const ADOPT = codesWithExit(EXIT.leftBehind, {
  'adopt.left-behind': {
    title: 'An interrupted deploy left objects in the cloud',
    cause:
      'Terraform or the provider was stopped while it was creating or deleting something. The object is either in the cloud but not in the state, so that a deploy would create it again, or in the state but no longer in the cloud.',
    remedy: 'Run secure-connectivity adopt for the stack, then deploy again.',
  },
  'adopt.ambiguous': {
    title: 'An object cannot be adopted without a decision',
    cause:
      'Several objects carry the mark of one resource, an object differs from what is planned, or an object in the state is no longer in the cloud.',
    remedy:
      'Do what the message says for each object: choose one with --id, accept the differences with --with-differences, remove what is gone from the state with --forget-gone, or delete what is not needed.',
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
      'The call was refused or got no answer. The search for objects of an interrupted deploy reads each type with ListResources and GetResource.',
    remedy:
      'Check the credentials, the proxy and the list actions in docs/permissions.md; deploy --adopt off deploys without the search.',
    isRetryable: true,
  },
  'terraform.failed': {
    title: 'Terraform failed',
    cause: 'A Terraform command that this program runs ended with an error.',
    remedy: 'Read what Terraform printed, which the message repeats.',
  },
});

export const DEPLOY_CODES = { ...DEPLOY, ...ADOPT };
