/**
 * The daily thread as tests meet it: its steps in the store, what became of them, and a process that delivers. Only these
 * functions know how a day is stored.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ChannelRef, channelKey, DAY_KIND } from '../../src/core/channel-ref.ts';
import type { PuzzleDate } from '../../src/core/clock.ts';
import { recordOf, type StepEnd } from '../../src/daily/day-thread.ts';
import { answerSteps } from '../../src/daily/delivery/messages.ts';
import { describeReason } from '../../src/daily/suspension.ts';
import type { App } from '../../src/dispatch/contract.ts';
import type { Posted, Poster } from '../../src/dispatch/poster.ts';
import { playerHandlers } from '../../src/players/reviews.ts';
import { SQLITE_FILE, type Store } from '../../src/store/store.ts';
import type { Delivery } from '../../src/store/tables/deliveries.ts';
import { testDaily } from '../daily/ground.ts';
import { TODAY } from './app.ts';

export const DAY_THREAD: Posted = { message: 'opening-1', thread: 'thread-1' };

/** Stores a sent step of a channel and day, as the daily thread leaves it: of today where `someone` is, unless others are named. */
export function sendStep(
  store: Store,
  at: DayStepKey,
  moment: number,
  posted: Posted & { readonly puzzle?: unknown } = DAY_THREAD,
): Promise<void> {
  const isOpening = at.step === 'opening';
  const message = isOpening ? undefined : posted.message;
  const end = { state: 'sent', at: moment, ...(message !== undefined && { message }) } as const;
  return endStep(store, at, moment, end, isOpening ? posted : {});
}

type DayStepKey = Partial<ChannelRef> & { readonly date?: PuzzleDate; readonly step: string };

/** Stores how a step of a channel and day ended, and more that its record says. */
export async function endStep(
  store: Store,
  { step, ...given }: DayStepKey,
  moment: number,
  end: Partial<StepEnd> & Pick<StepEnd, 'state'>,
  more: object = {},
): Promise<void> {
  const at = { tenant: 'web:local', channel: 'general', date: TODAY, ...given };
  const { deliveries } = store.tenant(at.tenant);
  const key = { ...at, kind: DAY_KIND };
  await store.allDeliveries.plan([{ ...key, dueAt: moment, opensAt: moment }]);
  const row = (await deliveries.day(at.channel, at.date))!;
  const { ends = {}, ...record } = recordOf(row, { warn() {} });
  await deliveries.reviseDay(row, record, { now: moment });
  const claimed = await deliveries.claim(key, { owner: 'test', now: moment, until: moment + 1 });
  const settled = { ...record, ...more, ends: { ...ends, [step]: { at: moment, ...end } } };
  const isOpened = step === 'opening' && end.state === 'sent';
  const isOver = step === 'closing' || (step === 'opening' && !isOpened);
  await deliveries.settle(
    claimed!,
    { state: isOver ? end.state : 'waiting', record: settled, ...(isOpened && { openedAt: moment }) },
    moment,
  );
}

/**
 * What became of each step of a channel's day, of its opening and closing, and of deliveries of other kinds: `posted`, or
 * `posted with` the first step of its message; `waiting`, also where it is being posted; or `left out: ` and the reason.
 * Without those of which nothing is known.
 */
export async function dayOf(
  store: Store,
  channel: ChannelRef,
  date: PuzzleDate,
): Promise<Record<string, string>> {
  return (await daysOf(store, date)).get(channelKey(channel)) ?? {};
}

/** The same of all channels, by `channelKey`. */
export async function daysOf(store: Store, date: PuzzleDate) {
  const days = new Map<string, Record<string, string>>();
  for (const row of await store.allDeliveries.ofDate(date)) {
    const steps = row.kind === DAY_KIND ? Object.fromEntries(stepsOf(row)) : { [row.kind]: became(row) };
    days.set(channelKey(row), { ...days.get(channelKey(row)), ...steps });
  }
  return days;
}

function became({ state, reason }: Pick<Delivery, 'state' | 'reason'>): string {
  if (state === 'sent') return 'posted';
  if (state !== 'skipped' && state !== 'given-up') return 'waiting';
  if (reason === null) throw new Error('it was left out without a reason');
  return `left out: ${describeReason(reason)}`;
}

function stepsOf(row: Delivery): (readonly [string, string])[] {
  const { ends = {}, posting = [] } = recordOf(row, { warn() {} });
  const open = [...(row.openedAt === null ? ['opening'] : []), ...(row.begun ? posting : [])];
  return [
    ...open.filter((step) => ends[step] === undefined).map((step) => [step, became(row)] as const),
    ...Object.entries(ends).map(([step, { state, reason = null, with: first = step }]) => {
      const isElsewhere = state === 'sent' && first !== step;
      return [step, isElsewhere ? `posted with ${first}` : became({ state, reason })] as const;
    }),
  ];
}

/** As PostgreSQL restores a backup of before the first delivery under its clients. */
export function loseDeliveries(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  database.exec(`delete from delivery; update fingerprint set value = 'copy'`);
  database.close();
}

/** Delivers what is due by the app's clock, as a process does that posts with this poster. */
export function deliverDue(app: App, poster: Poster): Promise<void> {
  const { store, puzzles, log, clock } = app;
  return testDaily({
    store,
    puzzles,
    log,
    clock,
    posters: [poster],
    answerSteps: answerSteps(app),
    handlers: playerHandlers(app),
  }).runDue();
}
