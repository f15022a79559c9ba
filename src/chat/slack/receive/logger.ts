import { type Logger, LogLevel } from '@slack/bolt';
import type { Log } from '../../../core/log.ts';

/**
 * Bolt's talk in our log. Its debug lines hold whole payloads and stay out of it; so do tokens, should one
 * ever stand in an error.
 */
export function boltLogger(log: Log): Logger {
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (...said: unknown[]) => {
      log[level]({ door: 'slack' }, `bolt: ${said.map(words).join(' ')}`);
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

function words(said: unknown): string {
  return withoutTokens(said instanceof Error ? said.message : String(said)).slice(0, 500);
}

/** @example withoutTokens('Bearer xoxb-1-2') // 'Bearer xox…' */
export function withoutTokens(text: string): string {
  return text
    .replace(/\b(xox[a-z]|xapp|xoxe)[.-][\w.-]+/g, 'xox…')
    .replace(/(https?:\/\/hooks\.slack(?:-gov)?\.com|\/response)\/[^\s"']+/g, '$1/…');
}
