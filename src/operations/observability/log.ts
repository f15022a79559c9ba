import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import pino from 'pino';
import { blockThread } from '../../core/clock.ts';
import { errorCode } from '../../core/errors.ts';
import { currentRequestId, type Log } from '../../core/log.ts';

export interface LogOptions {
  readonly level: string;
  /** Fields on every line, such as the process's role. */
  readonly base?: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
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
      formatters: { level: (label) => ({ level: label }), log: (fields) => writableObject(fields, 0) },
      // `writableObject` has already reduced errors; pino's own serializer would print every property they carry.
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
/** While the reader is slow: milliseconds between attempts, and how many may fail in a row before each line makes only one. */
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

const REDACTED = '[redacted]';
const HIDDEN = '[hidden]';
/** Names of fields that hold tokens, in any object. */
const TOKEN_FIELDS = /token|secret|password|authorization|cookie|signature|apikey|databaseurl/i;
/** Names of fields that may hold words of a solution or what a person typed. Numbers in them are counts, which are logged. */
const PUZZLE_FIELDS = new Set(
  'reply blocks hidden words word solution solutions official dictionary played options line text body content'.split(
    ' ',
  ),
);
const MAX_TEXT_LENGTH = 2000;
const MAX_DEPTH = 6;
const MAX_ITEMS = 50;
/** Characters. Shorter values are no secrets, and likely to be part of other words. */
const MIN_SECRET_LENGTH = 6;

/** Patterns of tokens that do not come from the settings, such as the tokens of an installation. */
const TOKEN_PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Slack's tokens, then Discord's bot tokens.
  [/\b(xox[a-z]|xapp|xoxe)([.-])[\w.-]{5,}/g, `$1$2${REDACTED}`],
  [/\b[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}\b/g, REDACTED],
  // Passwords in URLs.
  [/(\/\/[^\s:/@"]+):[^\s@"/]+@/g, `$1:${REDACTED}@`],
  // URLs that anyone may post to: Discord's webhooks and answers to its interactions, then Slack's webhooks.
  [/(\/(?:webhooks|interactions)\/\d+\/)[\w-]{20,}/g, `$1${REDACTED}`],
  [/(hooks\.slack(?:-gov)?\.com\/)[\w/-]+/g, `$1${REDACTED}`],
  // Tokens of personal links, and the cookies that they are exchanged for.
  [/\blb1\.[\w-]{20,}\.[\w-]{20,}/g, REDACTED],
  // Authorization headers.
  [/\b(Bearer|Bot) [\w.-]{10,}/g, `$1 ${REDACTED}`],
];

/**
 * Returns a function that removes secrets from a text: the given ones and whatever looks like a token.
 *
 * @example makeScrubber(['s3cret-word'])('it was s3cret-word') // 'it was [redacted]'
 */
export function makeScrubber(secrets: readonly string[]): (text: string) => string {
  // Also as JSON escapes them. Longest first, so that a secret inside another one leaves no part of the longer one.
  const known = [...new Set(secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))]
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const secret of known) if (clean.includes(secret)) clean = clean.replaceAll(secret, REDACTED);
    for (const [shape, instead] of TOKEN_PATTERNS) clean = clean.replace(shape, instead);
    return clean;
  };
}

/** The fields of a log line, without the values of those that hold tokens or may give a puzzle away, and of bounded length. */
function writableObject(fields: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .slice(0, MAX_ITEMS)
      .map(([name, value]) => [name, writableField(name, value, depth)]),
  );
}

function writableField(name: string, value: unknown, depth: number): unknown {
  const isCount =
    typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined;
  if (isCount) return value;
  if (TOKEN_FIELDS.test(name)) return REDACTED;
  if (PUZZLE_FIELDS.has(name)) return HIDDEN;
  return writableValue(value, depth);
}

function writableValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string')
    return value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value;
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  if (value instanceof Error) return writableError(value, depth);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => writableValue(item, depth + 1));
  if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value))
    return `[${value.constructor.name}]`;
  return writableObject(value, depth + 1);
}

/** Name, message and stack only: libraries attach whole requests to their errors, with tokens and posts in them. */
function writableError(error: Error, depth: number): Record<string, unknown> {
  const code = errorCode(error);
  const { status } = error as { readonly status?: unknown };
  // Several parts failed to end: the error of the last one, with those before it.
  const cause = error instanceof SuppressedError ? [error.error, error.suppressed] : error.cause;
  return {
    type: error.name,
    message: writableValue(error.message, depth),
    ...(code !== undefined && { code }),
    ...(typeof status === 'number' && { status }),
    stack: writableValue(error.stack ?? '', depth),
    ...(cause !== undefined && depth < MAX_DEPTH && { cause: writableValue(cause, depth + 1) }),
  };
}
