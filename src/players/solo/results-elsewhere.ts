import { solutionChecksum } from '../../answers/finds.ts';
import { peopleScope } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import { lettersIn } from '../../core/text.ts';
import type { App, Asker, ReadingApp } from '../../dispatch/contract.ts';
import { savedWords } from '../../play/saved-game.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import type { ToShare } from '../../reply/replies/result-line.ts';
import type { Result } from '../../store/tables/results.ts';
import { recordFromElsewhere } from '../results/record-solution.ts';
import { bestFirst, isOnTime } from '../results/score.ts';

/** A person's best result of a day, as a channel sees it. */
export interface SeenResult {
  readonly result: Result;
  readonly toShare?: ToShare;
}

/** The best result of this channel, or else the best from anywhere at this door. */
export async function seenResult(
  { door, who, where }: Asker,
  app: Pick<App, 'store' | 'posterOf'>,
  date: PuzzleDate,
): Promise<SeenResult | undefined> {
  const here = await app.store.tenant(where.tenant).results.get(who.id, where.channel, date);
  if (here !== undefined && !where.direct) return { result: here };
  const all = await app.store.allPeople.resultsOf(peopleScope(where.tenant), who.id, date);
  const result = here ?? all.toSorted(bestFirst)[0];
  if (result === undefined) return undefined;
  const isToShare = !where.direct || (here !== undefined && all.length === 1);
  const mayCount = isOnTime(result) && hasPrivateChats(door, app);
  if (!isToShare || !mayCount || (await app.store.allPeople.isHidden(peopleScope(where.tenant), who.id)))
    return { result };
  return { result, toShare: where.direct ? 'in-a-channel' : 'here' };
}

/** Whether people can play outside of channels there, where nothing counts on a channel's leaderboard. */
export function hasPrivateChats(door: string, { posterOf }: Pick<ReadingApp, 'posterOf'>): boolean {
  const poster = posterOf(door);
  return poster !== undefined && !poster.isPrivateInChannel;
}

/** What somebody shares. */
export interface ResultToShare {
  readonly result: Result;
  /**
   * `now`: it counts on this channel's leaderboard from now on. `not`: it can't, since it was of another board, or its words
   * are gone. Left out if nothing has changed.
   */
  readonly counts?: 'now' | 'not';
}

/**
 * The result that a person shares in a channel: their best of this board, wherever they solved it. From then on it counts
 * in this channel, where they have chosen to appear.
 */
export async function resultToShare(
  asker: Asker,
  app: App,
  puzzle: Puzzle,
): Promise<ResultToShare | undefined> {
  const { who, where } = asker;
  const { date } = puzzle;
  const here = await app.store.tenant(where.tenant).results.get(who.id, where.channel, date);
  const all = (await app.store.allPeople.resultsOf(peopleScope(where.tenant), who.id, date)).toSorted(
    bestFirst,
  );
  if (!where.direct) {
    for (const result of all.filter(isOnTime)) {
      if (here !== undefined && bestFirst(here, result) <= 0) break;
      if (result.reported || (await wordsOf(asker, app, puzzle, result)) !== undefined)
        return bring(asker, app, result);
    }
  }
  const [best] = all;
  if (here !== undefined) return { result: here };
  return best && { result: best, ...(!where.direct && isOnTime(best) && { counts: 'not' }) };
}

async function bring(asker: Asker, app: App, elsewhere: Result): Promise<ResultToShare> {
  const { result, better } = await recordFromElsewhere(asker, app, elsewhere);
  if (better !== undefined) return { result: better };
  const isHidden = await app.store.tenant(asker.where.tenant).people.isHidden(asker.who.id);
  return { result, ...(!isHidden && { counts: 'now' }) };
}

/** The words of a day's result, from any place at this door where the person played: results of a day can be brought along. */
export async function wordsOf(
  { where, who }: Asker,
  app: App,
  puzzle: Puzzle,
  result: Result,
): Promise<readonly string[] | undefined> {
  const tenants = await app.store.allPeople.tenantsOf(peopleScope(where.tenant), who.id);
  return wordsOfResult(app, { person: who.id, board: dayGameKey(puzzle), tenants }, result);
}

/** The key of a person's game of a day's board. Two channels may have different boards on one day. */
export function dayGameKey({ date, board }: Pick<Puzzle, 'date' | 'board'>): string {
  return `${date} ${board.sides.join('-')}`;
}

/** What is stored about the words of a result; of a board that somebody made only the numbers. */
type SolvedWith = Pick<Result, 'words' | 'letters'> & Partial<Pick<Result, 'solution'>>;

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

function areOf(words: readonly string[], { words: number, letters, solution }: SolvedWith): boolean {
  if (words.length !== number || lettersIn(words) !== letters) return false;
  return solution === undefined || solution === solutionChecksum(words);
}
