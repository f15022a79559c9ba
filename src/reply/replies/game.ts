import { counted, listed } from '../../core/text.ts';
import type { Refusal } from '../../play/game.ts';
import { explainBroken } from '../../solver/explain.ts';
import type { Board } from '../../solver/types.ts';
import { hintsUsed } from './result-line.ts';

/**
 * Why a move changed nothing, in one short sentence.
 *
 * @example refusalText({ code: 'letter', broken }, board) // 'L is on the same side.'
 */
export function refusalText(refusal: Refusal, board: Board): string {
  switch (refusal.code) {
    case 'letter': {
      const letter = refusal.broken.letter.toUpperCase();
      return refusal.broken.rule === 'unknown-letter'
        ? `${letter} is not on this board.`
        : `${letter} is on the same side.`;
    }
    case 'word': {
      const { word, broken, nearest } = refusal;
      if (broken.rule === 'too-short') return 'A word has at least 3 letters.';
      if (broken.rule !== 'not-a-word') return explainBroken(word, broken, board);
      const meant = nearest === undefined ? '' : ` ${nearest.toUpperCase()} is.`;
      return `${word.toUpperCase()} is not in the word list.${meant}`;
    }
    case 'nothing-entered':
      return 'Choose letters first, then enter the word.';
    case 'nothing-to-take-back':
      return 'There is nothing to take back.';
    case 'solved':
      return 'This board is solved.';
    case 'word-too-long':
      return 'No word is that long.';
    case 'too-many-words':
      return 'These are enough words. Take some back.';
  }
}

/** What a solved board is worth; `day` only for a day's board, where alone it counts. */
export interface SolvedShown {
  readonly words: number;
  readonly letters: number;
  readonly par?: number;
  readonly day?: {
    readonly best: {
      readonly words: number;
      readonly letters: number;
      readonly hints: number;
      readonly sinceOpening: number | null;
    };
    readonly beaten?: object;
    readonly streak: { readonly current: number };
    readonly rank?: { readonly rank: number; readonly of: number };
  };
}

/** @example solvedTitle({ words: 2, letters: 14 }) // 'Solved in 2 words' */
export function solvedTitle({ words }: SolvedShown): string {
  return `Solved in ${counted(words, 'word')}`;
}

/** One short sentence each. */
export function solvedLines({ words, letters, par, day }: SolvedShown): string[] {
  const aim =
    par === undefined
      ? []
      : [words < par ? `Par is ${par}: you beat it.` : words === par ? `That is par.` : `Par is ${par}.`];
  if (day === undefined) return [`${letters} letters.`, ...aim, 'Only boards of a day count.'];
  const { best, beaten, streak, rank } = day;
  const isBetter = best.words < words || (best.words === words && best.letters < letters);
  const facts = [counted(letters, 'letter'), hintsUsed(best.hints)];
  return [
    `${listed(facts)}.`,
    ...aim,
    ...(isBetter ? [`Your best stays ${counted(best.words, 'word')}.`] : []),
    ...(beaten === undefined ? [] : ['That is your new best.']),
    ...(best.sinceOpening === null
      ? ['It counts in your stats, not for your streak: its day is over.']
      : [`Your streak is ${counted(streak.current, 'day')}.`]),
    ...(rank === undefined ? [] : [`Place ${rank.rank} of ${rank.of} here.`]),
  ];
}
