/** What a person's result of a board is: every answer tells the same, whoever gives it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, type PuzzleDate } from '../../src/core/clock.ts';
import { DEFAULT_SETTINGS } from '../../src/daily/settings/settings.ts';
import { progressBlock, resultOfReplaced } from '../../src/players/results/own-result.ts';
import { dayReviews } from '../../src/players/reviews.ts';
import { openSoloGame } from '../../src/players/solo-games.ts';
import { addDays, spanOf } from '../../src/puzzle/calendar.ts';
import { plainText, textBlock } from '../../src/reply/model/text.ts';
import { HINTS } from '../../src/reply/replies/hint-steps.ts';
import { parseBoard } from '../../src/solver/board.ts';
import { gameView } from '../../src/web/board/view.ts';
import { makeTestApp, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { opened, press, say } from '../fakes/ask.ts';
import { endStep, sendStep } from '../fakes/day-thread.ts';
import { house, OTHER_SIDES, WORDS } from '../fakes/small-board.ts';
import { buttons } from '../reply/look.ts';

const TWO = 'bfjmcg,gkdhlnbp';
const OTHER_TWO = 'bfjm,mcgkdhlnbp';
const THREE = 'bfjmcg,gkdhln,nbp';

let made: TestApp;
beforeEach(async () => {
  made = await makeTestApp({ words: WORDS, house });
});
afterEach(() => made.close());

const ask = async (line: string, id = 'ann') =>
  opened(await say(made.app, line, someone({ id, mayManage: id === 'boss' })));

/** From now on, everybody here may see how many words the results of today have. */
const tellCount = () => sendStep(made.store, { step: 'count' }, made.clock.time - 1);

async function closing(date: PuzzleDate = TODAY, names = true): Promise<string> {
  const day = {
    tenant: 'web:local',
    channel: 'general',
    date,
    puzzle: house(date),
    now: made.clock.time,
    months: [],
    heard: [],
    settings: { ...DEFAULT_SETTINGS, names },
  };
  const { blocks } = await dayReviews(made.app).closing(day);
  return plainText({ title: '', blocks }, { reveal: true });
}

/** What the opening of the next day says of today. */
async function nextOpening(): Promise<string> {
  const { lines = [] } = await dayReviews(made.app).opening({
    tenant: 'web:local',
    channel: 'general',
    puzzle: house(addDays(TODAY, 1)),
    settings: DEFAULT_SETTINGS,
    now: spanOf(TODAY).to + HOUR,
    previousDate: TODAY,
  });
  return plainText({ title: '', blocks: textBlock(lines) });
}

test.each([
  ['comes after the solution that was posted in one message with another step', true],
  ['does not come after a solution whose message with another step was not posted', undefined],
])('a result %s', async (_, afterSolution) => {
  const state = afterSolution ? 'sent' : 'given-up';
  for (const step of ['count', 'solution'])
    await endStep(made.store, { step }, made.clock.time, { state, with: 'count' });
  made.clock.time += MINUTE;
  await ask(`play ${TWO}`);
  expect(await made.store.allPeople.resultsOf('web', 'ann', TODAY)).toMatchObject([{ afterSolution }]);
});

test('words that are played after a report replace it, are called no better, and have the hints that it told', async () => {
  await ask('record in 3 words, 2 hints');
  const answer = await ask(`play ${THREE}`);
  expect(answer).toContain('15 letters and 2 hint points.');
  expect(answer).toContain('It replaces 3 words, 2 hint points, self-reported.');
  await ask('record in 2 words, 4 hints', 'ben');
  const fewer = await ask(`play ${THREE}`, 'ben');
  expect(fewer).toContain('15 letters and 4 hint points.');
  expect(fewer).not.toMatch(/best|better/i);
  await ask('record in 3 words, after the solution', 'cat');
  expect(await ask(`play ${THREE}`, 'cat')).toContain('15 letters, after the solution.');
  await ask('record in 3 words, 2 hints', 'dan');
  await ask('record in 2 words', 'dan');
  expect(await made.store.allPeople.resultsOf('web', 'dan', TODAY)).toMatchObject([{ words: 2, hints: 0 }]);
});

