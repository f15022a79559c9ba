import type { DeliveryAttempt, Ending } from './attempt.ts';
import { postKey } from './post-key.ts';
import { postedOf, recordOf } from './record.ts';

/** Ends a day's thread once the next one is open: a last message on how it went, then the thread is archived. */
export async function closeDay(attempt: DeliveryAttempt): Promise<Ending> {
  const { tools, poster, channel, date, journal, deliveries, claimed } = attempt;
  const now = tools.now();
  if (now >= attempt.day.closesAt + STALE) return { end: 'skipped', reason: { code: 'thread-too-old' } };
  const opening = await deliveries.get(channel.channel, date, 'opening');
  const thread = opening?.state === 'sent' ? postedOf(recordOf(opening, tools.log)) : undefined;
  if (thread === undefined) return { end: 'skipped', reason: { code: 'no-thread' } };
  const line = await tools.dayLine?.(channel.tenant, channel.channel, date);
  if (!(await deliveries.renew(claimed.lease, tools.now() + tools.lease))) return { end: 'lost' };
  journal.isPosting = true;
  const posted = await poster.post({
    channel,
    key: postKey(claimed.lease),
    reply: tools.messages.closing(date, line),
    posted: postedOf(journal.record),
    outcomeUnknown: claimed.delivery.outcomeUnknown,
    note: (noted) => journal.note(noted),
    thread,
  });
  await poster.archive(channel, thread).catch((error: unknown) => {
    tools.log.info({ ...channel, date, error: String(error) }, 'a thread could not be archived');
  });
  return { end: 'sent', posted };
}

/** Closing a thread that people have forgotten would only bring it up again. */
const STALE = 9 * 24 * 60 * 60_000;
