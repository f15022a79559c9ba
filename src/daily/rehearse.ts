import type { Puzzle, PuzzleAsker, PuzzleDate } from '../puzzle/types.ts';
import type { Reply } from '../reply/types.ts';
import type { Store } from '../store/types.ts';
import { forecast } from './forecast.ts';
import type { Messages } from './messages.ts';
import { scheduleOf } from './schedule.ts';
import { parseStored } from './settings.ts';
import { type Spot, THREAD_STEPS, type ThreadStep } from './types.ts';

/** A message as it would be posted. */
export interface Rehearsed {
  readonly spot: Spot;
  readonly date: PuzzleDate;
  /** Those it tells. */
  readonly steps: readonly string[];
  readonly reply: Reply;
}

/** Every message that would be posted at a moment, without posting or writing down anything. */
export async function rehearse(
  store: Store,
  messages: Messages,
  puzzleFor: (date: PuzzleDate, asker: PuzzleAsker) => Promise<Puzzle>,
  at: number,
): Promise<Rehearsed[]> {
  const due = (await forecast(store, at, at)).filter(({ skip }) => skip === undefined);
  const days = Map.groupBy(due, ({ tenant, place, date }) => JSON.stringify([tenant, place, date]));
  const rehearsed: Rehearsed[] = [];
  for (const [{ tenant, place, date }, steps] of Array.from(
    days.values(),
    (all) => [all[0]!, all] as const,
  )) {
    const spot = { tenant, channel: place };
    const row = await store.tenant(tenant).places.get(place);
    const puzzle = await puzzleFor(date, spot);
    const add = (told: readonly string[], reply: Reply) => rehearsed.push({ spot, date, steps: told, reply });
    if (steps.some(({ step }) => step === 'opening')) {
      add(['opening'], messages.opening(puzzle, scheduleOf(parseStored(row?.settings), date)));
    }
    const told: ThreadStep[] = THREAD_STEPS.filter((step) => steps.some((one) => one.step === step));
    if (told.length > 0) add(told, await messages.steps(puzzle, told));
  }
  return rehearsed;
}
