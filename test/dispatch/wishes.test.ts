/** People's own words are understood, and nothing that costs or changes something for others is done by a guess. */
import { afterEach, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import type { PuzzleDate } from '../../src/core/clock.ts';
import { UserError } from '../../src/core/errors.ts';
import { Random } from '../../src/core/random.ts';
import { splitWords } from '../../src/core/text.ts';
import { type FinishedCommand, handlerOf, type Options } from '../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { readLine } from '../../src/dispatch/line.ts';
import { oddsOf } from '../../src/dispatch/wish-model.ts';
import { wishRows } from '../../src/dispatch/wish-table.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { makeTestApp, someone, type TestApp } from '../fakes/app.ts';
import { opened, press, replyOf, say } from '../fakes/ask.ts';
import { sample } from '../fakes/sample.ts';
import { buttons } from '../reply/look.ts';
import { readMeant, understood } from './wishes.ts';

const lexicon = readLexicon();
const isWord = (word: string) => lexicon.find(word) !== undefined;

/** A long run reads all lines, and else each fortieth of the many. */
const EACH = sample(1, 40);

test.each([
  // The lines that were asked for by name.
  ['wishes.txt', 1, 0.99],
  // What the model has learned from, and the table was written for.
  ['spoken.txt', EACH, 0.92],
  // Lines of people whose others are in neither: so many are understood by people who come new. No line of it may be learned.
  ['unseen.txt', 1, 0.9],
] as const)('most lines of %s are understood, and none is a wrong deed', (file, each, least) => {
  const lines = readMeant(new URL(file, import.meta.url)).filter((_, at) => at % each === 0);
  const read = lines.map(understood);
  const failed = read.filter(({ outcome }) => outcome !== 'right' && outcome !== 'offered');
  const share = 1 - failed.length / read.length;
  console.log(
    `${file}: ${read.length - failed.length} of ${read.length} lines understood (${(100 * share).toFixed(1)} %)`,
  );
  if (file !== 'unseen.txt')
    console.log(failed.map(({ line, outcome, read }) => `${outcome}: ${line} (${read})`).join('\n'));
  expect(share).toBeGreaterThanOrEqual(least);
  expect(read.filter(({ outcome }) => outcome === 'wrong deed')).toEqual([]);
});

/** Lines that begin with the name of a command, mean another one, and are not understood; of all other names at most one. */
const TAKEN_OVER: Readonly<Record<string, number>> = {
  daily: 4,
  play: 4,
  next: 3,
  set: 3,
  relay: 2,
  remind: 2,
};

test('no name of a command takes over lines that mean something else', () => {
  const files = ['wishes.txt', 'spoken.txt', 'unseen.txt'];
  const lines = files.flatMap((file) => readMeant(new URL(file, import.meta.url)));
  const names = COMMANDS.flatMap((command) =>
    [command.name, ...(command.alias ?? [])].map((name) => ({ name, command })),
  );
  const byName = Map.groupBy(lines, ({ line }) => /^\w+/.exec(line.toLowerCase())?.[0]);
  for (const { name, command } of names) {
    const others = (byName.get(name) ?? []).filter(
      ({ meant }) => !meant.some((one) => one.startsWith(command.name)),
    );
    const failed = others
      .map(understood)
      .filter(({ outcome }) => outcome !== 'right' && outcome !== 'offered');
    const told = failed.map(({ line, read }) => `${line} (${read})`).join('\n');
    expect(failed.length, `${name} takes over:\n${told}`).toBeLessThanOrEqual(TAKEN_OVER[name] ?? 1);
  }
});

test('the model knows the rows of the table, and that a line may wish for nothing', () => {
  expect([...oddsOf([]).keys()].sort()).toEqual(['', ...wishRows.keys()].sort());
});

test('every row of the table is an action that its command can read, with a label', () => {
  expect(wishRows.size).toBeGreaterThan(60);
  for (const { label, action, leastOdds } of wishRows.values()) {
    expect(label).not.toBe('');
    const command = COMMANDS.find(({ name }) => name === action?.command);
    expect([label, action === undefined || command !== undefined]).toEqual([label, true]);
    const isForManagers = command && handlerOf(command, action!.options as Options).access === 'manager';
    // Marked `!`: others see it, or it changes settings.
    if (isForManagers) expect([label, leastOdds]).toEqual([label, Number.POSITIVE_INFINITY]);
    const names = command?.options.map(({ name }) => name) ?? [];
    expect([label, Object.keys(action?.options ?? {}).filter((name) => !names.includes(name))]).toEqual([
      label,
      [],
    ]);
  }
});

/** Looks up no more words than a line has, whatever its length. */
test.each([
  ['a line of 300 characters', 'please give me zax '.repeat(15)],
  ['a line of 4,000 characters', 'zax '.repeat(1000)],
  ['a list', '1. zax\n'.repeat(500)],
  ['a quotation', `"${'what about zax and '.repeat(200)}"`],
])('reads %s in a number of steps that grows with its length', (_, line) => {
  let steps = 0;
  const isWord = () => ++steps < 0;
  readLine(line.slice(0, 4000), COMMANDS, isWord);
  expect(steps).toBeLessThanOrEqual(4 * line.length);
});

test('words to play are no wishes, and wishes no words, for 2,000 lines', () => {
  const random = new Random('played lines');
  const words = [...lexicon.entries()].flatMap(({ word, tier }) => (tier === 'everyday' ? [word] : []));
  const byLetter = Map.groupBy(words, (word) => word[0]!);
  const misread = Array.from({ length: 2000 }, () => {
    const first = words[random.below(words.length)]!;
    const after = byLetter.get(first.at(-1)!)!;
    const second = after[random.below(after.length)]!;
    const line = random.below(2) === 0 ? first : [first, second].join([' ', ', ', ' - '][random.below(3)]);
    const typed = random.below(2) === 0 ? line.toUpperCase() : line;
    const { command, options: read, alsoWords } = readLine(typed, COMMANDS, isWord);
    const isPlayed = command === 'play' && !(read instanceof UserError) && read.typed === 'yes';
    return isPlayed || alsoWords?.join() === splitWords(line).join() ? undefined : typed;
  }).filter((line) => line !== undefined);
  console.log(`${misread.length} of 2000 played lines misread: ${misread.join('; ')}`);
  expect(misread.length).toBeLessThanOrEqual(4);
});

test('the name of a command may be played as what was typed, and as no other word', () => {
  const typed = COMMANDS.flatMap(({ name, alias = [] }) => [name, ...alias]);
  const read = typed.map((word) => readLine(word, COMMANDS, () => true).alsoWords);
  expect(read.filter((words) => words !== undefined).length).toBeGreaterThan(40);
  expect(read.map((words, at) => words?.join() ?? typed[at])).toEqual(typed);
});

describe('what answers to them say and offer', () => {
  let world: TestApp;
  afterEach(() => world.close());

  const WORDS = ['hint', 'thanks'].map((word) => ({ word, likelihood: 0.9, tier: 'everyday' as const }));
  async function start(sides: string): Promise<void> {
    const house = (date: PuzzleDate) => ({
      date,
      source: 'house' as const,
      board: makeBoard(sides.split(' ')),
    });
    world = await makeTestApp({ words: WORDS, house });
  }
  const offered = async (line: string, asker = someone()) =>
    buttons(await say(world.app, line, asker)).map(({ label }) => label);

  test('offers a wish that is a word of the board as two buttons, and else grants the wish', async () => {
    await start('hab icd nef tgj');
    expect(await offered('hint')).toEqual(['Play HINT', 'Hint']);
    expect((await say(world.app, '/letterboxed hint')).title).not.toContain('HINT');
    expect((await say(world.app, 'hint sides:abc-def-ghi-jkl')).title).not.toContain('HINT');
    expect((await say(world.app, 'thanks!')).title).toBe('Letter Boxed');
    const done: FinishedCommand[] = [];
    const dispatcher = makeDispatcher(world.app, { commands: COMMANDS, onDone: (one) => done.push(one) });
    await replyOf(dispatcher.prepareLine('hint', someone()));
    expect(done).toMatchObject([{ command: 'hint', outcome: 'answered' }]);
  });

  /** A board with the real word list, in which these words can be read. */
  async function startWithAllWords(sides: string): Promise<void> {
    const house = (date: PuzzleDate) =>
      ({ date, source: 'house', board: makeBoard(sides.split(' ')) }) as const;
    world = await makeTestApp({ house });
  }

  test.each([
    ['restart', 'rbc etd saf ghj', ['Play RESTART', 'Start over']],
    ['cheat', 'cab htd efg ijk', ['Play CHEAT', 'The solution']],
    ['play together', 'tra ohb gcd efi', ['Play TOGETHER', 'Start a relay, one word each']],
  ])('offers %s as a word of the board beside what it wishes for', async (line, sides, labels) => {
    await startWithAllWords(sides);
    const done: FinishedCommand[] = [];
    const onDone = (one: FinishedCommand) => done.push(one);
    const dispatcher = makeDispatcher(world.app, { commands: COMMANDS, onDone });
    const reply = await replyOf(dispatcher.prepareLine(line, someone()));
    expect(buttons(reply).map(({ label }) => label)).toEqual(labels);
    expect(done).toHaveLength(1);
  });

  test('plays a word of the board that is only small talk otherwise', async () => {
    await startWithAllWords('tax hnb kdc sef');
    expect(opened(await say(world.app, 'thanks'))).toContain('THANKS – S');
  });

  test.each([
    ['tomorrow', 'Saturday, November 21, 2026 isn’t out yet'],
    ['cheat', 'Show the solution?'],
    ['hi', 'Type a word to play it, or help'],
    ['play again', 'Press the one you mean'],
    ['b', 'B has 1 letter; a word has at least 3'],
    ['level', 'LEVEL has E, which is not on this board'],
    ['circle', 'Press the one you mean'],
    ['help me pick a word', 'Is it one of these?'],
    ['help rules', 'Each word starts where the last one ended'],
  ])('answers %s', async (line, answer) => {
    await startWithAllWords('bcd fgh jkm lnp');
    expect(opened(await say(world.app, line))).toContain(answer);
  });

  test('offers what changes a channel as a button that says what it does, and only to people who may', async () => {
    await start('bcd fgh jkm lnp');
    const line = 'post it every morning at 9 london time';
    expect(await offered(line, someone({ mayManage: true }))).toEqual([
      'Post a board here every day at 9:00 AM London time',
    ]);
    const refused = await say(world.app, line, someone({ mayManage: false }));
    expect(opened(refused)).toContain('Ask someone who manages this channel.');
    expect(buttons(refused)).toEqual([]);
    for (const mayManage of [true, false]) {
      const labels = await offered('set alarm for 7:15', someone({ mayManage }));
      expect(labels.includes('Open the thread at 7:15 AM')).toBe(mayManage);
    }
  });

  test('names its reading where that was a guess, and offers three steps where nothing is understood', async () => {
    await start('bcd fgh jkm lnp');
    // Which lines are guesses is for the model.
    const isWord = (word: string) => world.app.lexicon.find(word) !== undefined;
    const lines = readMeant(new URL('spoken.txt', import.meta.url)).filter(({ line }) =>
      /long|all/.test(line),
    );
    const asked = lines.map(({ line }) => ({ line, ...readLine(line, COMMANDS, isWord) }));
    expect(Math.max(...asked.map(({ offers = [] }) => offers.length))).toBe(3);
    const guess = asked.find(
      ({ isGuess, command, offers }) => isGuess && command === 'words' && offers?.length,
    )!;
    const other = asked.find(({ isGuess, command }) => isGuess === false && command === 'words')!;
    const said = await say(world.app, guess.line);
    expect(opened(said)).toContain(`Read as: ${guess.label}`);
    const others = (guess.offers ?? []).map(({ label }) => label);
    expect(others.length).toBeGreaterThan(0);
    expect(buttons(said).map(({ label }) => label)).toEqual(expect.arrayContaining(others));
    expect(opened(await say(world.app, other.line))).not.toContain('Read as');
    expect(await offered('https://www.nytimes.com/puzzles/letter-boxed')).toEqual([
      'Hint',
      'Check a word',
      'Today’s board',
    ]);
  });

  test('answers a guess in private, as it repeats what was typed, unless others have read the line', async () => {
    await start('bcd fgh jkm lnp');
    const isWord = (word: string) => world.app.lexicon.find(word) !== undefined;
    const { line } = readMeant(new URL('spoken.txt', import.meta.url)).find(({ line: said }) => {
      const { isGuess, command, offers } = readLine(said, COMMANDS, isWord);
      return isGuess && command === 'today' && offers?.length;
    })!;
    for (const typed of [line, 'what is the board today qwxzy']) {
      expect((await say(world.app, typed)).audience, typed).toBe('asker');
      expect((await say(world.app, typed, { ...someone(), isPublicLine: true })).audience).toBe('everyone');
    }
  });

  test('reads a sentence in the field of help as a typed line, as Discord has no other place for one', async () => {
    await start('bcd fgh jkm lnp');
    const asked = { command: 'help', options: { command: 'what does par mean' } };
    expect(opened(await press(world.app, asked))).toContain('Par is a good number of words');
    const setting = { command: 'help', options: { command: 'post it every morning at 9' } };
    expect(buttons(await press(world.app, setting, someone({ mayManage: true })))).toMatchObject([
      { label: 'Post a board here every day at 9:00 AM' },
    ]);
  });

  test.each(['hi', 'par', '/hint', 'hints', 'hint?', 'all', 'forum'])(
    'reads "%s" in the field of help as behind a typed help',
    async (topic) => {
      await start('bcd fgh jkm lnp');
      const typed = await say(world.app, `help ${topic}`);
      const { title } = await press(world.app, { command: 'help', options: { command: topic } });
      expect(title).toBe(typed.title);
      const titles = { hi: 'What I can do', all: 'All commands', hints: 'Help: hint', 'hint?': 'Help: hint' };
      expect(title).toBe({ ...titles }[topic] ?? title);
    },
  );
});
