import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** Files that start processes or a browser. They run first: the longest must not begin last. */
const WITH_PROCESSES = [
  'test/{main,readme}.test.ts',
  'test/bin/**/*.test.ts',
  'test/chat/discord/guide.test.ts',
  'test/chat/slack/kill.test.ts',
  'test/chat/terminal/{command-line,play/pseudo-terminal}.test.ts',
  'test/chat/web/{browser,day}.test.ts',
  'test/commands/add-a-command.test.ts',
  'test/daily/{kill,several-processes}.test.ts',
  'test/operations/{ending,whole}.test.ts',
  'test/scripts/**/*.test.ts',
  'test/store/{crash,two-processes}.test.ts',
];

export default defineConfig({
  test: {
    setupFiles: ['test/setup.ts'],
    // Node runs this TypeScript as it is, in tests as in the program: nothing is bundled or transformed.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // A worker loads the program once for all its files, so a test closes what it opened.
    isolate: false,
    // One more than there are cores: some tests wait, for processes they start and for pauses Discord asks for.
    maxWorkers: availableParallelism() + 1,
    // On a busy machine what is waited for comes late; that it comes is what counts.
    testTimeout: process.env.LONG === '1' ? 600_000 : 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      { extends: true, test: { name: 'processes', include: WITH_PROCESSES } },
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...WITH_PROCESSES],
        },
      },
    ],
  },
});
