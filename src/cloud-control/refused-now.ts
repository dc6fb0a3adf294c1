/** The cloud's words for what it refuses only for the moment; such a call did nothing. */
export const REFUSED_NOW =
  /\b(InvalidOperation\.Conflict|\w*Throttling\w*|FlowLimitExceeded|RequestLimitExceeded)\b/;

/** An error of the cloud's server, as providers print its status; such a call may have been done. */
export const SERVER_ERROR = /\b(status(?: code:)? 5\d\d)\b/;

/** The cloud's words for something that is not there, or not to be seen yet. */
export const NOT_FOUND = /\b((?:\w+\.)?NotFound)\b/;

/** The pauses before what the cloud refused for the moment is tried again. */
export const PAUSES_MS: readonly number[] = [500, 3_000, 9_000];
