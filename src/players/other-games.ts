import type { PuzzleDate } from '../core/clock.ts';
import type { App, Asker, ReadingApp, Request } from '../dispatch/contract.ts';
import { addDays, dateAt } from '../puzzle/calendar.ts';
import type { Reply } from '../reply/model/types.ts';
import {
  type AddedGame,
  BEE_RANKS,
  MOST_GUESSES,
  type OtherGameName,
  otherGamesReply,
  summariesReply,
  summaryReply,
} from '../reply/replies/other-games.ts';
import type { Period } from '../reply/replies/standings.ts';
import type { OtherSums } from '../store/tables/results.ts';
import { MAX_MESSAGE_LENGTH, ownText } from './results/read-message.ts';
import { chooseEverywhere, inheritChoices, periodBefore, ranked, sumsIn } from './results/stats.ts';

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
  const { tenant } = where;
  if (isOn) await store.tenant(tenant).people.choose(who.id, { inSummaries: true });
  else await chooseEverywhere(store, { tenant, person: who.id }, { inSummaries: false });
  return summariesReply(isOn);
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
  const sums = await sumsIn(store.tenant(where.tenant).otherResults, where.channel, period);
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
    previousPeriod: periodBefore(period),
    standings: ranked(standings, (a, b) => b.firsts - a.firsts || b.results - a.results),
    averages,
    asker: who.id,
    hasMessageMenu: door === 'discord' || door === 'slack',
    hasSummaries: door === 'discord' && !where.direct,
  });
}

/** A result of another daily game, read from the text that the game writes for people to paste. */
export type ReadGame = Omit<AddedGame, 'outcome'>;

interface Format {
  /** The day of puzzle number 0; left out for a game whose puzzles have no numbers. */
  readonly zero?: PuzzleDate;
  /** Groups: `number`, or `month`, `day` and `year`, or none, for the day of the message; and one for `readScore`. */
  readonly pattern: string;
  /** The score that the cells stand for; undefined if they are no finished game. */
  readonly scoreOf?: (cells: readonly string[]) => number | undefined;
}

const { raw } = String;
const NUMBER = raw`#?(?<number>\d{1,3}(?:[.,]?\d{3})?)(?![\d.,]*\d)`;
const TIME = raw`(?<time>\d{1,2}:\d\d(?::\d\d)?)(?![\d:])`;
const GUESSES = raw`(?<guesses>[1-${MOST_GUESSES}X])\/${MOST_GUESSES}`;
/** In one line or in two. */
const NUMBER_AND_TIME = raw`${NUMBER}(?: \|)?\s{1,3}${TIME}`;

/** Every pattern is bounded, so that reading takes time in proportion to the length of the message. */
const FORMATS: Readonly<Record<OtherGameName, Format>> = {
  // Wordle 1,987 4/6*
  wordle: { zero: '2021-06-19', pattern: raw`Wordle ${NUMBER}(?: 🎉)? ${GUESSES}` },
  // Connections, Puzzle #1265, and a row of four squares for each guess
  connections: {
    zero: '2023-06-11',
    pattern: raw`Connections\s{1,4}Puzzle ${NUMBER}(?<cells>(?:\s{1,3}(?:[🟨🟩🟦🟪] ?){4}){4,7})(?!\s*[🟨🟩🟦🟪])`,
    scoreOf: mistakesIn,
  },
  // Strands #1000, the theme, and a mark for each word and hint
  strands: {
    zero: '2024-03-03',
    pattern: raw`Strands ${NUMBER}\s{1,3}(?:["“'‘][^\n🔵🟡💡]{1,100}\s{1,3})?(?<cells>(?:[🔵🟡💡]\s{0,2}){4,40})`,
    scoreOf: hintsIn,
  },
  // I solved the 11/28/2026 New York Times Mini Crossword in 0:41!
  mini: {
    pattern: raw`I solved the (?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>20\d\d) New York Times Mini Crossword in ${TIME}`,
  },
  // Daily Quordle 1769, and in which of nine guesses each of the four words was found; 🟥 if in none
  quordle: {
    zero: '2022-01-24',
    pattern: raw`Daily Quordle ${NUMBER}\s{1,3}(?<cells>[1-9🟥]{2}\s{1,3}[1-9🟥]{2})(?![1-9🟥])`,
    scoreOf: (cells) => cells.reduce((sum, cell) => sum + (cell === '🟥' ? 10 : Number(cell)), 0),
  },
  // Daily Octordle #1769, four such lines, Score: 61; Slack's longest line is :clock11::keycap_ten:
  octordle: {
    zero: '2022-01-24',
    pattern: raw`Daily Octordle ${NUMBER}\s{1,3}(?:\S{1,21}\s{1,3}){4,5}Score: (?<points>\d{1,3})(?!\d)`,
  },
  // #Worldle #1772 (28.11.2026) 3/6 (100%)
  worldle: { zero: '2022-01-21', pattern: raw`Worldle ${NUMBER}(?: \([\d.]{8,10}\))? ${GUESSES}` },
  // Queens #942 | 1:11
  queens: { zero: '2024-04-30', pattern: raw`Queens ${NUMBER_AND_TIME}` },
  tango: { zero: '2024-10-07', pattern: raw`Tango ${NUMBER_AND_TIME}` },
  zip: { zero: '2025-03-17', pattern: raw`Zip ${NUMBER_AND_TIME}` },
  // I just hit Genius on Spelling Bee.
  bee: { pattern: raw`I just hit (?<rank>${BEE_RANKS.join('|')}) on Spelling Bee` },
};
const GAMES = Object.entries(FORMATS).map(([game, format]) => ({
  ...format,
  game: game as OtherGameName,
  pattern: new RegExp(raw`\b${format.pattern}`, 'u'),
}));

