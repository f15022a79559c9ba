import { setImmediate } from 'node:timers/promises';
import type { ChannelRef } from '../../core/channel-ref.ts';
import type { App, Asker, ReadingApp, Request } from '../../dispatch/contract.ts';
import { addDays } from '../../puzzle/calendar.ts';
import type { Reply } from '../../reply/model/types.ts';
import {
  type AddedGame,
  MOST_GUESSES,
  type OtherGameName,
  otherGamesReply,
  summariesReply,
  summaryReply,
} from '../../reply/replies/other-games.ts';
import type { Period } from '../../reply/replies/standings.ts';
import type { OtherSums } from '../../store/tables/other-results.ts';
import { MAX_MESSAGE_LENGTH } from '../results/read-message.ts';
import { chooseEverywhere, inheritChoices, periodBefore, ranked } from '../results/stats.ts';
import { readOtherGames, utcDate } from './read.ts';

/** Adds the results of other games in a person's own text to those of the channel. */
export async function addOtherGames(
  { who, where, message }: Asker,
  { store, clock }: Pick<App, 'store' | 'clock'>,
  text: string,
): Promise<AddedGame[]> {
  const at = Math.min(message?.at ?? Number.POSITIVE_INFINITY, clock.now());
  const { read, otherDays } = readOtherGames(text, at);
  const added: AddedGame[] = otherDays.map((one) => ({ ...one, outcome: 'other-days' }));
  const { otherResults } = store.tenant(where.tenant);
  if (read.length > 0) await inheritChoices(store, { tenant: where.tenant, person: who.id });
  for (const one of read) {
    const isNew = await otherResults.add({ ...one, person: who.id, channel: where.channel, at });
    added.push({ ...one, outcome: isNew ? 'added' : 'known' });
  }
  return added;
}

/** The id of the official Wordle app on Discord. */
const WORDLE_APP = '1211781489931452447';
const SCORES_AND_PEOPLE = /(?<![\w/])([1-6X])\/6:|<@!?(\d{1,20})>/gi;

type Message = NonNullable<Asker['message']>;

/** Whether the message that was chosen is by the Wordle app: only it can post under its id. */
export function isByWordle(message: Message, door: Asker['door']): boolean {
  return door === 'discord' && message.author === WORDLE_APP;
}

/**
 * Takes the results out of a message in which the Wordle app names everybody who played the day before: those of people who
 * switched it on, and of nobody else.
 */
export async function addSummary(message: Message, { who, where }: Asker, app: App): Promise<Reply> {
  const { store, clock } = app;
  const at = Math.min(message.at, clock.now());
  const scores = new Map<string, number>();
  let score: number | undefined;
  // A line for each score, the best first: 4/6: <@1> <@2>. People whom the app names without a mention can't be told apart.
  for (const [, said, person] of message.text.slice(0, MAX_MESSAGE_LENGTH).matchAll(SCORES_AND_PEOPLE)) {
    if (said !== undefined) score = Number(said) || MOST_GUESSES + 1;
    else if (score !== undefined && !scores.has(person!)) scores.set(person!, score);
  }
  const { people, otherResults } = store.tenant(where.tenant);
  const date = addDays(utcDate(at), -1);
  const taking = await people.inSummariesAmong([...scores.keys()]);
  for (const person of taking) {
    await inheritChoices(store, { tenant: where.tenant, person });
    const result = { person, channel: where.channel, game: 'wordle', date, score: scores.get(person)!, at };
    await otherResults.add(result, { isConfirmed: true });
  }
  const isOn = (await people.inSummariesAmong([who.id])).has(who.id);
  return summaryReply(date, taking.size, isOn);
}

/** Switches on that a person's results are taken from the Wordle app's summaries in this server, or off in all servers. */
export async function setInSummaries({ who, where }: Asker, { store }: App, isOn: boolean): Promise<Reply> {
  if (isOn) await store.tenant(where.tenant).people.setInSummaries(who.id, true);
  else
    await chooseEverywhere(store, { tenant: where.tenant, person: who.id }, (people, id) =>
      people.setInSummaries(id, false),
    );
  return summariesReply(isOn);
}

/** Days that are summed at a stretch, before others have their turn: a query of SQLite holds the thread. */
const DAYS_AT_ONCE = 31;

/** The sums of each game, person and stretch of days. */
async function sumsOf(
  store: ReadingApp['store'],
  { tenant, channel }: ChannelRef,
  period: Period,
): Promise<OtherSums[]> {
  const { otherResults } = store.tenant(tenant);
  const sums: OtherSums[][] = [];
  const span = (await otherResults.span(channel)) ?? period;
  const last = span.to < period.to ? span.to : period.to;
  for (let from = span.from > period.from ? span.from : period.from; from <= last; ) {
    const next = addDays(from, DAYS_AT_ONCE);
    const to = addDays(next, -1);
    sums.push(await otherResults.sums(channel, from, to < last ? to : last));
    await setImmediate();
    from = next;
  }
  return sums.flat();
}

const total = (sums: readonly OtherSums[], key: 'results' | 'score' | 'firsts') =>
  sums.reduce((sum, one) => sum + one[key], 0);

/** People whose averages are shown for each game. */
const BEST_SHOWN = 3;

export async function showOtherGames(
  { door, who, where }: Request,
  { store }: Pick<ReadingApp, 'store'>,
  period: Period,
  shown: { readonly page?: number | undefined; readonly isPrivate: boolean },
): Promise<Reply> {
  const sums = await sumsOf(store, where, period);
  const byPerson = (some: readonly OtherSums[]) => [...Map.groupBy(some, ({ person }) => person)];
  const standings = byPerson(sums).map(([person, own]) => ({
    person,
    firsts: total(own, 'firsts'),
    results: total(own, 'results'),
  }));
  const averages = [...Map.groupBy(sums, ({ game }) => game)].map(([game, played]) => ({
    game: game as OtherGameName,
    people: byPerson(played)
      .map(([person, own]) => ({ person, average: total(own, 'score') / total(own, 'results') }))
      .sort((a, b) => a.average - b.average)
      .slice(0, BEST_SHOWN),
  }));
  return otherGamesReply({
    ...shown,
    period,
    before: periodBefore(period),
    standings: ranked(standings, (a, b) => b.firsts - a.firsts || b.results - a.results),
    averages,
    asker: who.id,
    hasMessageMenu: door === 'discord' || door === 'slack',
    hasSummaries: door === 'discord' && !where.direct,
  });
}
