/** The whole bot as a process of its own: its clock is moved, and its vitals asked for, by messages. */
import { readdirSync } from 'node:fs';
import { startBot } from '../../src/bot.ts';
import { readConfig } from '../../src/config/config.ts';
import { keepHeapSmall } from '../../src/core/program.ts';
import { stopOnSignals } from '../../src/operations/lifecycle/process.ts';
import { makeLog } from '../../src/operations/observability/log.ts';
import { type LoopDelay, LoopWatch } from './loop-watch.ts';

/** A moment at which its clock stands until it is moved, or how many milliseconds a running one is ahead. */
export type BotTime = { readonly startsAt: number } | { readonly ahead: number };

/** What it is asked. */
export type Asked = { readonly move: number } | { readonly vitals: true } | { readonly stop: true };

/** What it tells: the answer to each question, in their order. */
export interface BotMessage {
  readonly port?: number | undefined;
  readonly rss?: number;
  readonly heap?: number;
  /** What the heap takes, with what is free in it. */
  readonly heapTotal?: number;
  readonly external?: number;
  /** Part of `external`; shared memory, such as the lexicon of workers, is not. */
  readonly arrayBuffers?: number;
  readonly handles?: number;
  /** Milliseconds of processor time that the thread which answers people has used since the start. */
  readonly processor?: number;
  readonly stopped?: number;
  /** Since vitals were asked for last. */
  readonly loop?: LoopDelay;
}

/** Milliseconds: a busy machine may take longer than a host waits; that everything ends in order is tested. */
const PATIENCE = 120_000;

const { settings, ...time } = JSON.parse(process.argv[2] ?? '') as BotTime & {
  readonly settings: Record<string, string>;
};
let moment = 'startsAt' in time ? time.startsAt : Number.NaN;
const clock = { now: 'ahead' in time ? () => Date.now() + time.ahead : () => moment };
const config = readConfig(settings);
const log = makeLog({
  level: config.logLevel ?? 'info',
  secrets: config.secrets,
  write: (line) => process.stderr.write(line),
});
const watch = new LoopWatch();
const bot = await startBot(config, log, { clock, onLoaded: keepHeapSmall });
stopOnSignals({ stop: () => bot.stop(), log, exit: (status) => process.exit(status), timeout: PATIENCE });
// The process that started it is gone.
process.on('disconnect', () => process.exit(1));
const tell = (state: BotMessage) => process.send?.(state);
tell({ port: bot.port });

process.on('message', async (asked: Asked) => {
  if ('move' in asked) {
    moment = asked.move;
    await bot.daily?.tick();
    await bot.daily?.runDue();
    tell({});
  } else if ('vitals' in asked) {
    // Before the garbage collection, which is long.
    const loop = watch.take();
    globalThis.gc?.();
    const { heapUsed: heap, ...memory } = process.memoryUsage();
    const { user, system } = process.threadCpuUsage();
    const processor = (user + system) / 1000;
    tell({ ...memory, heap, processor, handles: readdirSync('/proc/self/fd').length, loop });
    watch.take();
  } else {
    const began = performance.now();
    await bot.stop();
    process.send?.({ stopped: performance.now() - began } satisfies BotMessage, () => process.exit(0));
  }
});
