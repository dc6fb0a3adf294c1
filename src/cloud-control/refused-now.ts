/** The cloud's words for what it refuses only for the moment; such a call did nothing. */
export const REFUSED_NOW =
  /\b(InvalidOperation\.Conflict|\w*Throttling\w*|FlowLimitExceeded|RequestLimitExceeded)\b/;

/** The pauses before what the cloud refused for the moment is tried again. */
export const PAUSES_MS: readonly number[] = [500, 3_000, 9_000];
