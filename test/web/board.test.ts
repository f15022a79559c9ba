import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { playMoves } from '../../src/jobs/play-moves.ts';
import { parseMoves } from '../../src/play/game.ts';
import { WORD_LOOKS } from '../../src/reply/picture/svg.ts';
import { parseBoard } from '../../src/solver/board.ts';
import { Unreachable } from '../../src/web/board/dom.js';
import { renderEnding } from '../../src/web/board/ending.js';
import { helper, PlayedGame } from '../../src/web/board/game.js';
import { waysOver } from '../../src/web/board/how.js';
import { boardView } from '../../src/web/board/view.ts';
import { SIDES, WORDS } from '../fakes/small-board.ts';

it('draws words on pages with the colours and dashes that they have in pictures', () => {
  const theme = readFileSync('src/web/board/theme.css', 'utf8');
  const valuesOf = (name: string) =>
    [...theme.matchAll(new RegExp(`${name}: ([^;]+);`, 'g'))].map(([, value]) => value);
  const colours = WORD_LOOKS.map((_, nth) => valuesOf(`--word-${nth}`));
  expect(colours).toEqual(WORD_LOOKS.map(({ colour, onDark }) => [`light-dark(${colour}, ${onDark})`]));
  expect(valuesOf('--dashes')).toEqual(WORD_LOOKS.map(({ dashes = 'none' }) => dashes));
});

it.each(['bc fg', 'bcd fgh jkl', SIDES, 'b c d f g', 'abc def ghi jkl mno pqr'])(
  'shows how to play on %s by its rules',
  (sides) => {
    const view = boardView(parseBoard(sides));
    const spots = view.sides.flatMap((side) => side.spots);
    const [first, second] = waysOver(view);
    expect(second![0]).toBe(first!.at(-1));
    for (const way of [first!, second!])
      for (const [index, spot] of way.slice(1).entries())
        expect(spots[way[index]!]!.reach & (1 << spot), way.join()).not.toBe(0);
  },
);

type Change = Parameters<ConstructorParameters<typeof PlayedGame>[2]>[0];

const BOARD = parseBoard(SIDES);
const SPOTS = SIDES.replaceAll(' ', '');
let games = 0;

/** The server of one game, which answers when the test lets it. */
function openServer(board = BOARD) {
  const name = `game ${++games}`;
  const judge = () => ({ words: WORDS, isWord: (word: string) => WORDS.some((one) => one.word === word) });
  const waiting: (() => void)[] = [];
  let [saved, version, word]: [unknown, number, string] = [undefined, 0, ''];
  const server = {
    board,
    isLost: false,
    isHolding: false,
    /** Answers what was asked so far. */
    answer: (order = (all: (() => void)[]) => all) => order(waiting.splice(0)).forEach((one) => void one()),
    get word() {
      return word;
    },
    async makeMoves(moves: string, seen = version, sent = 0) {
      if (server.isHolding) await new Promise<void>((resolve) => waiting.push(resolve));
      if (server.isLost) throw new Unreachable('nothing answers');
      const isSent = sent > 0 && seen + 1 === version;
      const isElsewhere = seen !== version && !isSent;
      const input = { moves: isElsewhere ? [] : parseMoves(moves)!.slice(isSent ? sent : 0) };
      const state = playMoves({ board, saved, input, judge: judge as never });
      if (JSON.stringify(state.saved) !== JSON.stringify(saved)) version += 1;
      ({ saved, word } = state);
      const refused = state.refusal?.code;
      return { ...state, game: name, version, lines: [], isElsewhere, refused, solved: undefined };
    },
  };
  return server;
}

/** A board of a page, with what it was told by its game. */
function openGame({ board, makeMoves }: ReturnType<typeof openServer>) {
  const changes: Change[] = [];
  const game = new PlayedGame(boardView(board), makeMoves, (change) => void changes.push(change));
  onTestFinished(() => game.leave());
  return {
    game,
    changes,
    type: (letters: string) => [...letters].forEach((letter) => void game.type(letter)),
    tap: (letters: string) => [...letters].forEach((letter) => void game.tap(SPOTS.indexOf(letter))),
  };
}