test('a report after hints or the solution says why it counts them, unless its message does', async () => {
  await ask('hint step:start');
  expect(await ask('record in 3 words')).toContain('The hints that you opened here count, too.');
  expect(await ask('record in 2 words, 8 hints')).not.toContain('count, too');
  await ask('reveal open', 'ben');
  const answer = await ask('record in 2 words', 'ben');
  expect(answer).toContain('2 words · after the solution · self-reported\nThe solution was shown before');
  await ask('reveal open', 'cat');
  expect(await ask('record in 2 words, after the solution', 'cat')).not.toContain('was shown');
});

test('a freeze that kept a streak is told on the day after the one that it saved, and not with a past board', async () => {
  for (let day = 0; day < 10; day++) {
    await ask(`play ${TWO}`);
    made.clock.time += DAY;
  }
  await ask('today');
  made.clock.time += DAY;
  expect(await ask(`play ${THREE}`)).toContain('Your streak is 11 days, as a freeze kept it the day before.');
  made.clock.time += DAY;
  expect(await ask(`play ${TWO} date:yesterday`)).toContain('Your streak is 11 days.');
});

test('notation that fits no solution of the board gets the reason, and counts nowhere', async () => {
  const answer = await ask('record S - H(9), H - T(5)');
  expect(answer).toContain('This notation doesn’t fit the board');
  expect(answer).toContain('S is not on this board.');
  expect(await made.store.allPeople.resultsOf('web', 'ann', TODAY)).toEqual([]);
});

test('a message that is edited after its day changes no result that was on time', async () => {
  const record = (text: string, line: string) => {
    const message = { id: 'm1', author: 'ann', text, at: made.clock.time };
    return say(made.app, line, { ...someone({ id: 'ann' }), message });
  };
  await record('3 words', 'record');
  made.clock.time += DAY;
  await record('2 words', 'record date:yesterday');
  expect(await made.store.allPeople.resultsOf('web', 'ann', TODAY)).toMatchObject([
    { words: 3, sinceOpening: expect.any(Number) },
  ]);
});

test('words take the place of a result in numbers that was added from a message of the day before', async () => {
  const ann = someone({ id: 'ann' });
  const message = { id: 'm1', author: 'ann', text: '3 words', at: made.clock.time };
  made.clock.time += DAY;
  const added = await say(made.app, 'record', { ...ann, message });
  expect(opened(added)).toContain('To have it count as played, enter your words.');
  const play = buttons(added).find(({ label }) => label === 'Play')!;
  const words = { ...play.action.options, words: THREE };
  const answer = opened(await press(made.app, { ...play.action, options: words }, ann));
  expect(answer).toContain('It replaces 3 words, no hints, self-reported, late.');
  for (const line of ['archive', 'leaderboard day date:yesterday', 'stats', 'share notation date:yesterday'])
    expect(await ask(line)).not.toContain('self-reported');
  expect(await ask('leaderboard day date:yesterday')).toMatch(/@ann\s+\w+\s+3\s+15\s+0\s+late/);
  expect(await ask('stats')).toMatch(/Longest streak: 1 day/);
});

test('a reported result that a closing has listed stays, and the answer to its words says so', async () => {
  await ask('record in 3 words');
  made.clock.time += DAY;
  const answer = await ask(`play ${THREE} date:yesterday`);
  expect(answer).toContain('You solved it! 15 letters.');
  expect(answer).toContain('The day is over, so your result stays 3 words, no hints, self-reported.');
});

