import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Codes for what a review forbids, and for what it cannot read. */
export const POLICY_CODES = codesWithExit(EXIT.forbidden, {
  'policy.any-address': {
    title: 'Open to every address',
    cause: 'One subject may be reached by, or may reach, half of all addresses or more.',
    remedy: 'Name the networks, or add an exception with reason, owner and expiry to the rule.',
  },
  'policy.all-ports': {
    title: 'Open on all ports',
    cause: 'Half of all ports or more are open to a peer.',
    remedy: 'Name the port, or add an exception with reason, owner and expiry to the rule.',
  },
  'policy.wildcard-account': {
    title: 'Any account may connect',
    cause: 'An account is a wildcard, or not a single account number.',
    remedy: 'Name the service’s account.',
  },
  'policy.automatic-acceptance': {
    title: 'Connections are accepted automatically',
    cause: 'The endpoint service accepts every connection, or it is not known whether it does.',
    remedy: 'Turn automatic acceptance off and name the connections to accept.',
  },
  'policy.clear-text': {
    title: 'Plain HTTP outside a private path',
    cause: 'Tokens and data would travel unencrypted where others can read them.',
    remedy: 'Use https, or the private-network option.',
  },
  'policy.exception-incomplete': {
    title: 'An exception without reason, owner or expiry',
    cause: 'An exception must give a reason, an owner and an expiry date.',
    remedy: 'Add what is missing; write the date as YYYY-MM-DD.',
  },
  'policy.exception-expired': {
    title: 'An expired exception',
    cause: 'The last day on which the exception was valid has passed.',
    remedy: 'Remove what it permits, or have the exception renewed with a later date.',
  },
  'policy.unknown-value': {
    title: 'Access that is not known before the deploy',
    cause: 'Terraform fills in a value of an access rule only during the deploy.',
    remedy: 'Write the value itself, or read it from a file.',
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
  'policy.unread-resource': {
    title: 'Something changed that a review cannot read',
    cause: 'A resource, attribute, block or file that is not modelled was changed.',
    remedy: 'Have someone read and approve the change, or use a construct of this package.',
    exit: EXIT.needsApproval,
  },
});