it('counts down to the next board as long as it is shown', () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const made: { textContent?: string; isConnected: boolean }[] = [];
  const createElement = () => {
    made.push({ isConnected: false, setAttribute() {}, append() {} } as never);
    return made.at(-1);
  };
  vi.stubGlobal('document', { createElement });
  renderEnding({ untilNext: 61 * 60_000 }, { main: [], more: [] });
  const shown = () => made.flatMap(({ textContent = [] }) => textContent);
  expect(shown()).toEqual(['Next board in 1 h 1 min']);
  expect(vi.getTimerCount()).toBe(1);
  for (const one of made) one.isConnected = true;
  vi.advanceTimersByTime(2 * 60_000 + 1_000);
  expect(shown()).toEqual(['Next board in 59 min']);
  vi.advanceTimersByTime(60 * 60_000);
  expect(shown()).toEqual(['The next board is here.']);
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  [0, []],
  [1, ['A streak begins']],
  [3, ['3 days in a row']],
])('names a streak of %i days below a solved board', (streak, said) => {
  const shown: unknown[] = [];
  const append = (...children: unknown[]) => shown.push(...children);
  vi.stubGlobal('document', { createElement: () => ({ setAttribute() {}, append }) });
  onTestFinished(() => void vi.unstubAllGlobals());
  renderEnding({ week: { days: [], streak } }, { main: [], more: [] });
  expect(shown.filter((one) => typeof one === 'string')).toEqual([...said, 'More']);
});

it('names the hints that are shown when it asks for help: on the same words, and on any', async () => {
  const asked: unknown[] = [];
  const ask = helper(async (_, fields) => {
    asked.push(fields);
    return { shown: `start,step ${asked.length}` };
  });
  for (const words of [['forum'], ['forum'], ['forum', 'mob']]) await ask('hint', words);
  for (const what of ['reveal', 'hint'] as const) await ask(what, ['forum', 'mob']);
  const forum = { ask: 'hint', words: ['forum'], step: undefined };
  const both = ['forum', 'mob'];
  expect(asked).toEqual([
    { ...forum, shown: undefined, taken: undefined },
    { ...forum, shown: 'start,step 1', taken: 'start,step 1' },
    { ...forum, words: both, shown: undefined, taken: 'start,step 1,step 2' },
    { ...forum, ask: 'reveal', words: both, shown: 'start,step 3', taken: 'start,step 1,step 2,step 3' },
    { ...forum, words: both, shown: 'start,step 3', taken: 'start,step 1,step 2,step 3' },
  ]);
});