test('a better result after the day changes nothing, and every answer says so', async () => {
  await ask(`play ${THREE}`);
  made.clock.time += DAY;
  const answer = await ask(`play ${TWO} date:yesterday`);
  expect(answer).toContain('The day is over, so your result stays 3 words, 15 letters, no hints.');
  expect(answer).not.toMatch(/Your best|counts in your stats only/);
  const game = await ask('play date:yesterday');
  expect(game).toContain('The day is over, so your result stays 3 words, 15 letters, no hints.');
  expect(game).not.toMatch(/Superb|Brilliant|It counts/);
  const review = await ask('review date:yesterday');
  expect(review).toContain('85 of 100. 1 word more than the fewest');
  expect(review).toContain('Your 3 words with 15 letters');
  expect(await ask('share date:yesterday')).toContain('3 words · no hints');
  expect(await ask('share notation date:yesterday')).toContain('B - G(6), G - N(6), N - P(3)');
  expect(await ask('archive')).toContain('3 words · 15 letters · no hints');
  expect(await ask('stats')).toContain('Best: 3 words, 15 letters');
  expect(await ask('leaderboard day date:yesterday')).toMatch(/1\s+@ann\s+Architect\s+3\s+15/);
});

test('a better result in another channel is the one that every answer tells, and may be shared', async () => {
  await tellCount();
  await ask(`play ${THREE}`);
  const elsewhere = someone({ id: 'ann' }, { channel: 'random' });
  await say(made.app, `play ${TWO}`, elsewhere);
  expect(await ask('play')).toMatch(/Superb|Brilliant/);
  expect(await ask('play')).not.toContain('here.');
  expect(await ask('review')).toContain('Your 2 words with 14 letters');
  expect(await ask('leaderboard day')).toMatch(/@ann\s+(\w+\s+)?3/);
  expect(await ask('share')).toContain('2 words · no hints');
  expect(await ask('leaderboard day')).toMatch(/@ann\s+(\w+\s+)?2/);
});

test('a game goes on in private messages and in other servers, and is told there when it is solved', async () => {
  const inServer = (line: string, id = '1') =>
    say(made.app, line, someone({ id: 'ann' }, { tenant: `discord:${id}`, channel: id }));
  const inPrivate = (line: string) =>
    say(made.app, line, someone({ id: 'ann' }, { tenant: 'discord:@ann', channel: 'd', direct: true }));
  await inServer('play ask:play words:bfjmcg');
  expect(opened(await inPrivate('play'))).toContain('BFJMCG');
  const hint = opened(await inPrivate('hint step:start game:true'));
  expect(hint).toContain('after BFJMCG');
  await inServer('play ask:play words:gkdhln', '2');
  expect(opened(await inPrivate('play'))).toContain('BFJMCG – GKDHLN');
  await inPrivate('play ask:play words:nbp');
  const elsewhere = opened(await inServer('play'));
  expect(elsewhere).toContain('BFJMCG – GKDHLN – NBP');
  expect(elsewhere).toContain('15 letters and no hints');
  made.clock.time += DAY;
  await inServer('play ask:play words:bfjmcg');
  made.clock.time += DAY;
  expect(opened(await inPrivate('archive'))).toMatch(/November 21, 2026 · started/);
});

test('where a channel was told the solution, a later result from elsewhere is no better than one before it', async () => {
  await tellCount();
  await ask(`play ${THREE}`);
  await sendStep(made.store, { step: 'solution' }, made.clock.time + MINUTE);
  made.clock.time += HOUR;
  await say(made.app, `play ${TWO}`, someone({ id: 'ann' }, { channel: 'random' }));
  expect(await ask('play')).toContain('Your result stays 3 words');
  expect(await ask('review')).toContain('Your 3 words with 15 letters');
  expect(await ask('share')).toContain('3 words · no hints');
  expect(await ask('leaderboard day')).toMatch(/@ann\s+(\w+\s+)?3/);
});

test('a result from elsewhere that is after the solution only in one channel is told so there', async () => {
  await sendStep(made.store, { step: 'solution' }, made.clock.time);
  made.clock.time += HOUR;
  const random = someone({ id: 'ann' }, { channel: 'random' });
  await say(made.app, `play ${TWO}`, random);
  made.clock.time += DAY;
  expect(await ask('archive')).toContain('2 words · 14 letters · after the solution here · elsewhere');
  expect(opened(await say(made.app, 'archive', random))).toContain('2 words · 14 letters · no hints\n');
  // It is so when it has come here, too.
  await ask('share date:2026-11-20');
  expect(await ask('archive')).toMatch(/2 words · 14 letters · after the solution here(?! · elsewhere)/);
  expect(await ask('stats')).not.toContain('solution');
});

