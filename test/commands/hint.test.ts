import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { HINT_STEPS, type HintStep } from '../../src/reply/model/facts.ts';
import { ALL_HINT_POINTS, HINTS, hintTitle } from '../../src/reply/replies/hint-steps.ts';
import { makeTestApp, someone, TODAY } from '../fakes/app.ts';
import { opened, press, say, unopened } from '../fakes/ask.ts';
import { DAY_THREAD, sendStep } from '../fakes/day-thread.ts';
import fc from '../fakes/fast-check.ts';
import { makeFolder } from '../fakes/folder.ts';
import { openNewStore } from '../fakes/new-store.ts';
import { sample } from '../fakes/sample.ts';
import { house, OTHER_SIDES, WORDS } from '../fakes/small-board.ts';
import { buttons, choices } from '../reply/look.ts';

const { app, store, clock, close } = await makeTestApp({ words: WORDS, house });
afterAll(close);
const numberOf = ({ title }: { title: string }) => Number(/^Hint (\d+)/.exec(title)?.[1]);

test('gives each person every step in order, day by day, and when all were seen only the solution', async () => {
  const anna = someone({ id: 'anna' });
  const numbers: number[] = [];
  for (const _ of HINT_STEPS) numbers.push(numberOf(await say(app, 'hint', anna)));
  expect(numbers).toEqual(HINT_STEPS.map((_, index) => index + 1));
  const more = await say(app, 'hint', anna);
  expect(numberOf(more)).toBe(HINT_STEPS.length);
  expect(buttons(more).map(({ label }) => label)).toEqual(['Show the solution']);
  // What a card’s own button asks for comes into the card, however late.
  const onCard = { ...anna, command: 'hint', options: { shown: 'start' } };
  expect(makeDispatcher(app, { commands: COMMANDS }).prepare(onCard)).toMatchObject({ inPlace: true });
  expect(numberOf(await say(app, 'hint', someone({ id: 'ben' })))).toBe(1);
  // The same person at the same door.
  const elsewhere = someone({ id: 'anna' }, { tenant: 'web:elsewhere' });
  expect(numberOf(await say(app, 'hint', elsewhere))).toBe(HINT_STEPS.length);
  clock.time += 24 * 60 * 60_000;
  expect(numberOf(await say(app, 'hint', anna))).toBe(1);
  clock.time -= 24 * 60 * 60_000;
});

test('asks the store once for what a hint needs, and only a new hint for hints beyond the limit', async () => {
  const tables: string[] = [];
  const counted = await openNewStore(makeFolder(), (table) => tables.push(table));
  onTestFinished(() => counted.close());
  const own = await makeTestApp({ words: WORDS, house, store: counted });
  const asked = async (line: string) => {
    tables.length = 0;
    await say(own.app, line, someone({ id: 'anna' }));
    return [...tables];
  };
  await asked('hint');
  // The board and the thread's puzzle, what was told, whether that was erased, what the thread has told, results.
  const known = ['delivery', 'hint', 'processed_event', 'delivery', 'result'];
  expect(await asked('hint count shown:none')).toEqual([...known, 'hint']);
  expect(await asked('hint hardest shown:count')).toEqual([...known, 'hint', 'hint']);
  // Of typed sides, what is on in the server: to know whether that has them, and once more as words of them are told.
  const on = ['delivery', 'delivery', 'puzzle', 'puzzle', 'puzzle', 'hand_board'];
  const typed = await asked(`hint first sides:"${OTHER_SIDES}"`);
  expect(typed.filter((table) => on.includes(table)).sort()).toEqual([...on, ...on].sort());
  await own.close();
});

