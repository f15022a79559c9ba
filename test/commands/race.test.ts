/** Races: who wins, what everybody reads meanwhile, and what remains of it. */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/core/clock.ts';
import { StoreError } from '../../src/core/errors.ts';
import { Random } from '../../src/core/random.ts';
import type { App, Options } from '../../src/dispatch/contract.ts';
import { recordFacts } from '../../src/dispatch/hint-record.ts';
import { PostFailure } from '../../src/dispatch/poster.ts';
import { targetOf } from '../../src/dispatch/target.ts';
import { exportPart } from '../../src/players/privacy.ts';
import { POSTING_MS } from '../../src/players/public-messages.ts';
import {
  COUNTDOWN_MS,
  MAX_RACERS,
  RACE_TIMEOUT_MS,
  readRace,
  recordProgress,
  saveRace,
} from '../../src/players/race/game.ts';
import { playSoloGame } from '../../src/players/solo-games.ts';
import { factsAbout } from '../../src/reply/model/facts.ts';
import { plainText } from '../../src/reply/model/text.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { gameReply } from '../../src/reply/replies/game.ts';
import { formatBoard, parseBoard } from '../../src/solver/board.ts';
import { generate } from '../../src/solver/generate.ts';
import { gameView } from '../../src/web/board/view.ts';
import { hookedPoster, hookedStore } from '../daily/hooks.ts';
import { makeTestApp, NOON, someone } from '../fakes/app.ts';
import { opened, press, say, unopened } from '../fakes/ask.ts';
import { deliverDue } from '../fakes/day-thread.ts';
import { openTexts, tokens } from '../fakes/open-texts.ts';
import { turns } from '../fakes/pauses.ts';
import { makeTestPoster, type TestPoster } from '../fakes/poster.ts';
import { sample } from '../fakes/sample.ts';
import { actionOf, hidden, labels } from '../reply/look.ts';

const TENANT = 'web:local';
const limits = { racesPerPerson: 2_000 };
const world = await makeTestApp({
  posterOf: (door) => (door === 'web' ? poster : undefined),
  limits,
});
afterAll(() => world.close());
const { clock } = world;
let drawn = 0;
const app: App = { ...world.app, randomSeed: () => `race ${drawn++ % BOARDS.length}` };
/** The boards that are drawn, with two words that solve each. */
const BOARDS = Array.from({ length: 8 }, (_, n) => generate(app.lexicon, { seed: `race ${n}` }));
let poster: TestPoster;
/** Each test has a channel of its own. */
let channel = '';
let channels = 0;
function enterNewChannel() {
  poster = makeTestPoster();
  clock.time = NOON;
  channel = `track-${++channels}`;
}
beforeEach(enterNewChannel);

const asker = (id: string, who = {}) => someone({ id, ...who }, { channel });
const tell = (id: string, line: string) => say(app, line, asker(id));
const shown = () => poster.messages.at(-1)!.shown.at(-1)!;
/** Presses a button of the race's message. */
const presses = (id: string, label: string, reply = shown()) => press(app, actionOf(reply, label), asker(id));
const stored = async () => (await readRace(app, { tenant: TENANT, channel }))!.race;
const plays = (id: string, options: Options, words: readonly string[]) =>
  playSoloGame(asker(id), app, { options, words });
/** What has no letter before the end, whoever looks at it. */
const told = (by = poster) => by.messages.flatMap((message) => message.shown.flatMap(openTexts));

/** The board of the race under way, with two words that solve it. */
async function board() {
  const { board: text } = await stored();
  const { solution } = BOARDS.find((one) => formatBoard(one.board) === text)!;
  return { options: { sides: text! } satisfies Options, words: solution.words };
}

async function allow(most: number) {
  const place = { tenant: TENANT, channel };
  const { race, version } = (await readRace(app, place))!;
  expect(await saveRace(app, place, { ...race, most }, version)).toBe(true);
}

/** The first begins it, the others join. */
async function start(first: string, ...others: string[]) {
  await tell(first, 'race');
  for (const one of others) await presses(one, 'Join');
  expect((await presses(first, 'Start')).title).toBe('Get ready');
  clock.time += COUNTDOWN_MS;
  return board();
}

