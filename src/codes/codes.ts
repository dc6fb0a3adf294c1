import { ADOPT_CODES } from './adopt-codes.js';
import { CAUSE_CODES } from './cause-codes.js';
import { CHAT_CHECK_CODES } from './chat-check-codes.js';
import { CHAT_CODES } from './chat-codes.js';
import { type CodeFacts, EXIT } from './code-facts.js';
import { CONNECTION_CODES } from './connection-codes.js';
import { DEPLOY_CODES } from './deploy-codes.js';
import { NETWORK_CODES } from './network-codes.js';
import { POLICY_CODES } from './policy-codes.js';
import { PREFLIGHT_CODES } from './preflight-codes.js';
import { SERVICE_CODES } from './service-codes.js';

export { type CodeFacts, EXIT } from './code-facts.js';

/** Every code that a finding or an error can carry. */
export const CODES = {
  'usage.invalid': {
    title: 'Wrong usage',
    cause: 'An argument, a setting or a combination of them is not valid.',
    remedy: 'Correct what the message names.',
    kind: 'final',
    exit: EXIT.usage,
  },
  'settings.invalid': {
    title: 'Invalid settings',
    cause: 'The settings file breaks a rule of its schema.',
    remedy: 'Correct each field that the message names.',
    kind: 'final',
    exit: EXIT.usage,
  },
  'settings.environment': {
    title: 'No environment chosen',
    cause: 'CONNECTIVITY_ENV is unset or names an environment without a settings file.',
    remedy: 'Set CONNECTIVITY_ENV to one of the environments listed.',
    kind: 'final',
    exit: EXIT.usage,
  },
  'resource.invalid': {
    title: 'Invalid configuration of a resource',
    cause: 'A value breaks a rule of the cloud, or an attribute does not exist.',
    remedy: 'Correct each attribute that the message names.',
    kind: 'final',
    exit: EXIT.usage,
  },
  'construct.invalid': {
    title: 'Invalid properties of a construct',
    cause: 'The properties break a rule of the service, the cloud or this package.',
    remedy: 'Correct each property that the message names.',
    kind: 'final',
    exit: EXIT.usage,
  },
  'link.invalid': {
    title: 'Unreadable link',
    cause: 'The link between stack and check does not follow its schema.',
    remedy:
      'Deploy and check with the same version of this package, and pass its `connectivity` output unchanged.',
    kind: 'final',
    exit: EXIT.usage,
  },
  'access.invalid': {
    title: 'Unreadable access rules',
    cause: 'The file does not hold the access rules of a synthesized stack.',
    remedy: 'Give the `access.json` beside a stack’s Terraform JSON, unchanged.',
    kind: 'final',
    exit: EXIT.usage,
  },
  'addresses.invalid': {
    title: 'Unusable address list',
    cause: 'The list of addresses is empty, malformed, or differs too much from the one before.',
    remedy: 'Correct the entry that the message names.',
    kind: 'final',
    exit: EXIT.usage,
  },
  'render.unsupported': {
    title: 'The form cannot say these rules exactly',
    cause: 'A rule has a peer, protocol or port that the chosen form has no words for.',
    remedy: 'Choose the rules with --rules, or another form.',
    kind: 'final',
    exit: EXIT.usage,
  },
  'render.unreadable': {
    title: 'The file was edited after rendering',
    cause: 'The file was changed by hand, or rendered by another version or for another target.',
    remedy: 'Render it again, and put changes of your own into another file.',
    kind: 'final',
    exit: EXIT.usage,
  },
  'output.lost': {
    title: 'The output could not be written to its end',
    cause: 'The disk is full, or whatever reads standard output has left.',
    remedy: 'Make room, or let the reader take everything, and run the command again.',
    kind: 'final',
    exit: EXIT.output,
  },
  'internal.bug': {
    title: 'A bug of this program',
    cause: 'Something happened that this program does not expect.',
    remedy: 'Report it with the text of the error.',
    kind: 'final',
    exit: EXIT.bug,
  },
  ...DEPLOY_CODES,
  ...PREFLIGHT_CODES,
  ...NETWORK_CODES,
  ...CONNECTION_CODES,
  ...SERVICE_CODES,
  ...CHAT_CODES,
  ...CHAT_CHECK_CODES,
  ...CAUSE_CODES,
  ...POLICY_CODES,
  ...ADOPT_CODES,
} as const satisfies Record<string, CodeFacts>;

export type Code = keyof typeof CODES;

/** Whether a text, say from a command line, is a code of the table. */
export function isCode(text: string): text is Code {
  return Object.hasOwn(CODES, text);
}

export function factsOf(code: Code): CodeFacts {
  return CODES[code];
}
