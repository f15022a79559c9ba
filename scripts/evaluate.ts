/**
 * Measures the quality of answers on a folder of past days: `npm run evaluate -- FOLDER`. With `--learn`, also
 * measures how much they improve when the bot learns from the dictionaries of earlier days.
 */
import { Progress, screenOf } from '../src/chat/terminal/screen.ts';
import { findPlayable } from '../src/solver/playable.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { readDaysOrExit } from './days.ts';
import { formatLearning } from './learning.ts';
import { addDay, formatMetrics, makeMetrics } from './quality-metrics.ts';

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
