import { clip, counted, grouped, listed } from '../../core/text.ts';
import { type CheckResult, explainBroken } from '../../solver/check.ts';
import type { Search } from '../../solver/search.ts';
import type { Board } from '../../solver/types.ts';
import { actionOn, buttonOn, pictureOf, type Subject, searchOption, wordsOption } from '../model/subject.ts';
import { bold, buttonsBlock, chainText, factsBlock, notes, replyTo, textBlock } from '../model/text.ts';
import { type Block, dataReply, type Line, type Reply } from '../model/types.ts';
import { notFoundBy, notFoundIn, quickOf, shortestOf } from './chosen-solutions.ts';
import { HOW_YOU_DID, nothingStartsWith } from './game.ts';
import { likelihoodNote, listBlocks, unprovenBlocks } from './solutions.ts';

/** Words that a title names; beyond them it gives their number. */
const NAMED = 2;

export interface CheckedRequest {
  readonly subject: Subject;
  readonly result: CheckResult;
  /** Whether the list that decides which words count is known. */
  readonly certain: boolean;
  readonly audience: Reply['audience'];
}

/** Which words are right, which rule each wrong one breaks, and what is left to do. */
export function checkedReply({ subject, result, certain, audience }: CheckedRequest): Reply {
  const { board } = subject;
  const typed = result.words.map(({ word }) => word);
  const right = rightWords(result);
  const verdict = ({ word, broken }: CheckResult['words'][number]): Line =>
    broken === undefined ? ['✓ ', bold(word.toUpperCase())] : `✗ ${explainBroken(word, broken, board)}`;
  const isAllNamed = right.length === typed.length && typed.length <= NAMED && !result.solved;
  const isWrong = result.words.some(({ broken }) => broken !== undefined);
  const blocks = [
    isAllNamed ? [] : textBlock(result.words.map(verdict)),
    result.solved ? [] : leftBlock(result),
    right.length > 0 && pictureOf(board, { words: right }),
    notes(certain ? subject.name : `${subject.name}. ${UNCERTAIN}`),
    buttonsBlock(buttonsFor(subject, result, right)),
  ];
  return replyTo(audience, titleOf(result), blocks, {
    isWrong: isWrong || undefined,
    again: actionOn(subject, 'check', wordsOption(typed)),
  });
}

/** Said where the list that decides is not known. */
export const UNCERTAIN = 'The game may judge rare words differently.';

/** The words that count: those before the first broken one. */
export function rightWords({ words }: CheckResult): string[] {
  const wrong = words.findIndex(({ broken }) => broken !== undefined);
  return words.slice(0, wrong < 0 ? undefined : wrong).map(({ word }) => word);
}

function titleOf({ words, solved, left }: CheckResult): string {
  if (solved) return `Solved in ${counted(words.length, 'word')}`;
  const right = words.filter(({ broken }) => broken === undefined).map(({ word }) => shownWord(word));
  const wrong = words.filter(({ broken }) => broken !== undefined).map(({ word }) => shownWord(word));
  if (wrong.length === 0) {
    const which = right.length <= NAMED ? listed(right) : `All ${grouped(right.length)} words`;
    return `${which} ${right.length === 1 ? 'fits' : 'fit'}. ${counted(left.length, 'letter')} left${left.length === 0 ? '' : `: ${lettersText(left)}`}`;
  }
  if (right.length === 0) {
    if (wrong.length > NAMED) return `None of the ${grouped(wrong.length)} words works`;
    const named = [...new Set(wrong)];
    return named.length === 1 ? `${named[0]} doesn’t work` : `${listed(named, 'and')} don’t work`;
  }
  return words.length <= NAMED && right[0] !== wrong[0]
    ? `${right[0]} works, ${wrong[0]} doesn’t`
    : `${grouped(right.length)} of ${grouped(words.length)} words ${right.length === 1 ? 'works' : 'work'}`;
}

/** A word as people see it, short enough for a title. */
function shownWord(word: string): string {
  return clip(word.toUpperCase(), 24);
}

function lettersText(letters: readonly string[]): string {
  return letters.join(' ').toUpperCase();
}

/** Letters are in the title where every word fits. How many words are still needed is a hint, which has its price. */
function leftBlock({ words, left, fewestMore, cut, isDeadEnd }: CheckResult): Block[] {
  if (isDeadEnd) return textBlock([nothingStartsWith(words.at(-1)?.word ?? '')]);
  const isWrong = words.some(({ broken }) => broken !== undefined);
  const isStuck = fewestMore === undefined && cut === undefined;
  return [
    ...factsBlock({ 'Letters left': isWrong && (left.length === 0 ? 'none' : lettersText(left)) }),
    ...textBlock([isStuck && 'No word in the word list finishes from here.']),
  ];
}

