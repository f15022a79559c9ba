/** The hunt of a channel: its one card in the day's thread, and the morning after. */

import { afterEach, describe, expect, test } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../src/core/clock.ts';
import { onlyLong } from '../fakes/sample.ts';
import { type Name, newYork, PLATFORMS, type Place, type World, world } from '../fakes/world.ts';

let made: World;
afterEach(() => made.close());

/** A channel whose thread of Friday is open. */
async function open(door: Place['door'], friday = 20): Promise<Place> {
  made = await world({ doors: [door] });
  const place = made.places[0]!;
  await made.at(newYork(friday, 7));
  await place.ask('ada', 'daily on');
  await made.at(newYork(friday, 8));
  return place;
}
const texts = async (place: Place, pattern: RegExp) =>
  (await place.messages()).map(({ text }) => text).filter((text) => pattern.test(text));
const cards = (place: Place) => texts(place, /^.*The hunt/);
/** What is found in a few seconds is shown together. */
const soon = () => made.at(made.clock.time + MINUTE);

describe.each(PLATFORMS)('on %s', (door) => {
  /** What doors have no part in. */
  const once = door === 'discord' ? {} : onlyLong;

  test('one card in the thread says how many were found and who was first, and what it leads to is private', async () => {
    const place = await open(door);
    expect(await cards(place)).toEqual([]);
    const solved = await place.ask('ben', 'play bfjmcg gkdhlnbp');
    expect(solved.text).toContain('The hunt: 1 of 3 found.');
    await soon();
    const [card] = (await place.messages()).filter(({ text }) => text.includes('This channel found'));
    expect(card!.where).toBe('thread');
    expect(card!.text).toContain(`First finds: ${place.named('ben')} (1)`);
    await place.ask('ada', 'play bfjmcg gkdhlnbp');
    await place.ask('ada', 'play bfjm mcgkdhlnbp');
    await place.ask('ben', 'play bfjm mcgkdhlnbp');
    await soon();
    const shown = await cards(place);
    expect(shown).toHaveLength(1);
    expect(shown[0]).toContain('2 of 3');
    expect(shown[0]).toMatch(
      new RegExp(
        `${place.named('ada')} \\(1\\), ${place.named('ben')} \\(1\\)|${place.named('ben')} \\(1\\), ${place.named('ada')} \\(1\\)`,
      ),
    );
    expect(shown[0]).not.toMatch(/bfj|mcg|gkd/i);
    const own = await card!.press('ben', 'Hunt');
    expect(own.where).toBe('asker');
    expect(own.text).toContain('BFJM – MCGKDHLNBP');
    const others = await card!.press('cleo', 'Hunt');
    expect(others.where).toBe('asker');
    expect(others.text).not.toMatch(/bfj|mcg|gkd/i);
  });

  test('somebody who hides is not named, and their finds are not counted', once, async () => {
    const place = await open(door);
    await place.ask('cleo', 'privacy hide');
    await place.ask('cleo', 'play bfjmcg gkdhlnbp');
    await soon();
    expect(await cards(place)).toEqual([]);
    await place.ask('ben', 'play bfjmcg gkdhlnbp');
    await place.ask('ada', 'play bfjmcg gkdhlnbp');
    await place.ask('ada', 'play bfjm mcgkdhlnbp');
    await place.ask('ada', 'privacy hide');
    await soon();
    const [card] = await cards(place);
    expect(card).toContain('1 of 3');
    expect(card).toContain(`First finds: ${place.named('ben')} (1).`);
  });

  test(
    'the morning after, the thread says how it went, and hides what is left; on a Monday also the week',
    once,
    async () => {
      const place = await open(door, 22);
      await place.ask('ben', 'play bfjmcg gkdhlnbp');
      await place.ask('ada', 'play bfjm mcgkdhlnbp');
      await made.at(newYork(23, 8));
      const [closing] = await texts(
        place,
        /found 2 of 3.*in the hunt.*The answer, the hardest letters and solutions left to find/s,
      );
      expect(closing).toContain('Best hunters of the week: ');
      expect(closing).toContain('The rarest find of the week');
      expect(closing).not.toMatch(/nbp/i);
      expect(closing!.match(/hardest letter/gi)).toHaveLength(1);
      // Nothing is said of it in its thread any more.
      const late = await place.ask('cleo', 'play bfjmcg,gkdhln,nbp date:yesterday');
      // The closing has listed it for everybody, but not what was found.
      expect(late.text).toContain(
        'This solution was shown before, so it is no find. The hunt: 0 of 3 found.',
      );
      const found = await place.ask('cleo', 'play bfjmcg,gkdhlnbp date:yesterday');
      expect(found.text).toContain('The hunt: 1 of 3 found.');
      await soon();
      expect((await cards(place)).join()).not.toContain('3 of 3');
      // Its card is no longer checked, either.
      await made.at(newYork(26, 8));
      const { deliveries } = made.store.tenant(place.ref.tenant);
      const board = '2026-11-22 bcd-fgh-jkl-mnp';
      expect(await deliveries.get(`${place.ref.channel} ${board}`, '2026-11-22', 'hunt')).toMatchObject({
        state: 'sent',
      });
    },
  );

  test('where the channel wants no names, its card has none', once, async () => {
    const place = await open(door);
    await place.ask('ada', 'daily names:off');
    await place.ask('ben', 'play bfjmcg gkdhlnbp');
    await soon();
    const [card] = await cards(place);
    expect(card).toContain('1 of 3');
    expect(card).not.toContain('First finds');
  });
});

