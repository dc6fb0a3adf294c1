import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 180_000,
    globalSetup: 'test/support/build-once.ts',
    pool: 'forks',
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: { name: 'parts', include: ['test/**/*.test.ts'], exclude: ['test/e2e/**'] },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
        },
      },
    ],
  },
});
