import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import pino from 'pino';
import { errorCode } from '../../core/errors.ts';
import { currentRequestId, type Log } from '../../core/log.ts';
import { blockThread } from '../../core/program.ts';
import { makeScrubber, writable } from './redact.ts';

export interface LogOptions {
  readonly level: string;
  /** Fields on every line, such as the process's role. */
  readonly base?: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** Called with whole lines. */
  readonly write: (line: string) => void;
  /** Coloured lines for a person, instead of JSON. */
  readonly pretty?: boolean;
}

/**
 * Writes one JSON line per event, with the id of the request it belongs to. Secrets are removed from the
 * finished line, wherever in it they are.
 *
 * @example makeLog({ level: 'info', secrets: [], write: (line) => process.stdout.write(line) })
 */
export function makeLog({ level, base = {}, secrets, write, pretty = false }: LogOptions): Log {
  const scrub = makeScrubber(secrets);
  const show = pretty ? prettyLines() : (line: string) => line;
  return pino(
    {
      level,
      base,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: writable },
      // `writable` has already reduced errors; pino's own serializer would print every property they carry.
      serializers: { err: (error: unknown) => error },
      mixin() {
        const request = currentRequestId.getStore();
        return request === undefined ? {} : { request };
      },
    },
    { write: (line: string) => write(show(scrub(line))) },
  );
}

/** Bytes that wait while nothing can be written; lines beyond are lost. */
const MAX_BUFFERED_BYTES = 2 ** 20;
/** Milliseconds between two attempts while the reader is slow, and how many of them. */
const WRITE_RETRY_MS = 10;
const MAX_WRITE_RETRIES = 50;

/**
 * Writes to standard output, synchronously: a line about the end of the process must be out before it ends. A reader that
 * has stopped, such as a paused terminal, or that has gone, such as `head`, does not stop the bot; neither does a full disk.
 */
export function toStandardOutput(): (line: string) => void {
  let waiting = Buffer.alloc(0);
  let attempts = 0;
  return (line) => {
    if (waiting.length < MAX_BUFFERED_BYTES) waiting = Buffer.concat([waiting, Buffer.from(line)]);
    while (waiting.length > 0) {
      try {
        waiting = waiting.subarray(writeSync(1, waiting));
        attempts = 0;
      } catch (error) {
        if (errorCode(error) !== 'EAGAIN' || ++attempts > MAX_WRITE_RETRIES) return;
        blockThread(WRITE_RETRY_MS);
      }
    }
  };
}

/** pino-pretty is loaded for terminals only. */
function prettyLines(): (line: string) => string {
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  const format = prettyFactory({
    colorize: true,
    ignore: 'pid,hostname,role',
    translateTime: 'SYS:HH:MM:ss',
  });
  return (line) => format(line);
}
