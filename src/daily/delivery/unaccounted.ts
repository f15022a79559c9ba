import type { Log } from '../../core/log.ts';
import type { Posted } from '../../dispatch/poster.ts';
import type { Gaps } from '../../store/tables/continuity.ts';
import type { Delivery } from '../../store/tables/delivery-row.ts';
import type { DeliveryAttempt } from './attempt.ts';
import { postKey } from './post-key.ts';
import { postedOf, recordOf } from './record.ts';

/**
 * Why a post may exist of which the store knows nothing. `restored`: the store surely lacks what was posted since
 * its backup. `gap`: nobody used it for a while, which is a downtime far more often than a restore.
 */
type Doubt = 'restored' | 'gap';

function doubtOf(delivery: Delivery, gaps: Gaps, log: Log): Doubt | undefined {
  const { message, lookedUntil = Number.NEGATIVE_INFINITY } = recordOf(delivery, log);
  const isIn = (until: number | null) =>
    until !== null && delivery.dueAt <= until && lookedUntil < until && message === undefined;
  if (isIn(gaps.restoredUntil)) return 'restored';
  return isIn(gaps.gapUntil) ? 'gap' : undefined;
}

/** Whether a delivery was due before the store was restored, so that it may have been posted. */
export function isRestored({ dueAt }: Pick<Delivery, 'dueAt'>, { restoredUntil }: Gaps): boolean {
  return restoredUntil !== null && dueAt <= restoredUntil;
}

/** What is known of an opening or closing before it is posted. */
export interface Known {
  readonly posted: Posted | undefined;
  readonly outcomeUnknown: boolean;
}

/**
 * What earlier attempts left of this post, and after a gap also what is on the platform. Where the bot may not
 * read, a downtime is no reason not to post, but a restore makes the outcome unknown. Undefined when the delivery
 * was taken by another process.
 */
export async function lookFirst(attempt: DeliveryAttempt, thread?: Posted): Promise<Known | undefined> {
  const { tools, poster, claimed, channel, journal, gaps } = attempt;
  const { delivery } = claimed;
  const known: Known = { posted: postedOf(journal.record), outcomeUnknown: delivery.outcomeUnknown };
  const doubt = doubtOf(delivery, gaps, tools.log);
  if (doubt === undefined || known.outcomeUnknown) return known;
  const key = postKey(delivery);
  const found = await poster.find({ channel, thread, keys: [key], since: delivery.dueAt });
  if (found === undefined) return { ...known, outcomeUnknown: doubt === 'restored' };
  const posted = found.get(key);
  if (!(await journal.note({ ...posted, lookedUntil: gaps.gapUntil ?? 0 }))) return undefined;
  logFound(attempt, posted === undefined ? [] : [delivery.step]);
  return { ...known, posted };
}

/** Which steps of a day are in its thread already. */
export interface FoundSteps {
  readonly posted: ReadonlyMap<string, Posted>;
  /** Those that may be there, but the bot may not look. */
  readonly unknown: ReadonlySet<string>;
}

const NONE: FoundSteps = { posted: new Map(), unknown: new Set() };

/** The same for all steps of a day at once, with one search of the thread. */
export async function lookForSteps(
  attempt: DeliveryAttempt,
  rows: readonly Delivery[],
  thread: Posted,
): Promise<FoundSteps> {
  const { tools, poster, claimed, channel, journal, gaps, day } = attempt;
  const isOpen = ({ state, outcomeUnknown }: Delivery) =>
    (state === 'due' || state === 'sending') && !outcomeUnknown;
  const doubts = rows.flatMap((row) => {
    const doubt = isOpen(row) ? doubtOf(row, gaps, tools.log) : undefined;
    return doubt === undefined ? [] : [{ step: row.step, key: postKey(row), doubt }];
  });
  if (doubts.length === 0 || claimed.delivery.outcomeUnknown) return NONE;
  const keys = doubts.map(({ key }) => key);
  const found = await poster.find({ channel, thread, keys, since: day.opensAt });
  if (found === undefined) {
    const unknown = doubts.filter(({ doubt }) => doubt === 'restored').map(({ step }) => step);
    return { ...NONE, unknown: new Set(unknown) };
  }
  const posted = new Map<string, Posted>();
  for (const { step, key } of doubts) {
    const message = found.get(key);
    if (message !== undefined) posted.set(step, message);
  }
  logFound(attempt, [...posted.keys()]);
  journal.record = { ...journal.record, lookedUntil: gaps.gapUntil ?? 0 };
  return { ...NONE, posted };
}

function logFound({ tools, channel, date }: DeliveryAttempt, steps: readonly string[]): void {
  if (steps.length === 0) return;
  tools.log.info({ ...channel, date, steps }, 'found on the platform what the store did not know of');
}
