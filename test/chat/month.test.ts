/**
 * A month of a channel with twelve people, on the fake Discord and on the fake Slack, played through the real doors: they
 * solve boards or report results, late ones too, see hints, hide, have themselves listed and reminded, and
 * one erases everything. Closing messages, the month's review, standings, `missing`, streaks and reminders are compared
 * with a plain recount. The whole month again with processes that are killed while they close days and remind.
 */

import { expect, onTestFinished, test } from 'vitest';
import { HOUR, MINUTE, type PuzzleDate } from '../../src/core/clock.ts';
import { Random } from '../../src/core/random.ts';
import { shortDate } from '../../src/core/text.ts';
import { addDays, dateAt, spanOf } from '../../src/puzzle/calendar.ts';
import { IS_LONG, onlyLong, sample } from '../fakes/sample.ts';
import { openPlaces, type Place, type PlaceName, type Places } from './month/places.ts';
import { Recount, standingsRows } from './month/recount.ts';

const PEOPLE = 12;
const LAST: PuzzleDate = '2026-11-30';
/** In UTC, of boards that come out at 08:00: after the opening, which closes the day before. */
const OPENING = '13:00';
const REMINDERS = ['15:30', '19:00', '23:30'];
const EVENING = '23:45';
const SOLUTIONS = ['bfjmcg,gkdhlnbp', 'bfjm,mcgkdhlnbp', 'bfjmcg,gkdhln,nbp'];
/** More than a process has awaits while it closes two days, or reminds a few people. */
const MOST_AWAITS = 120;
const STANDINGS_PAGE = 10;
const CARD = /^\s*The hunt/;
/** On this day nobody plays, and the bot is down. */
const DARK = 12;

/** How likely a person plays on a day, by their number: the last is rarely here. In a sample few are. */
const diligence = (number: number) =>
  number === PEOPLE - 1 ? 5 : sample(95 - 7 * number, number < 4 ? 100 : 15);
/** How many of a hundred results are played, which takes a picture each; the others are reported. */
const PLAYED = sample(50, 30);
/** Those who have themselves listed, and reminded. */
const isListed = (number: number) => (IS_LONG ? number % 4 !== 0 : number === 1 || number === 2);
const isReminded = (number: number) => (IS_LONG ? number % 2 === 1 : number % 4 === 1);

interface Month {
  readonly places: Places;
  readonly days: readonly PuzzleDate[];
  readonly random: Random;
  readonly recounts: ReadonlyMap<PlaceName, Recount>;
  /** Out of a hundred of the ticks in which something is due. */
  readonly killed: number;
  /** The keys of private messages so far. */
  readonly seen: Set<string>;
  kills: number;
  reminders: number;
  /** People who were named by `missing`. */
  missing: number;
  /** That were compared. */
  reviews: number;
}

async function runMonth(length: number, seed: string, killed = 0): Promise<Month> {
  const places = await openPlaces(PEOPLE);
  onTestFinished(() => places.close());
  const days = Array.from({ length }, (_, index) => addDays(LAST, index + 1 - length));
  const recounts = new Map(places.all.map(({ name }) => [name, new Recount(SOLUTIONS)]));
  const month: Month = { places, days, random: new Random(seed), recounts, killed, seen: new Set(), kills: 0, reminders: 0, missing: 0, reviews: 0 }; // biome-ignore format: one line reads better
  await begin(month);
  for (const [index, date] of days.entries()) if (index !== DARK) await liveDay(month, date, index);
  await open(month, addDays(LAST, 1));
  for (const place of places.all) {
    const posted = place.posted();
    expect(new Set(posted.map(({ key }) => key)).size).toBe(posted.length);
    // Each day has its opening, and all but the last one their closing.
    const inChannel = posted.filter(({ person }) => person === undefined);
    const { days } = recounts.get(place.name)!;
    const cards = inChannel.filter(({ text }) => CARD.test(text)).length;
    expect(cards).toBeGreaterThan(days.length / 2);
    expect(inChannel.length - cards).toBe(2 * days.length - 1);
  }
  return month;
}