test('once the thread has told the solution, hints have no price and cost nothing', async () => {
  await ask('hint step:start');
  expect(await ask('hint')).toMatch(/\(\d points?\).*Solution: \d+ hint points/s);
  made.clock.time += MINUTE;
  await sendStep(made.store, { step: 'solution' }, made.clock.time);
  made.clock.time += MINUTE;
  for (const line of ['hint', 'hint step:first', 'reveal', 'reveal open', 'next bfjmcg', 'solve date:today'])
    expect(await ask(line), line).not.toMatch(/\d (hint )?points?/);
  await ask(`play ${TWO}`);
  const [result] = await made.store.allPeople.resultsOf('web', 'ann', TODAY);
  expect(result).toMatchObject({ afterSolution: true, hints: HINTS.start.weight + HINTS.count.weight });
});

test('hints that were opened after solving a made board count nowhere', async () => {
  await ask(`board make ${OTHER_SIDES} name:Tea`, 'boss');
  const sides = OTHER_SIDES.replaceAll(' ', '-');
  await ask(`play ${TWO} sides:${sides}`);
  await ask(`hint step:first sides:${sides}`);
  expect(await ask('board standings Tea')).toMatch(/@ann\s+2\s+14\s+0/);
  expect(await ask(`share sides:${sides}`)).toContain('no hints');
  expect(await ask(`review sides:${sides}`)).toContain('100 of 100. Nothing lost.');
});

test('a board that is replaced leaves its results to their people, and ranks them no more', async () => {
  await tellCount();
  await ask(`play ${TWO}`);
  await ask(`play ${THREE}`, 'ben');
  await ask('hint count', 'ben');
  const answer = await ask(`set ${OTHER_SIDES}`, 'boss');
  expect(answer).toContain('2 people have solved another board of that day here.');
  expect(answer).toContain('Their results stay theirs, but are not on the leaderboard.');
  expect(await ask('leaderboard day')).toContain('No results yet.');
  expect(await closing()).not.toContain('@ann');
  expect((await say(made.app, 'review', someone({ id: 'ann' }))).title).toMatch(/^Not solved yet/);
  expect((await say(made.app, 'share', someone({ id: 'ann' }))).title).toMatch(/^Nothing to share yet/);
  const first = await ask(`play ${THREE}`);
  expect(first).not.toMatch(/Right again|stays/);
  expect(first).toContain('3 words');
  expect(first).toContain('Your stats count your 2 words on the board that was replaced.');
  expect(await ask('share', 'ann')).toContain('3 words · no hints');
  expect(await ask('leaderboard day')).toMatch(/1\s+@ann\s+\w+\s+3\s+15\s+0/);
  expect(await ask('leaderboard day')).not.toContain('ben');
  // The hint was about the other board.
  await ask(`play ${TWO}`, 'ben');
  expect(await ask('share', 'ben')).toContain('2 words · no hints');
  expect(await ask('set undo', 'boss')).toContain('2 people have solved another board');
  expect(await ask('leaderboard day')).toMatch(/1\s+@ann\s+\w+\s+2\s+14\s+0\n.*2\s+@ben\s+(\w+\s+)?3/);
  expect(await ask('share', 'ann')).toContain('2 words · no hints');
});

