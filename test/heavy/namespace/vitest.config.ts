import { defineConfig } from 'vitest/config';

/** For what runs inside the network namespace; see network-namespace.test.ts. */
export default defineConfig({
  test: {
    include: ['test/heavy/namespace/*.inner.ts'],
    globalSetup: 'test/support/make-keys.ts',
    testTimeout: 60_000,
    pool: 'forks',
    // They share the firewall and port 53.
    fileParallelism: false,
  },
});
