import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** Rooms that keep nothing and reach nobody: a worker loads them once for all their tests. */
const QUIET = ['solver', 'reply', 'players', 'wordlists', 'commands'].map(
  (room) => `test/${room}/**/*.test.ts`,
);

export default defineConfig({
  test: {
    setupFiles: ['test/setup.ts'],
    // One more than there are cores: some tests wait, for processes they start and for pauses Discord asks for.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // On a busy machine what is waited for comes late; that it comes is what counts.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      { extends: true, test: { name: 'quiet', include: QUIET, isolate: false } },
      {
        extends: true,
        test: {
          name: 'apart',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...QUIET],
        },
      },
    ],
  },
});