test('begins behind what stands in the thread, and names that in the game as well', async () => {
  const place = { channel: 'threaded' };
  for (const step of ['opening', 'start', 'count']) await sendStep(store, { ...place, step }, clock.time - 1);
  const zoe = someone({ id: 'zoe' }, { channel: 'threaded' });
  const named = HINTS.hardest.name.toLowerCase();
  expect(buttons(await say(app, 'play', zoe)).map(({ label }) => label)).toContainEqual(
    expect.stringContaining(`Hint: ${named}`),
  );
  const first = await say(app, 'hint', zoe);
  expect(opened(first)).toContain(HINTS.hardest.label);
  expect(opened(first)).not.toContain(HINTS.count.label);
  expect(opened(await say(app, 'hint', zoe))).toContain(HINTS.lengths.label);
  expect(await store.allPeople.seenOn('web', 'zoe', TODAY)).not.toContain('start');
  // Somebody may type the day's board, or one of which this thread says nothing: that of another channel's day.
  const typed = async (channel: string) =>
    opened(await say(app, 'hint sides:"mnp jkl fgh bcd"', someone({ id: channel }, { channel })));
  expect(await typed('threaded')).toContain(HINTS.hardest.label);
  const other = { date: TODAY, source: 'house', sides: OTHER_SIDES.split(' ') };
  const apart = { channel: 'apart' };
  await sendStep(store, { ...apart, step: 'opening' }, clock.time - 1, { ...DAY_THREAD, puzzle: other });
  await sendStep(store, { ...apart, step: 'count' }, clock.time - 1);
  expect(await typed('apart')).toContain(HINTS.count.label);
  // Nor does its solution make hints on that board cost nothing.
  await sendStep(store, { ...apart, step: 'solution' }, clock.time - 1);
  expect(await typed('apart')).toContain(`${HINTS.lengths.weight} points`);
  // After words, another one is as new as the board's own was.
  await sendStep(store, { ...place, step: 'hardest' }, clock.time - 1);
  const yan = someone({ id: 'yan' }, { channel: 'threaded' });
  const read = vi.spyOn(store.allPeople, 'factsSeen');
  expect(opened(await say(app, 'hint bfjmcg', yan))).toContain(HINTS.hardest.label);
  // Its card, its price and the hint without the last word have one look at what was shown, and so have the prices of a check.
  expect(read).toHaveBeenCalledTimes(1);
  await say(app, 'check bfjmcg', yan);
  expect(read).toHaveBeenCalledTimes(2);
  // Nothing on the answer to a solution has a price.
  await say(app, 'check bfjmcg,gkdhlnbp', yan);
  expect(read).toHaveBeenCalledTimes(2);
});

test('says what the solution costs until the board is solved, or all hints were seen', async () => {
  const tom = someone({ id: 'tom' });
  const solution = async () => buttons(await say(app, 'hint', tom)).at(-1)!.label;
  expect(await solution()).toBe(`Solution: ${ALL_HINT_POINTS - HINTS[HINT_STEPS[0]].weight} hint points`);
  await say(app, 'play bfjmcg,gkdhlnbp', tom);
  expect(await solution()).toBe('Show the solution');
});

test('begins a card of everyday words alone without what the board’s own card has shown', async () => {
  const eva = someone({ id: 'eva' });
  await say(app, 'hint', eva);
  const second = opened(await say(app, 'hint', eva));
  const everyday = opened(await say(app, 'hint everyday', eva));
  const { label } = HINTS[HINT_STEPS[1]];
  expect([second, everyday].map((text) => text.includes(label))).toEqual([true, false]);
});

test('names the words where only well-known ones count, and says that others may solve the board', async () => {
  const words = WORDS.slice(1).map((one) => ({ ...one, tier: 'wide' as const }));
  const rare = await makeTestApp({ words, house });
  const read = async (line: string) => opened(await say(rare.app, line));
  expect(await read('hint everyday')).toContain('Well-known words alone don’t solve this board');
  for (const line of ['next bfjm everyday', 'hint words:bfjm everyday'])
    expect(await read(line)).toContain('no well-known words from here solve the board');
  expect(await read('solve date:today everyday')).not.toContain('No word in the word list');
  await rare.close();
  expect(opened(await say(app, 'hint count everyday'))).toContain('2026, with well-known words\n');
  expect((await say(app, 'next bfjmcg everyday')).title).toBe('After BFJMCG, with well-known words');
});

test('numbers the hints in the order in which they are taken, whichever they are', async () => {
  let people = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([...HINT_STEPS], { minLength: 2 }),
      fc.nat({ max: 7 }),
      async (steps, again) => {
        const who = someone({ id: `taker-${people++}` });
        for (const [index, step] of steps.entries())
          expect(numberOf(await say(app, `hint ${step}`, who))).toBe(index + 1);
        // A hint that is asked for once more is not another one.
        expect(numberOf(await say(app, `hint ${steps[again % steps.length]}`, who))).toBe(steps.length);
        const card = await say(app, 'hint', who);
        expect(numberOf(card)).toBe(Math.min(steps.length + 1, HINT_STEPS.length));
        for (const step of steps) expect(opened(card)).toContain(HINTS[step].label);
      },
    ),
    { numRuns: sample(100, 8) },
  );
});

