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
