import { availableParallelism } from 'node:os';
import { matchesGlob, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that start processes or a browser. They run first: the longest must not begin last. */
const WITH_PROCESSES = [
  'test/{main,readme}.test.ts',
  'test/{accidents/killed,bin/*}.test.ts',
  'test/chat/discord/guide.test.ts',
  'test/chat/slack/kill.test.ts',
  'test/chat/terminal/{command-line,play/pseudo-terminal}.test.ts',
  'test/{chat/web/{board,browser,day},pages/browser}.test.ts',
  'test/commands/add-a-command.test.ts',
  'test/daily/{kill,several-processes}.test.ts',
  'test/operations/{ending,whole}.test.ts',
  'test/scripts/**/*.test.ts',
  'test/store/{crash,two-processes}.test.ts',
];

/** They are no project of their own, because a worker runs the files of one project: each would load the program twice. */
class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const startsProcesses = ({ moduleId }: TestSpecification) =>
      WITH_PROCESSES.some((pattern) => matchesGlob(relative(import.meta.dirname, moduleId), pattern));
    const sorted = await super.sort(files);
    return [...sorted.filter(startsProcesses), ...sorted.filter((file) => !startsProcesses(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    sequence: { sequencer: ProcessesFirst },
    // Node runs this TypeScript as it is, in tests as in the program: nothing is bundled or transformed.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // A worker loads the program once for all its files, so a test closes what it opened.
    isolate: false,
    // One more than there are cores: some tests wait, for processes they start and for pauses Discord asks for.
    maxWorkers: availableParallelism() + 1,
    // On a busy machine what is waited for comes late; that it comes is what counts.
    testTimeout: process.env.LONG === '1' ? 600_000 : 120_000,
    hookTimeout: process.env.LONG === '1' ? 600_000 : 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
