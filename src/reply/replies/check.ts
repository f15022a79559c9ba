import { clip, counted, grouped, listed } from '../../core/text.ts';
import type { Judge } from '../../puzzle/types.ts';
import { type CheckResult, explainBroken, rightWords } from '../../solver/check.ts';
import type { Board } from '../../solver/types.ts';
import { actionOn, buttonOn, type NamedBoard, pictureOf, wordsOption } from '../model/named-board.ts';
import { bold, buttonsBlock, factsBlock, notes, textBlock, toAsker } from '../model/text.ts';
import { type Block, type BoardReply, dataReply, type Line } from '../model/types.ts';
import { REVIEW_LABEL } from './game.ts';
import { nothingStartsWith } from './hint.ts';
import { hintLabel, type NextHint, type PaidHints, priceOf, priceText } from './hint-steps.ts';
import { solvedTitle } from './solved.ts';

/** The most words in a title; for more words, the title gives their number. */
const MAX_WORDS_IN_TITLE = 2;

export interface CheckedRequest extends Pick<Judge, 'isListExact'> {
  readonly namedBoard: NamedBoard;
  readonly result: CheckResult;
  /** Without it, hints cost nothing. */
  readonly paid?: PaidHints;
  /** What *Hint* shows next, where hints cost something. */
  readonly nextHint?: NextHint | undefined;
}

/** Which words are right, which rule each wrong one breaks, and what is left to do. */
export function checkedReply(request: CheckedRequest): BoardReply {
  const { namedBoard, result, isListExact } = request;
  const { board } = namedBoard;
  const typed = result.words.map(({ word }) => word);
  const right = rightWords(result);
  const verdict = ({ word, broken }: CheckResult['words'][number]): Line =>
    broken === undefined ? ['✓ ', bold(word.toUpperCase())] : `✗ ${explainBroken(word, broken, board)}`;
  const isTitleEnough = right.length === typed.length && typed.length <= MAX_WORDS_IN_TITLE && !result.solved;
  const blocks = [
    isTitleEnough ? [] : textBlock(result.words.map(verdict)),
    result.solved ? [] : leftBlock(result),
    right.length > 0 && pictureOf(board, { words: right }),
    notes(isListExact ? namedBoard.name : `${namedBoard.name}. ${UNCERTAIN_NOTE}`),
    buttonsBlock(buttonsFor(request, right)),
  ];
  return toAsker(titleOf(result), blocks, {
    reveals: [],
    isWrong: isWrong(result),
    rerun: actionOn(namedBoard, 'check', wordsOption(typed)),
  });
}

function isWrong({ words }: Pick<CheckResult, 'words'>): boolean {
  return words.some(({ broken }) => broken !== undefined);
}

/** A note for boards of which the game's word list is not known. */
export const UNCERTAIN_NOTE = 'The game may judge rare words differently.';

/** The words from which a hint goes on: none if nothing is right, or nothing follows. */
export function wordsToGoOnFrom(result: CheckResult): string[] {
  return result.fewestMore ? rightWords(result) : [];
}

function titleOf({ words, solved, left }: CheckResult): string {
  if (solved) return solvedTitle(words.length);
  const right = words.filter(({ broken }) => broken === undefined).map(({ word }) => shownWord(word));
  const wrong = words.filter(({ broken }) => broken !== undefined).map(({ word }) => shownWord(word));
  if (wrong.length === 0) {
    const which = right.length <= MAX_WORDS_IN_TITLE ? listed(right) : `All ${grouped(right.length)} words`;
    return `${which} ${right.length === 1 ? 'fits' : 'fit'}. ${counted(left.length, 'letter')} left: ${lettersText(left)}`;
  }
  if (right.length === 0) {
    if (wrong.length > MAX_WORDS_IN_TITLE) return `None of the ${grouped(wrong.length)} words works`;
    const named = [...new Set(wrong)];
    return named.length === 1 ? `${named[0]} doesn’t work` : `${listed(named, 'and')} don’t work`;
  }
  return words.length <= MAX_WORDS_IN_TITLE && right[0] !== wrong[0]
    ? `${right[0]} works, ${wrong[0]} doesn’t`
    : `${grouped(right.length)} of ${grouped(words.length)} words ${right.length === 1 ? 'works' : 'work'}`;
}

/** A word as people see it, cut to fit into a title. */
function shownWord(word: string): string {
  return clip(word.toUpperCase(), 24);
}

function lettersText(letters: readonly string[]): string {
  return letters.join(' ').toUpperCase();
}

/**
 * The letters left, unless the title has them because every word fits. How many words are still needed is not shown: that is a
 * hint, which has its price.
 */
function leftBlock(result: CheckResult): Block[] {
  const { words, left, fewestMore, cut, isDeadEnd } = result;
  if (isDeadEnd) return textBlock([nothingStartsWith(words.at(-1)?.word ?? '')]);
  const isStuck = fewestMore === undefined && cut === undefined;
  return [
    ...factsBlock({ 'Letters left': isWrong(result) && (left.length === 0 ? 'none' : lettersText(left)) }),
    ...textBlock([isStuck && 'That’s a dead end: no words from here solve the board.']),
  ];
}

function buttonsFor({ namedBoard, result, paid, nextHint }: CheckedRequest, right: readonly string[]) {
  const { solved } = result;
  // The only button: checking a solution does not record it, and everything else can wait until the result is saved.
  if (solved && namedBoard.date !== undefined)
    return [buttonOn(namedBoard, 'Save my result', 'play', { options: wordsOption(right), look: 'primary' })];
  if (solved)
    return [
      buttonOn(namedBoard, REVIEW_LABEL, 'review', { options: wordsOption(right) }),
      buttonOn(namedBoard, 'See other solutions', 'reveal'),
    ];
  const again = buttonOn(namedBoard, 'Check again', 'check');
  if (wordsToGoOnFrom(result).length === 0)
    return [buttonOn(namedBoard, hintLabel('Hint', nextHint), 'hint'), again];
  // The exact price would say whether the next word ends a shortest solution.
  const price = priceText({ least: priceOf(['count', 'first'], paid), most: priceOf(['solution'], paid) });
  const [hint, next] = [hintLabel('Hint from here', nextHint), `Best next word${price && ` (${price})`}`];
  return [
    buttonOn(namedBoard, hint, 'hint', { options: wordsOption(right), look: 'primary' }),
    buttonOn(namedBoard, next, 'next', { options: wordsOption(right) }),
    again,
  ];
}

export function checkedData({ sides }: Board, result: CheckResult): BoardReply {
  const { fewestMore: _, cut: __, ...shown } = result;
  return dataReply({ sides, ...shown }, [], { isWrong: isWrong(result) });
}
