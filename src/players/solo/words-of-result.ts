import { solutionChecksum } from '../../answers/recap.ts';
import { lettersIn } from '../../core/text.ts';
import type { App } from '../../dispatch/contract.ts';
import { savedWords } from '../../play/saved-game.ts';
import type { Result } from '../../store/tables/results.ts';

/** What is stored about the words of a result; of a board that somebody made only the numbers. */
type SolvedWith = Pick<Result, 'words' | 'letters'> & Partial<Pick<Result, 'lengths' | 'solution'>>;

/** Where the game of a result is: one person's game of one board, in any of these tenants. */
interface WhoseGame {
  readonly person: string;
  readonly board: string;
  readonly tenants: readonly string[];
}

/** The words of a result, as long as a saved game of its board still has them. */
export async function wordsOfResult(
  { store, clock }: Pick<App, 'store' | 'clock'>,
  { person, board, tenants }: WhoseGame,
  result: SolvedWith,
): Promise<readonly string[] | undefined> {
  for (const tenant of tenants) {
    const game = await store.tenant(tenant).soloGames.get(person, board, clock.now());
    const words = game && savedWords(game.state);
    if (words !== undefined && areOf(words, result)) return words;
  }
  return undefined;
}

function areOf(words: readonly string[], { words: number, letters, lengths, solution }: SolvedWith): boolean {
  if (words.length !== number || lettersIn(words) !== letters) return false;
  const areAsLong = lengths === undefined || words.every(({ length }, at) => length === lengths[at]);
  return areAsLong && (solution === undefined || solution === solutionChecksum(words));
}
