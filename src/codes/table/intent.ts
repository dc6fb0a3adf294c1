import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Codes for intents that a check has tried with packets. */
export const INTENT_CODES = codesWithExit(EXIT.intentOpen, {
  'intent.open': {
    title: 'A door that must be closed is open',
    cause:
      'A connection opened from an address that an intent keeps out, and the other side answered: the rules are not applied, something else lets the address in, or the rules were changed.',
    remedy:
      'Close the door now, then compare what the cloud has with the stack: `secure-connectivity reach --live`.',
  },
  'intent.unreachable': {
    title: 'A way that must be open is not',
    cause: 'No connection opened from an address that an intent lets in.',
    remedy: 'Read the causes of the link that leads there; compare its rules with the intent.',
    exit: EXIT.tcp,
  },
  'intent.not-shown': {
    title: 'An intent that must be proved with packets was not',
    cause: 'The intent demands `"proof": "packets"`, and this check could not show it.',
    remedy:
      'Run the check from an address that the intent speaks of, and from one that may use the door: `--run-via`.',
    exit: EXIT.strictWarning,
  },
});
