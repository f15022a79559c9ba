import { HOUR, MINUTE } from '../../core/clock.ts';
import { Random } from '../../core/random.ts';
import { capitalized, counted } from '../../core/text.ts';
import { piecesOf, present } from '../model/text.ts';
import type { Inline, Line } from '../model/types.ts';
import type { Ranked, ScoreShown } from './result-line.ts';

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
  const lines = present(FACTS.map((fact) => fact(day, shownOf(day))));
  return lines[new Random(day.seed).below(Math.max(1, lines.length))];
}

/** The results that were checked. */
function shownOf({ results }: DayPlayed): readonly Played[] {
  return results.filter(({ reported }) => !reported);
}

type Fact = (day: DayPlayed, checked: readonly Played[]) => Line | undefined;

const FACTS: readonly Fact[] = [
  ({ spots, names }, checked) => {
    // Words that follow one another share a letter; with every other letter once, none is wasted.
    const neat = checked.filter(({ words, letters }) => letters === spots + words - 1);
    return one(neat, names, (who) => [...who, ` used ${neat[0]!.letters} letters, and not one was wasted.`]);
  },
  ({ names }, checked) => {
    const [best, second] = checked;
    const isAlone = checked.length >= CROWD && best!.words < second!.words;
    return one(isAlone ? [best!] : [], names, (who) => [
      'Only ',
      ...who,
      ` needed no more than ${counted(best!.words, 'word')}.`,
    ]);
  },
  ({ names }, checked) => {
    const without = checked.filter(({ hints }) => hints === 0);
    if (checked.length > 1 && without.length === checked.length) return 'Nobody took a hint.';
    return checked.length < CROWD
      ? undefined
      : one(without, names, (who) => ['Only ', ...who, ' took no hint.']);
  },
  (_, checked) => {
    const [best] = checked;
    const isLevel = checked.length >= CROWD && checked.every(({ words }) => words === best!.words);
    return isLevel ? `All ${checked.length} took ${counted(best!.words, 'word')}.` : undefined;
  },
  (_, checked) => {
    const different = new Set(checked.map(({ solution }) => solution));
    if (checked.length < 2 || different.has(undefined)) return undefined;
    if (different.size === 1) return `${everybody(checked)} of them found the same solution.`;
    return checked.length >= CROWD && different.size === checked.length
      ? `${checked.length} people, and no two had the same solution.`
      : undefined;
  },
  ({ answer }, checked) => {
    if (answer === undefined || checked.length === 0) return undefined;
    const found = checked.filter(({ solution }) => solution === answer).length;
    if (found === 0) return 'Nobody came up with the answer below.';
    return `${found === checked.length ? everybody(checked) : `${found} of ${checked.length}`} came up with the answer below.`;
  },
  ({ par }, checked) => {
    if (par === undefined || checked.length === 0) return undefined;
    const met = checked.filter(({ words }) => words <= par).length;
    if (met === 0) return `Nobody met the par of ${par}.`;
    if (checked.length === 1) return `It was solved within the par of ${par}.`;
    return `${met === checked.length ? everybody(checked) : `${met} of ${checked.length}`} met the par of ${par}.`;
  },
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
