import { HOUR, MINUTE } from '../../core/clock.ts';
import { Random } from '../../core/random.ts';
import { capitalized, counted, spelled } from '../../core/text.ts';
import type { Result } from '../../store/tables/results.ts';
import { isSuitable } from '../../wordlists/offensive-words.ts';
import { chainText, piecesOf } from '../model/text.ts';
import type { Inline, Line } from '../model/types.ts';
import { solutionChecksum } from './chosen-solutions.ts';
import { answerName } from './hunt.ts';
import { type Ranked, type ScoreShown, wastesNothing } from './result-line.ts';

/** When each person first solved the board, perhaps before their best result; `sinceOpening` is 0 if before the opening. */
type Times = Pick<Result, 'solvedAt' | 'sinceOpening'>;
type Played = Ranked & ScoreShown & Times & Pick<Result, 'solution'>;

export interface DayPlayed {
  /** The results that count, the best first: only of people who may be named. */
  readonly results: readonly Played[];
  /** The solutions found in the day's hunt, by whomever. */
  readonly finds: readonly { readonly person: string; readonly words: readonly string[] }[];
  /** Whether calm people solved it, too: nothing else is said of them, so nothing is said of everybody. */
  readonly hasCalm: boolean;
  readonly names: boolean;
  /** When the day ended. */
  readonly to: number;
  /** Places on the board. */
  readonly spots: number;
  readonly par?: number | undefined;
  /** Once it may be told. */
  readonly answer?: readonly string[] | undefined;
  /** Whether the answer is another solution than the board's own. */
  readonly isPick?: boolean | undefined;
  /** How likely a word is accepted: less for rarer words. */
  readonly likelihoodOf: (word: string) => number;
  /** The kinds of remark that earlier closings told, the latest first; undefined for one that told none. */
  readonly heard: readonly (string | undefined)[];
  /** Decides among several remarks, and is the same at every attempt to close the day. */
  readonly seed: string;
}

/** One thing about how people did. */
export interface ClosingRemark {
  /** Its key among the remarks: the channel is not told one of the same kind again soon. */
  readonly kind: string;
  readonly line: Line;
  /** Set if it names words of the board, which some may still play. */
  readonly isSecret: boolean;
}

/** The first solution is called quick up to here. */
const QUICK_MS = 15 * MINUTE;
/** With fewer results, it is no news that somebody is the only one. */
const CROWD = 3;
/** Closings for which a kind of remark is not repeated. */
const LEAST_REST = 2;
/** Closings after which a kind of remark is as good as one that was never told. */
const REST = 10;

/** Chooses one of the remarks that are true of the day, of a kind that was not told lately. Undefined if there is none. */
export function closingRemark(day: DayPlayed): ClosingRemark | undefined {
  /** The results that were neither only reported nor found after the solution. */
  const checked = day.results.filter(({ reported, afterSolution }) => !reported && !afterSolution);
  const known = knownOf(day, checked);
  const fittingOf = (remarks: Remarks) =>
    Object.entries(remarks).flatMap(([kind, remark]) => {
      const line = day.hasCalm && !ABOUT_SOME.has(kind) ? undefined : remark(day, checked, known);
      return line === undefined ? [] : [{ kind, line, isSecret: remarks === WORD_REMARKS }];
    });
  const special = [...fittingOf(REMARKS), ...fittingOf(WORD_REMARKS)];
  // What people would pass on is chosen twice as often as what can be told of most days.
  const fitting = [...special, ...special, ...fittingOf(PLAIN_REMARKS)];
  const longest = Math.max(...fitting.map(({ kind }) => restOf(kind, day)));
  if (longest < LEAST_REST) return undefined;
  const rested = fitting.filter(({ kind }) => restOf(kind, day) === longest);
  return rested[new Random(day.seed).below(rested.length)];
}

/** The kinds that stay true whatever calm people did. */
const ABOUT_SOME: ReadonlySet<string> = new Set([
  'no letter wasted',
  'one letter apart',
  'same minute',
  'last hour',
  'thought of',
  'opened',
  'finished',
  'same idea',
]);

/** For how many closings a kind of remark was not told. */
function restOf(kind: string, { heard }: DayPlayed): number {
  const at = heard.indexOf(kind);
  return at < 0 ? REST : Math.min(at, REST);
}

/** The line of a remark, if it is true of the day. What it says of everybody must hold for all results: they are listed above. */
type Remark = (day: DayPlayed, checked: readonly Played[], known: readonly Known[]) => Line | undefined;
type Remarks = Readonly<Record<string, Remark>>;