/** The channels are switched on, and people choose what they want. */
async function begin({ places, days, recounts }: Month): Promise<void> {
  places.clock.time = spanOf(days[0]!).from + HOUR;
  for (const place of places.all) {
    const recount = recounts.get(place.name)!;
    const options = { do: 'on', zone: 'America/New_York', opening: '08:00', steps: 'none' };
    expect(await say(places, place, 0, 'daily', options)).not.toMatch(/didn’t work|manage/);
    for (let number = 1; number < PEOPLE; number++) {
      if (isListed(number)) {
        await say(places, place, number, 'missing', { do: 'join' });
        recount.list(place.people[number]!);
      }
      if (isReminded(number)) await askReminder(places, place, recount, number);
    }
  }
}

async function askReminder(places: Places, place: Place, recount: Recount, number: number): Promise<void> {
  // A third of them play only after their reminder.
  const at = REMINDERS[(number + 1) % REMINDERS.length]!;
  expect(await say(places, place, number, 'remind', { at, zone: 'UTC' })).toContain('You’re reminded at');
  recount.remind(place.people[number]!, at, places.clock.time);
}

async function liveDay(month: Month, date: PuzzleDate, index: number): Promise<void> {
  const { places, recounts, random } = month;
  const chance = (percent: number) => random.below(100) < percent;
  places.clock.time = Math.max(places.clock.time, momentOf(date, '09:00'));
  // A board of yesterday, which counts for nothing that the group sees.
  if (index > 0 && index !== DARK + 1)
    for (const place of places.all) await solve(month, place, random.below(PEOPLE), addDays(date, -1));
  await open(month, date);
  for (const place of places.all) await change(month, place, index);
  const isLast = index === month.days.length - 1;
  // A regular, who is missing in the end.
  const isAway = (number: number) => isLast && number === 2;
  for (const [slot, at] of REMINDERS.entries()) {
    for (const place of places.all)
      for (let number = 0; number < PEOPLE; number++) {
        const plays = chance(diligence(number)) && number % REMINDERS.length === slot && !isAway(number);
        if (plays) await solve(month, place, number, date);
        // Some find a better solution later.
        else if (recounts.get(place.name)!.hasSolved(place.people[number]!, date) && chance(6))
          await play(month, place, number, date);
      }
    expect(places.clock.time).toBeLessThan(momentOf(date, at));
    await remind(month, date, at);
  }
  places.clock.time = momentOf(date, EVENING);
  await places.tick(places.clock.time);
  for (const place of places.all) {
    const hunt = recounts.get(place.name)!.hunt(date);
    if (hunt.length === 0) continue;
    const card = textsOf(place, CARD).at(-1)!;
    for (const sentence of hunt) expect(card).toContain(sentence);
    expect(namesIn([card])).toEqual(namesIn(hunt));
  }
  // What is wrong on a day is still wrong two days later: streaks, standings and the missing go on from it.
  const isCompared = isLast || (IS_LONG && month.killed === 0 && index % 3 === 0);
  if (isCompared) for (const place of places.all) await compareAnswers(month, place, date);
}

/** What people do besides playing. */
async function change({ places, recounts }: Month, place: Place, index: number): Promise<void> {
  const recount = recounts.get(place.name)!;
  const person = (number: number) => place.people[number]!;
  if (index === 1) {
    await say(places, place, 3, 'privacy', { do: 'hide' });
    recount.hide(person(3));
  }
  if (index === 14) {
    expect(await say(places, place, 10, 'privacy', { do: 'delete', sure: true })).toContain('is erased');
    recount.erase(person(10));
    // Its reminders have ended by then.
    await askReminder(places, place, recount, PEOPLE - 1);
  }
  if (index === 20) {
    await say(places, place, 3, 'privacy', { do: 'unhide' });
    recount.unhide(person(3));
  }
}

