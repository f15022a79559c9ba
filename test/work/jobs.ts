import { readlinkSync } from 'node:fs';
import { getPriority } from 'node:os';
import { basename } from 'node:path';
import { threadId } from 'node:worker_threads';
import { UserError } from '../../src/core/errors.ts';
import type { JobContext } from '../../src/work/job.ts';

/** A job that begins and ends when a test wants it to, seen from both threads. */
export class Gate {
  /** Shared: whether it has begun, whether it may end, and the thread on which it runs. */
  readonly shared: Int32Array<SharedArrayBuffer>;

  constructor(shared = new Int32Array(new SharedArrayBuffer(12))) {
    this.shared = shared;
  }

  get hasBegun(): boolean {
    return Atomics.load(this.shared, 0) === 1;
  }

  get thread(): number {
    return Atomics.load(this.shared, 2);
  }

  async begun(): Promise<void> {
    while (!this.hasBegun) await Atomics.waitAsync(this.shared, 0, 0).value;
  }

  open(): void {
    Atomics.store(this.shared, 1, 1);
    Atomics.notify(this.shared, 1);
  }

  pass(): void {
    Atomics.store(this.shared, 2, threadId);
    Atomics.store(this.shared, 0, 1);
    Atomics.notify(this.shared, 0);
    Atomics.wait(this.shared, 1, 0);
  }
}

/** Keeps what `hold` holds. */
const held: Uint8Array[] = [];

export const JOBS = {
  echo: (input: unknown) => input,
  thread: () => threadId,
  niceness: () => getPriority(Number(basename(readlinkSync('/proc/thread-self')))),
  likelihood: (word: string, { lexicon }: JobContext) => lexicon.find(word)?.likelihood,
  isShared: (_: undefined, { lexicon }: JobContext) => lexicon.graph.buffer instanceof SharedArrayBuffer,
  environment: () => Object.keys(process.env),
  async later(input: unknown) {
    await new Promise((resolve) => setImmediate(resolve));
    return input;
  },
  gate(shared: Int32Array<SharedArrayBuffer>) {
    new Gate(shared).pass();
    return 'passed';
  },
  /** Asks this many times whether to stop; returns the thread on which it ran to its end. */
  ask(times: number, { stop }: JobContext) {
    for (let asked = 0; asked < times; asked++) stop();
    return threadId;
  },
  /** Finds out that it takes long. */
  long(_: undefined, { takesLong }: JobContext) {
    takesLong?.();
    return threadId;
  },
  untilStop(_: undefined, { stop }: JobContext) {
    while (!stop());
    return 'what there is';
  },
  /** Returns after its deadline, when the gate opens. */
  late(shared: Int32Array<SharedArrayBuffer>, { stop }: JobContext) {
    while (!stop());
    new Gate(shared).pass();
    return 'late';
  },
  never() {
    for (;;);
  },
  /** Uses this many milliseconds of processor time. */
  burn(milliseconds: number) {
    const before = process.threadCpuUsage();
    while (process.threadCpuUsage(before).user < milliseconds * 1000);
  },
  objects() {
    const lists: number[][] = [];
    for (;;) lists.push(new Array<number>(100_000).fill(0));
  },
  /** Allocates this many megabytes of typed arrays, then runs on. */
  arrays(megabytes: number) {
    for (let index = 0; index < megabytes; index++) held.push(new Uint8Array(2 ** 20).fill(1));
    for (;;);
  },
  /** Leaves this many megabytes behind in its worker. */
  hold(megabytes: number) {
    held.push(new Uint8Array(megabytes * 2 ** 20));
    return threadId;
  },
  mistake() {
    throw new UserError('test.mistake', 'That is no board.');
  },
  fault() {
    throw new RangeError('out of reach');
  },
  text() {
    throw 'only text';
  },
  notPlain: () => () => 'a function',
  crash() {
    setImmediate(() => {
      throw new TypeError('outside of the job');
    });
    return new Promise(() => {});
  },
  exit: () => process.exit(0),
};