test('what comes after the closing is listed as late, behind those of the day, and changes nothing that was said', async () => {
  await sendStep(made.store, { step: 'opening' }, made.clock.time - 1);
  // Stored by a clock that was ahead, it closes no day before its moment.
  const next = addDays(TODAY, 1);
  await sendStep(made.store, { date: next, step: 'opening' }, spanOf(TODAY).to + HOUR);
  await ask(`play ${THREE}`, 'ben');
  await ask('record in 4 words', 'cat');
  await say(made.app, `play ${TWO}`, someone({ id: 'ann' }, { channel: 'random' }));
  const message = { id: 'm', author: 'dan', text: '2 words', at: made.clock.time };
  made.clock.time = spanOf(TODAY).to + HOUR;
  const week = () => ask('leaderboard week', 'zoe');
  const said = [await closing(), await nextOpening(), await week()];
  // The opening of the next day has named the winner already.
  made.clock.time += MINUTE;
  expect(opened(await say(made.app, 'record', { ...someone({ id: 'dan' }), message }))).toContain(
    'It counts for your streak. It came after the day was closed here, so the day’s leaderboard lists it as late.',
  );
  await sendStep(made.store, { step: 'closing' }, made.clock.time);
  await ask('share date:yesterday');
  const rows = (await ask('leaderboard day date:yesterday', 'zoe')).match(/^\d+ .*$/gm);
  expect(rows?.map((row) => row.replace(/ +/g, ' '))).toEqual([
    '1 @ben Architect 3 15 0',
    '2 @cat 4 – 0 self-reported',
    '3 @ann Legend 2 14 0 late',
    '4 @dan 2 – 0 self-reported, late',
  ]);
  expect([await closing(), await nextOpening(), await week()]).toEqual(said);
  expect(await ask('archive')).toContain('2 words · 14 letters · no hints · late');
  // It was solved on its day.
  expect(await ask('stats')).toMatch(/Streak: 1 day.*\n.*\nSolved: 1 board\n/);
});

test('people who hide read nothing of a leaderboard, which does not list them', async () => {
  await ask('privacy hide');
  for (const step of ['opening', 'solution']) await sendStep(made.store, { step }, made.clock.time);
  expect(await ask('record in 3 words')).toContain('It counts for your streak.\n');
  expect(await ask(`play ${THREE}`)).not.toMatch(/ranks|leaderboard/);
  await sendStep(made.store, { step: 'closing' }, made.clock.time);
  expect(await ask(`play ${TWO}`)).not.toMatch(/ranks|leaderboard/);
});

test('a result is late only in the channel whose day was closed before it', async () => {
  for (const step of ['opening', 'closing']) await sendStep(made.store, { step }, made.clock.time);
  expect(await ask(`play ${TWO}`)).toContain('lists it as late');
  const random = someone({ id: 'ann' }, { channel: 'random' });
  for (const line of [`play ${THREE}`, 'play', 'record in 3 words'])
    expect(opened(await say(made.app, line, random))).not.toContain('late');
  const message = { id: 'm', author: 'dan', text: '3 words', at: made.clock.time };
  made.clock.time += DAY;
  expect(opened(await say(made.app, 'archive', random))).toContain('no hints · elsewhere');
  expect(await ask('archive')).toContain('no hints · late');
  const alone = someone({ id: 'dan' }, { direct: true });
  expect(opened(await say(made.app, 'record', { ...alone, message }))).not.toContain('late');
});

test('a result after the solution has the same mark in every list, and no title anywhere', async () => {
  await tellCount();
  await ask(`play ${THREE}`, 'ben');
  await ask('reveal open');
  const answer = await ask(`play ${TWO}`);
  expect(answer).toContain('14 letters, after the solution.');
  expect(answer).not.toMatch(/Legend|points/);
  const marked = /2\. +@ann: 2 words, 14 letters, after the solution/;
  expect(await closing()).toMatch(marked);
  expect(await closing()).toContain('One solution was found.');
  for (const period of ['day', 'week']) {
    const list = await ask(`leaderboard ${period}`);
    expect(await ask('stats')).toContain('Solved: 1 board, after the solution\n');
    expect(list).toMatch(/2 +@ann +(1 +)?2 +14 +\d+ +(1 )?after the solution/);
    expect(list).toContain('How is this ranked?');
  }
  expect(await nextOpening()).toContain('Yesterday: 👑 @ben 3 words · @ann 2 (after the solution)');
  const sides = OTHER_SIDES.replaceAll(' ', '-');
  await ask(`board make ${OTHER_SIDES} name:Tea`, 'boss');
  await ask(`play ${THREE} sides:${sides}`, 'ben');
  await ask(`reveal open sides:${sides}`);
  expect(await ask(`play ${TWO} sides:${sides}`)).toContain('14 letters, after the solution.');
  const standings = await ask('board standings Tea');
  expect(standings).toMatch(/2 +@ann +2 +14 +\d+ +after the solution\n/);
  expect(standings).toContain('How is this ranked?');
});