test('five race, one leaves, and the first solution wins', async () => {
  await tell('ann', 'race');
  for (const id of ['bob', 'cleo', 'dan', 'eve'])
    expect((await presses(id, 'Join')).title).toBe('You’re in the race');
  await presses('bob', 'Start');
  const { options, words } = await board();
  expect((await presses('cleo', 'Play')).title).toBe('Get ready');
  await expect(plays('dan', options, words)).rejects.toThrow('has not started');
  clock.time += COUNTDOWN_MS;
  expect((await presses('cleo', 'Play')).title).toContain('Your game');
  await presses('eve', 'Leave');
  await plays('eve', options, words);
  await plays('finn', options, words);
  await plays('bob', options, words.slice(0, 1));
  await expect.poll(() => unopened(shown())).toMatch(/@bob: \d+ of 12 letters, 1 word\n/);
  const version = async () => (await readRace(app, { tenant: TENANT, channel }))!.version;
  const before = await version();
  await plays('bob', options, words.slice(0, 1));
  expect(await version(), 'nothing new to show').toBe(before);
  expect(words.some((word) => tokens(told()).has(word))).toBe(false);
  expect(told().join().toLowerCase()).not.toContain(options.sides.split(' ')[0]);
  clock.time += 73_000;
  const won = gameReply(await plays('dan', options, words));
  expect(plainText(won)).not.toMatch(/win the race|just for fun/);
  expect(labels(won)).toContain('See other solutions');
  await plays('cleo', options, words);
  await expect.poll(() => shown().title).toBe('Race won in 2 words');
  expect(unopened(shown())).toContain('@dan won after 1 minute 13 seconds.\n@ann: 0 of 12 letters, 0 words');
  expect(unopened(shown())).not.toContain('@eve');
  expect(words.some((word) => tokens(told()).has(word))).toBe(false);
  expect(hidden(shown())).toEqual({ 'The winner’s words': [words.join(' – ').toUpperCase()] });
  // Slack shows the spoiler by this request.
  expect(opened(await press(app, shown().rerun!, asker('gus')))).toContain(words[0]!.toUpperCase());
  const { channelResults } = world.store.tenant(TENANT);
  expect(await channelResults.ofDay(channel, '2026-11-20')).toEqual([]);
});

test('only a solution of a racer, in time, within the words and without help wins', async () => {
  const { options, words } = await start('ann', 'bob', 'cleo', 'dan');
  await say(app, `solve ${options.sides}`, { ...asker('ann'), opens: 'all' });
  await plays('ann', options, words);
  const solution = factsAbout({ board: parseBoard(options.sides) }, 'solution');
  await recordFacts({ ...asker('dan'), hintRecording: 'shared' }, app, [solution]);
  await plays('dan', options, words);
  await allow(1);
  const long = await plays('bob', options, words);
  expect(gameView(long).solved?.lines.at(-1)).toMatch(/^This doesn’t win the race: /);
  // What the others tell counts as a hint, with which nobody wins.
  expect(labels(gameReply(long))).toEqual(['Play again']);
  await allow(2);
  await playSoloGame(someone({ id: 'cleo' }, { channel: 'elsewhere' }), app, { options, words });
  await playSoloGame(someone({ id: 'cleo' }, { channel, tenant: 'web:away' }), app, { options, words });
  expect((await stored()).end).toBeUndefined();
  await Promise.all(['bob', 'cleo', 'bob'].map((id) => plays(id, options, words)));
  const won = await stored();
  expect(won).toMatchObject({ end: 'won', winner: { words } });
  clock.time += 1;
  for (const id of ['ann', 'bob', 'cleo']) await plays(id, options, words);
  // As one who has solved it at the same moment, and is saved later.
  const target = await targetOf({ ...asker('cleo'), command: 'play', options }, app);
  await recordProgress(asker('cleo'), app, won, target, { words: [...words], left: [], isSolved: true });
  for (const label of ['Join', 'Start', 'Play', 'Leave'])
    for (const reply of poster.messages[0]!.shown.filter((one) => labels(one).includes(label)).slice(0, 1))
      expect((await presses('bob', label, reply)).isMistake).toBeTruthy();
  expect(await stored()).toEqual(won);
});

