import { type Logger, LogLevel } from '@slack/bolt';
import type { Log } from '../../../core/log.ts';

const MAX_LENGTH = 500;

/** Logged by `bolt.error` of the door, which knows of which workspace the event was. */
const REFUSED = 'Authorization of incoming event did not succeed';

/**
 * Writes Bolt's messages to our log. Its debug messages are dropped, because they hold whole payloads. Tokens
 * are removed from the others: they could be part of an error.
 */
export function boltLogger(log: Log): Logger {
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (...values: unknown[]) => {
      if (String(values[0]).startsWith(REFUSED)) return;
      log[level]({ door: 'slack' }, `bolt: ${values.map(textOf).join(' ')}`);
    };
  return {
    debug: () => {},
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    setLevel: () => {},
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  };
}

function textOf(value: unknown): string {
  return withoutTokens(value instanceof Error ? value.message : String(value)).slice(0, MAX_LENGTH);
}

/** @example withoutTokens('Bearer xoxb-1-2') // 'Bearer xox…' */
function withoutTokens(text: string): string {
  return text
    .replace(/\b(xox[a-z]|xapp|xoxe)[.-][\w.-]+/g, 'xox…')
    .replace(/(https?:\/\/hooks\.slack(?:-gov)?\.com|\/response)\/[^\s"']+/g, '$1/…');
}
