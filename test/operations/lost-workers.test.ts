/** Workers that end during an answer, seen from Discord: by the real client, every command and the fake platform. */
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { MINUTE } from '../../src/core/clock.ts';
import type { LexiconEntry } from '../../src/solver/lexicon.ts';
import { startDiscord } from '../chat/discord/start.ts';
import { house, WORDS } from '../fakes/small-board.ts';

/** More letters than the newspaper's boards have, so that it is solved in a worker. */
const LARGE = 'bcdz fgh jkl mnp';
const SMALL = 'bcd fgh jkl mnp';
const MORE_WORDS: readonly LexiconEntry[] = [...WORDS, { word: 'bfz', likelihood: 0.9, tier: 'everyday' }];
const SEVEN = '**Playable words**: 7';
/** Megabytes: a worker is at its end soon. */
const LITTLE = 24;

interface Loss {
  readonly name: string;
  /** The jobs of the first worker. */
  readonly jobs: string;
  readonly end: (worker: Worker) => Promise<unknown> | undefined;
  readonly told: string;
}

const LOSSES: readonly Loss[] = [
  {
    name: 'is terminated from outside',
    jobs: 'stuck-jobs.ts',
    end: (worker) => worker.terminate(),
    told: 'Something interrupted this answer before it was done. Try again in a moment.',
  },
  {
    name: 'runs out of memory',
    jobs: 'stuck-jobs.ts?greedy',
    end: () => undefined,
    told: 'That took more than this bot may spend on one answer. Try a smaller board',
  },
];

it.each(LOSSES)(
  'when a worker $name, who asked gets a clear message, and nobody else notices',
  async ({ jobs, end, told }) => {
    const workers: Worker[] = [];
    const module = new URL(`../answers/${jobs}`, import.meta.url).href;
    const { discord, channel, app, logged, close } = await startDiscord({
      app: {
        words: MORE_WORDS,
        house,
        workers: 2,
        // Or a busy machine would end the worker before the test does.
        patience: MINUTE,
        startWorker(file, options) {
          const lost = {
            ...options,
            workerData: { ...options.workerData, module },
            resourceLimits: { ...options.resourceLimits, maxOldGenerationSizeMb: LITTLE },
          };
          const worker = new Worker(file, workers.length === 0 ? lost : options);
          workers.push(worker);
          return worker;
        },
      },
    });
    const solve = async (name: string, sides: string) => {
      const user = discord.world.addUser(name);
      const seen = await discord.command({
        user,
        channel,
        name: 'letterboxed',
        subcommand: 'solve',
        options: { sides },
      });
      return seen.failed ? 'failed' : seen.text;
    };
    const lost = solve('ann', LARGE);
    while (app.work.load.running === 0) await setImmediate();
    const others = await Promise.all([solve('bob', SMALL), solve('cleo', LARGE)]);
    expect(others).toEqual([expect.stringContaining('BFJMCG'), expect.stringContaining(SEVEN)]);
    await end(workers[0]!);
    expect(await lost).toContain(told);
    expect(await solve('ann again', LARGE)).toContain(SEVEN);
    expect(logged.map(({ message }) => message)).toContain('a worker has ended during a job');
    await close();
  },
);