test('refuses what is not possible', async () => {
  const refused = async (asking: Promise<Reply>) => opened(await asking);
  const silenced = asker('mia', { mayPost: false });
  expect(await refused(say(app, 'race', silenced))).toContain('may not write here');
  expect(await refused(say(app, 'race', someone({}, { channel, direct: true })))).toContain(
    'needs a channel',
  );
  poster.failures.post.push(new PostFailure('refused', 'no'));
  expect(await refused(tell('ann', 'race'))).toContain('couldn’t post');
  await tell('ann', 'race');
  expect((await tell('bob', 'race')).title).toBe('Race: who joins?');
  const join = actionOf(shown(), 'Join');
  const forged = { ...join, options: { ...join.options, race: '1' } };
  expect(await refused(press(app, forged, asker('bob')))).toContain('is over');
  expect(await refused(press(app, join, silenced))).toContain('may not write here');
  // `race` would only show this one again, so it is not advised.
  expect(await refused(presses('ann', 'Start'))).toContain('Ask someone to join first.\n\nHelp');
  expect(await refused(presses('bob', 'Start'))).toContain('not in this race');
  for (let n = 1; n < MAX_RACERS; n++) await press(app, join, asker(`racer-${n}`));
  expect(await refused(press(app, join, asker('late')))).toContain('20 racers at most');
  const waiting = shown();
  await presses('ann', 'Start');
  expect(await refused(press(app, join, asker('late')))).toContain('started already');
  // Pressed at the same moment, or on a private message of before.
  for (const label of ['Start', 'Join'])
    expect((await presses('racer-1', label, waiting)).title).toBe('Get ready');
  expect(await refused(presses('late', 'Play'))).toContain('not in this race');
  expect(poster.posts).toHaveLength(2);
  enterNewChannel();
  const today = { ...app, limits: { ...app.limits, racesPerPerson: 1 } };
  const begun = await Promise.all(['zoe', 'yan'].map((id) => say(today, 'race', asker(id))));
  expect(begun.map(({ title }) => title).sort()).toEqual(['Race: who joins?', 'You’re in the race']);
  expect(poster.posts).toHaveLength(1);
  await presses('zoe', 'Join');
  await presses('yan', 'Join');
  await allow(1);
  expect(await refused(presses('zoe', 'Start'))).toContain('no board that surely');
  enterNewChannel();
  expect(await refused(say(today, 'race', asker('zoe')))).toContain('You’ve had 1 today');
});

test('goes on in another process, and ends if nobody wins or everybody leaves', async () => {
  const { options, words } = await start('ann', 'bob');
  await plays('ann', options, words.slice(0, 1));
  const other = await makeTestApp({ store: world.store, clock, posterOf: () => poster });
  await playSoloGame(asker('ann'), other.app, { options, words: [...words] });
  expect((await stored()).winner?.person).toBe('ann');
  await other.close();
  await tell('ann', 'race');
  await presses('bob', 'Join');
  await presses('ann', 'Start');
  clock.time += RACE_TIMEOUT_MS;
  await deliverDue(app, poster);
  expect(labels(shown())).toContain('Play');
  clock.time += COUNTDOWN_MS;
  await deliverDue(app, poster);
  expect(unopened(shown())).toContain('Nobody won it in time.');
  await tell('ann', 'race');
  await presses('ann', 'Leave');
  expect(unopened(shown())).toContain('All racers have left.');
});

test('an export has one’s own part, and erasing leaves the race without oneself', async () => {
  const { options, words } = await start('ann', 'bob');
  await plays('bob', options, words);
  await expect.poll(() => shown().title).toContain('Race won');
  const exported = (person: string) =>
    exportPart(world.store, { door: 'web', tenant: 'web:local', person, part: 1, at: NOON });
  expect((await exported('bob')).content).toContain('"won"');
  expect((await exported('ann')).content).toContain('"letters": 0');
  expect(tokens([(await exported('ann')).content]).has(words[0]!)).toBe(false);
  await tell('bob', 'privacy delete sure');
  expect(JSON.stringify(await stored())).not.toMatch(new RegExp(`bob|${words[0]}`));
  expect(opened(shown())).not.toMatch(/bob|wins/);
  await tell('ann', 'privacy delete sure');
  expect(JSON.stringify(await stored())).not.toContain('ann');
});

