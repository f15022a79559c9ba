import { makeSearch, type Search, type SearchOptions } from '../../solver/search.ts';
import type { App } from '../contract.ts';
import { type TimeLimit, timeLimit } from './time-limit.ts';
import type { Topic } from './topic.ts';

/** No command holds up the others for longer, in milliseconds: what is not certain by then is said to be cut. */
const LIMIT = 40;
/**
 * For boards as large as the newspaper's, which take one: so much only passes where the machine does other
 * work, and then people still want the whole answer.
 */
const SMALL_LIMIT = 1_000;
/** Searches remember what they have worked out. A few boards are asked for again and again: the day's. */
const KEPT = 4;
/** The tables of larger boards take megabytes, and they are cut mostly, so made anew anyway. */
const MOST_SPOTS = 12;

interface Kept {
  readonly search: Search;
  readonly limit: TimeLimit;
  readonly words: Topic['judge']['words'];
}

const kept = new Map<string, Kept>();

/**
 * The search of a board, with its time beginning now: ask it at once, without waiting in between. The same
 * question on the same board gives the same search, with all it knows already.
 */
export function searchOf(
  { board, judge }: Pick<Topic, 'board' | 'judge'>,
  { patience }: Pick<App, 'patience'>,
  options: SearchOptions = {},
): Search {
  if (board.letters.length > MOST_SPOTS)
    return makeSearch(board, judge.words, { ...options, stop: timeLimit(patience ?? LIMIT).stop });
  const key = JSON.stringify([board.sides, judge.certain, judge.words.length, options]);
  const known = kept.get(key);
  kept.delete(key);
  if (known !== undefined && known.search.cut === undefined && isSameList(known.words, judge.words)) {
    known.limit.restart();
    kept.set(key, known);
    return known.search;
  }
  const limit = timeLimit(patience ?? SMALL_LIMIT);
  const search = makeSearch(board, judge.words, { ...options, stop: limit.stop });
  kept.set(key, { search, limit, words: judge.words });
  if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
  return search;
}

/** Verdicts change what a list holds and how likely its words are. */
function isSameList(a: Kept['words'], b: Kept['words']): boolean {
  if (a === b) return true;
  return a.every((word, index) => {
    const other = b[index]!;
    return word.word === other.word && word.likelihood === other.likelihood;
  });
}
