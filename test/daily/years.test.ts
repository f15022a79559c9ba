import { expect, test } from 'vitest';
import { MINUTE, type PuzzleDate } from '../../src/core/clock.ts';
import { sample } from '../fakes/sample.ts';
import { random } from '../solver/random-boards.ts';
import { everyMinute, placeWith, randomSettings, roughTimes, Walk } from './years.ts';

// `LONG=1 YEARS=1` takes a while for the whole of 2026 to 2030; otherwise here are the months in which clocks change, and in
// `npm test` the days around a change in Europe and Australia.
const SPANS: (readonly [PuzzleDate, PuzzleDate])[] =
  process.env.YEARS === '1'
    ? [['2026-01-01', '2030-12-31']]
    : sample(
        [
          ['2026-02-14', '2026-04-12'],
          ['2029-09-20', '2029-11-10'],
        ],
        [['2026-03-27', '2026-04-07']],
      );
/** The second and third have steps at hours that clocks skip or repeat, the last one some of the next day. */
const SETTINGS = sample<Parameters<typeof everyMinute>[2]>(
  [
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
  ],
  [{}],
);

test.each(SPANS)(
  'every minute from %s to %s in every zone: each step once, on time',
  {
    timeout: 7_200_000,
  },
  (from, to) => {
    const { channels, days, posts } = everyMinute(from, to, SETTINGS);
    console.info(`${channels} channels, ${days} days, ${posts} posts`);
    expect(posts).toBeGreaterThan(channels * (days - 2) * 2);
  },
);

/** Which step is left out after the solution, and when, nobody sees: the plan names no moment for it. */
const endsOf = ({ rows }: Walk) =>
  new Map([...rows].filter(([, { skip }]) => skip?.code !== 'solution-told'));

test('nothing changes between two moments the plan names: jumping finds what stepping by minutes finds', () => {
  const next = random(5);
  for (let run = 0; run < sample(4, 1); run++) {
    const begin = Date.UTC(2026, Math.floor(next() * 60), Math.floor(next() * 28));
    const settings = randomSettings(next);
    const stepping = new Walk(placeWith(settings, begin));
    const jumping = new Walk(placeWith(settings, begin));
    let quietUntil = 0;
    for (let now = begin; now < begin + 6 * 24 * 60 * MINUTE; now += MINUTE) {
      stepping.tick(now);
      if (now >= quietUntil) quietUntil = jumping.tick(now).nextAt;
    }
    expect(endsOf(jumping)).toEqual(endsOf(stepping));
    expect(stepping.rows.size).toBeGreaterThan(2);
  }
});

test('downtimes, restarts, changed settings and jumping clocks: never twice, nothing left out without a reason', () => {
  const report = roughTimes(sample(80, 15), 20, random(11));
  expect(report.posts).toBeGreaterThan(150);
  expect(report.skips).toBeGreaterThan(10);
});
