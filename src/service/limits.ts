/** What no answer of the service comes near. */
export const LARGEST_BODY_BYTES = 1024 * 1024;
export const LARGEST_HEADER_BYTES = 32 * 1024;

/** Milliseconds for a whole call, unless the caller says otherwise. */
export const REQUEST_TIMEOUT_MS = 10_000;
