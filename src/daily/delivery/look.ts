import type { Posted } from '../../dispatch/poster.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import type { DayAttempt } from './attempt.ts';
import { postedOf, postKey, recordOf } from './record.ts';

/** Whether a delivery was due before the store was restored, so that it may have been posted. */
export function isRestored({ dueAt }: Pick<Delivery, 'dueAt'>, restoredUntil: number | null): boolean {
  return restoredUntil !== null && dueAt <= restoredUntil;
}

/** The result of a search for deliveries. */
export interface Found {
  /** By their steps, the posts that are on the platform. */
  readonly posted: ReadonlyMap<string, Posted>;
  /** Posts that may be there, where the bot may not look. */
  readonly unknown: ReadonlySet<string>;
}

/**
 * Looks on the platform, with one search, for deliveries that may have been posted although the store does not say so.
 * Where the bot may not read, a downtime is no reason not to post, but a restore makes the outcome unknown. A delivery
 * whose outcome is unknown anyway is looked for by its poster. Undefined when the delivery was taken by another process.
 *
 * @param where `since`: none of them was posted before that
 */
export async function lookFor(
  { tools, poster, claimed, channel, date, journal, gaps }: DayAttempt,
  rows: readonly Delivery[],
  where: { readonly thread?: Posted; readonly since: number },
): Promise<Found | undefined> {
  const isInDoubt = (row: Delivery) => {
    const { message, lookedUntil = Number.NEGATIVE_INFINITY } = recordOf(row, tools.log);
    const isOpen = (row.state === 'due' || row.state === 'sending') && !row.outcomeUnknown;
    const isInGap = row.dueAt < gaps.gapUntil || isRestored(row, gaps.restoredUntil);
    return isOpen && isInGap && message === undefined && lookedUntil < gaps.gapUntil;
  };
  const posted = new Map<string, Posted>();
  const unknown = new Set<string>();
  const doubts = rows.filter(isInDoubt);
  if (doubts.length === 0 || claimed.delivery.outcomeUnknown) return { posted, unknown };
  const found = await poster.find({ channel, ...where, thread: where.thread, keys: doubts.map(postKey) });
  for (const row of doubts) {
    const message = found?.get(postKey(row));
    if (message !== undefined) posted.set(row.step, message);
    else if (found === undefined && isRestored(row, gaps.restoredUntil)) unknown.add(row.step);
  }
  if (posted.size > 0) {
    const steps = [...posted.keys()];
    tools.log.info({ ...channel, date, steps }, 'found on the platform what the store did not know of');
  }
  if (found === undefined) return { posted, unknown };
  const own = postedOf(posted.get(claimed.lease.step) ?? {});
  return (await journal.note({ ...own, lookedUntil: gaps.gapUntil })) ? { posted, unknown } : undefined;
}
