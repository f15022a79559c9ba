import { describe, expect, test } from 'vitest';
import { type Check, MAX_RELAY_WORDS, type Move, move, type Relay, startRelay, withoutPerson, wordsOf } from '../../../src/players/relay/game.ts'; // biome-ignore format: one line reads better
import { namedBoardOf } from '../../../src/reply/model/named-board.ts';
import { peopleIn } from '../../../src/reply/model/text.ts';
import { relayReply } from '../../../src/reply/replies/relay.ts';
import { formatBoard } from '../../../src/solver/board.ts';
import { checkWords } from '../../../src/solver/check.ts';
import { BOARD, searchOf, WORDS } from '../../reply/setting.ts';

const NOW = Date.UTC(2026, 10, 20, 17);
const check: Check = (words) =>
  checkWords(BOARD, words, searchOf(), (word) => WORDS.some((one) => one.word === word));

function begin(change: Partial<Relay> = {}): Relay {
  const game = { about: { date: '2026-11-20' }, board: formatBoard(BOARD), turns: false, startedBy: 'ann' };
  return { ...startRelay(game, NOW), ...change };
}
const add = (word: string, by = 'ann'): Move => ({ kind: 'add', word, by });
const outcome = (relay: Relay, made: Move, now = NOW) => move(relay, made, now, check).outcome;

/** Makes moves that must all be taken. */
function play(relay: Relay, ...moves: Move[]): Relay {
  return moves.reduce((game, made) => {
    const moved = move(game, made, NOW, check);
    if (moved.outcome !== 'moved') throw new Error(moved.outcome);
    return moved.relay;
  }, relay);
}

describe('a relay', () => {
  test('lets the last word be taken back by its player, by the person who started, and by managers', () => {
    const relay = play(begin(), add('bfjmcg', 'bob'), add('gkdhln', 'cleo'));
    const undo = (by: string, mayManage = false): Move => ({ kind: 'undo', by, mayManage });
    expect(outcome(relay, undo('bob'))).toBe('not-yours');
    expect(outcome(relay, undo('dan'))).toBe('not-yours');
    for (const made of [undo('cleo'), undo('ann'), undo('dan', true)]) {
      expect(wordsOf(play(relay, made))).toEqual(['bfjmcg']);
    }
    expect(outcome(begin(), undo('ann'))).toBe('nothing-to-undo');
  });

  test('accepts no more words than a picture can show', () => {
    const legs = Array.from({ length: MAX_RELAY_WORDS }, (_, index) => ({ word: `w${index}`, by: 'ann' }));
    expect(outcome(begin({ legs }), add('bfjmcg'))).toBe('full');
  });

  test('that is solved keeps its words, and names nobody who asked to be forgotten', () => {
    const solved = play(begin(), add('bfjmcg', 'bob'), add('gkdhlnbp', 'cleo'));
    const { relay } = withoutPerson({ relay: solved }, 'cleo');
    expect(wordsOf(relay)).toEqual(['bfjmcg', 'gkdhlnbp']);
    const { blocks } = relayReply({ ...relay, namedBoard: namedBoardOf(BOARD) }, 'everyone');
    expect(new Set(peopleIn(blocks))).toEqual(new Set(['bob']));
  });
});