/** Remarks that say no more about the board than the list of results does. */
const REMARKS: Remarks = {
  'no letter wasted': ({ spots, names }, checked) => {
    const neat = checked.filter((result) => wastesNothing(result, spots));
    return ofOnePerson(neat, names, (who) => [
      ...who,
      ` used ${neat[0]!.letters} letters, and not one was wasted.`,
    ]);
  },
  'fewest words': ({ results, names }, checked) => {
    const [best] = checked;
    if (best === undefined || checked.length < CROWD) return undefined;
    const isAlone = results.every((one) => one === best || best.words < one.words);
    return ofOnePerson(isAlone ? [best] : [], names, (who) => [
      'Only ',
      ...who,
      ` did it in ${counted(best.words, 'word')}.`,
    ]);
  },
  'no hint': ({ results, names }, checked) => {
    const without = results.filter(({ hints }) => hints === 0);
    // Somebody who had seen the solution needed no hint.
    if (without.some(({ afterSolution }) => afterSolution)) return undefined;
    if (checked.length > 1 && without.length === results.length) return 'Nobody took a hint.';
    return checked.length < CROWD
      ? undefined
      : ofOnePerson(without, names, (who) => ['Only ', ...who, ' took no hint.']);
  },
  'all with hints': ({ results }, checked) =>
    checked.length >= CROWD && results.every(({ hints, afterSolution }) => hints > 0 && !afterSolution)
      ? 'Everybody took at least one hint.'
      : undefined,
  level: ({ results }, checked) => {
    const isLevel = checked.length >= CROWD && results.every(({ words }) => words === checked[0]!.words);
    return isLevel ? `All ${results.length} took ${counted(checked[0]!.words, 'word')}.` : undefined;
  },
  'one letter apart': ({ results: [first, second], names }, checked) => {
    // With equal words, results are ranked by letters.
    const areBest = first !== undefined && first === checked[0] && second === checked[1];
    if (!areBest || first.words !== second?.words || second.letters - first.letters !== 1) return undefined;
    return [...whoText([first, second], names), ' were one letter apart.'];
  },
  'far apart': ({ results }, checked) => {
    const words = results.map((one) => one.words);
    const [least, most] = [Math.min(...words), Math.max(...words)];
    return checked.length >= CROWD && most - least >= FAR_APART
      ? `It took from ${least} words to ${most}.`
      : undefined;
  },
  different: ({ results, finds }, checked) => {
    const different = new Set(results.map(({ solution }) => solution));
    if (checked.length < Math.max(2, results.length) || different.has(undefined)) return undefined;
    if (different.size === 1) return `${everybody(checked)} of them found the same solution.`;
    // Besides their results, two may have found the same in the hunt.
    const isShared = new Set(finds.map(({ words }) => chainText(words))).size < finds.length;
    return checked.length >= CROWD && different.size === checked.length && !isShared
      ? `${checked.length} people, and no two had the same solution.`
      : undefined;
  },
  'answer alone': (day, checked) =>
    ofOnePerson(checked.length < CROWD ? [] : thoughtOfAnswer(day), day.names, (who) => [
      'Only ',
      ...who,
      ` came up with ${answerName(day.isPick ?? false)} below.`,
    ]),
  'quick start': ({ results, names }, checked) => {
    const [first] = results.toSorted((a, b) => delayOf(a) - delayOf(b));
    // Only whole minutes are told.
    if (
      first === undefined ||
      !checked.includes(first) ||
      delayOf(first) < MINUTE ||
      delayOf(first) > QUICK_MS
    )
      return undefined;
    const minutes = counted(Math.floor(delayOf(first) / MINUTE), 'minute');
    return names && checked.length > 1
      ? [{ person: first.person }, ` was first, ${minutes} after the opening.`]
      : `The first solution came ${minutes} after the opening.`;
  },
  'all at once': ({ results }, checked) =>
    checked.length === results.length && checked.length >= CROWD && Math.max(...checked.map(delayOf)) < HOUR
      ? `All ${checked.length} had solved it within an hour.`
      : undefined,
  'same minute': ({ names }, checked) => {
    const order = checked.toSorted((a, b) => a.solvedAt - b.solvedAt);
    const pairs = order.slice(1).flatMap((later, at) => {
      const earlier = order[at]!;
      return later.solvedAt - earlier.solvedAt < MINUTE ? [[earlier, later]] : [];
    });
    if (pairs.length !== 1 || checked.length < CROWD) return undefined;
    return [...whoText(pairs[0]!, names), ' solved it within a minute of each other.'];
  },
  'last hour': ({ names, to }, checked) =>
    ofOnePerson(
      checked.filter(({ solvedAt }) => solvedAt > to - HOUR && solvedAt <= to),
      names,
      (who) => [...who, ' solved it in the last hour.'],
    ),
};