test('who solved only the board that was replaced hears that everywhere', async () => {
  await ask(`play ${TWO}`);
  await say(made.app, `play ${TWO}`, someone({ id: 'cat' }, { channel: 'random' }));
  await ask(`set ${OTHER_SIDES}`, 'boss');
  const sentence = 'You solved the board that was replaced by this one. That result stays yours.';
  for (const line of ['play', 'review', 'share']) expect(await ask(line)).toContain(sentence);
  const progress = async () =>
    plainText({ title: '', blocks: await progressBlock(someone({ id: 'ann' }), made.app) });
  expect(await progress()).toContain('you solved the board that was replaced');
  expect(await ask('play', 'ben')).not.toContain('replaced');
  expect(await ask('review', 'cat')).toContain(sentence);
  expect(await ask('stats')).toContain('Best: 2 words, 14 letters');
  made.clock.time += DAY;
  expect(await ask('archive')).toContain('November 20, 2026 · you solved the board that was replaced');
  made.clock.time -= DAY;
  await ask(`play ${THREE}`);
  for (const line of ['review', 'share']) expect(await ask(line)).not.toContain('replaced');
  // The better one is not lost.
  expect(await ask('stats')).toMatch(/Solved: 1 board\nOn average: 2 words.*\nBest: 2 words, 14 letters/);
  expect(await progress()).toContain('Your result today: 3 words, 2 words on the board that was replaced');
  made.clock.time += DAY;
  expect(await ask('archive')).toContain(
    '3 words · 15 letters · no hints · 2 words on the board that was replaced',
  );
});

test('a report that counts only in another channel does not change nothing', async () => {
  await ask(`play ${TWO}`);
  const elsewhere = someone({ id: 'ann' }, { channel: 'random' });
  const answer = opened(await say(made.app, 'record 3 words', elsewhere));
  expect(answer).toMatch(/^Your result stays: Friday[\s\S]*stays 2 words/);
  made.clock.time += DAY;
  const listed = opened(await say(made.app, `leaderboard day date:${TODAY}`, elsewhere));
  expect(listed).toMatch(/@ann +3 .*self-reported/);
});

test('another board replaced theirs if it did so here, where they played, or was typed for this channel', async () => {
  await ask(`play ${TWO}`);
  const replaced = async (channel: string, source: 'house' | 'hand') => {
    const day = { date: TODAY, board: parseBoard(OTHER_SIDES), source };
    return (await resultOfReplaced(someone({ id: 'ann' }, { channel }), made.app, day))?.words;
  };
  expect(await replaced('general', 'house')).toBe(2);
  expect(await replaced('random', 'hand')).toBe(2);
  expect(await replaced('random', 'house')).toBeUndefined();
  await ask(`set ${OTHER_SIDES}`, 'boss');
  expect(await replaced('random', 'house')).toBe(2);
});

test('a page, the line that it copies, what is shared and every list tell one number of hint points', async () => {
  await ask('hint step:first');
  const answer = await ask(`play ${TWO}`);
  const onPage = async () => {
    const game = await openSoloGame(someone({ id: 'ann' }), made.app, { date: TODAY });
    return gameView(game).solved!;
  };
  const copied = async () => (await onPage()).copies.map(({ text }) => text.split('\n')[0]);
  const { title } = await say(made.app, 'share', someone({ id: 'ann' }));
  const { weight } = HINTS.first;
  for (const told of [answer, (await onPage()).lines.join(), title, await closing()])
    expect(told).toContain(`${weight} hint points`);
  expect(await copied()).toEqual([title, title, title]);
  await ask(`play ${THREE}`);
  expect(await copied()).toEqual([title, title]);
  made.clock.time += DAY;
  expect(await ask('archive')).toContain(`2 words · 14 letters · ${weight} hint points`);
  const list = await ask('leaderboard day date:yesterday');
  expect(list).toMatch(new RegExp(`@ann .* 2 +14 +${weight}\n`));
});

