/**
 * What words tell about the boards of days that are on, on whatever board they were found: words that solve such a board are
 * one of its solutions, and a word that begins one of its shortest solutions is a first word.
 */

import type { ChannelRef } from '../core/channel-ref.ts';
import { isSameBoard, type Puzzle } from '../puzzle/types.ts';
import type { AskerRef } from '../reply/model/action.ts';
import { type BoardFacts, FACTS, type Fact } from '../reply/model/facts.ts';
import { lettersIn } from '../solver/bits.ts';
import { judgeWords } from '../solver/check.ts';
import type { JobAsker } from '../work/job.ts';
import type { App } from './contract.ts';

/** The most boards on which first words are looked for: a server may have a typed one in each channel. */
const MAX_SEARCHED_BOARDS = 8;

/**
 * What facts about any boards tell about the boards of days that are on in a channel's tenant.
 *
 * @param asker who waits for it
 */
export async function factsOfDays(
  channel: ChannelRef,
  { puzzles, work }: Pick<App, 'puzzles' | 'work'>,
  shown: readonly BoardFacts[],
  asker: AskerRef | JobAsker,
): Promise<BoardFacts[]> {
  const telling = shown.filter(({ told }) => told !== undefined && told.chains.length > 0);
  if (telling.length === 0) return [];
  const found: BoardFacts[] = [];
  let searched = 0;
  for (const puzzle of await puzzles.boardsOn(channel)) {
    const { board, date } = puzzle;
    // What a reply tells about its own board is named by whoever wrote the text.
    const others = telling.filter((one) => !isSameBoard(one.board, board));
    const { facts, words } = tryOn(puzzle, others);
    const mayBegin = words.length > 0 && !facts.has('solution') && !facts.has('first');
    if (mayBegin && ++searched <= MAX_SEARCHED_BOARDS) {
      const source = await puzzles.wordSource(puzzle);
      const first = await work.run('beginnings', { board, source, words }, asker);
      if (first.length > 0) facts.add('first');
    }
    if (facts.size > 0) found.push({ board, date, facts: FACTS.filter((fact) => facts.has(fact)) });
  }
  return found;
}

/**
 * What words that were told about other boards tell about a board: facts of it, and the words that may begin one of its
 * solutions.
 */
export function tryOn(
  { board, dictionary }: Pick<Puzzle, 'board' | 'dictionary'>,
  shown: readonly Pick<BoardFacts, 'facts' | 'told'>[],
): { readonly facts: Set<Fact>; readonly words: readonly string[] } {
  const facts = new Set<Fact>();
  const words = new Set<string>();
  const letters = lettersIn(board.letters);
  // Our list, which chose the words, has some that the day's dictionary lacks.
  const isWord = (word: string) => dictionary === undefined || dictionary.some((one) => one.word === word);
  const judge = (chain: readonly string[]) => judgeWords(board, chain, isWord);
  for (const { facts: own, told: { chains = [], after: played = [] } = {} } of shown) {
    const areNamed = own.includes('first') || own.includes('solution');
    // Words that solve this board too tell of it what they were shown for; named ones are a solution.
    const meant: readonly Fact[] = areNamed ? ['solution'] : own;
    for (const chain of chains) {
      const all = [...played, ...chain];
      const masks = all.map(lettersIn);
      const solves = (from: number, end: number) => judge(all.slice(from, end)).solved;
      if (isPartSolution(masks, letters, played.length, solves)) for (const fact of meant) facts.add(fact);
      if (!areNamed) continue;
      const fitting = chain.filter((_, at) => !(masks[played.length + at]! & ~letters));
      for (const word of fitting) if (!judge([word]).words[0]?.broken) words.add(word);
    }
  }
  return { facts, words: [...words] };
}

/**
 * Whether some words in a row solve a board, with at least one after the first `played`, which the asker played themselves.
 *
 * @param masks the letters of each word: those of most words are not all on the board
 */
function isPartSolution(
  masks: readonly number[],
  letters: number,
  played: number,
  solves: (from: number, end: number) => boolean,
): boolean {
  return masks.some((_, from) => {
    let covered = 0;
    for (let at = from; at < masks.length && !(masks[at]! & ~letters); at++) {
      covered |= masks[at]!;
      if (covered === letters && at >= played && solves(from, at + 1)) return true;
    }
    return false;
  });
}
