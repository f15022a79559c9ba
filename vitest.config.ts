import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    // One more than there are cores: some tests wait, for processes they start and for pauses Discord asks for.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // On a busy machine what is waited for comes late; that it comes is what counts.
    expect: { poll: { timeout: 15_000 } },
  },
});
