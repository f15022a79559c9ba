import { createRequire } from 'node:module';
import pino from 'pino';
import { type Log, requestId } from '../../core/log.ts';
import { makeScrubber, writable } from './redact.ts';

export interface LogOptions {
  readonly level: string;
  /** On every line, such as the process's role. */
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
        const request = requestId();
        return request === undefined ? {} : { request };
      },
    },
    { write: (line: string) => write(show(scrub(line))) },
  );
}

/** Standard output, written synchronously: a line about the end of the process must be out before it ends. */
export function toStandardOutput(): (line: string) => void {
  const destination = pino.destination({ dest: 1, sync: true });
  // The reader has closed the pipe, as `head` does; that is no reason to stop.
  destination.on('error', () => {});
  return (line) => void destination.write(line);
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
