import { availableParallelism } from 'node:os';
import { matchesGlob, relative } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SkippedReporter } from './test/skipped.ts';

/** Files that mostly start processes or a browser, which `npm test -- ROOM` leaves out. */
const WITH_PROCESSES = [
  'test/main.test.ts',
  'test/{abuse/siege,accidents/restore}.test.ts',
  'test/bin/*.test.ts',
  'test/chat/terminal/{pseudo-terminal,setup}.test.ts',
  'test/{chat/web/{board,browser,day},web/pages/{activity,browser,race}}.test.ts',
  'test/daily/{kill,opening-wave,several-processes}.test.ts',
  'test/operations/whole.test.ts',
  'test/scripts/**/*.test.ts',
  'test/web/site/site.test.ts',
  'test/store/{crash,engines/postgres}.test.ts',
  'test/whole-bot/year.test.ts',
];

/** The longest must not begin last. */
const LONGEST = [
  ...WITH_PROCESSES,
  'test/abuse/{events,what-is-told}.test.ts',
  'test/chat/{day-post,discord/*,hunt,terminal/command-line,slack/{answers,games,poster},every-door/{shared,told,whole-day}}.test.ts',
  'test/commands/{rights,transcripts}.test.ts',
  'test/daily/{days,freeze,interrupted}.test.ts',
  'test/{jobs/job-runner,reply/replies/chosen-solutions,work/worker-pool}.test.ts',
  'test/solver/{generate,hostile,steps}.test.ts',
];

/** They are no project of their own, because a worker runs the files of one project: each would load the program twice. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      LONGEST.some((pattern) => matchesGlob(relative(import.meta.dirname, moduleId), pattern));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const { SHUFFLE } = process.env;
/** `npm test -- ROOM`, see scripts/test.ts. */
const isQuick = process.env.QUICK === '1';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: isQuick ? WITH_PROCESSES : [],
    globalSetup: ['test/word-list.ts'],
    setupFiles: ['test/setup.ts'],
    reporters: [...configDefaults.reporters, new SkippedReporter()],
    // `SHUFFLE=7` runs the files in another order, which must make no difference.
    sequence:
      SHUFFLE === undefined
        ? { sequencer: LongestFirst }
        : { shuffle: { files: true, tests: false }, seed: Number(SHUFFLE) },
    // Node runs this TypeScript as it is, in tests as in the program: nothing is bundled or transformed.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // A worker loads the program once for all its files, so a test closes what it opened.
    isolate: false,
    // Megabytes for young objects, 16 at most by default: tests make many that soon go. 64 cost a fortieth more time than 32. A
    // heap that starts small, or is made small in a pause, is collected whole again and again as it grows, for a tenth. Threads
    // that help to collect garbage cost a tenth where all cores are busy.
    execArgv: [
      '--min-semi-space-size=32',
      '--max-semi-space-size=32',
      '--initial-heap-size=1000',
      '--no-memory-reducer',
      '--single-threaded-gc',
    ],
    // One more than there are cores: some tests wait for processes that they start. Each worker loads the program, which costs
    // it three seconds of processor time, and starts a browser of its own.
    maxWorkers: availableParallelism() + (isQuick ? 0 : 1),
    // On a busy machine what is waited for comes late; that it comes is what counts.
    testTimeout: process.env.LONG === '1' ? 600_000 : 120_000,
    hookTimeout: process.env.LONG === '1' ? 600_000 : 120_000,
    expect: { poll: { interval: 10, timeout: 60_000 } },
  },
});
