import { schedule } from 'node-cron';

/**
 * Calls once a minute, a second after it began. Only a wake-up call: what is due is computed, so a minute
 * that is left out or called twice does no harm. In UTC, where no daylight saving can confuse it.
 */
export function everyMinute(tick: () => Promise<void>): () => void {
  const task = schedule('1 * * * * *', tick, { timezone: 'UTC', noOverlap: true });
  return () => void task.destroy();
}
