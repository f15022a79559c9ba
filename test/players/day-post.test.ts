import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PuzzleDate } from '../../src/core/clock.ts';
import type { OpeningContext } from '../../src/daily/delivery/messages.ts';
import { DEFAULT_SETTINGS } from '../../src/daily/settings/settings.ts';
import { dayReviews } from '../../src/players/reviews.ts';
import { addDays, spanOf } from '../../src/puzzle/calendar.ts';
import { plainText, textBlock } from '../../src/reply/model/text.ts';
import { sendStep } from '../fakes/day-thread.ts';
import { house } from '../fakes/small-board.ts';
import { type Month, openMonth, resultOf } from './made-up.ts';

/** A Wednesday. */
const BEFORE: PuzzleDate = '2026-11-18';
const CHANNEL = 'general';
const NEXT = addDays(BEFORE, 1);

let world: Month;
beforeAll(async () => {
  world = await openMonth();
});
afterAll(() => world.close());

/** By people with these numbers of words, the best first. */
const solved = (date: PuzzleDate, words: Readonly<Record<string, number>>) =>
  Object.entries(words).map(([person, number], index) => ({
    ...resultOf(date, { person, channel: CHANNEL }),
    words: number,
    letters: 14,
    solvedAt: spanOf(date).from + (person === 'ben' ? 0 : index) * 1_000,
  }));

async function morning(tenant: string, change: Partial<OpeningContext> = {}) {
  const puzzle = house(change.previousDate === undefined ? NEXT : addDays(change.previousDate, 1));
  const now = spanOf(puzzle.date).from + 5 * 3_600_000;
  const day = { tenant, channel: CHANNEL, puzzle, settings: DEFAULT_SETTINGS, now, previousDate: BEFORE };
  const { lines = [], buttons = [] } = await dayReviews(world.app).opening({ ...day, ...change });
  const text = plainText({ title: '', blocks: textBlock(lines) }).trim();
  return [text, ...buttons.map(({ label }) => `[${label}]`)].filter((one) => one !== '').join('\n');
}

const SIX = { ada: 2, ben: 2, cleo: 3, dan: 3, eve: 4, finn: 5, gus: 6, hal: 6, ida: 7 };

