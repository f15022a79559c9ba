import { beginPost, type DeliveryAttempt, type Ending } from './attempt.ts';
import { postedOf, recordOf } from './record.ts';
import { lookFirst } from './unaccounted.ts';

/** Ends a day's thread once the next one is open: a last message on how it went, then the thread is archived. */
export async function closeDay(attempt: DeliveryAttempt): Promise<Ending> {
  const { tools, poster, channel, date, deliveries } = attempt;
  const now = tools.now();
  if (now >= attempt.day.closesAt + STALE) return { end: 'skipped', reason: { code: 'thread-too-old' } };
  const opening = await deliveries.get(channel.channel, date, 'opening');
  const thread = opening?.state === 'sent' ? postedOf(recordOf(opening, tools.log)) : undefined;
  if (thread === undefined) return { end: 'skipped', reason: { code: 'no-thread' } };
  const line = await tools.dayLine?.(channel.tenant, channel.channel, date);
  const known = await lookFirst(attempt, thread);
  if (known === undefined) return { end: 'lost' };
  const post = await beginPost(attempt, tools.messages.closing(date, line));
  if (post === undefined) return { end: 'lost' };
  const posted = await poster.post({ ...post, ...known, thread });
  await poster.archive(channel, thread).catch((error: unknown) => {
    tools.log.info({ ...channel, date, error: String(error) }, 'a thread could not be archived');
  });
  return { end: 'sent', posted };
}

/** Closing a thread that people have forgotten would only bring it up again. */
const STALE = 9 * 24 * 60 * 60_000;
