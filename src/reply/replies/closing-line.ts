import { HOUR, MINUTE } from '../../core/clock.ts';
import { Random } from '../../core/random.ts';
import { capitalized, counted } from '../../core/text.ts';
import { piecesOf, present } from '../model/text.ts';
import type { Inline, Line } from '../model/types.ts';
import { type Ranked, type ScoreShown, wastesNothing } from './result-line.ts';

interface Played extends Ranked, ScoreShown {
  readonly solvedAt: number;
  readonly sinceOpening: number | null;
  /** A checksum of its words. */
  readonly solution?: string;
}

export interface DayPlayed {
  /** What counts, the best first. Nobody is in it who is not to be named where people are. */
  readonly results: readonly Played[];
  readonly names: boolean;
  /** When the day ended. */
  readonly to: number;
  /** Places on the board. */
  readonly spots: number;
  readonly par?: number | undefined;
  /** The checksum of the answer, once it may be told. */
  readonly answer?: string | undefined;
  /** What chooses among several: the same at every attempt. */
  readonly seed: string;
}

/** The first solution is called quick up to here. */
const QUICK_MS = 15 * MINUTE;
/** With fewer results, it is no news that one is alone with something. */
const CROWD = 3;

/** One thing about how people did. It says nothing about the board that the list of results does not say. */
export function closingLine(day: DayPlayed): Line | undefined {
  // What people would pass on is said twice as often as what can be said of most days.
  const checked = shownOf(day);
  const [told, plain] = [FACTS, PLAIN_FACTS].map((facts) => present(facts.map((fact) => fact(day, checked))));
  const lines = [...told!, ...told!, ...plain!];
  return lines[new Random(day.seed).below(Math.max(1, lines.length))];
}

/** The results that were found by oneself, and checked. */
function shownOf({ results }: DayPlayed): readonly Played[] {
  return results.filter(({ reported, afterSolution }) => !reported && !afterSolution);
}

/** What it says of everybody holds for the whole list, which stands above it. */
type Fact = (day: DayPlayed, checked: readonly Played[]) => Line | undefined;

const FACTS: readonly Fact[] = [
  ({ spots, names }, checked) => {
    const neat = checked.filter((result) => wastesNothing(result, spots));
    return one(neat, names, (who) => [...who, ` used ${neat[0]!.letters} letters, and not one was wasted.`]);
  },
  ({ results, names }, checked) => {
    const [best] = checked;
    const isAlone =
      checked.length >= CROWD && results.every((one) => one === best || best!.words < one.words);
    return one(isAlone ? [best!] : [], names, (who) => [
      'Only ',
      ...who,
      ` did it in ${counted(best!.words, 'word')}.`,
    ]);
  },
  ({ results, names }, checked) => {
    const without = results.filter(({ hints, afterSolution }) => hints === 0 && !afterSolution);
    if (checked.length > 1 && without.length === results.length) return 'Nobody took a hint.';
    return checked.length < CROWD
      ? undefined
      : one(without, names, (who) => ['Only ', ...who, ' took no hint.']);
  },
  ({ results }, checked) => {
    const isLevel = checked.length >= CROWD && results.every(({ words }) => words === checked[0]!.words);
    return isLevel ? `All ${results.length} took ${counted(checked[0]!.words, 'word')}.` : undefined;
  },
  ({ results }, checked) => {
    const different = new Set(results.map(({ solution }) => solution));
    if (checked.length < Math.max(2, results.length) || different.has(undefined)) return undefined;
    if (different.size === 1) return `${everybody(checked)} of them found the same solution.`;
    return checked.length >= CROWD && different.size === checked.length
      ? `${checked.length} people, and no two had the same solution.`
      : undefined;
  },
  ({ answer, names }, checked) =>
    one(
      checked.length < CROWD ? [] : checked.filter(({ solution }) => solution === (answer ?? '')),
      names,
      (who) => ['Only ', ...who, ' came up with the answer below.'],
    ),
  (_, checked) => {
    const first = Math.min(...checked.map(({ sinceOpening }) => sinceOpening ?? Number.POSITIVE_INFINITY));
    if (first < MINUTE || first > QUICK_MS) return undefined;
    return `The first solution came ${counted(Math.floor(first / MINUTE), 'minute')} after the opening.`;
  },
  ({ names, to }, checked) =>
    one(
      checked.filter(({ solvedAt }) => solvedAt > to - HOUR && solvedAt <= to),
      names,
      (who) => [...who, ' solved it in the last hour.'],
    ),
];

const PLAIN_FACTS: readonly Fact[] = [
  ({ results, answer }, checked) => {
    if (answer === undefined || checked.length === 0) return undefined;
    const found = checked.filter(({ solution }) => solution === answer);
    // It is one of many, so it is no news that nobody found it. One of several people is told above.
    if (found.length === 0 || (found.length === 1 && checked.length >= CROWD)) return undefined;
    return `${shareOf(found, results)} came up with the answer below.`;
  },
  ({ results, par }, checked) => {
    const met = results.filter(({ words }) => words <= par!);
    // After the solution it is no feat, and the list would contradict a number without those.
    if (par === undefined || checked.length === 0 || met.some(({ afterSolution }) => afterSolution))
      return undefined;
    if (met.length === 0) return `Nobody met the par of ${par}.`;
    if (results.length === 1) return `It was solved within the par of ${par}.`;
    return `${shareOf(met, results)} met the par of ${par}.`;
  },
];

const shareOf = (some: readonly Played[], all: readonly Played[]) =>
  some.length === all.length ? everybody(all) : `${some.length} of ${all.length}`;

const everybody = ({ length }: readonly Played[]) =>
  length === 1 ? 'The one person' : length === 2 ? 'Both' : `All ${length}`;

/** What is true of one person alone: named where people are. */
function one(
  people: readonly Played[],
  names: boolean,
  line: (who: readonly Inline[]) => Line,
): Line | undefined {
  const [person, ...more] = people;
  if (person === undefined || more.length > 0) return undefined;
  return capitalizedLine(line([names ? { person: person.person } : 'one person']));
}

function capitalizedLine(line: Line): Line {
  const [first, ...rest] = piecesOf(line);
  return typeof first === 'string' ? [capitalized(first), ...rest] : line;
}
