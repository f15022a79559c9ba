/**
 * Measures the quality of answers on a folder of past days: `npm run evaluate -- FOLDER`. With `--learn`, also
 * measures how much they improve when the bot learns from the dictionaries of earlier days.
 */
import { Progress, screenOf } from '../src/chat/terminal/screen.ts';
import { applyVerdicts, verdictsOf } from '../src/puzzle/judge.ts';
import type { Lexicon } from '../src/solver/lexicon.ts';
import { findPlayable } from '../src/solver/playable.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { type PastDay, readDaysOrExit } from './days.ts';
import { addDay, formatMetrics, makeMetrics, percent, type QualityMetrics } from './quality-metrics.ts';

/** Numbers of days to learn from. */
const SPANS = [30, 90, 300];

const { learn, folder } = readArguments(process.argv.slice(2));
const days = readDaysOrExit(folder);
const lexicon = readLexicon();
const metrics = makeMetrics();
const progress = new Progress(screenOf(process.stderr, process.env));
for (const [index, day] of days.entries()) {
  addDay(metrics, day, findPlayable(day.board, lexicon));
  progress.show(() => `${index + 1} of ${days.length} days`);
}
progress.clear();
console.log(formatMetrics(metrics, `${days.length} days, ${days[0]!.date} to ${days.at(-1)!.date}`));
if (learn) console.log(`\n${formatLearning(days, lexicon)}`);

function readArguments(words: readonly string[]): { learn: boolean; folder: string | undefined } {
  return { learn: words.includes('--learn'), folder: words.find((word) => !word.startsWith('--')) };
}

/**
 * Measures what learning improves: each day with enough earlier days is solved twice, without verdicts and with the
 * verdicts of the given number of days before it. Both columns are about the same days.
 */
function formatLearning(days: readonly PastDay[], lexicon: Lexicon): string {
  const playable = days.map((day) => findPlayable(day.board, lexicon));
  const taught = days.map((day, index) => verdictsOf(playable[index]!, day.dictionary));
  const lines = [
    '| days learned from | days solved | first *safest* accepted | first *shortest* accepted | accepted words known |',
    '|---|---|---|---|---|',
  ];
  for (const span of SPANS) {
    if (days.length <= span) {
      lines.push(`| ${span} | none: the folder holds ${days.length} days | – | – | – |`);
      continue;
    }
    const before = makeMetrics();
    const after = makeMetrics();
    for (let at = span; at < days.length; at++) {
      // Oldest first, so that the latest verdict on a word counts, as in the store.
      const verdicts = new Map<string, boolean>();
      for (let past = at - span; past < at; past++) {
        for (const [word, verdict] of taught[past]!) verdicts.set(word, verdict);
      }
      addDay(before, days[at]!, playable[at]!);
      addDay(after, days[at]!, applyVerdicts(days[at]!.board, playable[at]!, verdicts));
    }
    const change = (value: (metrics: QualityMetrics) => string) => `${value(before)} → ${value(after)}`;
    const safest = change((metrics) => percent(metrics.safestAccepted, metrics.days));
    const shortest = change((metrics) => percent(metrics.shortestAccepted, metrics.days));
    const known = change((metrics) => percent(metrics.known, metrics.accepted));
    lines.push(`| ${span} | ${after.days} | ${safest} | ${shortest} | ${known} |`);
  }
  return lines.join('\n');
}
