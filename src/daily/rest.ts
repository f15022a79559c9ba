import type { Reply } from '../reply/types.ts';
import type { Store } from '../store/types.ts';
import { type DailyLog, noteLog } from './log.ts';
import { LACKING } from './notices.ts';
import type { Poster, Spot } from './types.ts';

/** Leaves a place alone, and says so to whoever manages it: once, until something was posted there again. */
export async function putToRest(
  tools: { readonly store: Store; readonly log: DailyLog; readonly now: () => number },
  poster: Poster,
  spot: Spot,
  reason: string,
  notice: Reply,
): Promise<void> {
  const { places } = tools.store.tenant(spot.tenant);
  if (!(await places.setState(spot.channel, { state: 'resting', reason }))) return;
  tools.log.warn({ ...spot, reason }, 'the place refuses and rests');
  if (!(await places.claimTelling(spot.channel, tools.now()))) return;
  const place = await places.get(spot.channel);
  if (place?.setBy == null) return;
  await tellQuietly(tools.log, poster, spot, place.setBy, notice);
}

/** A word to a person is a kindness: that it can't be delivered must not stop the day. */
export async function tellQuietly(
  log: DailyLog,
  poster: Poster,
  spot: Spot,
  person: string,
  notice: Reply,
): Promise<void> {
  try {
    if (!(await poster.tell(spot, person, notice)))
      log.info({ ...spot }, "whoever manages the place can't be told");
  } catch (error) {
    noteLog(log, error, { ...spot }, 'telling whoever manages the place failed');
  }
}

/**
 * Wakes a place that rests: called when someone runs a command there, and when nothing is lacking any
 * longer. What it was owed of the puzzle that is on is then due again. True if it rested.
 */
export async function wake(
  store: Store,
  { tenant, channel }: Spot,
  now: number,
  today: string,
): Promise<boolean> {
  const { places, deliveries } = store.tenant(tenant);
  if (!(await places.wake(channel))) return false;
  for (const { step, state } of await deliveries.ofDay(channel, today)) {
    if (state === 'given-up') await deliveries.revive(channel, today, step, now);
  }
  return true;
}

/**
 * Whether asking the door can tell that a place is all right again: only if it was the door's own list of
 * what is missing that put it to rest. Others wait for someone to run a command there.
 */
export function isProbed(reason: string | null): boolean {
  return reason?.startsWith(LACKING) ?? false;
}
