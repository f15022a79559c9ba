/**
 * Nothing that can be read before it is opened holds a word that was not asked for: not in any command's
 * answer, form, suggestion or log line, on any board. Boards and words are made of consonants, so that no
 * sentence of ours can hold one of them by accident.
 */
import { afterAll, expect, test } from 'vitest';
import { makeDispatcher } from '../../commands/dispatcher.ts';
import { COMMANDS } from '../../commands/index.ts';
import { makeAction, parseAction } from '../../src/reply/action.ts';
import type { Action, Reply } from '../../src/reply/types.ts';
import { WORD_SORTS } from '../../src/reply/words.ts';
import { formatBoard } from '../../src/solver/board.ts';
import { HINT_STEPS } from '../../src/solver/hints.ts';
import { makeSearch } from '../../src/solver/search.ts';
import { madeUp } from '../reply/setting.ts';
import { makeTestApp, NOON, someone, type TestApp } from './app.ts';
import { opened, press } from './ask.ts';
import { drawnWords, formTexts, openTexts, tokens } from './open-texts.ts';

const BOARDS = 25;
/** Boards on which the commands' own examples are tried too. */
const WITH_EXAMPLES = 4;
const DAY = 24 * 60 * 60_000;
const first = await makeTestApp();
afterAll(() => first.close());

/** A world of one board, on a day of its own, in the store that all share. */
async function worldOf(seed: number) {
  const { board, words } = madeUp(seed);
  const official = makeSearch(board, words).solutions('shortest').next().value?.words ?? [];
  const clock = { time: NOON + seed * DAY, now: () => NOON + seed * DAY };
  const world = await makeTestApp({
    store: first.store,
    clock,
    words: words.map(({ word, likelihood, tier }) => ({ word, likelihood, tier })),
    house: (date) => ({ date, source: 'house', board, official, par: 5 }),
  });
  return { world, board, official, secrets: words.map(({ word }) => word) };
}

/** What people may ask of a board, and the words they give away themselves by asking. */
function everyLine(sides: string, typed: string): { line: string; known: string[] }[] {
  const boards = ['', ` sides:${sides.replaceAll(' ', '-')}`, ' date:today'];
  const asked = [
    ...HINT_STEPS.map((step) => `hint ${step}`),
    'hint',
    'reveal',
    'solve',
    'solve all',
    'solve each',
    'solve words:3 everyday page:2',
    'words',
    ...WORD_SORTS.map((sort) => `words sort:${sort} page:2`),
  ];
  const given = [
    `check ${typed}`,
    `next ${typed}`,
    `solve exclude:${typed}`,
    ...HINT_STEPS.map((step) => `hint ${step} words:${typed}`),
  ];
  return boards.flatMap((board) => [
    ...asked.map((line) => ({ line: line + board, known: [] })),
    ...given.map((line) => ({ line: line + board, known: [typed] })),
  ]);
}

/** Every command as it stands, and its examples, one of which types in another board for the day. */
const EXAMPLES = COMMANDS.flatMap(({ name, examples }) => [name, ...examples]).map((line) => ({
  line,
  known: [],
}));

test('no command gives a word away before it is opened', async () => {
  let shown = 0;
  for (let seed = 0; seed < BOARDS; seed++) {
    const { world, board, official, secrets } = await worldOf(seed);
    const person = someone({ id: `p${seed}`, mayManage: true });
    const examples = seed < WITH_EXAMPLES ? EXAMPLES : [];
    for (const { line, known } of [...everyLine(formatBoard(board), official[0]!), ...examples]) {
      const dispatch = makeDispatcher(world.app, { commands: COMMANDS }).dispatchLine(line, person);
      const texts = dispatch.kind === 'form' ? formTexts(dispatch.form) : openTexts(await dispatch.reply);
      const secret = secrets.filter((word) => !known.includes(word));
      const open = tokens(texts);
      expect({ line, leaked: secret.filter((word) => open.has(word)) }).toEqual({ line, leaked: [] });
      if (dispatch.kind === 'form') continue;
      const reply = await dispatch.reply;
      expect(reply.title).not.toBe('Sorry, that went wrong');
      expect(drawnWords(reply).filter((word) => secret.includes(word))).toEqual([]);
      const revealed = tokens([opened(reply)]);
      if (secret.some((word) => revealed.has(word))) shown++;
    }
    expectCleanLogs(world, secrets);
  }
  expect(shown).toBeGreaterThan(BOARDS * 30);
});

function expectCleanLogs({ logged }: TestApp, secrets: readonly string[]): void {
  const written = tokens([JSON.stringify(logged)]);
  expect(logged.length).toBeGreaterThan(50);
  expect(secrets.filter((word) => written.has(word))).toEqual([]);
}

test('asked for again, an answer is the same, hidden parts and all', async () => {
  for (let seed = 0; seed < 5; seed++) {
    const { world, board, official } = await worldOf(seed);
    for (const { line } of [
      ...everyLine(formatBoard(board), official[0]!),
      ...(seed === 0 ? EXAMPLES : []),
    ]) {
      const dispatch = makeDispatcher(world.app, { commands: COMMANDS }).dispatchLine(line, someone());
      if (dispatch.kind === 'form') continue;
      const reply = await dispatch.reply;
      if (reply.again === undefined) continue;
      const again = await press(world.app, parseAction(makeAction(reply.again)));
      expect({ line, ...contentOf(again) }).toEqual({ line, ...contentOf(reply) });
    }
  }
});

interface Content extends Pick<Reply, 'title' | 'audience'> {
  readonly again: Action | undefined;
  readonly hidden: Reply['blocks'];
}

/** Who saw all hints is told so, once; and a page that was turned to changes the message it is on. */
function contentOf({ title, blocks, audience, again }: Reply): Content {
  const hidden = blocks.filter(({ kind }) => kind === 'spoiler' || kind === 'picture' || kind === 'facts');
  return { title, hidden, audience, again };
}

test('suggestions while typing tell nothing of the board', async () => {
  const { world, secrets } = await worldOf(1);
  const { complete } = makeDispatcher(world.app, { commands: COMMANDS });
  for (const { name, options } of COMMANDS) {
    for (const option of options) {
      for (const typed of ['', 'b', secrets[0]!.slice(0, 3)]) {
        const found = await complete(option.name, typed, { ...someone(), command: name, options: {} });
        expect(secrets.filter((word) => tokens(found).has(word))).toEqual([]);
      }
    }
  }
});
