/**
 * Nothing that everyone can read before it is opened holds a word of a solution: not on any board, in any
 * reply, for any step. The boards and words here are made of consonants, so that no sentence of ours can
 * hold one of the words by accident.
 */

import { describe, expect, test } from 'vitest';
import type { Puzzle } from '../../src/puzzle/types.ts';
import { subjectOfBoard, subjectOfDay } from '../../src/reply/model/subject.ts';
import { plainText } from '../../src/reply/model/text.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { generatedReply, openingReply } from '../../src/reply/replies/board.ts';
import { hintCard, hintPost } from '../../src/reply/replies/hint.ts';
import { HINT_STEPS, type HintStep } from '../../src/reply/replies/hint-steps.ts';
import { checkedReply, nextReply } from '../../src/reply/replies/played.ts';
import { solutionReply, solvedReply } from '../../src/reply/replies/solutions.ts';
import { WORD_SORTS, wordsReply } from '../../src/reply/replies/words.ts';
import { checkWords } from '../../src/solver/check.ts';
import { makeSearch } from '../../src/solver/search.ts';
import type { Board, PlayableWord } from '../../src/solver/types.ts';
import { drawnWords, openTexts, tokens } from '../fakes/open-texts.ts';
import { sample } from '../fakes/sample.ts';
import { madeUp } from './setting.ts';

/** With about 150 replies each. */
const BOARDS = sample(20, 2);

/** Every reply there is about a board; `typed` are words that its asker typed, and so knows. */
function everyReply(board: Board, words: readonly PlayableWord[]): { reply: Reply; typed: string[] }[] {
  const search = makeSearch(board, words);
  const [best] = search.solutions('shortest').take(1).toArray();
  const official = best?.words ?? [];
  const puzzle: Puzzle = { date: '2026-11-20', source: 'house', board, par: 5, official };
  const replies: { reply: Reply; typed: string[] }[] = [];
  const add = (reply: Reply, typed: string[] = []) => replies.push({ reply, typed });
  for (const audience of ['asker', 'everyone'] as const) {
    add(openingReply({ puzzle, until: 0, audience }));
    add(
      generatedReply({
        generated: {
          board,
          seed: 's',
          difficulty: 'easy',
          solution: best ?? { words: [], likelihood: 1 },
          par: 5,
        },
        options: {},
        audience,
      }),
    );
    for (const subject of [subjectOfDay(puzzle), subjectOfBoard(board)]) {
      for (const step of HINT_STEPS) {
        add(hintPost({ subject, search, step }));
        add(hintCard({ subject, search, step }));
        add(hintCard({ subject, search, step, shown: HINT_STEPS }));
      }
      for (const certain of [true, false]) {
        add(
          solutionReply({
            subject,
            search,
            certain,
            official: { words: official, source: 'newspaper' },
            audience,
          }),
        );
        for (const page of [1, 2]) {
          add(solvedReply({ subject, search, certain, page, audience }));
          add(solvedReply({ subject, search, certain, page, all: true, audience }));
          add(solvedReply({ subject, search, certain, page, exactly: 3, audience }));
          for (const sort of WORD_SORTS)
            add(wordsReply({ subject, words, filter: { sort }, certain, page, audience }));
        }
      }
      const typed = official.slice(0, 1);
      const played = makeSearch(board, words, { played: typed });
      for (const step of HINT_STEPS) add(hintCard({ subject, search: played, step }), typed);
      add(nextReply({ subject, search: played, certain: false, audience }), typed);
      const result = checkWords(board, typed, search, (word) => words.some((other) => other.word === word));
      add(checkedReply({ subject, result, certain: false, audience }), typed);
    }
  }
  return replies;
}

describe('secrets', () => {
  test('no reply shows a word before it is opened, and many show one then', () => {
    let opened = 0;
    for (let seed = 0; seed < BOARDS; seed++) {
      const { board, words } = madeUp(seed);
      const playable = new Set(words.map(({ word }) => word));
      for (const { reply, typed } of everyReply(board, words)) {
        const open = tokens(openTexts(reply));
        const secret = [...playable].filter((word) => !typed.includes(word));
        expect(secret.filter((word) => open.has(word))).toEqual([]);
        expect(drawnWords(reply).filter((word) => !typed.includes(word))).toEqual([]);
        const revealed = tokens([plainText(reply, { reveal: true })]);
        if (secret.some((word) => revealed.has(word))) opened++;
      }
    }
    expect(opened).toBeGreaterThan(BOARDS * 20);
  });

  test('no hint step contains what belongs to a later one, opened or not', () => {
    for (let seed = 0; seed < BOARDS; seed++) {
      const { board, words } = madeUp(seed);
      const search = makeSearch(board, words);
      const [best] = search.solutions('shortest').take(1).toArray();
      if (best === undefined || best.words.length < 2) continue;
      const subject = { ...subjectOfBoard(board), name: 'this board' };
      const textOf = (steps: readonly HintStep[]) =>
        steps
          .map((step) => {
            const { blocks } = hintPost({ subject, search, step });
            return plainText(
              { title: '', blocks: blocks.filter(({ kind }) => kind !== 'buttons') },
              { reveal: true },
            );
          })
          .join('\n');
      const before = (step: HintStep) => HINT_STEPS.slice(0, HINT_STEPS.indexOf(step));
      expect(textOf(['start'])).not.toMatch(/\d/);
      expect(textOf(before('lengths'))).not.toMatch(/ then |join/);
      expect(textOf(before('masked'))).not.toContain('_');
      const spoken = tokens([textOf(before('first'))]);
      expect(words.filter(({ word }) => spoken.has(word))).toEqual([]);
      const firstSpoken = tokens([textOf(['first'])]);
      expect(words.filter(({ word }) => firstSpoken.has(word)).map(({ word }) => word)).toEqual([
        best.words[0],
      ]);
    }
  });
});