/** Somebody who has no result yet enters one: their words, or only how many they took. */
async function solve(month: Month, place: Place, number: number, date: PuzzleDate): Promise<void> {
  const { places, random } = month;
  const recount = month.recounts.get(place.name)!;
  const person = place.people[number]!;
  if (recount.hasSolved(person, date)) return;
  if (random.below(100) < PLAYED) return play(month, place, number, date);
  const words = 2 + random.below(2);
  const on: Record<string, string> = date === dateOf(places) ? {} : { date };
  const options = { message: `solved it in ${words} words`, ...on };
  expect(await say(places, place, number, 'record', options)).toContain('Added to your results');
  const at = places.clock.time;
  recount.solve({ person, date, words, letters: 0, hints: 0, at, isReported: true, solution: '' });
}

async function play(
  { places, random, recounts }: Month,
  place: Place,
  number: number,
  date: PuzzleDate,
): Promise<void> {
  const person = place.people[number]!;
  const recount = recounts.get(place.name)!;
  const solution = SOLUTIONS[random.below(SOLUTIONS.length)]!;
  const on: Record<string, string> = date === dateOf(places) ? {} : { date };
  if (random.below(100) < 15 && !recount.hasHint(person, date)) {
    await say(places, place, number, 'hint', { step: 'start', ...on });
    recount.seeHint(person, date);
  }
  expect(await say(places, place, number, 'play', { words: solution, ...on })).toContain('Solved in ');
  const words = solution.split(',');
  const numbers = {
    words: words.length,
    letters: words.join('').length,
    hints: recount.hasHint(person, date) ? 1 : 0,
  };
  recount.solve({ person, date, ...numbers, at: places.clock.time, isReported: false, solution });
}

/** A day opens, which closes the one before. */
async function open(month: Month, date: PuzzleDate): Promise<void> {
  const { places, recounts } = month;
  const before = new Map(places.all.map((place) => [place, textsOf(place, /That was the board of/).length]));
  await tick(month, momentOf(date, OPENING), true);
  for (const place of places.all) {
    const recount = recounts.get(place.name)!;
    const last = recount.days.at(-1);
    recount.days.push(date);
    const closings = textsOf(place, /That was the board of/);
    const board = textsOf(place, /day, \w+ \d+$/m).at(-1)!;
    const told = board.split('\n').filter((line) => /Yesterday: |Last week: |freeze/.test(line));
    expect(told).toEqual(last === undefined ? [] : recount.morning(last, date));
    expect(closings).toHaveLength(before.get(place)! + (last === undefined ? 0 : 1));
    if (last === undefined) continue;
    const isMonth = last.slice(0, 7) !== date.slice(0, 7);
    const expected = [...recount.closing(last), ...(isMonth ? recount.month(last) : [])];
    for (const sentence of expected) expect(closings.at(-1)).toContain(sentence);
    const hidden = closings.at(-1)!.match(/\|\|.*?\|\|/g) ?? [];
    const rarest = new Date(last).getUTCDay() === 0 ? recount.rarest(last) : undefined;
    // Slack shows what is hidden only to whoever asks for it.
    if (place.name === 'discord')
      expect(hidden.find((one) => one.includes('by @'))).toBe(rarest && `||${rarest}||`);
    expect(namesIn([closings.at(-1)!.replaceAll(/\|\|.*?\|\|/g, '')])).toEqual(namesIn(expected));
  }
}

/** Compares who gets a private message with who is to get one. */
async function remind(month: Month, date: PuzzleDate, at: string): Promise<void> {
  const { places, recounts } = month;
  const moment = momentOf(date, at);
  const due = new Map(places.all.map(({ name }) => [name, recounts.get(name)!.due(moment, date)]));
  const isAny = [...due.values()].some((people) => people.length > 0);
  await tick(month, moment, isAny);
  for (const place of places.all) {
    const fresh = place.posted().filter(({ key, person }) => person !== undefined && !month.seen.has(key));
    for (const { key } of fresh) month.seen.add(key);
    const people = fresh.map(({ person }) => person!).sort();
    expect(people).toEqual(due.get(place.name)!.sort());
    for (const person of people) recounts.get(place.name)!.reminded(person);
    month.reminders += people.length;
  }
}

