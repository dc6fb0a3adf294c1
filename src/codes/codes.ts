/** What a code stands for. Evidence belongs to a finding, never to the table. */
export interface CodeFacts {
  readonly title: string;
  readonly cause: string;
  readonly remedy: string;
  /** Whether the same attempt may succeed later without anyone changing anything. */
  readonly kind: 'retryable' | 'final';
  /** The exit status of a run that ends with this code. */
  readonly exit: number;
}

/** Exit statuses by stage; over several links the lowest wins. */
export const EXIT = {
  usage: 2,
  preflight: 2,
  dns: 10,
  address: 11,
  tcp: 12,
  tls: 13,
  http: 14,
  token: 15,
  workspaces: 16,
  chat: 17,
  connection: 18,
  deadline: 20,
  strictWarning: 21,
  bug: 70,
  interrupted: 130,
} as const;

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
  'link.invalid': {
    title: 'Unreadable link',
    cause: 'The link between stack and check does not follow its schema.',
    remedy:
      'Deploy and check with the same version of this package, and pass its `connectivity` output unchanged.',
    kind: 'final',
    exit: EXIT.usage,
  },
  'internal.bug': {
    title: 'A bug of this program',
    cause: 'Something happened that this program does not expect.',
    remedy: 'Report it with the text of the error.',
    kind: 'final',
    exit: EXIT.bug,
  },
} as const satisfies Record<string, CodeFacts>;

export type Code = keyof typeof CODES;

export function factsOf(code: Code): CodeFacts {
  return CODES[code];
}