test('of random races, each has one winner, the first by the server’s clock, and tells no letter', async () => {
  const races: { words: readonly string[]; race: TestPoster }[] = [];
  for (let nth = 0; nth < sample(1_000, 5); nth++) {
    enterNewChannel();
    const random = new Random(`races ${nth}`);
    const racers = Array.from({ length: 2 + random.below(5) }, (_, n) => `racer-${nth}-${n}`);
    const { options, words } = await start(racers[0]!, ...racers.slice(1));
    const left = new Set<string>();
    let winner: string | undefined;
    while (winner === undefined) {
      clock.time += random.below(3);
      const id = racers[random.below(racers.length)]!;
      const what = random.below(6);
      if (what === 0 && left.size < racers.length - 1 && !left.has(id)) {
        await presses(id, 'Leave');
        left.add(id);
      } else if (what === 1) {
        const both = [id, racers[random.below(racers.length)]!];
        await Promise.all(both.map((one) => plays(one, options, words)));
        const { winner: found } = await stored();
        winner = found?.person;
        expect(both.filter((one) => !left.has(one)).includes(winner ?? '')).toBe(winner !== undefined);
      } else await plays(id, options, what < 4 ? words.slice(0, 1) : ['zzz']);
    }
    const won = await stored();
    expect(won.winner).toEqual({ person: winner, words: [...words], at: clock.time });
    expect(left.has(winner)).toBe(false);
    await Promise.all(racers.map((id) => plays(id, options, words)));
    expect(await stored()).toEqual(won);
    races.push({ words, race: poster });
  }
  // Their messages are changed once in a second.
  for (const { words, race } of races) {
    await expect.poll(() => race.messages[0]!.shown.at(-1)!.title).toContain('Race won');
    const read = tokens(told(race));
    expect(words.filter((word) => read.has(word))).toEqual([]);
  }
});

test('a race of a clock that was a day or a year ahead keeps nobody from the next one', async () => {
  for (const ahead of [DAY, 365 * DAY]) {
    enterNewChannel();
    clock.time += ahead;
    await tell('ann', 'race');
    clock.time = NOON;
    expect((await tell('bob', 'race')).title).toBe('You’re in the race');
    enterNewChannel();
    clock.time += ahead;
    await start('ann', 'bob');
    clock.time = NOON;
    expect((await presses('ann', 'Play')).isMistake).toBeTruthy();
    expect((await tell('cleo', 'race')).title).toBe('You’re in the race');
    // An hour is bridged: a race that is on goes on.
    clock.time -= HOUR;
    expect((await tell('dan', 'race')).title).toBe('Race: who joins?');
  }
});

test('of a thousand who join at once, some at two doors, twenty are in, each once', async () => {
  await tell('racer-0', 'race');
  const join = actionOf(shown(), 'Join');
  const doors = [asker, (id: string) => ({ ...asker(id), isPage: true })];
  const joining = Array.from({ length: sample(1_000, 30) }, (_, n) =>
    doors.map((by) => press(app, join, by(`racer-${n}`)).then(({ title }) => title)),
  );
  const titles = await Promise.all(joining.flat());
  const { racers } = await stored();
  expect(new Set(racers.map(({ person }) => person)).size).toBe(MAX_RACERS);
  expect(racers).toHaveLength(MAX_RACERS);
  expect(titles.filter((title) => title === 'You’re in the race').length).toBeGreaterThanOrEqual(MAX_RACERS);
});

test('a process that dies in a race, at any await, leaves it to another one', async () => {
  let isDead = true;
  for (let at = sample(0, 5); isDead; at += sample(1, 11)) {
    enterNewChannel();
    isDead = false;
    let awaits = 0;
    const dead = Promise.withResolvers<void>();
    const dies = (): void | Promise<void> => {
      if (awaits++ < at) return;
      isDead = true;
      dead.resolve();
      return new Promise(() => {});
    };
    const processes = await Promise.all(
      [dies, () => {}].map((hook) =>
        makeTestApp({
          ...{ store: hookedStore(world.store, hook), clock, limits },
          posterOf: () => hookedPoster(poster, hook),
        }),
      ),
    );
    const [dying, other] = processes.map((one): App => ({ ...one.app, randomSeed: app.randomSeed }));
    /** People try again what got no answer. */
    const lives = async (act: (by: App) => Promise<unknown>) => {
      if (!isDead) await Promise.race([act(dying!), dead.promise]);
      if (isDead) await act(other!);
    };
    const presses = (id: string, what: string) =>
      lives(async (by) => {
        const options = { do: what, race: String((await stored()).madeAt) };
        return press(by, { command: 'race', options }, asker(id));
      });
    await lives((by) => say(by, 'race', asker('ann')));
    await presses('bob', 'join');
    await presses('ann', 'start');
    clock.time += COUNTDOWN_MS;
    await presses('bob', 'go');
    const { options, words } = await board();
    await lives((by) => playSoloGame(asker('bob'), by, { options, words }));
    clock.time += RACE_TIMEOUT_MS;
    await deliverDue(other!, poster);
    expect((await stored()).winner).toMatchObject({ person: 'bob', words });
    // The message that the process posted is found, if it could not note it.
    expect(poster.messages.length).toBeLessThan(2);
    for (const { shown } of poster.messages)
      expect(
        shown.map(({ title }) => title),
        `killed at ${at}`,
      ).toContain('Race won in 2 words');
    expect((await say(other!, 'race', asker('cleo'))).title).toBe('You’re in the race');
    for (const one of processes) await one.close();
  }
});

