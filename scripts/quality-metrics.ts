import { makeSearch } from '../src/solver/search.ts';
import type { PlayableWord, Solution } from '../src/solver/types.ts';
import type { PastDay } from './days.ts';

const BINS = [0, 0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95, 0.99, 1];

/** Quality of answers that were made without the day's dictionary; the dictionary only decides which were right. */
export interface QualityMetrics {
  days: number;
  safestAccepted: number;
  shortestAccepted: number;
  /** Rank of the official solution in the *shortest* order, one for each day that had it. */
  ranks: number[];
  /** Words in the dictionaries, and how many of them are in our list. */
  accepted: number;
  known: number;
  bins: { words: number; accepted: number; predicted: number }[];
  loss: number;
}

export function makeMetrics(): QualityMetrics {
  const bins = BINS.slice(1).map(() => ({ words: 0, accepted: 0, predicted: 0 }));
  return { days: 0, safestAccepted: 0, shortestAccepted: 0, ranks: [], accepted: 0, known: 0, bins, loss: 0 };
}

/** Solves one day with these words and adds the result. */
export function addDay(metrics: QualityMetrics, day: PastDay, words: readonly PlayableWord[]): void {
  const search = makeSearch(day.board, words);
  metrics.days++;
  if (isAccepted(day, search.solutions('safest').next().value)) metrics.safestAccepted++;
  if (isAccepted(day, search.solutions('shortest').next().value)) metrics.shortestAccepted++;
  const index = search
    .solutions('shortest', { exactly: day.official.length })
    .toArray()
    .findIndex((solution) => solution.words.join(' ') === day.official.join(' '));
  if (index >= 0) {
    let shorter = 0;
    for (let length = 1; length < day.official.length; length++) shorter += Number(search.count(length));
    metrics.ranks.push(shorter + index + 1);
  }
  addWords(metrics, day, words);
}

function addWords(metrics: QualityMetrics, day: PastDay, words: readonly PlayableWord[]): void {
  metrics.accepted += day.dictionary.size;
  for (const { word, likelihood } of words) {
    const accepted = day.dictionary.has(word);
    if (accepted) metrics.known++;
    const bin = metrics.bins[BINS.findLastIndex((least) => likelihood >= least && least < 1)]!;
    bin.words++;
    bin.predicted += likelihood;
    if (accepted) bin.accepted++;
    metrics.loss -= Math.log(accepted ? likelihood : 1 - likelihood);
  }
}

function isAccepted(day: PastDay, solution: Solution | undefined): boolean {
  return solution?.words.every((word) => day.dictionary.has(word)) ?? false;
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** The two tables of the quality page, as Markdown. */
export function formatMetrics(metrics: QualityMetrics, title: string): string {
  const { days, bins } = metrics;
  const ranks = metrics.ranks.toSorted((a, b) => a - b);
  const playable = bins.reduce((sum, { words }) => sum + words, 0);
  const mean = ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length;
  const lines = [
    `| ${title} | |`,
    '|---|---|',
    `| first *safest* answer accepted | ${percent(metrics.safestAccepted, days)} |`,
    `| first *shortest* answer accepted | ${percent(metrics.shortestAccepted, days)} |`,
    `| official solution among ours | ${percent(ranks.length, days)} |`,
    `| official solution first in rank | ${percent(ranks.filter((rank) => rank === 1).length, days)} |`,
    `| its rank when found: median, mean | ${ranks[ranks.length >> 1] ?? '–'}, ${ranks.length > 0 ? mean.toFixed(1) : '–'} |`,
    `| share of accepted words known | ${percent(metrics.known, metrics.accepted)} |`,
    `| share of playable words accepted | ${percent(metrics.known, playable)} |`,
    `| log loss of a word's likelihood | ${(metrics.loss / playable).toFixed(4)} |`,
    '',
    '| likelihood given | words | mean given | accepted |',
    '|---|---|---|---|',
  ];
  bins.forEach(({ words, accepted, predicted }, index) => {
    if (words === 0) return;
    const range = `${BINS[index]}–${BINS[index + 1]}`;
    lines.push(`| ${range} | ${words} | ${percent(predicted, words)} | ${percent(accepted, words)} |`);
  });
  return lines.join('\n');
}
