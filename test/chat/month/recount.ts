/** What people of one channel did, and what the bot must say and send because of it: counted plainly, event by event. */
import type { PuzzleDate } from '../../../src/core/clock.ts';
import { monthOf, shortDate } from '../../../src/core/text.ts';
import { addDays, spanOf } from '../../../src/puzzle/calendar.ts';
import { ALL_HINT_POINTS } from '../../../src/reply/replies/hint-steps.ts';

export interface Entry {
  readonly person: string;
  readonly date: PuzzleDate;
  readonly words: number;
  /** 0 where somebody only said how many words they took. */
  readonly letters: number;
  readonly hints: number;
  readonly at: number;
  readonly isReported: boolean;
  /** The words, which tell solutions apart. */
  readonly solution: string;
}

interface Reminder {
  /** `HH:MM` in UTC. */
  readonly at: string;
  readonly setAt: number;
  /** Sent in a row without a game in between. */
  row: number;
  isOver: boolean;
}

const UNKNOWN_LETTERS = 1e6;
const MOST_IGNORED = 5;
const MOST_NAMED = 5;
const REGULAR = { solved: 3, days: 7 };
const SUNDAY = 0;
const BARS = '▁▂▃▄▅▆▇█';

export class Recount {
  /** Days with a board in the channel. */
  readonly days: PuzzleDate[] = [];
  #entries: Entry[] = [];
  readonly #toFind: readonly string[];

  /** @param toFind the solutions of every board */
  constructor(toFind: readonly string[]) {
    this.#toFind = toFind;
  }

  /** A person and a date each. */
  readonly #hints = new Set<string>();
  readonly #hidden = new Set<string>();
  readonly #listed = new Set<string>();
  readonly #reminders = new Map<string, Reminder>();

  solve(entry: Entry): void {
    this.#entries.push(entry);
    const reminder = this.#reminders.get(entry.person);
    if (reminder !== undefined) reminder.row = 0;
  }

  hasSolved(person: string, date: PuzzleDate): boolean {
    return this.#entries.some((entry) => entry.person === person && entry.date === date);
  }

  seeHint(person: string, date: PuzzleDate): void {
    this.#hints.add(`${person} ${date}`);
  }

  hasHint(person: string, date: PuzzleDate): boolean {
    return this.#hints.has(`${person} ${date}`);
  }

  hide(person: string): void {
    this.#hidden.add(person);
  }

  unhide(person: string): void {
    this.#hidden.delete(person);
  }

  list(person: string): void {
    this.#listed.add(person);
  }

  remind(person: string, at: string, setAt: number): void {
    this.#reminders.set(person, { at, setAt, row: 0, isOver: false });
  }

