/** One process of a test with several: delivers until it gets SIGTERM, or until it kills itself at a given await. */

import { Daily } from '../../src/daily/daily.ts';
import { openStore } from '../../src/store/store.ts';
import { fakePuzzleService, fakeSteps } from './fakes.ts';
import { hookedPoster, hookedStore } from './hooks.ts';
import type { PlatformModule } from './platforms/platform.ts';

export interface ChildTask {
  readonly owner: string;
  readonly store: { readonly dataDir: string } | { readonly databaseUrl: string };
  /** The platform's module and what it needs. */
  readonly platform: string;
  readonly config: unknown;
  /** Moments to tick and deliver at, one after the other. */
  readonly moments?: readonly number[];
  /** Instead, a clock that runs from a moment on, once a line comes in: so that several processes begin at once. */
  readonly runsFrom?: number;
  readonly lease: number;
  readonly concurrency?: number;
  /** SIGKILL at this await, counted from 1. */
  readonly killAt?: number;
  /** When its moments are over, it says so and waits to be killed. */
  readonly lingers?: boolean;
}

const task = JSON.parse(process.env.CHILD_TASK!) as ChildTask;
let points = 0;
const hook = (point: string) => {
  points++;
  if (points !== task.killAt) return;
  process.stdout.write(`killed ${point}\n`);
  process.kill(process.pid, 'SIGKILL');
};

let began = Number.POSITIVE_INFINITY;
let ticking: NodeJS.Timeout | undefined;
// A test that is itself killed leaves nobody behind.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && process.exit(1), 1_000).unref();
const clock = {
  time: task.moments?.[0] ?? 0,
  now: (): number => (task.runsFrom ?? clock.time) + Math.max(0, performance.now() - began),
};
const trouble = (level: string) => (fields: object, message: string) => {
  process.stderr.write(`${level} ${message} ${JSON.stringify(fields).slice(0, 400)}\n`);
};

const { makePoster }: PlatformModule = await import(task.platform);
const opened = await openStore(task.store);
const daily = new Daily({
  store: hookedStore(opened, hook),
  posters: [hookedPoster(makePoster(task.config, opened), hook)],
  puzzles: fakePuzzleService(),
  answerSteps: fakeSteps(),
  log: { debug() {}, info() {}, warn() {}, error: trouble('error') },
  clock,
  random: Math.random,
  owner: task.owner,
  lease: task.lease,
  concurrency: task.concurrency ?? 16,
});

if (task.moments !== undefined) {
  for (const moment of task.moments) {
    clock.time = moment;
    process.stdout.write(`now ${moment}\n`);
    await daily.tick();
    await daily.runDue();
  }
  process.stdout.write(`points ${points}\n`);
  if (task.lingers) setInterval(() => {}, 60_000);
  else await opened.close();
} else {
  process.on('SIGTERM', async () => {
    clearInterval(ticking);
    await daily.stop();
    await opened.close();
    process.exit(0);
  });
  process.stdin.once('data', () => {
    began = performance.now();
  });
  await daily.start();
  process.stdout.write('ready\n');
  // node-cron ticks once a minute, which a test would wait for.
  ticking = setInterval(
    () => void daily.tick().catch((error: unknown) => trouble('error')({ error: String(error) }, 'tick')),
    1_000,
  );
}
