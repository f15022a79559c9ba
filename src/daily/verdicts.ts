import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelRef } from '../core/channel-ref.ts';
import { type PuzzleDate, SECOND } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { App } from '../dispatch/contract.ts';
import type { Verdict } from '../dispatch/poster.ts';
import { type Deliveries, type Delivery, isInDoubt } from '../store/tables/deliveries.ts';
import { recordOf, type StepEnd, stepsTogether } from './day-thread.ts';
import { DAY_STEPS, type DayStep } from './plan/schedule.ts';

export interface DayPostName extends ChannelRef {
  readonly date: PuzzleDate;
  readonly step: DayStep;
}

/**
 * Applies what a person says of a post that may be there. If it is not there, it is due again. So is an opening that is there:
 * its ids are unknown, so the hints follow under a new small message. Any other post that is there counts as sent. Of several
 * verdicts on a post, the first one counts.
 *
 * @returns what to tell the person
 */
export async function recordVerdict(
  { store, clock, log }: Pick<App, 'store' | 'clock' | 'log'>,
  verdict: Verdict,
  post: DayPostName,
): Promise<string> {
  const { tenant, channel, date, step } = post;
  const { deliveries } = store.tenant(tenant);
  let row = await deliveries.day(channel, date);
  // A day of which something is being posted takes no changes: that mostly takes seconds.
  for (let waits = 0; row?.state === 'sending'; waits++) {
    if (waits === MAX_WAITS)
      throw new Error('a day was being posted all the time, so a verdict is not recorded');
    await sleep(WAIT_MS);
    row = await deliveries.day(channel, date);
  }
  const now = clock.now();
  const { ends = {} } = row === undefined ? {} : recordOf(row, log);
  const end = ends[step];
  if (row === undefined || end === undefined || end.state === 'sent') return NOTHING_LEFT;
  const together = stepsTogether(ends, step);
  if (verdict === 'there' && step !== 'opening') {
    const sent = Object.fromEntries(
      together.map((one) => [one, { ...ends[one], state: 'sent' as const, at: now }]),
    );
    const revised = { ...recordOf(row, log), ends: { ...ends, ...sent } };
    const isConfirmed = await deliveries.reviseDay(row, revised, { now });
    return isConfirmed ? 'Good: it stays as it is.' : NOTHING_LEFT;
  }
  const isChosen = (other: string) => together.some((one) => one === other);
  const revived = await reviveSteps(deliveries, row, isChosen, { now, log, verdict });
  if (revived.length === 0) return NOTHING_LEFT;
  return verdict === 'there'
    ? 'The hints follow under a new small message, if the puzzle is still on.'
    : 'It comes within a minute or two, if its puzzle is still on.';
}

/** Together longer than a lease. */
const MAX_WAITS = 40;
const WAIT_MS = SECOND;

const NOTHING_LEFT = 'Nothing is left to post: it is there, or on its way.';

/**
 * Makes the chosen steps of a day due again. Those that may be there (`unknown`) need a search first, and the row can name only
 * one message to look for:
 * - If it names none yet, it gets the first of theirs; the others stay as they are. If the bot can't search, `verdict` decides.
 * - If it names one already, they stay as they are; with the verdict `repeat`, which says that they are not there, they are due
 *   without a search.
 *
 * @returns the steps that are due again
 */
export async function reviveSteps(
  deliveries: Deliveries,
  row: Delivery,
  isChosen: (step: string, end: StepEnd) => boolean,
  { now, log, verdict }: { readonly now: number; readonly log: Log; readonly verdict?: Verdict },
): Promise<readonly DayStep[]> {
  const record = recordOf(row, log);
  const { ends = {} } = record;
  const namesMessage = isInDoubt(row);
  const chosen = DAY_STEPS.filter((step) => ends[step] !== undefined && isChosen(step, ends[step]));
  const needsSearch = (step: DayStep) => ends[step]?.unknown && !(namesMessage && verdict === 'repeat');
  const first = namesMessage ? undefined : chosen.find(needsSearch);
  const together = first === undefined ? [] : stepsTogether(ends, first);
  const toFind = chosen.filter((step) => needsSearch(step) && together.includes(step));
  const revived = chosen.filter((step) => !needsSearch(step) || toFind.includes(step));
  if (revived.length === 0) return [];
  const rest = Object.fromEntries(
    Object.entries(ends).filter(([step]) => !revived.some((one) => one === step)),
  );
  const revised = { ...record, ends: rest, ...(toFind.length > 0 && { posting: toFind, verdict }) };
  // While `begun` is set, `posting` is the message to look for.
  const begun = namesMessage || toFind.length > 0;
  const isRevised = await deliveries.reviseDay(row, revised, { now, begun });
  return isRevised ? revived : [];
}
