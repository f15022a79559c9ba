import { createRequire } from 'node:module';
import pino from 'pino';
import type { Log } from '../../core/log.ts';
import { makeScrubber, writable } from './redact.ts';
import { requestId } from './request-id.ts';

export interface LogOptions {
  readonly level: string;
  /** On every line, such as the process's role. */
  readonly base?: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** Takes whole lines. */
  readonly write: (line: string) => void;
  /** Coloured lines for a person, instead of JSON. */
  readonly pretty?: boolean;
}

/**
 * One JSON line an event, with the id of the request it belongs to. Secrets are taken out of the finished
 * line, so it makes no difference where in it they stood.
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
      // `writable` has seen to errors; pino's own way would show all that hangs on them.
      serializers: { err: (error: unknown) => error },
      mixin() {
        const request = requestId();
        return request === undefined ? {} : { request };
      },
    },
    { write: (line: string) => write(show(scrub(line))) },
  );
}

/** Standard output, written at once: a line about an end must be out before the end. */
export function toStandardOutput(): (line: string) => void {
  const destination = pino.destination({ dest: 1, sync: true });
  // Whoever read along has gone, as `head` does; that is no reason to stop.
  destination.on('error', () => {});
  return (line) => void destination.write(line);
}

/** Loaded for terminals only. */
function prettyLines(): (line: string) => string {
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  const format = prettyFactory({
    colorize: true,
    ignore: 'pid,hostname,role',
    translateTime: 'SYS:HH:MM:ss',
  });
  return (line) => format(line);
}
