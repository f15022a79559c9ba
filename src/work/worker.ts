import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { resolveRelativeImports } from '../core/program.ts';
import { type LexiconParts, makeLexicon } from '../solver/lexicon.ts';
import { type JobContext, type JobTable, type PackedError, packError } from './job.ts';

export interface WorkerData {
  /** Address of the module that exports `JOBS`. */
  readonly module: string;
  /** The lexicon, in memory shared by all threads. */
  readonly lexicon: LexiconParts;
  readonly niceness: number;
}

export interface Order {
  readonly job: string;
  readonly input: unknown;
  /** Milliseconds from its arrival. */
  readonly deadline: number;
}

/** How one job ended. */
export interface Report {
  readonly result: { readonly output: unknown } | { readonly error: PackedError };
  /** Whether `stop` ever returned true. */
  readonly stopped: boolean;
  /** Milliseconds of processor time. */
  readonly spent: number;
  /** Bytes that this worker holds afterwards. */
  readonly memory: number;
}

export type FromWorker = 'ready' | Report;

/** The worker's side: loads the jobs, then runs one order after another. */
async function serve(port: NonNullable<typeof parentPort>, start: WorkerData): Promise<void> {
  giveWay(start.niceness);
  // Jobs have an empty environment. Node.js has read its only variable already: see compileCacheOf in worker-pool.ts.
  delete process.env.NODE_COMPILE_CACHE;
  resolveRelativeImports();
  const { JOBS }: { JOBS: JobTable } = await import(start.module);
  const lexicon = makeLexicon(start.lexicon);

  async function run({ job, input, deadline }: Order): Promise<void> {
    const end = performance.now() + deadline;
    let stopped = false;
    const stop = () => {
      stopped ||= performance.now() >= end;
      return stopped;
    };
    const before = process.threadCpuUsage();
    const result = await resultOf(JOBS, job, input, { lexicon, stop });
    const { user, system } = process.threadCpuUsage(before);
    const { total_heap_size, external_memory } = getHeapStatistics();
    const spent = (user + system) / 1000;
    const report = { stopped, spent, memory: total_heap_size + external_memory };
    try {
      port.postMessage({ ...report, result } satisfies Report);
    } catch (error) {
      // The output is no plain data.
      port.postMessage({ ...report, result: { error: packError(error) } } satisfies Report);
    }
  }

  port.on('message', run);
  port.postMessage('ready');
}

/** Each thread has its own priority on Linux, under an id that Node.js does not expose. */
function giveWay(niceness: number): void {
  if (process.platform !== 'linux' || niceness === 0) return;
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), Math.min(19, getPriority() + niceness));
  } catch {
    // All threads have the same priority if the right to set it is missing.
  }
}

async function resultOf(
  jobs: JobTable,
  name: string,
  input: unknown,
  context: JobContext,
): Promise<Report['result']> {
  try {
    if (jobs[name] === undefined) throw new TypeError('the job is not in the table of this worker');
    return { output: await jobs[name](input, context) };
  } catch (error) {
    return { error: packError(error) };
  }
}

if (parentPort !== null) await serve(parentPort, workerData);
