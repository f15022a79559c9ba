/** Measures the quality of answers on a folder of past days: `npm run evaluate -- FOLDER`. */
import { Progress, screenOf } from '../src/chat/terminal/screen.ts';
import { findPlayable } from '../src/solver/playable.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { addDay, formatMetrics, makeMetrics, readDaysOrExit } from './past-days.ts';

const days = readDaysOrExit(process.argv[2]);
const lexicon = readLexicon();
const metrics = makeMetrics();
const progress = new Progress(screenOf(process.stderr, process.env));
for (const [index, day] of days.entries()) {
  addDay(metrics, day, findPlayable(day.board, lexicon));
  progress.show(() => `${index + 1} of ${days.length} days`);
}
progress.clear();
console.log(formatMetrics(metrics, `${days.length} days, ${days[0]!.date} to ${days.at(-1)!.date}`));
