import type { PuzzleDate } from '../../core/clock.ts';
import { counted, grouped } from '../../core/text.ts';
import { weekdayOf } from '../../puzzle/calendar.ts';
import type { Inline, Line } from '../../reply/model/types.ts';
import type { Store } from '../../store/store.ts';
import type { ChannelResults } from '../../store/tables/channel-results.ts';
import { periodOf } from './period.ts';
import { isOnTime } from './score.ts';
import { standingsOf } from './standings.ts';

const SUNDAY = 7;
/** Ranks of a week that are named, and how many people at most. */
const NAMED_RANKS = 3;
const MAX_NAMED = 5;

/**
 * The results of a day in a channel, for its thread's last message, which also lists the best: how many solved it, and
 * after a Sunday who were the best of the week, by name or only in numbers. Hidden people are not counted. Undefined
 * when nobody solved it.
 *
 * @example await dayLine(store)('discord:123', '456', '2026-11-20') // ['3 people solved it.']
 */
export function dayLine(
  store: Pick<Store, 'tenant'>,
): (tenant: string, channel: string, date: PuzzleDate, names?: boolean) => Promise<Line | undefined> {
  return async (tenant, channel, date, names = true) => {
    const { channelResults } = store.tenant(tenant);
    const day = await dayOf(channelResults, channel, date);
    const week = weekdayOf(date) === SUNDAY ? await weekOf(channelResults, channel, date, names) : [];
    const pieces = [...day, ...(day.length > 0 && week.length > 0 ? [' '] : []), ...week];
    return pieces.length === 0 ? undefined : pieces;
  };
}

async function dayOf(channelResults: ChannelResults, channel: string, date: PuzzleDate): Promise<Inline[]> {
  const all = await channelResults.between(channel, date, date);
  const counting = all.filter((result) => !result.hidden && isOnTime(result));
  if (counting.length === 0) return [];
  return [counting.length === 1 ? 'One person solved it.' : `${grouped(counting.length)} people solved it.`];
}

async function weekOf(
  channelResults: ChannelResults,
  channel: string,
  date: PuzzleDate,
  names: boolean,
): Promise<Inline[]> {
  const { from, to } = periodOf('week', date);
  const standings = standingsOf(await channelResults.sums(channel, from, to));
  const leading = standings.filter(({ rank }) => rank <= NAMED_RANKS).slice(0, MAX_NAMED);
  if (leading.length === 0) return [];
  const named = leading.flatMap(({ rank, person, days }, index): Inline[] => [
    `${index === 0 ? '' : ', '}${rank}. `,
    ...(names ? [{ person }, ` (${counted(days, 'day')})`] : [counted(days, 'day')]),
  ]);
  return ['Best of the week: ', ...named, '.'];
}
