import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathOf } from '../src/reply/picture/layout.ts';
import { renderPng } from '../src/reply/picture/pictures.ts';
import { makeSvg } from '../src/reply/picture/svg.ts';
import { generate } from '../src/solver/generate.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { Work } from '../src/work/work.ts';
import { heading, milliseconds, quantile, row } from './table.ts';
import { drawHere, drawOnly, JOBS } from './work-jobs.ts';

const CALLS = 3000;
const PICTURES = 40;
/** Rounds over all ways, so that a slow moment of the machine meets each of them. */
const ROUNDS = 3;
const ASKER = { channel: 'bench' };

interface Way {
  readonly name: string;
  readonly run: (index: number) => Promise<unknown>;
}

interface Measured {
  readonly times: number[];
  elapsed: number;
  /** Milliseconds of processor time: of the main thread, and of the whole process. */
  main: number;
  whole: number;
  /** Milliseconds for which the event loop was late: the worst, and at the 99th percentile. */
  worst: number;
  p99: number;
}

/** What a worker costs against a call, and three ways to draw pictures. Run alone: node bench/work.ts */
export async function run(): Promise<void> {
  const lexicon = readLexicon();
  const work = new Work({
    jobs: JOBS,
    module: new URL('./work-jobs.ts', import.meta.url),
    lexicon,
    clock: { now: Date.now },
    log: { debug() {}, info() {}, warn: console.warn, error: console.error },
    settings: { workers: 2, deadline: 60_000 },
  });
  await startOf(work);
  await roundTrips(work);
  const svgs = Array.from({ length: PICTURES }, (_, index) => {
    const { board, solution } = generate(lexicon, { seed: `picture ${index}` });
    return makeSvg({ board, path: pathOf(board, solution.words) });
  });
  const ways: Way[] = [
    { name: 'main thread, synchronous', run: (index) => drawHere(svgs[index]!) },
    { name: 'renderAsync, file encoded on the main thread', run: (index) => renderPng(svgs[index]!) },
    { name: 'renderAsync alone, no file', run: (index) => drawOnly(svgs[index]!) },
    { name: 'worker, synchronous', run: (index) => work.run('drawHere', svgs[index]!, { asker: ASKER }) },
    {
      name: 'worker, renderAsync in it',
      run: (index) => work.run('drawAsync', svgs[index]!, { asker: ASKER }),
    },
  ];
  for (const atOnce of [1, 4]) await pictures(ways, atOnce);
  await work.close();
}

async function startOf(work: Work<typeof JOBS>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await sleep(50);
  delay.enable();
  const memory = process.memoryUsage.rss();
  const began = performance.now();
  await work.run('empty', undefined, { asker: ASKER });
  const first = performance.now() - began;
  delay.disable();
  heading('first job', 'ms', 'event loop late at most, ms', 'resident memory, MB');
  row('worker started for it', milliseconds(first), milliseconds(delay.max / 1e6), megabytes(memory));
}

function megabytes(before: number): string {
  return `+${((process.memoryUsage.rss() - before) / 2 ** 20).toFixed(1)}`;
}

async function roundTrips(work: Work<typeof JOBS>): Promise<void> {
  const measured = await measure(
    [
      { name: 'inline', run: () => work.run('empty', undefined, { asker: ASKER, where: 'inline' }) },
      { name: 'worker', run: () => work.run('empty', undefined, { asker: ASKER }) },
    ],
    CALLS,
    1,
  );
  console.log();
  heading('empty job', 'median ms', 'p99 ms', 'ratio of medians');
  print(measured, (each) => [milliseconds(quantile(each.times, 0.99))]);
}

async function pictures(ways: readonly Way[], atOnce: number): Promise<void> {
  const measured = await measure(ways, PICTURES, atOnce);
  console.log();
  heading(
    `picture, ${atOnce} at once`,
    'median ms',
    'p99 ms',
    'a second',
    'main thread, CPU ms',
    'process, CPU ms',
    'loop late p99 ms',
    'worst ms',
    'ratio',
  );
  print(measured, (each) => [
    milliseconds(quantile(each.times, 0.99)),
    Math.round((each.times.length * 1000) / each.elapsed),
    milliseconds(each.main / each.times.length),
    milliseconds(each.whole / each.times.length),
    milliseconds(each.p99),
    milliseconds(each.worst),
  ]);
}

function print(
  measured: ReadonlyMap<string, Measured>,
  cells: (each: Measured) => (string | number)[],
): void {
  const [first] = measured.values();
  for (const [name, each] of measured) {
    const median = quantile(each.times, 0.5);
    const ratio = median / quantile(first!.times, 0.5);
    row(name, milliseconds(median), ...cells(each), ratio.toFixed(2));
  }
}

function spent({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

async function measure(ways: readonly Way[], count: number, atOnce: number): Promise<Map<string, Measured>> {
  const results = new Map<string, Measured>();
  for (const { name, run } of ways) {
    for (let index = 0; index < 5; index++) await run(index);
    results.set(name, { times: [], elapsed: 0, main: 0, whole: 0, worst: 0, p99: 0 });
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, run } of ways) {
      const result = results.get(name)!;
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      await sleep(20);
      delay.reset();
      const began = performance.now();
      const [main, whole] = [process.threadCpuUsage(), process.cpuUsage()];
      let next = 0;
      const line = async () => {
        for (let index = next++; index < count; index = next++) {
          const started = performance.now();
          await run(index);
          result.times.push(performance.now() - started);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, line));
      result.elapsed += performance.now() - began;
      result.main += spent(process.threadCpuUsage(main));
      result.whole += spent(process.cpuUsage(whole));
      delay.disable();
      result.worst = Math.max(result.worst, delay.max / 1e6);
      result.p99 = Math.max(result.p99, delay.percentile(99) / 1e6);
    }
  }
  for (const { times } of results.values()) times.sort((a, b) => a - b);
  return results;
}

if (import.meta.main) await run();