  erase(person: string): void {
    this.#entries = this.#entries.filter((entry) => entry.person !== person);
    for (const known of [this.#hidden, this.#listed, this.#reminders]) known.delete(person);
    for (const hint of this.#hints) if (hint.startsWith(`${person} `)) this.#hints.delete(hint);
  }

  /** Who is to get a reminder at a moment. */
  due(moment: number, today: PuzzleDate): string[] {
    const clock = new Date(moment).toISOString().slice(11, 16);
    return [...this.#reminders].flatMap(([person, reminder]) => {
      if (reminder.at !== clock || reminder.setAt >= moment) return [];
      if (this.hasSolved(person, today)) return [];
      reminder.isOver ||= reminder.row >= MOST_IGNORED;
      return reminder.isOver ? [] : [person];
    });
  }

  /** One of those who were due got it. */
  reminded(person: string): void {
    const reminder = this.#reminders.get(person);
    if (reminder !== undefined) reminder.row++;
  }

  missing(today: PuzzleDate): string[] {
    return [...this.#listed]
      .filter((person) => {
        const week = this.#counting().filter(
          ({ person: one, date }) => one === person && date < today && date >= addDays(today, -REGULAR.days),
        );
        return week.length >= REGULAR.solved && !this.hasSolved(person, today);
      })
      .sort();
  }

  /** `1. @ann 5` for each, in order. */
  standings(from: PuzzleDate, to: PuzzleDate): string[] {
    return this.#ranked(from, to).map(({ rank, person, days }) => `${rank}. @${person} ${days}`);
  }

  /** Whatever breaks it: a day with a board that was not solved on its day. */
  streak(person: string, today: PuzzleDate): Streak {
    return streakOf(this.days, (day) => this.#isBest(person, day), today);
  }

  /** Sentences of the review of the best that somebody played on a day. Undefined if they only said so. */
  review(person: string, date: PuzzleDate): string[] | undefined {
    const own = this.#entries.filter((one) => one.person === person && one.date === date);
    const [played] = own
      .filter(({ isReported }) => !isReported)
      .toSorted((a, b) => a.words - b.words || a.letters - b.letters);
    if (played === undefined) return undefined;
    const lettersOf = (solution: string) => solution.replaceAll(',', '').length;
    const alike = this.#toFind.filter((one) => one.split(',').length === played.words).map(lettersOf);
    const shortest = Math.min(...alike);
    const fewest = Math.min(...this.#toFind.map((one) => one.split(',').length));
    const best = this.#best().find((one) => one.person === person && one.date === date);
    const isBest = best?.words === played.words && best.letters === played.letters;
    const hints = isBest ? best.hints : this.hasHint(person, date) ? 1 : 0;
    const points = 100 - 15 * (played.words - fewest) - Math.min(10, played.letters - shortest) - hints;
    const yours = `Your ${counted(played.words, 'word')} with ${counted(played.letters, 'letter')}`;
    const place = 1 + alike.filter((letters) => letters < played.letters).length;
    const all = `${counted(alike.length, 'solution')} in ${counted(played.words, 'word')}`;
    const stands =
      alike.length === 1
        ? `the only solution in ${counted(played.words, 'word')}`
        : place === 1
          ? `of ${all}, none is shorter`
          : `${place}. of ${all}`;
    return [`${points} of 100.`, `${yours}: ${stands}.`];
  }

  /** Sentences of a day's last message, which each have a line or a part of one. */
  closing(date: PuzzleDate): string[] {
    const solved = this.#counting()
      .filter((one) => one.date === date)
      .toSorted(byScore);
    const week = new Date(date).getUTCDay() === SUNDAY ? this.#leaders(addDays(date, -6), date) : [];
    const { streak } = this.#channelStreak(date);
    const hunt = [
      ...this.hunt(date),
      ...(new Date(date).getUTCDay() === SUNDAY ? this.#huntOfWeek(date) : []),
    ];
    if (solved.length === 0)
      return [
        streak === 0
          ? 'No results this time. Today is a new chance.'
          : `No results this time. A freeze keeps the streak of ${counted(streak, 'day')} here.`,
        ...week,
        ...hunt,
      ];
    const crowned = solved.slice(0, MOST_NAMED).map((one) => {
      const rank = 1 + solved.findIndex((other) => byScore(other, one) === 0);
      const letters = one.letters === 0 ? [] : [counted(one.letters, 'letter')];
      const parts = [counted(one.words, 'word'), ...letters, hintsOf(one)];
      const numbers = [...parts, ...(one.isReported ? ['self-reported'] : [])].join(', ');
      return `${rank === 1 ? '👑' : `${rank}.`} @${one.person}: ${numbers}`;
    });
    const solutions = new Set(solved.filter((one) => !one.isReported).map(({ solution }) => solution)).size;
    return [
      solved.length === 1 ? 'One person solved it.' : `${solved.length} people solved it.`,
      ...week,
      ...crowned,
      ...(streak < 2 ? [] : [`The streak here is ${streak} days.`]),
      ...(solutions === 0 || hunt.length > 0
        ? []
        : [solutions === 1 ? 'One solution was found.' : `${solutions} different solutions were found.`]),
      ...hunt,
    ];
  }

  /** Sentences of a day's card, and of its last message. None while nobody has found anything. */
  hunt(date: PuzzleDate): string[] {
    const firsts = [...this.#finds(date).values()].map(([first]) => first!);
    if (firsts.length === 0) return [];
    const named = [...new Set(firsts)]
      .map((person) => ({ person, count: firsts.filter((one) => one === person).length }))
      .sort((a, b) => b.count - a.count || (a.person < b.person ? -1 : 1))
      .map(({ person, count }) => `@${person} (${count})`);
    return [
      firsts.length === this.#toFind.length
        ? 'This channel found everything in the hunt.'
        : `This channel found ${firsts.length} of ${this.#toFind.length} in the hunt.`,
      `First finds: ${named.join(', ')}.`,
    ];
  }

  #huntOfWeek(sunday: PuzzleDate): string[] {
    const days = Array.from({ length: 7 }, (_, day) => addDays(sunday, day - 6));
    const people = days.flatMap((day) => [...this.#finds(day).values()].flat());
    const hunters = [...new Set(people)].map((person) => ({
      person,
      finds: people.filter((one) => one === person).length,
    }));
    if (hunters.length === 0) return [];
    const most = Math.max(...hunters.map(({ finds }) => finds));
    const best = hunters.filter(({ finds }) => finds === most).map(({ person }) => `@${person}`);
    const named = `${best.toSorted().slice(0, MOST_NAMED).join(', ')}${best.length > MOST_NAMED ? ` and ${best.length - MOST_NAMED} more` : ''}`;
    const complete = days.filter((day) => this.#finds(day).size === this.#toFind.length).map(shortDate);
    return [
      best.length === 1
        ? `Best hunter of the week: ${named}, ${counted(most, 'find')}.`
        : `Best hunters of the week: ${named}, ${counted(most, 'find')} each.`,
      ...(complete.length === 0
        ? []
        : [`Found completely: ${complete.join(', ').replace(/, ([^,]*)$/, ' and $1')}.`]),
    ];
  }

  /** The find of a week that only one person made, farthest down the list. It is hidden. */
  rarest(sunday: PuzzleDate): string | undefined {
    const days = Array.from({ length: 7 }, (_, day) => addDays(sunday, day - 6));
    let rarest: { day: PuzzleDate; place: number; person: string } | undefined;
    const begun = days
      .map((day) => ({ day, at: Math.min(...this.#entriesOf(day).map(({ at }) => at)) }))
      .sort((a, b) => a.at - b.at);
    for (const { day } of begun)
      for (const [solution, [person, ...others]] of this.#finds(day)) {
        const place = this.#toFind.indexOf(solution);
        if (others.length === 0 && place > (rarest?.place ?? -1)) rarest = { day, place, person: person! };
      }
    return (
      rarest &&
      `${shortDate(rarest.day)}: ${this.#toFind[rarest.place]!.toUpperCase().replaceAll(',', ' – ')}, by @${rarest.person}`
    );
  }

  /** The entries that count for a day's hunt. */
  #entriesOf(date: PuzzleDate): Entry[] {
    return this.#entries
      .filter((entry) => entry.date === date && !entry.isReported && !this.#hidden.has(entry.person))
      .toSorted((a, b) => a.at - b.at);
  }

  /** For each solution of a day that was found, who found it, the first one first. */
  #finds(date: PuzzleDate): Map<string, string[]> {
    const finds = new Map<string, string[]>();
    for (const entry of this.#entriesOf(date)) {
      const people = finds.get(entry.solution) ?? [];
      finds.set(entry.solution, people.includes(entry.person) ? people : [...people, entry.person]);
    }
    return finds;
  }

  /** Sentences about a month that is over. */
  month(date: PuzzleDate): string[] {
    const first = `${date.slice(0, 8)}01` as PuzzleDate;
    const counting = this.#counting().filter((one) => one.date >= first && one.date <= date);
    const people = new Set(counting.map(({ person }) => person)).size;
    const solvers = (day: PuzzleDate) => counting.filter((one) => one.date === day).length;
    let longest = 0;
    let current = 0;
    let most: PuzzleDate = first;
    const days = this.days.filter((day) => day >= first && day <= date);
    for (const day of days) {
      current = solvers(day) > 0 ? current + 1 : 0;
      longest = Math.max(longest, current);
      if (solvers(day) > solvers(most)) most = day;
    }
    const best = this.#ranked(first, date)
      .filter(({ rank }) => rank <= 3)
      .slice(0, 5);
    const rows: string[] = [];
    for (let number = 1; number <= Number(date.slice(8)); number += 7) {
      const last = Math.min(number + 6, Number(date.slice(8)));
      const week = Array.from({ length: last - number + 1 }, (_, at) =>
        solvers(addDays(first, number - 1 + at)),
      );
      const bars = week.map((count) =>
        count === 0 ? '·' : BARS[Math.ceil((count / solvers(most)) * BARS.length) - 1],
      );
      rows.push(`${bars.join('')} ${number}${last > number ? `–${last}` : ''}`);
    }
    return [
      `${monthOf(date)}: ${people} people solved ${days.filter((day) => solvers(day) > 0).length} of ${days.length} boards.`,
      `Longest streak: ${counted(longest, 'day')}.`,
      `Most on one day: ${solvers(most)} people, on ${shortDate(most)}.`,
      ...best.map(
        ({ rank, person, days }) => `${rank === 1 ? '👑' : `${rank}.`} @${person}: ${counted(days, 'day')}`,
      ),
      ...rows,
    ];
  }

  #leaders(from: PuzzleDate, to: PuzzleDate): string[] {
    const leading = this.#ranked(from, to)
      .filter(({ rank }) => rank <= 3)
      .slice(0, 5);
    if (leading.length === 0) return [];
    const named = leading.map(({ rank, person, days }) => `${rank}. @${person} (${counted(days, 'day')})`);
    return [`Best of the week: ${named.join(', ')}.`];
  }

  /** What the morning of a date says of the days before it. */
  morning(before: PuzzleDate, date: PuzzleDate): string[] {
    const solved = this.#counting()
      .filter((one) => one.date === before)
      .toSorted(byScore);
    const named = solved.slice(0, 3).map((one, index) => {
      const crown = byScore(one, solved[0]!) === 0 ? '👑 ' : '';
      return `${crown}@${one.person} ${index === 0 ? counted(one.words, 'word') : one.words}`;
    });
    const more = solved.length > 3 ? ` · ${counted(solved.length - 3, 'other')}` : '';
    const { streak } = this.#channelStreak(before);
    const row = streak > 1 ? ` · ${streak}-day streak` : '';
    const isMonday = new Date(date).getUTCDay() === SUNDAY + 1;
    const ranked = isMonday ? this.#ranked(addDays(date, -7), addDays(date, -1)) : [];
    const week = ranked.filter(({ rank }) => rank === 1);
    const best = week.slice(0, 3).map(({ person, days }, index) => {
      return `👑 @${person} ${index === 0 ? counted(days, 'day') : days}`;
    });
    const others = week.length > 3 ? ` · ${counted(week.length - 3, 'other')}` : '';
    return [
      ...(solved.length === 0 ? [] : [`Yesterday: ${named.join(' · ')}${more}${row}`]),
      ...(week.length === 0 ? [] : [`Last week: ${best.join(' · ')}${others}`]),
    ];
  }

  #channelStreak(date: PuzzleDate): Streak {
    const days = this.days.filter((one) => one <= date);
    return streakOf(days, (day) => this.#counting().some((one) => one.date === day));
  }

  #isBest(person: string, date: PuzzleDate): boolean {
    return this.#best().some((one) => one.person === person && one.date === date);
  }

  #ranked(from: PuzzleDate, to: PuzzleDate): { rank: number; person: string; days: number }[] {
    const entries = this.#counting().filter(({ date }) => date >= from && date <= to);
    const people = [...new Set(entries.map(({ person }) => person))].map((person) => {
      const own = entries.filter((entry) => entry.person === person);
      const sum = (of: (entry: Entry) => number) => own.reduce((total, entry) => total + of(entry), 0);
      const key = [
        -own.filter(({ isReported }) => !isReported).length,
        -own.length,
        sum(({ words }) => words),
        -own.filter(({ letters }) => letters > 0).length,
        sum(({ letters }) => letters),
        sum(({ hints }) => hints),
        sum(({ at }) => at),
      ];
      return { person, days: own.length, key };
    });
    return people
      .toSorted((a, b) => compare(a.key, b.key) || (a.person < b.person ? -1 : 1))
      .map(({ person, days, key }) => ({
        rank: 1 + people.filter((other) => compare(other.key, key) < 0).length,
        person,
        days,
      }));
  }

  /** The entries of people who are not hidden. */
  #counting(): Entry[] {
    return this.#best().filter(({ person }) => !this.#hidden.has(person));
  }

  /** The best entry of each person and day, of those made while the board was on. */
  #best(): Entry[] {
    const best = new Map<string, Entry>();
    for (const entry of this.#entries) {
      if (entry.at >= spanOf(entry.date).to) continue;
      const key = `${entry.person} ${entry.date}`;
      const known = best.get(key);
      if (known === undefined || byScore(entry, known) < 0) best.set(key, entry);
    }
    return [...best.values()];
  }
}

interface Streak {
  readonly streak: number;
  /** Freezes that are left. */
  readonly freezes: number;
  /** The last day on which one was used. */
  readonly used: PuzzleDate | undefined;
}

/** Every tenth day solved earns a freeze, two at most, and a day missed takes one. @param today has time left */
function streakOf(
  days: readonly PuzzleDate[],
  isSolved: (day: PuzzleDate) => boolean,
  today?: PuzzleDate,
): Streak {
  let [streak, solved, freezes] = [0, 0, 0];
  let used: PuzzleDate | undefined;
  for (const day of days) {
    if (isSolved(day)) {
      streak++;
      solved++;
      if (solved % 10 === 0) freezes = Math.min(2, freezes + 1);
    } else if (day !== today) {
      if (streak > 0 && freezes > 0) {
        freezes--;
        used = day;
      } else streak = 0;
    }
  }
  return { streak, freezes, used };
}

function byScore(a: Entry, b: Entry): number {
  const keyOf = ({ isReported, words, letters, hints, at }: Entry) => [
    Number(isReported),
    words,
    letters || UNKNOWN_LETTERS,
    hints,
    at,
  ];
  return compare(keyOf(a), keyOf(b));
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((number, at) => number !== b[at]);
  return index < 0 ? 0 : a[index]! - b[index]!;
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function hintsOf({ hints }: Entry): string {
  if (hints === 0) return 'no hints';
  return hints < ALL_HINT_POINTS ? 'some hints' : 'all hints';
}

/** Place, person and days: in characters, in code after the person, or with bars between the cells. */
const FORMS = [
  /^ *(?<rank>\d+) +(?<person>@\S+) +(?<days>\d+) /,
  /^(?<rank>\d+)\. (?<person>@\S+) `\u00a0*(?<days>\d+)\u00a0/,
  /^(?<rank>\d+) \| (?<person>@\S+) \| (?<days>\d+) \| /,
];

/**
 * The rows of a leaderboard of several days as any door shows it.
 *
 * @example standingsRows('1  @ann     2    2.5') // ['1. @ann 2']
 */
export function standingsRows(text: string): string[] {
  return text
    .replaceAll('\n`', ' `')
    .split('\n')
    .flatMap((line) => {
      const { rank, person, days } = FORMS.map((form) => form.exec(line)?.groups).find(Boolean) ?? {};
      return rank === undefined ? [] : [`${rank}. ${person} ${days}`];
    });
}
