import { defineConfig } from 'vitest/config';
import { DeploysFirst } from './test/support/deploys-first.ts';

/** A bundle of roots that the machine adds for Node.js would be read at every check, and change none. */
const NO_ADDED_ROOTS = { NODE_EXTRA_CA_CERTS: '' };

/** Terraform lives for a tenth of a second here: a quarter of it would be collecting garbage. */
const ENVIRONMENT = { ...NO_ADDED_ROOTS, GOGC: 'off' };

/** What all projects share. */
const SHARED = {
  // Far more than any test takes: two cores may have other work.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  pool: 'forks',
  // More than two cores have: much of what a check does is to wait.
  maxWorkers: 6,
} as const;

export default defineConfig({
  test: {
    // Of the whole run: projects that extended this would do it again, each for itself.
    globalSetup: [
      'test/support/build-once.ts',
      'test/support/make-keys.ts',
      'test/support/app-folder.ts',
      'test/support/ask-version-once.ts',
    ],
    sequence: { sequencer: DeploysFirst },
    projects: [
      {
        test: {
          ...SHARED,
          name: 'parts',
          env: ENVIRONMENT,
          setupFiles: ['test/support/no-token-traces.ts'],
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/heavy/**'],
          // Files share what they import, which is half of the time: no test changes a module.
          isolate: false,
        },
      },
      {
        test: {
          ...SHARED,
          name: 'e2e',
          env: ENVIRONMENT,
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        // What deploys, starts other programs or takes minutes: `npm run test:heavy`, four files at a time.
        test: {
          ...SHARED,
          name: 'heavy',
          env: ENVIRONMENT,
          include: ['test/heavy/**/*.test.ts'],
          maxWorkers: 4,
          // Another number of workers than the others have needs a turn of its own.
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
        },
      },
    ],
  },
});
