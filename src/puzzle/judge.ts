import type { Log } from '../core/log.ts';
import { familiarityOf, type Lexicon } from '../solver/lexicon.ts';
import { findPlayable, walkWord } from '../solver/playable.ts';
import type { Board, PlayableWord } from '../solver/types.ts';
import type { PuzzleRepository } from './repository.ts';
import {
  type DayWord,
  hasExactList,
  type Judge,
  type Puzzle,
  type Verdicts,
  type WordSource,
} from './types.ts';

/**
 * If the day's dictionary is known, each of its words is certainly accepted, and likelihood only ranks: by familiarity,
 * within a band that keeps any chain of up to six common words ahead of one that needs an obscure word (0.9⁶ > 0.5).
 */
const COMMON_BAND = { least: 0.9, most: 1 } as const;
const OBSCURE_BAND = { least: 0.4, most: 0.5 } as const;
const MIN_WORD_LENGTH = 3;

/** Whether no word begins with the last letter of a word. */
export function isDeadEnd(word: string, { words }: Pick<Judge, 'words'>): boolean {
  const letter = word.at(-1);
  return letter !== undefined && !words.some((next) => next.word[0] === letter);
}

/**
 * The words to solve a board with: the day's own list where it is known, else our estimate corrected by verdicts.
 *
 * @param playable our words of the board, where they are known already
 */
export function makeJudge(
  board: Board,
  source: WordSource,
  lexicon: Lexicon,
  playable: () => readonly PlayableWord[] = () => findPlayable(board, lexicon),
): Judge {
  const words =
    'dictionary' in source
      ? wordsOfDictionary(board, source.dictionary, lexicon)
      : applyVerdicts(board, playable(), source.verdicts);
  return { ...judgeOfWords(words, hasExactList(source)), official: source.official };
}

function wordsOfDictionary(
  board: Board,
  dictionary: readonly DayWord[],
  lexicon: Lexicon,
): readonly PlayableWord[] {
  const words: PlayableWord[] = [];
  for (const { word, obscure } of dictionary) {
    const walks = word.length < MIN_WORD_LENGTH ? [] : walkWord(board, word);
    if (walks.length === 0) continue;
    const known = lexicon.find(word);
    const { least, most } = obscure ? OBSCURE_BAND : COMMON_BAND;
    const likelihood = least + (most - least) * (known ? familiarityOf(known) : 0);
    words.push({ word, length: word.length, likelihood, tier: known?.tier ?? 'wide', walks });
  }
  return words.sort((a, b) => (a.word < b.word ? -1 : 1));
}

function judgeOfWords(words: readonly PlayableWord[], isListExact: boolean): Judge {
  // Made on first use: most commands never need it.
  let accepted: ReadonlySet<string> | undefined;
  const isWord = (word: string) => {
    accepted ??= new Set(words.map((known) => known.word));
    return accepted.has(word.toLowerCase());
  };
  return { words, isWord, isListExact };
}

/**
 * A whole dictionary has nearly every word that we are sure of. One that lacks many of them was cut, and would teach wrong
 * verdicts.
 */
const SURE_LIKELIHOOD = 0.98;
const MIN_SURE_SHARE = 0.8;
/** This small, as the lexicon may be an operator's own, much longer than the game's. */
const MIN_LENGTH_SHARE = 0.25;

const sureOf = (playable: readonly PlayableWord[]) =>
  playable.filter(({ likelihood }) => likelihood >= SURE_LIKELIHOOD);

/** The puzzle, without a dictionary of so few words that it would reject most of what the game accepts. */
export function withoutCutDictionary(puzzle: Puzzle, lexicon: Lexicon): Puzzle {
  const { dictionary, ...others } = puzzle;
  const expected = sureOf(findPlayable(puzzle.board, lexicon)).length;
  return dictionary !== undefined && dictionary.length < MIN_LENGTH_SHARE * expected ? others : puzzle;
}

/**
 * Stores what a fetched puzzle's dictionary teaches: its words are accepted, our other playable words are not. It helps with
 * boards typed by hand. Never fails a puzzle: errors are logged.
 */
export async function learnFrom(
  puzzle: Puzzle,
  lexicon: Lexicon,
  { verdicts: learned }: Pick<PuzzleRepository, 'verdicts'>,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<void> {
  const { board, date, dictionary } = puzzle;
  if (dictionary === undefined) return;
  const playable = findPlayable(board, lexicon);
  const accepted = new Set(dictionary.map(({ word }) => word));
  const sure = sureOf(playable);
  const present = sure.filter(({ word }) => accepted.has(word)).length;
  if (present < MIN_SURE_SHARE * sure.length) {
    log.warn({ date, present, expected: sure.length }, 'learned nothing: the dictionary looks cut short');
    return;
  }
  try {
    const verdicts = new Map(playable.map(({ word }) => [word, false]));
    for (const word of accepted) verdicts.set(word, true);
    await learned.keep(date, verdicts);
    log.info({ date, verdicts: verdicts.size }, 'learned from the dictionary');
  } catch (err) {
    log.warn({ date, err }, 'could not keep what the dictionary teaches');
  }
}

/**
 * A word that the game accepted once is almost certainly accepted again. Accepted words are rated above this,
 * in the order of our estimates.
 */
const ACCEPTED_LIKELIHOOD = 0.99;

/**
 * Our playable words of a board, corrected by verdicts: rejected words are removed, accepted ones become almost certain, and
 * accepted words that our lists lack are added. In alphabetical order.
 */
function applyVerdicts(
  board: Board,
  playable: readonly PlayableWord[],
  verdicts: Verdicts,
): readonly PlayableWord[] {
  if (verdicts.size === 0) return playable;
  const words: PlayableWord[] = [];
  const ours = new Set<string>();
  for (const known of playable) {
    const { word, length, likelihood, tier, walks } = known;
    const verdict = verdicts.get(word);
    ours.add(word);
    if (verdict === undefined) words.push(known);
    else if (verdict) words.push({ word, length, likelihood: likelihoodOfAccepted(likelihood), tier, walks });
  }
  for (const [word, verdict] of verdicts) {
    const walks = verdict && !ours.has(word) ? walkWord(board, word) : [];
    if (walks.length === 0) continue;
    words.push({ word, length: word.length, likelihood: likelihoodOfAccepted(0), tier: 'wide', walks });
  }
  return words.sort((a, b) => (a.word < b.word ? -1 : 1));
}

function likelihoodOfAccepted(likelihood: number): number {
  return ACCEPTED_LIKELIHOOD + (1 - ACCEPTED_LIKELIHOOD) * likelihood;
}
