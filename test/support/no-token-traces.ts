import { createRequire } from 'node:module';

/**
 * cdktf keeps the whole stack trace of each token for its errors, and Vitest maps each line of it to its
 * source: a sixth of the time that a synthesis takes.
 */
const traces = createRequire(import.meta.url)('cdktf/lib/tokens/private/stack-trace.js') as {
  captureStackTrace: () => string[];
};
traces.captureStackTrace = () => [];