describe('a game on a page, whose moves a server makes', () => {
  /** What the page has told the person last. */
  let status: { textContent: string };
  beforeEach(() => {
    status = { textContent: '' };
    vi.useFakeTimers();
    vi.stubGlobal('window', globalThis);
    vi.stubGlobal('HTMLElement', Object);
    vi.stubGlobal('document', { querySelector: () => status });
    onTestFinished(() => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    });
  });
  const settle = () => vi.advanceTimersByTimeAsync(1_000);

  it('goes on after a refused word with letters that are entered while others are kept', async () => {
    const server = openServer();
    const { game, changes, tap } = openGame(server);
    await game.load();
    // The first letter is taken back without the server, and each is told once.
    server.isHolding = true;
    tap('b');
    game.back();
    expect([game.word, changes.length]).toEqual(['', 3]);
    server.isHolding = false;
    tap('bb');
    expect(changes.at(-1)).toEqual({ refused: 'B can’t follow itself.' });
    tap('fj');
    tap('k');
    // Keeping the letters takes nothing back of what is said.
    await settle();
    expect(changes.at(-1)).toEqual({ refused: 'K is on the same side as J.' });
    tap('j');
    expect(changes.at(-1)).toEqual({ refused: 'J can’t follow itself.' });
    game.ask('.');
    await settle();
    expect(changes.at(-1)).toMatchObject({ refused: 'word' });
    game.back();
    server.isHolding = true;
    await settle();
    tap('jmc');
    server.answer();
    await settle();
    tap('g');
    game.ask('.');
    server.isHolding = false;
    server.answer();
    await settle();
    expect(game.view.words).toEqual(['bfjmcg']);
    expect(changes.at(-1)).toMatchObject({ entered: 'bfjmcg' });
    game.ask('.');
    await settle();
    expect(changes.at(-1)).toMatchObject({ entered: undefined });
  });

  it('types ahead of its first state and of the judgement of a word, and drops what follows a wrong one', async () => {
    const server = openServer();
    [server.isLost, server.isHolding] = [true, true];
    const { game, type, tap } = openGame(server);
    const loading = game.load();
    // It is lost with what it was typed for.
    type('d');
    server.answer();
    await loading;
    // The first letter tries to load it again.
    [server.isLost, server.isHolding] = [false, true];
    type('bfjmcg');
    game.ask('.');
    expect(game.word).toBe('');
    // With the letter that joins the words.
    type('gkdhlm');
    server.isHolding = false;
    server.answer();
    await settle();
    expect([game.view.words, game.word]).toEqual([['bfjmcg'], 'gkdhlm']);
    game.ask('.');
    type('np');
    await settle();
    expect(game.word).toBe('gkdhlm');
    type('x'.repeat(30));
    game.back();
    expect(game.struck).toEqual({ letters: 'x'.repeat(23), reason: 'X is not on this board.' });
    game.clear();
    type('k');
    expect(game.word).toBe('gk');
    // A letter that is tapped takes the place of wrong ones, and so does a new game.
    type('x');
    tap('d');
    expect([game.word, game.struck.letters]).toEqual(['gkd', '']);
    type('x');
    game.ask('0');
    expect(game.struck.letters).toBe('');
    // What is taken back ahead of the first state, too.
    const slow = openServer();
    slow.isHolding = true;
    const ahead = openGame(slow);
    void ahead.game.load();
    ahead.type('bfjm');
    ahead.game.clear();
    ahead.type('bfj');
    ahead.game.back();
    await settle();
    slow.answer();
    await settle();
    expect(ahead.game.word).toBe('bf');
  });

  it('follows other boards of its game, and says that it went on elsewhere', async () => {
    const server = openServer();
    const [one, same, other] = [openGame(server), openGame(server), openGame(server)];
    for (const { game } of [one, same, other]) await game.load();
    one.type('bfjmcg');
    // A letter that the server does not have goes with the game in which it was entered.
    same.type('p');
    one.game.ask('.');
    await settle();
    expect([same.game.view.words, same.game.word, server.word]).toEqual([['bfjmcg'], 'g', 'g']);
    await settle();
    expect(server.word).toBe('g');
    // To go back into a word is asked for at once.
    one.game.back();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.word).toBe('bfjmcg');
    one.game.ask('.');
    await settle();
    // As in another tab, which no board of this page hears of.
    other.game.leave();
    one.type('k');
    await settle();
    server.isHolding = true;
    other.type('k');
    await settle();
    // What is typed until the answer is for the game before, too.
    other.type('dx');
    server.isHolding = false;
    server.answer();
    await settle();
    expect(other.changes.at(-1)).toMatchObject({ isElsewhere: true });
    expect([other.game.view.words, other.game.word]).toEqual([['bfjmcg'], 'gk']);
    // What was typed wrongly in the game before is gone with it.
    expect(other.game.struck.letters).toBe('');
  });

  it('keeps what a board has been told where the first state of another one comes late', async () => {
    const server = openServer();
    const { game, type } = openGame(server);
    await game.load();
    const late = Promise.withResolvers<void>();
    async function makeMoves(moves: string, seen?: number) {
      const answer = await server.makeMoves(moves, seen);
      await late.promise;
      return answer;
    }
    const second = openGame({ ...server, makeMoves } as typeof server);
    void second.game.load();
    type('bf');
    await settle();
    late.resolve();
    await settle();
    expect([game.word, second.game.word]).toEqual(['bf', 'bf']);
  });

  it('sends letters that did not arrive with the next one', async () => {
    const server = openServer();
    const { game, type } = openGame(server);
    await game.load();
    type('b');
    await settle();
    server.isLost = true;
    type('fj');
    await settle();
    expect([server.word, status.textContent]).toEqual(['b', 'nothing answers']);
    // An Enter that does not arrive takes nothing away.
    game.ask('.');
    await settle();
    server.isLost = false;
    type('m');
    await settle();
    expect(server.word).toBe('bfjm');
  });

  it.each([
    ['in order', (waiting: (() => void)[]) => waiting],
    ['in the other order', (waiting: (() => void)[]) => waiting.toReversed()],
  ])('sends letters once none was entered for a while, or the page is left: %s', async (_, order) => {
    const server = openServer();
    const sent: string[] = [];
    async function makeMoves(moves: string, ...more: number[]) {
      sent.push(moves);
      return { ...(await server.makeMoves(moves, ...more)), hintPrice: `${sent.length} points` };
    }
    const { game, changes, type } = openGame({ ...server, makeMoves } as typeof server);
    await game.load();
    // Nothing is taken back, so that nothing is to be sent.
    game.clear();
    game.save();
    for (const one of 'bfj') {
      type(one);
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(sent).toEqual(['']);
    await settle();
    expect(sent).toEqual(['', 'bfj']);
    // The next hint's price is shown with them.
    expect([changes.at(-1), game.view.hintPrice]).toEqual([{ isOnlyPriced: true }, '2 points']);
    game.save();
    server.isHolding = true;
    type('m');
    game.save();
    type('c');
    await settle();
    // Nothing more is asked meanwhile, unless the page may be left.
    expect(sent).toEqual(['', 'bfj', 'm']);
    game.save();
    game.refresh();
    server.isHolding = false;
    server.answer(order);
    await vi.advanceTimersByTimeAsync(0);
    expect(server.word).toBe('bfjmc');
    await settle();
    expect([server.word, game.word]).toEqual(['bfjmc', 'bfjmc']);
    expect(changes.filter(({ isElsewhere }) => isElsewhere)).toEqual([]);
    // Nor does a board that is no longer shown wait.
    type('g');
    game.leave();
    expect(sent.at(-1)).toBe('g');
  });

  it.each([1, 2])('sends letters that follow a return to the page that was left %i times', async (times) => {
    const server = openServer();
    const { game, changes, type } = openGame(server);
    await game.load();
    server.isHolding = true;
    type('b');
    await settle();
    type('f');
    for (let time = 0; time < times; time++) {
      game.save();
      type('jm'[time]!);
    }
    server.isHolding = false;
    server.answer();
    await settle();
    const typed = 'bfjm'.slice(0, 2 + times);
    expect([server.word, game.word]).toEqual([typed, typed]);
    expect(changes.filter(({ isElsewhere }) => isElsewhere)).toEqual([]);
  });

  it('sends nothing of an undone restart that did not arrive with the next try', async () => {
    const server = openServer();
    const { game } = openGame(server);
    await game.load();
    server.isLost = true;
    game.ask('bfjmcg.');
    await settle();
    server.isLost = false;
    game.ask('bfjmcg.');
    await settle();
    expect([game.view.words, game.word]).toEqual([['bfjmcg'], 'g']);
  });

  it('sends moves that the server refuses only once', async () => {
    const server = openServer();
    let isRefusing = true;
    const sent: string[] = [];
    async function makeMoves(moves: string, seen?: number) {
      if (moves !== '') sent.push(moves);
      if (isRefusing && moves !== '') throw new Error('not you');
      return server.makeMoves(moves, seen);
    }
    const { game, type } = openGame({ ...server, makeMoves } as typeof server);
    await game.load();
    type('bf');
    await settle();
    expect(status.textContent).toBe('not you');
    isRefusing = false;
    type('j');
    await settle();
    // What is taken back changes nothing there, and is not sent once more.
    type('m');
    game.back();
    for (let times = 0; times < 2; times++) await settle();
    expect(sent).toEqual(['bf', 'j', 'm<']);
  });

  it('runs a word over the spots that it can stand on where the board has a letter twice', async () => {
    const { game, type } = openGame(openServer(parseBoard('bcd fgh jkl mnb')));
    await game.load();
    type('bc');
    expect(game.trail).toEqual([11, 1]);
  });

  it('refuses letters once the board is solved, by that reason', async () => {
    const server = openServer();
    const makeMoves = async (moves: string) => ({ ...(await server.makeMoves(moves)), next: 0, solved: {} });
    const { game, changes, type } = openGame({ ...server, makeMoves } as never);
    await game.load();
    type('b');
    expect(changes.at(-1)).toEqual({ refused: 'This board is solved.' });
  });
});
