import { type CodeFacts, EXIT } from '../code-facts.js';

/** Clocks that differ. */
export const CLOCK_CODES = {
  'clock.skew': {
    title: 'The clocks differ',
    cause: 'The clock of this machine and the clock of the server are more than 5 s apart.',
    remedy: 'Synchronise this machine’s clock (NTP); a JWT is only valid in its time.',
    kind: 'final',
    exit: EXIT.strictWarning,
  },
  'clock.far-off': {
    title: 'The clocks are more than 60 s apart',
    cause:
      'The service gave a token all the same, but the clocks of this machine and of the server are so far apart that other clients, or the next JWT, may be refused.',
    remedy:
      'Synchronise this machine’s clock (NTP); until then --use-server-time checks the link all the same.',
    kind: 'final',
    exit: EXIT.clock,
  },
} as const satisfies Record<string, CodeFacts>;