describe('the morning', () => {
  test('names three of the day before with the crown, says how many more and the streak, and leads to its solutions', async () => {
    const days = [-2, -1, 0].flatMap((back) => solved(addDays(BEFORE, back), SIX));
    expect(await morning(await world.tenantWith(days))).toBe(
      'Yesterday: 👑 @ada 2 words · 👑 @ben 2 · @cleo 3 · 6 others · 3-day streak\n[Yesterday’s solutions]',
    );
  });

  test('names nobody who hides, and nobody where the channel wants no names', async () => {
    const tenant = await world.tenantWith(solved(BEFORE, { ada: 2, ben: 3, cleo: 5 }));
    await world.store.tenant(tenant).people.choose('ada', { hidden: true });
    expect(await morning(tenant)).toBe('Yesterday: 👑 @ben 3 words · @cleo 5\n[Yesterday’s solutions]');
    const settings = { ...DEFAULT_SETTINGS, names: false };
    expect(await morning(tenant, { settings })).toBe(
      'Yesterday: 2 people solved it · the best in 3 words\n[Yesterday’s solutions]',
    );
    await world.store.tenant(tenant).people.choose('cleo', { calm: true });
    expect(await morning(tenant)).toBe(
      'Yesterday: 👑 @ben 3 words · 1 more solved it\n[Yesterday’s solutions]',
    );
    await world.store.tenant(tenant).people.choose('ben', { calm: true });
    expect(await morning(tenant)).toBe('Yesterday: 2 people solved it\n[Yesterday’s solutions]');
  });

  test('leaves the board alone where nobody played, or nobody wants the line', async () => {
    expect(await morning(await world.tenantWith([]))).toBe('');
    const tenant = await world.tenantWith(solved(BEFORE, { ada: 2 }));
    expect(await morning(tenant, { previousDate: undefined })).toBe('');
    expect(await morning(tenant, { settings: { ...DEFAULT_SETTINGS, lines: ['board'] } })).toBe('');
  });

  test('on a Monday says who was first; after a weekend off it names the day', async () => {
    const monday = { puzzle: house('2026-11-23') };
    const week = ['2026-11-18', '2026-11-19', '2026-11-20'].flatMap((date, index) =>
      solved(date as PuzzleDate, index === 0 ? { ada: 2, cleo: 4, dan: 5 } : { ada: 2, ben: 3 }),
    );
    const settings = { ...DEFAULT_SETTINGS, weekends: false };
    const previousDate = '2026-11-20';
    const tenant = await world.tenantWith(week);
    expect(await morning(tenant, { ...monday, previousDate, settings })).toBe(
      [
        'Friday: 👑 @ada 2 words · @ben 3 · 3-day streak',
        'Last week: 👑 @ada 3 days',
        '[Friday’s solutions]',
      ].join('\n'),
    );
    const nameless = { ...settings, names: false, lines: ['week'] as const };
    expect(await morning(tenant, { ...monday, previousDate, settings: nameless })).toBe(
      'Best of last week: 3 days.',
    );
    expect(await morning(tenant, { previousDate: '2026-11-19' })).not.toContain('Last week');
  });

  test('after a pause of a week gives the date instead of the weekday, and takes no earlier week for the last one', async () => {
    const sunday = '2026-11-15';
    const tenant = await world.tenantWith(solved(sunday, { ada: 2 }));
    const monday = { puzzle: house('2026-11-23'), previousDate: sunday } as const;
    expect(await morning(tenant, monday)).toBe('November 15: 👑 @ada 2 words\n[November 15’s solutions]');
    const meanwhile = await world.tenantWith([
      ...solved(sunday, { ada: 2 }),
      ...solved('2026-11-17', { ben: 3 }),
    ]);
    expect(await morning(meanwhile, monday)).toContain('Last week: 👑 @ben 1 day\n');
  });

  test('tells nothing of a day whose thread in another channel of the tenant has steps to come', async () => {
    const tenant = await world.tenantWith(solved(BEFORE, { ada: 2 }));
    const { subscriptions } = world.store.tenant(tenant);
    // Its solution comes the next morning at eleven, after the board of this channel.
    const settings = { ...DEFAULT_SETTINGS, opening: '12:00', steps: [{ step: 'solution', at: '11:00' }] };
    const at = spanOf(BEFORE).from;
    await subscriptions.save('other', settings, { version: 0, by: 'ada', at, since: at });
    const post = (step: string, moment: number) =>
      sendStep(world.store, { tenant, channel: 'other', date: BEFORE, step }, moment);
    const yesterday = 'Yesterday: 👑 @ada 2 words\n[Yesterday’s solutions]';
    const open = at + 9 * 3_600_000;
    await subscriptions.save(CHANNEL, settings, { version: 0, by: 'ada', at, since: at });
    await sendStep(world.store, { tenant, channel: CHANNEL, date: BEFORE, step: 'opening' }, open);
    expect(await morning(tenant)).toBe(yesterday);
    await post('opening', open);
    expect(await morning(tenant)).toBe('');
    await subscriptions.setState('other', { state: 'paused' });
    expect(await morning(tenant)).toBe('');
    await post('solution', at + 32 * 3_600_000);
    expect(await morning(tenant)).toBe(yesterday);
  });
});

test('a day that opens with another board no longer ranks results of the one that people solved before', async () => {
  const early = resultOf(NEXT, { person: 'ada', channel: CHANNEL, board: 'abc def ghi jkl' });
  const own = resultOf(NEXT, { person: 'ben', channel: CHANNEL });
  const tenant = await world.tenantWith([early, own]);
  const { channelResults } = world.store.tenant(tenant);
  const ranked = async () =>
    (await channelResults.sums(CHANNEL, NEXT, NEXT)).map(({ person }) => person).sort();
  expect(await ranked()).toEqual(['ada', 'ben']);
  await morning(tenant);
  expect(await ranked()).toEqual(['ben']);
});