function buttonsFor(subject: Subject, { solved, fewestMore }: CheckResult, right: readonly string[]) {
  // Nothing is lost by having checked first, and what else there is can wait until it is saved.
  if (solved && subject.date !== undefined)
    return [buttonOn(subject, 'Save my result', 'play', { options: wordsOption(right), look: 'primary' })];
  if (solved)
    return [
      buttonOn(subject, HOW_YOU_DID, 'review', { options: wordsOption(right) }),
      buttonOn(subject, 'See other solutions', 'reveal'),
    ];
  const isOpen = fewestMore !== undefined && fewestMore > 0 && right.length > 0;
  return [
    ...(isOpen
      ? [
          buttonOn(subject, 'Hint from here', 'hint', { options: wordsOption(right), look: 'primary' }),
          buttonOn(subject, 'Best next word', 'next', { options: wordsOption(right) }),
        ]
      : [buttonOn(subject, 'Hint', 'hint')]),
    buttonOn(subject, 'Check again', 'check'),
  ];
}

/** The same for programs. */
export function checkedData({ sides }: Board, result: CheckResult): Reply {
  const isRight = result.words.every(({ broken }) => broken === undefined);
  const { fewestMore: _, cut: __, ...shown } = result;
  return dataReply({ sides, ...shown }, isRight ? {} : { isWrong: true });
}

const SHOWN = 3;

export interface NextRequest {
  readonly subject: Subject;
  /** With the words played so far as `played`. */
  readonly search: Search;
  readonly certain: boolean;
  readonly audience: Reply['audience'];
}

/** How to continue from the words played: how many more it takes, the best next word, and whole solutions. */
export function nextReply({ subject, search, certain, audience }: NextRequest): Reply {
  const played = search.options.played ?? [];
  const typed = searchOption(search);
  const blocks = continuationBlocks(search, certain);
  const shown = [
    ...blocks,
    played.length > 0 && pictureOf(subject.board, { words: played }),
    buttonsBlock([
      search.fewest !== 0 && buttonOn(subject, 'A hint instead', 'hint', { options: typed }),
      buttonOn(subject, 'Check', 'check'),
    ]),
  ];
  const about = { ...notFoundIn(search, blocks), again: actionOn(subject, 'next', typed) };
  return replyTo(audience, `After ${chainText(played)}`, shown, about);
}

/** Ways on that a program gets, unless it asks for another number. */
const FOR_PROGRAMS = 5;

/** The same for programs. */
export function nextData(search: Search, limit = FOR_PROGRAMS): Reply {
  const { board, options, fewest, cut } = search;
  const ways = fewest === 0 ? [] : [...shortestOf(search, { oneEach: true }).take(limit)];
  // Where certainty took too long, a right way on that may not be the shortest is better than none.
  const unproven = notFoundBy(search, ways.length > 0) === 'unknown' ? quickOf(search) : undefined;
  const { sides } = board;
  return dataReply(
    { sides, played: options.played ?? [], fewestMore: fewest ?? null, ways, cut, unproven },
    { notFound: notFoundBy(search, ways.length > 0 || unproven !== undefined) },
  );
}

function continuationBlocks(search: Search, certain: boolean): Block[] {
  const { fewest } = search;
  if (fewest === 0) return textBlock(['Every letter is used: the board is solved.']);
  const listing = { oneEach: true, exactly: fewest };
  const solutions = shortestOf(search, listing).take(SHOWN).toArray();
  const [best] = solutions;
  if (fewest === undefined || best === undefined) {
    const stuck = 'No word in the word list finishes from here. Take back the last word and try another.';
    return [...textBlock([search.cut ?? stuck]), ...unprovenBlocks(search, certain)];
  }
  const [first = ''] = best.words;
  const likelihood = search.words.find(({ word }) => word === first)?.likelihood ?? 0;
  const rest = fewest === 1 ? [] : solutions;
  return [
    ...factsBlock({ 'Words still needed': grouped(fewest) }),
    ...listBlocks(
      search,
      [
        { label: 'Best next word', solutions: [{ words: [first], likelihood }] },
        { label: 'The rest of the solution', solutions: rest },
      ],
      certain,
    ),
    ...likelihoodNote(certain, [{ likelihood }, ...rest]),
    ...notes(search.cut),
  ];
}
