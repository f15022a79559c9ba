/**
 * Every command's every answer, in itself and at every door: the platform takes it, nothing hidden can be read before it is
 * opened, not in a form, a suggestion or a log line either, and what is hidden is there once it is. Boards and words are made
 * of consonants, so that no sentence of ours can hold one of them by accident.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { DOORS as ALL } from '../../../src/core/channel-ref.ts';
import { DAY } from '../../../src/core/clock.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { makeAction, parseAction } from '../../../src/reply/model/action.ts';
import { HINT_STEPS } from '../../../src/reply/model/facts.ts';
import { isOpen, lineText } from '../../../src/reply/model/text.ts';
import type { Form, Reply } from '../../../src/reply/model/types.ts';
import { WORD_SORTS } from '../../../src/reply/replies/words.ts';
import { formatBoard } from '../../../src/solver/board.ts';
import { makeSearch } from '../../../src/solver/search.ts';
import type { Store } from '../../../src/store/store.ts';
import { makeTestApp, NOON, someone, type TestApp } from '../../fakes/app.ts';
import { opened, press, replyOf } from '../../fakes/ask.ts';
import { drawnWords, formTexts, openTexts, tokens } from '../../fakes/open-texts.ts';
import { IS_LONG, sample } from '../../fakes/sample.ts';
import { madeUp } from '../../reply/setting.ts';
import { DOORS } from './doors.ts';

/** A leak that shows on every fourth board is missed with a probability of 3 %. */
const BOARDS = sample(12, 2);
/** Boards on which the commands' own examples are tried too. */
const WITH_EXAMPLES = sample(4, 1);
const first = await makeTestApp();
afterAll(() => first.close());

/** A world of one board, on a day of its own, in the store that all share. */
async function worldOf(seed: number, store: Store) {
  const { board, words } = madeUp(seed);
  const official = makeSearch(board, words).solutions('shortest').next().value?.words ?? [];
  const clock = { time: NOON + seed * DAY, now: () => NOON + seed * DAY };
  const world = await makeTestApp({
    store,
    clock,
    words: words.map(({ word, likelihood, tier }) => ({ word, likelihood, tier })),
    house: (date) => ({ date, source: 'house', board, official, par: 5 }),
  });
  return { world, board, official, secrets: words.map(({ word }) => word) };
}

interface Asked {
  readonly line: string;
  /** Words that people give away themselves by asking. */
  readonly known: readonly string[];
}

/** What people may ask of a board. */
function everyLine(sides: string, typed: string): Asked[] {
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
  const typo = typoOf(typed, sides);
  const mistyped = ['check', 'play', 'next', 'hint'].map((command) => `${command} words:${typo}`);
  return boards.flatMap((board) => [
    ...asked.map((line) => ({ line: line + board, known: [] })),
    ...given.map((line) => ({ line: line + board, known: [typed] })),
    ...mistyped.map((line) => ({ line: line + board, known: [typo] })),
  ]);
}

/** A word with another last letter, which the board allows there. */
function typoOf(word: string, sides: string): string {
  const side = sides
    .split(' ')
    .find((letters) => !letters.includes(word.at(-2)!) && !letters.includes(word.at(-1)!));
  return word.slice(0, -1) + side![0]!;
}

/** Every command as it stands, its examples, one of which types in another board for the day, and each of its options. */
const EXAMPLES = COMMANDS.flatMap(({ name, examples, options }) => [
  ...[name, ...examples],
  ...options.flatMap((one) =>
    one.internal || one.example === undefined ? [] : `${name} ${one.name}:"${one.example}"`,
  ),
]).map((line): Asked => ({ line, known: [] }));

interface Case {
  readonly world: TestApp;
  readonly line: string;
  /** What came of it: a form or a reply. */
  readonly form?: Form;
  readonly reply?: Reply;
  /** The same reply, requested again by its button; only for some cases. */
  readonly again?: Reply;
  readonly secret: readonly string[];
}

/** Asked once; then each door shows what came of it. */
async function everyCase(): Promise<Case[]> {
  const cases: Case[] = [];
  for (let seed = 0; seed < BOARDS; seed++) {
    const { world, board, official, secrets } = await worldOf(seed, first.store);
    const person = someone({ id: `p${seed}`, mayManage: true });
    const examples = seed < WITH_EXAMPLES ? EXAMPLES : [];
    for (const asked of [...everyLine(formatBoard(board), official[0]!), ...examples]) {
      const { line, known } = asked;
      const prepared = makeDispatcher(world.app, { commands: COMMANDS }).prepareLine(line, person);
      const secret = secrets.filter((word) => !known.includes(word));
      const about = { world, line, secret };
      if (prepared.kind === 'form') {
        cases.push({ ...about, form: prepared.form });
        continue;
      }
      const reply = await replyOf(prepared);
      // At once, because the worlds share a store: the next one has another board of this day.
      const isRequested = reply.rerun !== undefined && (IS_LONG || seed === 0);
      cases.push({
        ...{ ...about, reply },
        ...(isRequested && { again: await press(world.app, parseAction(makeAction(reply.rerun!)), person) }),
      });
    }
    expect(world.logged.length).toBeGreaterThan(50);
    expect(leaked(JSON.stringify(world.logged), secrets)).toEqual([]);
  }
  return cases;
}

