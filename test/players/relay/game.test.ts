import { describe, expect, test } from 'vitest';
import { type Check, MAX_RELAY_WORDS, type Move, move, type Relay, startRelay, wordsOf } from '../../../src/players/relay/game.ts'; // biome-ignore format: one line reads better
import { formatBoard } from '../../../src/solver/board.ts';
import { checkWords } from '../../../src/solver/check.ts';
import fc from '../../fakes/fast-check.ts';
import { sample } from '../../fakes/sample.ts';
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

  test('keeps a path that the solver accepts whatever is tried, and rejected moves change nothing', () => {
    const people = fc.constantFrom('ann', 'bob', 'cleo');
    const words = fc.constantFrom(...WORDS.map(({ word }) => word), 'zzz', 'bcd');
    const moves: fc.Arbitrary<Move> = fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const), word: words, by: people }) },
      fc.record({ kind: fc.constant('undo' as const), by: people, mayManage: fc.boolean() }),
      fc.record({ kind: fc.constant('hint' as const), by: people }),
      fc.record({ kind: fc.constant('stop' as const), by: people, mayManage: fc.boolean() }),
    );
    fc.assert(
      fc.property(fc.array(moves, { maxLength: 30 }), fc.boolean(), (made, turns) => {
        let relay = begin({ turns });
        for (const one of made) {
          const before = JSON.stringify(relay);
          const moved = move(relay, one, NOW, check);
          expect(JSON.stringify(relay)).toBe(before);
          if (moved.outcome !== 'moved') continue;
          expect(relay.end).toBeUndefined();
          relay = moved.relay;
          const path = check(wordsOf(relay));
          expect(path.words.every(({ broken }) => broken === undefined)).toBe(true);
          expect(path.solved).toBe(relay.end === 'solved');
          if (turns && one.kind === 'add') expect(relay.legs.at(-2)?.by).not.toBe(relay.legs.at(-1)?.by);
        }
      }),
      { numRuns: sample(200, 15) },
    );
  });
});