/** If a process is killed at it, others finish its work, once its leases have ended. */
async function tick(month: Month, moment: number, isAny: boolean): Promise<void> {
  const { places, random, killed } = month;
  const isChosen = isAny && killed > 0 && random.below(100) < killed;
  const isKilled = isChosen && (await places.tickAndKill(moment, 1 + random.below(MOST_AWAITS)));
  if (isKilled) month.kills++;
  for (const minutes of isKilled ? [3, 6, 12] : [0]) await places.tick(moment + minutes * MINUTE);
}

/** What people see when they ask: standings, who is missing, and their streaks. */
async function compareAnswers(month: Month, place: Place, today: PuzzleDate): Promise<void> {
  const { places, recounts } = month;
  const recount = recounts.get(place.name)!;
  const missing = recount.missing(today);
  month.missing += missing.length;
  expect(namesIn([await say(places, place, 0, 'missing', {}, missing.length > 0)])).toEqual(missing);
  const monday = addDays(today, -((new Date(today).getUTCDay() + 6) % 7));
  const first = `${today.slice(0, 8)}01` as PuzzleDate;
  for (const [period, from] of Object.entries({ week: monday, month: first })) {
    const all = recount.standings(from as PuzzleDate, today);
    const own = all.slice(STANDINGS_PAGE).filter((row) => row.includes(`@${place.people[0]} `));
    const shown = await say(places, place, 0, 'leaderboard', { period }, all.length > 0);
    expect(standingsRows(shown)).toEqual([...all.slice(0, STANDINGS_PAGE), ...own]);
  }
  for (const number of IS_LONG ? place.people.keys() : [0, 1, 4]) {
    const shown = await say(places, place, number, 'stats');
    const { streak, freezes, used } = recount.streak(place.people[number]!, today);
    expect(/Streak:?\s*(\d+) day/.exec(shown)?.[1] ?? '0').toBe(String(streak));
    const said = /Streak freezes:?\s*([^\n]*)/.exec(shown)?.[1]?.replaceAll('*', '').trim();
    const last = used === undefined ? '' : `, last used on ${shortDate(used)}`;
    expect(said).toBe(freezes === 0 && used === undefined ? undefined : `${freezes || 'none left'}${last}`);
    const review = recount.review(place.people[number]!, today);
    if (review === undefined) continue;
    const card = await say(places, place, number, 'review');
    for (const sentence of review) expect(card.replaceAll('*', '')).toContain(sentence);
    month.reviews++;
  }
}

/** Somebody runs a command, a minute after the last one. */
function say(
  places: Places,
  place: Place,
  number: number,
  command: string,
  options: Parameters<Place['say']>[2] = {},
  names = false,
): Promise<string> {
  places.clock.time += MINUTE;
  return place.say(place.people[number]!, command, options, names);
}

function textsOf(place: Place, fits: RegExp): string[] {
  return place.posted().flatMap(({ text }) => (fits.test(text) ? [text] : []));
}

function namesIn(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(/@(\w+)/g)].map(([, id]) => id!)))].sort();
}

function momentOf(date: PuzzleDate, time: string): number {
  return Date.parse(`${date}T${time}Z`);
}

function dateOf({ clock }: Places): PuzzleDate {
  return dateAt(clock.now());
}

const LENGTH = sample(30, 4);

test(`${LENGTH} days of twelve people on each platform equal a plain recount`, async () => {
  const { reminders, missing, reviews } = await runMonth(LENGTH, 'a month');
  expect(reminders).toBeGreaterThan(LENGTH);
  expect(missing).toBeGreaterThan(0);
  expect(reviews).toBeGreaterThan(0);
});

test(
  'a month in which processes are killed while they close days and remind has nothing twice',
  onlyLong,
  async () => {
    const { kills, reminders } = await runMonth(LENGTH, 'a month with kills', 20);
    expect(kills).toBeGreaterThan(LENGTH / 3);
    expect(reminders).toBeGreaterThan(LENGTH);
  },
);