/** Results of the last week count, since people share late, and those of tomorrow, which has begun in some zones. */
const DAYS_BEFORE = 7;
const DAYS_AHEAD = 1;

/**
 * Reads the results in somebody's own message, one of each game: what they quote or struck out does not count.
 * `otherDays` has those of puzzles too many days before or after the message.
 */
export function readOtherGames(
  message: string,
  at: number,
): Readonly<Record<'read' | 'otherDays', ReadGame[]>> {
  const text = plainEmoji(ownText(message.slice(0, MAX_MESSAGE_LENGTH)));
  const found = GAMES.flatMap(({ game, pattern, zero, scoreOf }): ReadGame[] => {
    const groups = pattern.exec(text)?.groups;
    const score = groups && readScore(groups, scoreOf);
    return score === undefined ? [] : [{ game, date: readDay(groups!, zero, at), score }];
  });
  const today = utcDate(at);
  const first = addDays(today, -DAYS_BEFORE);
  const last = addDays(today, DAYS_AHEAD);
  const isOfTheseDays = ({ date }: ReadGame) => date >= first && date <= last;
  return { read: found.filter(isOfTheseDays), otherDays: found.filter((one) => !isOfTheseDays(one)) };
}

function utcDate(moment: number): PuzzleDate {
  return new Date(moment).toISOString().slice(0, 10) as PuzzleDate;
}

/** Slack's names of the emoji in the formats. */
const SLACK_EMOJI: Readonly<Record<string, string>> = {
  large_yellow_square: '🟨',
  large_green_square: '🟩',
  large_blue_square: '🟦',
  large_purple_square: '🟪',
  large_red_square: '🟥',
  large_blue_circle: '🔵',
  large_yellow_circle: '🟡',
  bulb: '💡',
  tada: '🎉',
  ...Object.fromEntries(
    'one two three four five six seven eight nine'.split(' ').map((name, index) => [name, String(index + 1)]),
  ),
};

/** Emoji as characters, digits instead of keycaps, and no invisible characters. */
function plainEmoji(text: string): string {
  return text
    .replace(/:([a-z_]{3,20}):/g, (code, name: string) => SLACK_EMOJI[name] ?? code)
    .replace(/\p{Cf}|\uFE0F|\u20E3|\r/gu, '');
}

type Groups = Readonly<Record<string, string | undefined>>;

function readDay({ number = '', month, day, year }: Groups, zero: Format['zero'], at: number): PuzzleDate {
  if (zero !== undefined) return addDays(zero, Number(number.replace(/\D/g, '')));
  // Spelling Bee is the newspaper's, and changes when its Letter Boxed does.
  return year === undefined ? dateAt(at) : utcDate(Date.UTC(Number(year), Number(month) - 1, Number(day)));
}

function readScore(
  { guesses, points, time, rank, cells }: Groups,
  scoreOf: Format['scoreOf'],
): number | undefined {
  if (guesses !== undefined) return guesses === 'X' ? MOST_GUESSES + 1 : Number(guesses);
  if (points !== undefined) return Number(points);
  if (time !== undefined) return time.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
  if (rank !== undefined) return BEE_RANKS.indexOf(rank);
  return scoreOf?.(Array.from(cells!.replace(/\s/g, '')));
}

/** Strands is solved with its one spangram. */
function hintsIn(cells: readonly string[]): number | undefined {
  const count = (mark: string) => cells.filter((cell) => cell === mark).length;
  return count('🟡') === 1 ? count('💡') : undefined;
}

const GROUP_SIZE = 4;
const MAX_MISTAKES = 4;

function mistakesIn(cells: readonly string[]): number | undefined {
  const rows = Array.from(
    { length: cells.length / GROUP_SIZE },
    (_, row) => new Set(cells.slice(row * GROUP_SIZE, (row + 1) * GROUP_SIZE)),
  );
  const solved = new Set(rows.filter((row) => row.size === 1).map(([color]) => color!));
  const mistakes = rows.length - solved.size;
  return mistakes === MAX_MISTAKES || (solved.size === GROUP_SIZE && mistakes < MAX_MISTAKES)
    ? mistakes
    : undefined;
}