test('is posted once by another process if its own died before that', async () => {
  const dead = await makeTestApp({
    ...{ store: world.store, clock, limits },
    posterOf: () => Object.assign(makeTestPoster(), { post: () => new Promise<never>(() => {}) }),
  });
  void say(dead.app, 'race', asker('ann'));
  await expect.poll(() => readRace(app, { tenant: TENANT, channel })).toBeDefined();
  const titles = () => poster.messages.flatMap((one) => one.shown.map(({ title }) => title));
  // It may still be on its way.
  await tell('bob', 'race');
  expect(titles()).toEqual([]);
  clock.time += POSTING_MS;
  expect((await tell('bob', 'race')).title).toBe('Race: who joins?');
  await tell('cleo', 'race');
  expect(titles().length).toBeGreaterThan(0);
  expect(poster.messages).toHaveLength(1);
  await dead.close();
});

test('goes on although the store failed as its message was posted, for a moment or for longer', async () => {
  let failures = 1;
  const fail = () => {
    if (poster.messages.length > 0 && failures-- > 0) throw new StoreError('store.unreachable', 'gone');
  };
  const failing = await makeTestApp({
    ...{ store: hookedStore(world.store, fail), clock, limits },
    posterOf: () => poster,
  });
  expect((await say(failing.app, 'race', asker('ann'))).title).toBe('You’re in the race');
  expect((await stored()).posted).toBeDefined();
  enterNewChannel();
  failing.expectErrors('a command failed');
  failures = 9;
  expect((await say(failing.app, 'race', asker('ann'))).title).not.toBe('No race here');
  failures = 0;
  clock.time += POSTING_MS;
  expect((await tell('bob', 'race')).title).toBe('Race: who joins?');
  expect((await stored()).posted).toBeDefined();
  expect(poster.messages).toHaveLength(1);
  await failing.close();
});

test('an end is shown although the next race is begun at once', async () => {
  await tell('ann', 'race');
  const { promise, resolve } = Promise.withResolvers<void>();
  poster.beforeEdit = () => promise;
  const asked = [presses('bob', 'Join')];
  await expect.poll(async () => (await stored()).racers.length).toBe(2);
  asked.push(presses('ann', 'Leave'), presses('bob', 'Leave'));
  await expect.poll(async () => (await stored()).end).toBe('left');
  clock.time++;
  asked.push(tell('ann', 'race'));
  await turns();
  resolve();
  await Promise.all(asked);
  const titles = poster.messages.map((message) => message.shown.at(-1)!.title);
  expect(titles).toEqual([expect.stringMatching(/over|ended|left/i), expect.stringMatching(/^Race: /)]);
});

test('an end that the platform does not show at first is shown once it does', async () => {
  await tell('ann', 'race');
  const lost = new PostFailure('later', 'slow down');
  poster.failures.edit.push(lost, lost, lost, lost);
  clock.time += RACE_TIMEOUT_MS;
  for (let minutes = 0; minutes < 5; minutes++) {
    await deliverDue(app, poster);
    clock.time += MINUTE;
  }
  expect(poster.failures.edit).toEqual([]);
  expect(shown().title).toMatch(/over|ended/);
});

test('a win whose message could not be changed is shown when the race would have ended', async () => {
  const { options, words } = await start('ann', 'bob');
  poster.failures.edit.push(new PostFailure('refused', 'no'));
  await plays('ann', options, words);
  await expect.poll(() => poster.failures.edit).toEqual([]);
  expect(shown().title).toBe('Race: 2 racers');
  clock.time += RACE_TIMEOUT_MS;
  await deliverDue(app, poster);
  expect(poster.messages[0]!.shown.map(({ title }) => title)).toContain('Race won in 2 words');
});