test('the morning after a day that nobody solved, the board is alone, and a freeze keeps the streak', async () => {
  const place = await open('discord', 1);
  for (let day = 1; day <= 10; day++) {
    await place.ask('ben', 'play bfjmcg gkdhlnbp');
    await made.at(newYork(day + 1, 8));
  }
  const boards = (day: number) => texts(place, new RegExp(`^\\w+day, November ${day}\n`));
  expect((await boards(11)).join()).toMatch(/Yesterday: .* · 10-day streak/);
  await made.at(newYork(12, 8));
  expect((await boards(12)).join()).not.toMatch(/Yesterday|nobody|freeze/i);
  expect((await place.ask('ben', 'play')).text).toContain(
    'You missed yesterday’s board. A freeze kept your streak of 10 days.',
  );
  expect((await place.ask('ada', 'play')).text).not.toContain('freeze');
  await made.at(newYork(13, 8));
  expect((await boards(13)).join()).not.toContain('freeze');
  for (const day of ['today', 'yesterday'])
    expect((await place.ask('ben', `play ${day}`)).text).not.toContain('freeze');
});

/** Discord's codes for a firewall that keeps the bot out, and for a permission that is missing. */
test.each([
  [40333, 2],
  [50013, 1],
])('a find from before the thread opens has a card there, however late that is (%i)', async (code, times) => {
  made = await world({ doors: ['discord'] });
  const place = made.places[0]!;
  await made.at(newYork(20, 7));
  await place.ask('ada', 'daily on');
  await place.ask('ben', 'play bfjmcg gkdhlnbp');
  made.discord!.discord.fault({ on: 'POST /channels/:channel/messages', what: { code }, times });
  await made.at(newYork(20, 8));
  // Before the next minute's tick.
  made.clock.time += 10 * SECOND;
  await made.daily.runDue();
  await place.ask('ada', 'daily on');
  await place.ask('cleo', 'record message:2 words');
  const { deliveries } = made.store.tenant(place.ref.tenant);
  expect(await deliveries.get(place.ref.channel, '2026-11-20', 'players')).toBeUndefined();
  for (let minutes = 0; minutes < 130; minutes += 10) await made.at(newYork(20, 8, minutes));
  expect(await cards(place)).toHaveLength(1);
});

test('a find while the thread is being opened has a card there', async () => {
  made = await world({ doors: ['discord'] });
  const place = made.places[0]!;
  await made.at(newYork(20, 7));
  await place.ask('ada', 'daily on');
  const { allDeliveries, tenant } = made.store;
  const { deliveries } = tenant(place.ref.tenant);
  const opensAt = newYork(20, 8);
  made.clock.time = opensAt;
  const day = { ...place.ref, date: '2026-11-20', kind: 'day', dueAt: opensAt, opensAt } as const;
  await allDeliveries.plan([day]);
  await deliveries.claim(day, { owner: 'another process', now: opensAt, until: opensAt + MINUTE });
  await place.ask('ben', 'play bfjmcg gkdhlnbp');
  const card = `${place.ref.channel} 2026-11-20 bcd-fgh-jkl-mnp`;
  expect(await deliveries.get(card, '2026-11-20', 'hunt')).toMatchObject({ state: 'due' });
});

test('a find that the card was too early for is shown soon after it', async () => {
  const place = await open('discord');
  await place.ask('ben', 'play bfjmcg gkdhlnbp');
  await soon();
  const { deliveries } = made.store.tenant(place.ref.tenant);
  const card = {
    channel: `${place.ref.channel} 2026-11-20 bcd-fgh-jkl-mnp`,
    date: '2026-11-20',
    kind: 'hunt',
  } as const;
  const now = made.clock.time + 3 * DAY;
  const lease = (await deliveries.claim(card, { owner: 'another process', now, until: now }))!;
  await place.ask('ada', 'play bfjm mcgkdhlnbp');
  const at = made.clock.time + 2 * DAY;
  await deliveries.settle(
    lease,
    { state: 'due', dueAt: at, nextAt: at, record: lease.record },
    made.clock.time,
  );
  await soon();
  expect(await cards(place)).toEqual([expect.stringContaining('2 of 3')]);
});

test('a card whose answer was lost is looked for, and not posted again', async () => {
  const place = await open('discord');
  await place.ask('ben', 'play bfjmcg gkdhlnbp');
  made.discord!.discord.fault({ on: 'POST /channels/:channel/messages', what: 'lose' });
  await soon();
  // Later than Discord itself knows the same message by its nonce.
  for (let minutes = 0; minutes < 3; minutes++) await made.at(made.clock.time + 10 * MINUTE);
  expect(await cards(place)).toHaveLength(1);
});

test('a board that somebody made has one card however many days its hunt lasts, and another once it is made again', async () => {
  const place = await open('discord', 1);
  const sides = 'sides:"bcd fgh jkn lmp"';
  await place.ask('ada', `board make ${sides} name:"Tea time"`);
  const solve = (who: Name, words: string) => place.ask(who, `play ${words} ${sides}`);
  await solve('ben', 'bfjmcg gkdhlnbp');
  await soon();
  expect(await cards(place)).toHaveLength(1);
  // Rows that are of no use any more are deleted once a day.
  await made.at(newYork(2, 8));
  await solve('ada', 'bfjm mcgkdhlnbp');
  await soon();
  expect(await cards(place)).toEqual([expect.stringContaining('2 of 3')]);
  await place.ask('ada', 'board remove name:"Tea time" sure:true');
  await place.ask('ada', `board make ${sides} name:"Tea time"`);
  await solve('cleo', 'bfjm mcgkdhlnbp');
  await soon();
  expect(await cards(place)).toHaveLength(2);
  // The first one is not looked after any more.
  await made.at(newYork(5, 8));
  const rows = await made.store.allDeliveries.ofDate('2026-11-01');
  const states = rows.filter(({ kind }) => kind === 'hunt').map(({ state }) => state);
  expect(states).toEqual(['sent']);
});