test('of equal results the earlier one is ahead everywhere', async () => {
  for (const id of ['cat', 'ann', 'ben']) {
    await ask(`play ${TWO}`, id);
    made.clock.time += MINUTE;
  }
  expect(await ask('play', 'ann')).toContain('Better than 1 of the 2 others here.');
  expect(await ask('play', 'ben')).not.toContain(' here.');
  expect(await ask('leaderboard day', 'ben')).toMatch(/@cat.*\n.*@ann.*\n.*@ben/);
  expect(await ask('stats', 'ann')).toContain('In this channel this week: 2nd of 3');
  const review = await closing();
  expect(review).toContain('👑 @cat: 2 words, 14 letters, no hints\n2. @ann: 2 words, 14 letters, no hints');
  expect(review.match(/👑/gu)).toHaveLength(1);
});

test('all best hunters of a week are named, and the closing counts nothing that was made after the day', async () => {
  made.clock.time = Date.parse('2026-11-22T17:00:00Z');
  const sunday = '2026-11-22';
  await ask(`play ${TWO}`, 'zoe');
  made.clock.time += MINUTE;
  await ask(`play ${TWO}`, 'ben');
  made.clock.time = spanOf(sunday).to + HOUR;
  await ask(`play ${OTHER_TWO} date:yesterday`, 'ada');
  await ask(`play ${THREE} date:yesterday`, 'ada');
  const review = await closing(sunday);
  expect(review).toContain('2 people solved it.');
  expect(review).toContain('This channel found 1 of 3 in the hunt.\nFirst finds: @zoe (1).');
  expect(review).toContain('Best hunters of the week: @ben, @zoe, 1 find each.');
  expect(review).not.toContain('ada');
  expect(await closing(sunday, false)).toContain('Best of this week: 1 day.');
  expect(await closing(sunday, false)).not.toMatch(/1\. 1 day/);
});

test('the rarest find of a week is the one farthest down the list that a single person made', async () => {
  made.clock.time = Date.parse('2026-11-22T17:00:00Z');
  for (const [id, words] of [
    ['ann', TWO],
    ['ann', THREE],
    ['ben', OTHER_TWO],
    ['ben', THREE],
  ] as const) {
    await ask(`play ${words}`, id);
    made.clock.time += MINUTE;
  }
  const review = await closing('2026-11-22');
  expect(review).toContain('November 22: BFJM – MCGKDHLNBP, by @ben');
  expect(review).toContain('Found completely: November 22.');
});

test('a board that is removed takes its finds with it', async () => {
  const sides = OTHER_SIDES.replaceAll(' ', '-');
  await ask(`board make ${OTHER_SIDES} name:Tea`, 'boss');
  await ask(`play ${TWO} sides:${sides}`);
  await ask(`play ${OTHER_TWO} sides:${sides}`);
  await ask('board remove Tea sure', 'boss');
  await ask(`board make ${OTHER_SIDES} name:Tea`, 'boss');
  expect(await ask(`play ${THREE} sides:${sides}`)).toContain('The hunt: 1 of 3 found.');
});

test('a shared line after playing is no reason to enter words, and a reported result has none', async () => {
  await ask(`play ${THREE}`);
  expect(await ask('record Letter Boxed, November 20 · 3 words · no hints')).not.toContain(
    'enter your words',
  );
  await ask('record in 2 words', 'ben');
  for (const line of ['review', 'share notation'])
    expect(await ask(line, 'ben')).toContain('I don’t know your words');
});
