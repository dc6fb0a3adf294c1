import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Reasons why a deploy stops before it changes anything. */
export const DEPLOY_CODES = codesWithExit(EXIT.usage, {
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
      'Terraform could not save the state of an earlier run, which was put aside, and the backend still refuses it; or an errored.tfstate lies in the folder of the stack, or in the copy of a reviewed tree that a killed run left, from which nothing is pushed.',
    remedy:
      'Keep the file that the message names, make sure that the backend accepts states again, and deploy again. One in the folder of the stack or a copy is yours to push, or to remove.',
    isRetryable: true,
  },
  'deploy.backend-changed': {
    title: 'The state has moved to another backend',
    cause: 'The last deploy from this folder kept the state in another backend.',
    remedy: 'Restore the backend, or move the state to the new one with --migrate-state.',
  },
  'deploy.destroy-prevented': {
    title: 'The stack protects a resource from its end',
    cause: 'The plan destroys or replaces a resource whose preventDestroy is true.',
    remedy:
      'Leave the resource as it is, or set preventDestroy to false and run the command again.',
  },
  'deploy.not-reviewed': {
    title: 'The tree is not what was reviewed',
    cause:
      'The files of the tree have another digest than the one that was reviewed, or cannot have one; something beside the tree would change what is deployed; or the runner requires a reviewed tree, and no digest was given.',
    remedy:
      'Review the tree that is to be deployed, and pass the tree digest that `review` prints with --tree and --reviewed.',
  },
  'deploy.import-unwritten': {
    title: 'An imported object has no resource in the stack',
    cause: 'The stack imports an object with generateConfigForImport, and has no resource for it.',
    remedy: 'Add the resource that the message shows to the stack, and deploy again.',
  },
});
