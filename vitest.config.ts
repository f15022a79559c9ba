import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** Rooms whose tests leave nothing behind: a worker loads the program once for all of them. */
const QUIET = [
  'solver',
  'play',
  'work',
  'wordlists',
  'puzzle',
  'store',
  'daily',
  'players',
  'reply',
  'core',
  'config',
  'dispatch',
  'commands',
  'chat/terminal',
].map((room) => `test/${room}/**/*.test.ts`);

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
