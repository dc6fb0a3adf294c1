import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 180_000,
    globalSetup: [
      'test/support/build-once.ts',
      'test/support/make-keys.ts',
      'test/support/app-folder.ts',
      'test/support/ask-version-once.ts',
    ],
    pool: 'forks',
    // More than two cores have: much of what a check does is to wait.
    maxWorkers: 4,
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/heavy/**'],
          // Files share what they import, which is half of the time: no test changes a module.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        // What deploys, starts other programs or takes minutes: `npm run test:heavy`, three files at a time.
        test: {
          name: 'heavy',
          include: ['test/heavy/**/*.test.ts'],
          maxWorkers: 3,
          // Another number of workers than the others have needs a turn of its own.
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
        },
      },
    ],
  },
});
