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
 * What is told about a board by words that were told about others: facts of it, and the words that may begin one of its
 * solutions. A chain is tried from each of its words on, and most words are rejected by their letters alone.
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
  const solves = (chain: readonly string[]) => judgeWords(board, chain, isWord).solved;
  for (const { facts: own, told: { chains = [], after = [] } = {} } of shown) {
    const areNamed = own.includes('first') || own.includes('solution');
    for (const chain of chains) {
      const masks = [...after, ...chain].map(lettersIn);
      if (isPartSolution({ words: [...after, ...chain], masks, letters, solves }, after.length))
        for (const fact of areNamed ? (['solution'] as const) : own) facts.add(fact);
      if (!areNamed) continue;
      chain.forEach((word, at) => {
        const hasLetters = !(masks[after.length + at]! & ~letters);
        if (hasLetters && !judgeWords(board, [word], isWord).words[0]?.broken) words.add(word);
      });
    }
  }
  return { facts, words: [...words] };
}

/** Words that are played one after the other, with the letters of each, and what a board needs. */
interface Attempt {
  readonly words: readonly string[];
  readonly masks: readonly number[];
  readonly letters: number;
  readonly solves: (words: readonly string[]) => boolean;
}

/** Whether some of the words in a row solve a board, with at least one that the asker did not play themselves. */
function isPartSolution({ words, masks, letters, solves }: Attempt, played: number): boolean {
  for (let from = 0; from < words.length; from++) {
    let covered = 0;
    for (let to = from; to < words.length && !(masks[to]! & ~letters); to++) {
      covered |= masks[to]!;
      if (covered === letters && to >= played && solves(words.slice(from, to + 1))) return true;
    }
  }
  return false;
}
