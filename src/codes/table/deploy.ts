import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Codes for what a review forbids, and for what it cannot read. */
export const POLICY_CODES = codesWithExit(EXIT.forbidden, {
  'policy.too-open': {
    title: 'Open wider than the policy allows',
    cause:
      'One subject may be reached by, or may reach, half of all addresses or more; half of all ports or more are open to a peer; any account may connect, or connections are accepted without being named; or tokens and data would travel unencrypted where others can read them.',
    remedy:
      'Name the networks, the port, the service’s account or the connections to accept, or use https; for addresses and ports, an exception with reason, owner and expiry is possible.',
  },
  'policy.exception': {
    title: 'An exception that does not hold',
    cause:
      'An exception lacks its reason, its owner or its expiry, or its last day has passed; the message says which.',
    remedy:
      'Add what is missing, with the date as YYYY-MM-DD. Remove what an expired one permits, or have it renewed with a later date.',
  },
  'policy.intent-broken': {
    title: 'An intent is broken',
    cause: 'What Terraform opens contradicts a sentence of the file of intents.',
    remedy:
      'Change the rules that the message names; the owners of the file of intents decide whether the sentence is to change.',
  },
  'policy.unstated-access': {
    title: 'The stack opens something other than its access rules say',
    cause: 'The Terraform JSON of a stack does not allow the same access as its access rules.',
    remedy: 'Let the constructs of this package write every rule, and synthesize again.',
  },
  'policy.unread': {
    title: 'Something that a review cannot read',
    cause:
      'A resource, attribute, block or file that is not modelled was changed; or a value of an access rule is filled in only during the deploy, which is forbidden.',
    remedy:
      'Have someone read and approve the change, or use a construct of this package. A value of an access rule: write the value itself, or read it from a file.',
    exit: EXIT.needsApproval,
  },
});

/** Reasons why a deploy stops before it changes anything. */
export const DEPLOY_CODES = codesWithExit(EXIT.usage, {
  'deploy.state': {
    title: 'The state cannot be used',
    cause:
      'The backend does not answer or refuses, a state of an earlier run is not saved yet, the last deploy from this folder kept it in another backend, or a CI job keeps it where the next job cleans; the message says which.',
    remedy:
      'Do what the message says: check the backend’s address and credentials, keep a file with an unsaved state, move a state with --migrate-state, or keep it outside of a CI job’s checkout.',
    isRetryable: true,
    seen: {
      foreign: {
        remedy:
          'Give each stack a state of its own; if the stack was renamed, give its former id with --state-of.',
        isRetryable: false,
      },
    },
  },
  'deploy.state-locked': {
    title: 'The state is locked by another run',
    cause:
      'Another deploy, destroy or adopt of the stack is running, or one was killed and left its lock.',
    remedy:
      'Wait until it has ended, or set a longer --lock-timeout. Release the lock with the force-unlock command in the message only if that run is dead.',
    isRetryable: true,
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
  'deploy.not-converged': {
    title: 'A plan after the deploy is not empty',
    cause:
      'The deploy succeeded, and the cloud still has something otherwise than the stack says: it fills in or changes a value by itself, or someone changed it at the same time. The message names the resources.',
    remedy:
      'Read the values with terraform plan in the folder of the stack, and deploy again. Where the same plan comes back, write what the cloud has, or report it with that plan.',
    exit: 0,
  },
  'adopt.needed': {
    title: 'An interrupted deploy left objects in the cloud',
    cause:
      'Terraform or the provider was stopped while it was creating or deleting something. The object is either in the cloud but not in the state, so that a deploy would create it again, or in the state but no longer in the cloud.',
    remedy:
      'Run secure-connectivity adopt for the stack, then deploy again; again later, or with a longer --wait, while the cloud still creates an object. Where the message asks for a decision, choose an object with --id, run the Terraform command that it names, or delete what is not needed.',
    exit: EXIT.leftBehind,
    isRetryable: true,
  },
  'cloud.unreadable': {
    title: 'The cloud’s API cannot be read',
    cause:
      'The call was refused or got no answer. A deploy that looks for what an interrupted one left, and whatever else reads the cloud, uses ListResources and GetResource of each type.',
    remedy:
      'Check the credentials, the proxy and the list actions in docs/permissions.md; deploy --adopt off deploys without looking for what was left.',
    isRetryable: true,
    exit: EXIT.leftBehind,
  },
  'terraform.failed': {
    title: 'Terraform failed',
    cause: 'A Terraform command that this program runs ended with an error.',
    remedy: 'Read what Terraform printed, which the message repeats.',
    exit: EXIT.leftBehind,
  },
});
