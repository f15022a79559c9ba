import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Check, endOf, LONGEST, type Move, move, PATIENCE, peopleOf, type Relay, startRelay, wordsOf } from '../../../src/players/relay/game.ts'; // biome-ignore format: one line reads better
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
  test('goes on word by word until every letter is used', () => {
    const one = play(begin(), add('bfjmcg', 'ann'));
    expect(one.end).toBeUndefined();
    const two = play(one, add('gkdhln', 'bob'));
    expect(two.end).toBeUndefined();
    const three = play(two, add('nbp', 'cleo'));
    expect(three.end).toBe('solved');
    expect(wordsOf(three)).toEqual(['bfjmcg', 'gkdhln', 'nbp']);
    expect(peopleOf(three)).toEqual(['ann', 'bob', 'cleo']);
    expect(outcome(three, add('bfjm'))).toBe('over');
  });

  test.each([
    ['zzz', 'unknown-letter'],
    ['bcd', 'same-side'],
    ['bf', 'too-short'],
    ['nbp', 'does-not-chain'],
    ['gjb', 'not-a-word'],
    ['', 'too-short'],
  ])('%j is not taken, and says why', (word, rule) => {
    const relay = play(begin(), add('bfjmcg'));
    const moved = move(relay, add(word), NOW, check);
    expect(moved).toMatchObject({ outcome: 'wrong', broken: { rule } });
  });

  test('a word that is in the path already is not taken again', () => {
    expect(outcome(play(begin(), add('bfjmcg')), add('bfjmcg'))).toBe('used');
  });

  test('in turns, nobody adds two in a row; freely, anybody may', () => {
    const free = play(begin(), add('bfjmcg', 'ann'));
    expect(outcome(free, add('gkdhln', 'ann'))).toBe('moved');
    const turns = play(begin({ turns: true }), add('bfjmcg', 'ann'));
    expect(outcome(turns, add('gkdhln', 'ann'))).toBe('not-your-turn');
    expect(outcome(turns, add('gkdhln', 'bob'))).toBe('moved');
  });

  test('the last word goes back by its owner, by who started the game, or by who manages the place', () => {
    const relay = play(begin(), add('bfjmcg', 'bob'), add('gkdhln', 'cleo'));
    const undo = (by: string, mayManage = false): Move => ({ kind: 'undo', by, mayManage });
    expect(outcome(relay, undo('bob'))).toBe('not-yours');
    expect(outcome(relay, undo('dan'))).toBe('not-yours');
    for (const made of [undo('cleo'), undo('ann'), undo('dan', true)]) {
      expect(wordsOf(play(relay, made))).toEqual(['bfjmcg']);
    }
    expect(outcome(begin(), undo('ann'))).toBe('nothing-to-undo');
  });

  test('is ended by anyone who plays, or who manages the place', () => {
    const relay = play(begin(), add('bfjmcg', 'bob'));
    const stop = (by: string, mayManage = false): Move => ({ kind: 'stop', by, mayManage });
    expect(outcome(relay, stop('dan'))).toBe('not-yours');
    for (const made of [stop('ann'), stop('bob'), stop('dan', true)])
      expect(play(relay, made).end).toBe('stopped');
  });

  test('rests when nobody moves for long, and every move puts that off', () => {
    const relay = begin();
    expect(endOf(relay, NOW + PATIENCE - 1)).toBeUndefined();
    expect(endOf(relay, NOW + PATIENCE)).toBe('timed-out');
    expect(outcome(relay, add('bfjmcg'), NOW + PATIENCE)).toBe('over');
    const later = move(relay, { kind: 'hint', by: 'bob' }, NOW + 1000, check);
    expect(later).toMatchObject({ relay: { restsAt: NOW + 1000 + PATIENCE, hints: 1 } });
  });

  test('takes no more words than a picture can show', () => {
    const legs = Array.from({ length: LONGEST }, (_, index) => ({ word: `w${index}`, by: 'ann' }));
    expect(outcome(begin({ legs }), add('bfjmcg'))).toBe('full');
  });

  test('whatever is tried, the path stays one that the solver takes, and refused moves change nothing', () => {
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
      { numRuns: 200 },
    );
  });
});
