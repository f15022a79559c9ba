/**
 * The plan of the daily thread over five years, minute by minute, with all kinds of interruptions.
 *
 *   npx node scripts/daily-years.ts [seed]
 */

import { everyMinute, roughTimes, ZONES } from '../test/daily/years.ts';
import { random } from '../test/solver/random-boards.ts';

const seed = Number(process.argv[2] ?? Date.now() % 100_000);
const settings = [
  {},
  {
    opening: '02:30',
    steps: [
      { step: 'start', at: '02:30' },
      { step: 'count', at: '02:45' },
      { step: 'solution', at: '01:30' },
    ],
  },
  {
    opening: '00:00',
    steps: [
      { step: 'start', at: '03:15' },
      { step: 'solution', at: '23:45' },
    ],
    weekends: false,
  },
  {
    opening: '18:45',
    steps: [
      { step: 'start', at: '18:45' },
      { step: 'lengths', at: '22:00' },
      { step: 'solution', at: '07:30' },
    ],
  },
] as const;

let began = performance.now();
const years = everyMinute('2026-01-01', '2030-12-31', settings);
console.log(
  `every minute 2026–2030: ${ZONES.length} zones, ${years.channels} channels, ${years.days} days, ${years.minutes.toLocaleString('en')} minutes ` +
    `looked at, ${years.posts.toLocaleString('en')} posts, each once and on time (${seconds()})`,
);
began = performance.now();
const rough = roughTimes(3_000, 40, random(seed));
console.log(
  `rough times, seed ${seed}: ${rough.runs} channels for 40 days, ${rough.restarts} restarts with downtimes up to 4 days, ` +
    `${rough.changes} changes of settings or state, ${rough.jumps} jumps of the clock by up to 2 h: ${rough.posts} posts, ` +
    `${rough.skips} skipped with a reason, none twice, none left out (${seconds()})`,
);

function seconds(): string {
  return `${((performance.now() - began) / 1000).toFixed(0)} s`;
}