/** The least difference in words that is told. */
const FAR_APART = 3;

/**
 * The results of people who found the answer by themselves, as their result or in the hunt. None if others found it only after
 * the solution: the list of results would contradict their number. None if a result was only reported: it may be the answer.
 */
function thoughtOfAnswer({ results, finds, answer }: DayPlayed): readonly Played[] {
  if (answer === undefined) return [];
  const hunters = finds.filter(({ words }) => words.join() === answer.join()).map(({ person }) => person);
  const found = results.filter(
    ({ person, solution }) => solution === solutionChecksum(answer) || hunters.includes(person),
  );
  const isUnsure =
    results.some(({ reported }) => reported) || found.some(({ afterSolution }) => afterSolution);
  return isUnsure ? [] : found;
}

const delayOf = ({ sinceOpening }: Played) => sinceOpening ?? Number.POSITIVE_INFINITY;

const PLAIN_REMARKS: Remarks = {
  answer: (day, checked) => {
    const { results, isPick = false } = day;
    const found = thoughtOfAnswer(day);
    // The answer is one of many solutions, so it is no news that nobody found it. One of several people is in `answer alone`.
    if (found.length === 0 || (found.length === 1 && checked.length >= CROWD)) return undefined;
    return `${shareOf(found, results)} came up with ${answerName(isPick)} below.`;
  },
  par: ({ results, par }, checked) => {
    if (par === undefined || checked.length === 0) return undefined;
    const met = results.filter(({ words }) => words <= par);
    // After the solution it is no feat to meet par, and without these people, the list would contradict the number.
    if (met.some(({ afterSolution }) => afterSolution)) return undefined;
    if (met.length === 0) return `Nobody met the par of ${par}.`;
    if (results.length === 1) return `It was solved within the par of ${par}.`;
    return `${shareOf(met, results)} met the par of ${par}.`;
  },
};

/** The words of a checked result, which the hunt knows. */
type Known = DayPlayed['finds'][number];

function knownOf({ finds }: DayPlayed, checked: readonly Played[]): readonly Known[] {
  const byPerson = Map.groupBy(finds, ({ person }) => person);
  return checked.flatMap(
    ({ person, solution }) =>
      byPerson.get(person)?.find(({ words }) => solutionChecksum(words) === solution) ?? [],
  );
}

/** Whether all words are known, but for people who had seen a solution: else “only” and “nobody” might not be true. */
function isAllKnown({ results, hasCalm }: DayPlayed, known: readonly Known[]): boolean {
  const people = new Set(known.map(({ person }) => person));
  return !hasCalm && results.every(({ person, afterSolution }) => afterSolution || people.has(person));
}

/** Letters of a word that is long enough to be told. */
const LONG = 9;
/** The least letters of a word about which it is told who thought of it. */
const LEAST_TOLD = 5;
/** The likelihood from which the newspaper's game surely accepts a word, so that it is no achievement to think of it. */
const COMMON = 0.995;

