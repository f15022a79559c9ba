import { LRUCache } from 'lru-cache';
import { UserError } from '../core/errors.ts';
import { clip } from '../core/text.ts';
import { makeJudge } from '../puzzle/judge.ts';
import type { Judge, WordSource } from '../puzzle/types.ts';
import { explainBroken, judgeWords } from '../solver/check.ts';
import type { Lexicon } from '../solver/lexicon.ts';
import { findPlayable, walkBoard, wordsOf } from '../solver/playable.ts';
import { makeSearch, type Search, type SearchOptions } from '../solver/search.ts';
import type { Board, PlayableWord } from '../solver/types.ts';
import type { JobContext } from '../work/job.ts';

/** Searches remember what they have computed. A few boards are asked for again and again: the day's. */
const MOST_SEARCHES = 4;
/** Searches of larger boards take megabytes and are mostly cut off, so they are not kept. */
const MOST_SPOTS = 12;
/**
 * With more words than this a job takes long: the first one of a process takes more than 25 ms from 5,000 on. Boards like
 * the newspaper's have up to 3,800, boards of the commonest letters 10,000.
 */
const MOST_WORDS = 4_000;

/** What judging a board needs of the context of its job. */
type JudgeContext = Pick<JobContext, 'lexicon' | 'takesLong'>;

export interface JudgedBoard {
  readonly board: Board;
  readonly judge: Judge;
}

interface Entry {
  readonly search: Search;
  /** Of the question that is being answered. */
  stop: () => boolean;
  readonly words: Judge['words'];
}

/** The searches of one thread. It keeps the latest ones, with the words of their boards. */
export class Searches {
  readonly #entries = new LRUCache<string, Entry>({ max: MOST_SEARCHES });
  /** Finding and spelling the words of a board takes longer than most questions about it. */
  readonly #playable = new LRUCache<string, { words: readonly PlayableWord[]; lexicon: Lexicon }>({
    max: MOST_SEARCHES,
  });

  judge(board: Board, source: WordSource, context: JudgeContext): JudgedBoard {
    if ('dictionary' in source && source.dictionary.length > MOST_WORDS) context.takesLong?.();
    const playable = () => this.#playableOn(board, context);
    return { board, judge: makeJudge(board, source, context.lexicon, playable) };
  }

  /**
   * The search of a board, which ends when `stop` answers true. The same question on the same board gives the same search,
   * with all that it has computed. Use it synchronously, because the next question about the board replaces `stop`.
   */
  of({ board, judge }: JudgedBoard, options: SearchOptions, stop: () => boolean): Search {
    if (board.letters.length > MOST_SPOTS) return makeSearch(board, judge.words, { ...options, stop });
    const key = JSON.stringify([board.sides, judge.certain, judge.words.length, options]);
    const known = this.#entries.get(key);
    if (known !== undefined && known.search.cut === undefined && isSameList(known.words, judge.words)) {
      known.stop = stop;
      return known.search;
    }
    const ask = () => {
      try {
        return entry.stop();
      } catch (error) {
        // The job ends in the middle of the search and begins again elsewhere.
        this.#entries.delete(key);
        throw error;
      }
    };
    const search = makeSearch(board, judge.words, { ...options, stop: ask });
    const entry: Entry = { search, stop, words: judge.words };
    this.#entries.set(key, entry);
    return search;
  }

  #playableOn(board: Board, { lexicon, takesLong }: JudgeContext): readonly PlayableWord[] {
    if (board.letters.length > MOST_SPOTS) return findPlayable(board, lexicon);
    const key = board.sides.join(' ');
    const known = this.#playable.get(key);
    if (known?.lexicon === lexicon) return known.words;
    const columns = walkBoard(board, lexicon);
    // Finding words takes a fraction of a millisecond. Only what is done with them may take long.
    if (columns.size > MOST_WORDS) takesLong?.();
    const words = wordsOf(columns);
    this.#playable.set(key, { words, lexicon });
    return words;
  }
}

/** Verdicts change which words a list has, and how likely they are. */
function isSameList(a: Judge['words'], b: Judge['words']): boolean {
  if (a === b) return true;
  return a.every((word, index) => {
    const other = b[index]!;
    return word.word === other.word && word.likelihood === other.likelihood;
  });
}

/** Tells a search, which has no clock of its own, when to stop: true once the time has passed. */
export function timeLimit(milliseconds: number, timer = () => performance.now()): () => boolean {
  const end = timer() + milliseconds;
  return () => timer() > end;
}

/**
 * Words to continue from must be playable one after the other. A word that is missing from our list is
 * refused only if the game's own list is known: otherwise the game may have accepted it.
 */
export function refuseBroken({ board, judge }: JudgedBoard, words: readonly string[]): void {
  if (words.length === 0) return;
  const isWord = judge.certain ? judge.isWord : () => true;
  for (const { word, broken } of judgeWords(board, words, isWord).words) {
    if (broken !== undefined)
      throw new UserError(`played.${broken.rule}`, explainBroken(word, broken, board));
  }
}

/** Rejects requirements that nothing can meet, which would cause a long search without result. */
export function refuseRequired(
  { judge }: JudgedBoard,
  { require = [], exclude = [], tier }: SearchOptions,
): void {
  const refuse = (word: string, reason: string) => {
    throw new UserError('solve.require', `${clip(word).toUpperCase()} can’t be required: ${reason}.`);
  };
  for (const word of require) {
    if (!judge.isWord(word)) refuse(word, 'it can’t be played on this board, or is not in the word list');
    if (exclude.includes(word)) refuse(word, 'you also exclude it');
    if (tier === 'everyday' && judge.words.find((known) => known.word === word)?.tier !== 'everyday')
      refuse(word, 'it is not an everyday word');
  }
}