const cases = await everyCase();
const { app } = first;

test('no door is left out', () => {
  expect(DOORS.map(({ name }) => name).sort()).toEqual([...ALL].sort());
  expect(cases.length).toBeGreaterThan(sample(300, 130));
});

describe('an answer', () => {
  test('gives no word away as others see it, before it is opened', () => {
    let shown = 0;
    for (const { line, form, reply, secret } of cases) {
      const texts = form === undefined ? openTexts(reply!) : formTexts(form);
      expect({ line, leaked: leaked(texts.join('\n'), secret) }).toEqual({ line, leaked: [] });
      if (reply === undefined) continue;
      expect(reply.title).not.toBe('Sorry, that went wrong');
      expect(drawnWords(reply).filter((word) => secret.includes(word))).toEqual([]);
      if (leaked(opened(reply), secret).length > 0) shown++;
    }
    expect(shown).toBeGreaterThan(BOARDS * 30);
  });

  test('that is requested again is the same, with its hidden parts', () => {
    const requested = cases.filter(({ again }) => again !== undefined);
    expect(requested.length).toBeGreaterThan(30);
    for (const { line, reply, again } of requested)
      expect({ line, ...contentOf(again!) }).toEqual({ line, ...contentOf(reply!) });
  });

  test('is not given away by suggestions', async () => {
    const { world, secret } = cases[0]!;
    const { complete } = makeDispatcher(world.app, { commands: COMMANDS });
    for (const { name, options } of COMMANDS)
      for (const option of options)
        for (const typed of ['', 'b', secret[0]!.slice(0, 3)]) {
          const found = await complete(option.name, typed, { ...someone(), command: name, options: {} });
          expect(leaked(found.join('\n'), secret)).toEqual([]);
        }
  });
});

/** Without the note that all hints were seen, which is shown once, and without what is open in one of them. */
function contentOf({ title, blocks, audience, rerun }: Reply) {
  const hidden = blocks
    .filter(({ kind }) => kind === 'spoiler' || kind === 'picture' || kind === 'facts')
    .map((block) => (block.kind === 'spoiler' ? { ...block, open: undefined } : block));
  return { title, hidden, audience, rerun };
}

describe.each(DOORS.map((door) => [door.name, door] as const))('%s', (_, door) => {
  test('shows every answer within its limits, and nothing hidden unopened', async () => {
    for (const { line, reply, secret } of cases) {
      if (reply === undefined) continue;
      const { open, revealed, problems } = await door.show(reply, app);
      expect({ line, problems }).toEqual({ line, problems: [] });
      const asked = openWords(reply);
      const unasked = secret.filter((word) => !asked.has(word));
      expect({ line, leaked: leaked(open, unasked) }).toEqual({ line, leaked: [] });
      const [begin = ''] = hiddenWords(reply);
      expect({ line, revealed: revealed.toLowerCase() }).toEqual({
        line,
        revealed: expect.stringContaining(begin),
      });
    }
  });

  test('asks for what is missing within its limits', async () => {
    for (const { line, form, secret } of cases) {
      if (form === undefined) continue;
      const { open, problems } = await door.form(form, app);
      expect({ line, problems, leaked: leaked(open, secret) }).toEqual({ line, problems: [], leaked: [] });
    }
  });
});

function leaked(text: string, secret: readonly string[]): string[] {
  const open = tokens([text]);
  return secret.filter((word) => open.has(word));
}

/** The words of what the asker asked for, which their private answer shows at once. */
function openWords(reply: Reply): Set<string> {
  const lines = reply.blocks.flatMap((block) =>
    block.kind === 'spoiler' && isOpen(block, reply) ? block.hidden : [],
  );
  return tokens(lines.map((line) => lineText(line)));
}

/** Words of letters alone: each platform writes signs and spaces in its own way. */
function hiddenWords({ blocks }: Reply): string[] {
  const lines = blocks.flatMap((block) => (block.kind === 'spoiler' ? block.hidden : []));
  return lines.flatMap(
    (line) =>
      lineText(line)
        .toLowerCase()
        .match(/[a-z]{3,}/g) ?? [],
  );
}
