/**
 * Nothing that can be read before it is opened holds a word that was not asked for: not in any command's
 * answer, form, suggestion or log line, on any board. Boards and words are made of consonants, so that no
 * sentence of ours can hold one of them by accident.
 */

import { afterAll, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { makeAction, parseAction } from '../../src/reply/model/action.ts';
import type { Action, Reply } from '../../src/reply/model/types.ts';
import { formatBoard } from '../../src/solver/board.ts';
import { makeTestApp, someone, type TestApp } from '../fakes/app.ts';
import { opened, press, replyOf } from '../fakes/ask.ts';
import { drawnWords, formTexts, openTexts, tokens } from '../fakes/open-texts.ts';
import { IS_LONG, sample } from '../fakes/sample.ts';
import { EXAMPLES, everyLine, worldOf } from '../fakes/worlds.ts';

/** A leak that shows on every fourth board is missed with a probability of 3 %. */
const BOARDS = sample(12, 1);
/** Boards on which the commands' own examples are tried too. */
const WITH_EXAMPLES = sample(4, 1);
const first = await makeTestApp();
afterAll(() => first.close());

test('no command gives a word away before it is opened', async () => {
  let shown = 0;
  for (let seed = 0; seed < BOARDS; seed++) {
    const { world, board, official, secrets } = await worldOf(seed, first.store);
    const person = someone({ id: `p${seed}`, mayManage: true });
    const examples = seed < WITH_EXAMPLES ? EXAMPLES : [];
    for (const { line, known } of [...everyLine(formatBoard(board), official[0]!), ...examples]) {
      const prepared = makeDispatcher(world.app, { commands: COMMANDS }).prepareLine(line, person);
      const reply = prepared.kind === 'form' ? undefined : await replyOf(prepared);
      const texts = prepared.kind === 'form' ? formTexts(prepared.form) : openTexts(reply!);
      const secret = secrets.filter((word) => !known.includes(word));
      const open = tokens(texts);
      expect({ line, leaked: secret.filter((word) => open.has(word)) }).toEqual({ line, leaked: [] });
      if (reply === undefined) continue;
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

test('an answer that is requested again is the same, with its hidden parts', async () => {
  for (let seed = 0; seed < sample(5, 1); seed++) {
    const { world, board, official } = await worldOf(seed, first.store);
    for (const { line } of [
      ...everyLine(formatBoard(board), official[0]!),
      ...(IS_LONG && seed === 0 ? EXAMPLES : []),
    ]) {
      const prepared = makeDispatcher(world.app, { commands: COMMANDS }).prepareLine(line, someone());
      if (prepared.kind === 'form') continue;
      const reply = await replyOf(prepared);
      if (reply.rerun === undefined) continue;
      const again = await press(world.app, parseAction(makeAction(reply.rerun)));
      expect({ line, ...contentOf(again) }).toEqual({ line, ...contentOf(reply) });
    }
  }
});

interface Content extends Pick<Reply, 'title' | 'audience'> {
  readonly rerun: Action | undefined;
  readonly hidden: Reply['blocks'];
}

/** Without the note that all hints were seen, which is shown once, and without what is open in one of them. */
function contentOf({ title, blocks, audience, rerun }: Reply): Content {
  const hidden = blocks
    .filter(({ kind }) => kind === 'spoiler' || kind === 'picture' || kind === 'facts')
    .map((block) => (block.kind === 'spoiler' ? { ...block, open: undefined } : block));
  return { title, hidden, audience, rerun };
}

test('suggestions give nothing about the board away', async () => {
  const { world, secrets } = await worldOf(1, first.store);
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