test('finds a hint by its number', async () => {
  const nora = someone({ id: 'nora' });
  const number = HINT_STEPS.indexOf('hardest') + 1;
  const most = HINT_STEPS.length;
  const hint = await say(app, `hint ${number}`, nora);
  expect(opened(hint)).toContain(HINTS.hardest.label);
  expect(numberOf(hint)).toBe(1);
  expect(opened(await say(app, `hint ${most + 1}`, nora))).toContain(`a whole number from 1 to ${most}`);
  expect(await store.allPeople.seenOn('web', 'nora', '2026-11-20')).toEqual(['hardest']);
});

test('skips hints that say nothing new after words, and counts none that was asked for', async () => {
  const [ida, kim] = [someone({ id: 'ida' }), someone({ id: 'kim' })];
  const seen = (id: string) => store.allPeople.seenOn('web', id, '2026-11-20');
  const silent: HintStep[] = [];
  for (const step of HINT_STEPS)
    if ((await say(app, `hint ${step} bfjmcg`, kim)).title === 'This hint says nothing new here')
      silent.push(step);
  expect(silent).toContain('start');
  const alone = HINT_STEPS.filter((step) => !silent.includes(step));
  // Its last hint is the word that ends a shortest solution.
  expect((await seen('kim')).toSorted()).toEqual([...alone, 'solution'].toSorted());
  // That the words join nowhere says how many it takes, which costs nothing only after that.
  expect(alone).toContain('joint');
  const telling = alone.filter((step) => step !== 'joint');
  const told = [...telling, 'solution'].toSorted();
  const first = await say(app, 'hint bfjmcg', ida);
  expect(first.title).toBe(hintTitle(['hardest']));
  const offered = [...buttons(first), ...choices(first)].map(({ label }) => label);
  expect(offered).toContain('Word lengths');
  // That the word begins a shortest solution is as much as the first word, and told only to somebody who asks.
  expect(buttons(first)[0]?.label).toBe('Am I on the way? (up to 6 points)');
  expect(await seen('ida')).toEqual(['hardest']);
  expect((await say(app, 'hint bfjmcg', ida)).title).toBe(first.title);
  expect(await seen('ida')).toEqual(['hardest']);
  let card = first;
  for (let presses = 1; presses < telling.length; presses++)
    card = await press(app, buttons(card)[0]!.action, ida);
  expect((await seen('ida')).toSorted()).toEqual(told);
});

test('gives hints about an unproven solution when the time runs out', async () => {
  const real = await makeTestApp();
  const { lexicon, clock, log } = real.app;
  // A limit that is over at once, so that no machine is fast enough.
  const work = new JobRunner({ lexicon, clock, log, workers: 0, jobTimeout: -1 });
  const told = new Map<string, string>();
  // Each takes the words of a board of 26 letters.
  const steps = sample<readonly HintStep[]>(HINT_STEPS, ['start', 'count', 'first']);
  for (const step of steps) {
    const reply = await say({ ...real.app, work }, `hint ${step} abcdef ghijkl mnop qrstu vwxyz`);
    const label = HINTS[step].label;
    told.set(step, opened(reply).split(`${label}:\n  `)[1]?.split('\n')[0] ?? '');
    expect(unopened(reply)).toContain('the time ran out');
  }
  expect([...told.values()]).not.toContain('');
  for (const [step, expected] of [
    ['start', /^A solution starts with [A-Z]\.$/],
    ['count', /^It takes \d words at most\.$/],
    ['hardest', /^Q in [\d,]+ well-known words, /],
    ['lengths', /^In order: \d+, then/],
    ['joint', /^The words join on [A-Z]/],
    ['meaning', /^Word 1: .{5}/],
    ['masked', /^[A-Z]_[A-Z]/],
    ['first', new RegExp(`^Start with ${told.get('start')?.at(-2)}`)],
  ] as const)
    if (steps.includes(step)) expect(told.get(step)).toMatch(expected);
  await work.close();
  await real.close();
});
