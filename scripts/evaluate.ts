/**
 * How good the answers are, on a folder of past days: `npm run evaluate -- FOLDER [--learn]`.
 * No day's dictionary is shown to the solver; it only marks the answers.
 */
import { findPlayable } from '../src/solver/playable.ts';
import { makeSearch } from '../src/solver/search.ts';
import type { PlayableWord, Solution } from '../src/solver/types.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { type PastDay, readDays } from './days.ts';

const BINS = [0, 0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95, 0.99, 1];
const percent = (part: number, whole: number) =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;

interface Marks {
  days: number;
  surestAccepted: number;
  shortestAccepted: number;
  officialFound: number;
  officialFirst: number;
  ranks: number[];
  accepted: number;
  known: number;
  bins: { words: number; accepted: number; predicted: number }[];
  loss: number;
}

const days = readDays(process.argv[2]);
const lexicon = readLexicon();
const marks: Marks = {
  days: 0,
  surestAccepted: 0,
  shortestAccepted: 0,
  officialFound: 0,
  officialFirst: 0,
  ranks: [],
  accepted: 0,
  known: 0,
  bins: BINS.slice(1).map(() => ({ words: 0, accepted: 0, predicted: 0 })),
  loss: 0,
};
for (const day of days) mark(day);
print();

function mark(day: PastDay): void {
  const words = findPlayable(day.board, lexicon);
  const search = makeSearch(day.board, words);
  marks.days++;
  if (isAccepted(day, first(search.solutions('surest')))) marks.surestAccepted++;
  if (isAccepted(day, first(search.solutions('shortest')))) marks.shortestAccepted++;
  const wanted = day.official.join(' ');
  const rank = search
    .solutions('shortest', { exactly: day.official.length })
    .take(2_000)
    .toArray()
    .findIndex((solution) => solution.words.join(' ') === wanted);
  if (rank >= 0) {
    marks.officialFound++;
    marks.ranks.push(rank + 1);
    if (rank === 0) marks.officialFirst++;
  }
  markWords(day, words);
}

function markWords(day: PastDay, words: readonly PlayableWord[]): void {
  marks.accepted += day.dictionary.size;
  for (const { word, likelihood } of words) {
    const accepted = day.dictionary.has(word);
    if (accepted) marks.known++;
    const bin = marks.bins[BINS.findLastIndex((least) => likelihood >= least && least < 1)]!;
    bin.words++;
    bin.predicted += likelihood;
    if (accepted) bin.accepted++;
    marks.loss -= Math.log(accepted ? likelihood : 1 - likelihood);
  }
}

function isAccepted(day: PastDay, solution: Solution | undefined): boolean {
  return solution?.words.every((word) => day.dictionary.has(word)) ?? false;
}

function first(solutions: Iterator<Solution>): Solution | undefined {
  const { value, done } = solutions.next();
  return done ? undefined : value;
}

function print(): void {
  const { days: total, ranks } = marks;
  const playable = marks.bins.reduce((sum, { words }) => sum + words, 0);
  const sorted = [...ranks].sort((a, b) => a - b);
  console.log(`| ${total} days, ${days[0]!.date} to ${days.at(-1)!.date} | |\n|---|---|`);
  console.log(`| first *surest* answer accepted | ${percent(marks.surestAccepted, total)} |`);
  console.log(`| first *shortest* answer accepted | ${percent(marks.shortestAccepted, total)} |`);
  console.log(`| official solution among ours | ${percent(marks.officialFound, total)} |`);
  console.log(`| official solution first in rank | ${percent(marks.officialFirst, total)} |`);
  console.log(`| median rank of the official one, when found | ${sorted[sorted.length >> 1] ?? '–'} |`);
  console.log(`| share of accepted words known | ${percent(marks.known, marks.accepted)} |`);
  console.log(`| share of playable words accepted | ${percent(marks.known, playable)} |`);
  console.log(`| log loss of a word's likelihood | ${(marks.loss / playable).toFixed(4)} |`);
  console.log('\n| likelihood given | words | mean given | accepted |\n|---|---|---|---|');
  marks.bins.forEach(({ words, accepted, predicted }, index) => {
    if (words === 0) return;
    const range = `${BINS[index]}–${BINS[index + 1]}`;
    console.log(`| ${range} | ${words} | ${percent(predicted, words)} | ${percent(accepted, words)} |`);
  });
}