const WORD_REMARKS: Remarks = {
  'halves of the answer': (day, _, known) => {
    const { answer = [], finds, names } = day;
    if (answer.length !== 2 || !isAllKnown(day, known)) return undefined;
    const [first = [], second = []] = answer.map((word) => thinkersOf(word, finds));
    if (first.length === 0 || second.length === 0 || first.some((one) => second.includes(one)))
      return undefined;
    const [before, after] = answer.map((word) => word.toUpperCase());
    return names && first.length === 1 && second.length === 1
      ? [
          { person: first[0]! },
          ` had ${before} and `,
          { person: second[0]! },
          ` ${after}, but nobody had both.`,
        ]
      : capitalized(
          `${peopleText(first)} had ${before} and ${peopleText(second)} ${after}, but nobody had both.`,
        );
  },
  'thought of': (day, _, known) => {
    const { answer = [], finds, names, likelihoodOf } = day;
    if (known.length < CROWD) return undefined;
    const own = [...new Set(known.flatMap(({ words }) => words))].filter(
      (word) => word.length >= LEAST_TOLD && isSuitable(word) && thinkersOf(word, finds).length === 1,
    );
    const [rarest] = own.toSorted((a, b) => likelihoodOf(a) - likelihoodOf(b));
    const word = own.find((one) => answer.includes(one)) ?? rarest;
    if (word === undefined || (likelihoodOf(word) > COMMON && !answer.includes(word))) return undefined;
    const people = known.filter(({ words }) => words.includes(word));
    return ofOnePerson(people, names, (who) => [
      ...(isAllKnown(day, known) ? ['Only ', ...who] : who),
      ` thought of ${word.toUpperCase()}.`,
    ]);
  },
  opened: (day, _, known) => sharedWord(day, known, 'opened with', (words) => words[0]!),
  finished: (day, _, known) =>
    sharedWord(day, known, 'finished with', (words) => (words.length > 1 ? words.at(-1)! : '')),
  'same idea': (day, _, known) => {
    const byChain = [...Map.groupBy(known, ({ words }) => chainText(words))];
    const [shared, ...more] = byChain.filter(([, people]) => people.length > 1);
    if (shared === undefined || more.length > 0 || known.length < CROWD) return undefined;
    const [chain, people] = shared;
    return people.length === 2 && people.every(({ words }) => words.every(isSuitable))
      ? [...whoText(people, day.names), ` had the same idea: ${chain}.`]
      : undefined;
  },
  'longest word': (day, _, known) => {
    if (known.length < CROWD || !isAllKnown(day, known)) return undefined;
    const words = [...new Set(day.finds.flatMap((one) => one.words))];
    const most = Math.max(...words.map(({ length }) => length));
    const [word, ...others] = words.filter(({ length }) => length === most);
    if (word === undefined || others.length > 0 || most < LONG || !isSuitable(word)) return undefined;
    const people = thinkersOf(word, day.finds).map((person) => ({ person }));
    return ofOnePerson(people, day.names, (who) => [
      `The longest word was ${word.toUpperCase()}, by `,
      ...who,
      '.',
    ]);
  },
  joint: (day, _, known) => {
    const joints = new Set(known.map(({ words }) => (words.length === 2 ? words[1]![0]! : '')));
    const chains = new Set(known.map(({ words }) => chainText(words)));
    const [joint] = joints;
    if (known.length < CROWD || known.length < day.results.length) return undefined;
    return joints.size === 1 && chains.size > 1 && joint
      ? `All ${spelled(known.length)} of you joined two words at ${joint.toUpperCase()}.`
      : undefined;
  },
};

/** The people who found a solution with this word. */
function thinkersOf(word: string, finds: DayPlayed['finds']): readonly string[] {
  return [...new Set(finds.filter(({ words }) => words.includes(word)).map(({ person }) => person))];
}

/** A line about the word that more people opened, or finished, with than any other. */
function sharedWord(
  day: DayPlayed,
  known: readonly Known[],
  did: string,
  wordOf: (words: readonly string[]) => string,
): Line | undefined {
  const groups = [...Map.groupBy(known, ({ words }) => wordOf(words))].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const [most, next] = groups;
  const [word, people = []] = most ?? [];
  if (!word || !isSuitable(word) || people.length === next?.[1].length || people.length < 2) return undefined;
  // If their whole solutions are the same, one shared word is less than the truth.
  if (new Set(people.map(({ words }) => chainText(words))).size === 1) return undefined;
  const all = people.length === 2 ? 'Both' : `All ${spelled(people.length)}`;
  const isAll = !day.hasCalm && people.length === day.results.length;
  return `${isAll ? all : capitalized(spelled(people.length))} of you ${did} ${word.toUpperCase()}.`;
}

const shareOf = (some: readonly Played[], all: readonly Played[]) =>
  some.length === all.length ? everybody(all) : `${some.length} of ${all.length}`;

const everybody = ({ length }: readonly Played[]) =>
  length === 1 ? 'The one person' : length === 2 ? 'Both' : `All ${length}`;

const peopleText = ({ length }: readonly unknown[]) =>
  `${spelled(length)} ${length === 1 ? 'person' : 'people'}`;

/** @example 'Two people' where no names are said */
function whoText([first, second]: readonly Pick<Played, 'person'>[], names: boolean): readonly Inline[] {
  return names ? [{ person: first!.person }, ' and ', { person: second!.person }] : ['Two people'];
}

/** A line about one person; undefined for several people, or nobody. The person is named where people are. */
function ofOnePerson(
  people: readonly Pick<Played, 'person'>[],
  names: boolean,
  line: (who: readonly Inline[]) => Line,
): Line | undefined {
  const [person, ...more] = people;
  if (person === undefined || more.length > 0) return undefined;
  const [first = '', ...rest] = piecesOf(line([names ? { person: person.person } : 'one person']));
  return [typeof first === 'string' ? capitalized(first) : first, ...rest];
}
