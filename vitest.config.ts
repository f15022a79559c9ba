import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    // The tool keeps one core for itself; on two cores that would leave one for all the tests.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // On a busy machine what is waited for comes late; that it comes is what counts.
    expect: { poll: { timeout: 15_000 } },
  },
});
