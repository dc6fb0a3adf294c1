import { defineConfig } from 'vitest/config';
import { LANES } from './lanes.js';

/** For what runs inside the network namespace; see loopback.test.ts. */
export default defineConfig({
  test: {
    include: ['test/heavy/loopback/*.inner.ts'],
    globalSetup: 'test/support/make-keys.ts',
    testTimeout: 60_000,
    maxConcurrency: LANES,
    pool: 'forks',
    // A busy machine can miss a share of the time. A packet that has left stays counted.
    retry: 1,
  },
});
