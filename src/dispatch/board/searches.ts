import { LRUCache } from 'lru-cache';
import type { Judge } from '../../puzzle/types.ts';
import { makeSearch, type Search, type SearchOptions } from '../../solver/search.ts';
import type { Board } from '../../solver/types.ts';

/** No command holds up the others for longer, in milliseconds: what is not certain by then is reported as cut off. */
const LIMIT = 40;
/**
 * For boards as large as the newspaper's, which take one: only a busy machine takes longer, and people still
 * want the whole answer then.
 */
const SMALL_LIMIT = 1_000;
/** Searches remember what they have computed. A few boards are asked for again and again: those of the day. */
const MOST_SEARCHES = 4;
/** The tables of larger boards take megabytes, and mostly they are cut off, so they are not kept. */
const MOST_SPOTS = 12;

export interface JudgedBoard {
  readonly board: Board;
  readonly judge: Judge;
}

interface Entry {
  readonly search: Search;
  readonly limit: TimeLimit;
  readonly words: Judge['words'];
}

/** The searches of an app, which keeps those that were asked for last. */
export class Searches {
  readonly #entries = new LRUCache<string, Entry>({ max: MOST_SEARCHES });
  readonly #patience: number | undefined;

  /** @param patience milliseconds for any board, where nobody else is waiting */
  constructor(patience?: number) {
    this.#patience = patience;
  }

  /**
   * The search of a board, with its time beginning now: ask it at once, without waiting in between. The same
   * question on the same board gives the same search, with all it has computed already.
   */
  of({ board, judge }: JudgedBoard, options: SearchOptions = {}): Search {
    if (board.letters.length > MOST_SPOTS) {
      const { stop } = timeLimit(this.#patience ?? LIMIT);
      return makeSearch(board, judge.words, { ...options, stop });
    }
    const key = JSON.stringify([board.sides, judge.certain, judge.words.length, options]);
    const known = this.#entries.get(key);
    if (known !== undefined && known.search.cut === undefined && isSameList(known.words, judge.words)) {
      known.limit.restart();
      return known.search;
    }
    const limit = timeLimit(this.#patience ?? SMALL_LIMIT);
    const search = makeSearch(board, judge.words, { ...options, stop: limit.stop });
    this.#entries.set(key, { search, limit, words: judge.words });
    return search;
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

/** Stops a search, which has no clock of its own. */
export interface TimeLimit {
  /** True once the time is over. */
  readonly stop: () => boolean;
  restart(): void;
}

export function timeLimit(milliseconds: number, timer = () => performance.now()): TimeLimit {
  let end = timer() + milliseconds;
  return {
    stop: () => timer() > end,
    restart: () => {
      end = timer() + milliseconds;
    },
  };
}
