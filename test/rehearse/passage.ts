import type { Passage } from '../../src/rehearse/timeline/account.js';
import type { Recorder } from '../../src/rehearse/timeline/recorder.js';
import { SANDBOX_SERVICE } from '../../src/sandbox/surroundings.js';

/** The passage of what a recorder saw; without more it has no links, names and trees. */
export function recordedPassage(
  recorder: Recorder,
  before: Passage['before'],
  { stack = 'api', ...more }: Partial<Passage> & { readonly stack?: string } = {},
): Passage {
  return {
    before,
    steps: recorder.take().map((step) => ({ ...step, stack })),
    ...{ links: { before: new Map(), after: new Map() }, addresses: new Map(), trees: [] },
    ...{ service: SANDBOX_SERVICE, ...more },
  };
}
