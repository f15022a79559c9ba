import { peopleScope } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import type { App, Asker } from '../../dispatch/contract.ts';
import { jobAskerOf, type Topic } from '../../dispatch/topic.ts';
import { type HuntProgress, progressOf } from '../../reply/replies/hunt.ts';
import { madeBoardOn } from '../made-boards/made-board.ts';
import { dayGameKey } from '../solo/results-elsewhere.ts';
import { planCard } from './card.ts';
import { type ToFind, toFindOn } from './standings.ts';

/** The hunt for the solutions of a board: of a day, or of one that somebody made for a channel. */
export interface Hunt {
  /** Names the board in the store. */
  readonly board: string;
  /** Left out for a board that somebody made. */
  readonly date?: PuzzleDate;
  /** In their order; each is its words. */
  readonly toFind: ToFind;
}

/** Characters of a solution that counts: the database could not look for longer ones. */
const LONGEST = 500;

/** The hunt of a board. @throws UserError where there is none */
export async function huntOf(asker: Asker, app: App, topic: Topic): Promise<Hunt> {
  const { puzzle, board, source } = topic;
  const key = puzzle === undefined ? (await madeBoardOn(app, asker.where, board))?.key : dayGameKey(puzzle);
  if (key === undefined)
    throw new UserError(
      'hunt.board',
      'The hunt is on the board of a day, and on boards that people make here.',
    );
  const list = { board: key, isTyped: puzzle?.source === 'hand' };
  const toFind = await toFindOn(app, list, {
    now: app.clock.now(),
    find: () => app.work.run('toFind', { board, source }, jobAskerOf(asker)),
  });
  return { board: key, date: puzzle?.date, toFind };
}

/** The solutions that a person found anywhere at this door, in the order in which they found them. */
export function findsOf(
  { where, who }: Asker,
  { store }: App,
  { board }: Pick<Hunt, 'board'>,
): Promise<string[]> {
  return store.allPeople.findsOf(peopleScope(where.tenant), who.id, board);
}

/** Records words that solve a board as found by the asker in this channel, each solution once. */
export async function recordFind(
  asker: Asker,
  app: App,
  topic: Topic,
  words: readonly string[],
): Promise<HuntProgress | undefined> {
  const { where, who } = asker;
  const solution = words.join(' ');
  if (solution.length > LONGEST) return undefined;
  const hunt = await huntOf(asker, app, topic);
  const before = await findsOf(asker, app, hunt);
  const find = {
    person: who.id,
    channel: where.channel,
    board: hunt.board,
    solution,
    foundAt: app.clock.now(),
  };
  const isAdded = await app.store.tenant(where.tenant).finds.add(find);
  if (isAdded) await planCard(asker, app, hunt);
  const finds = new Set([...before, solution]);
  return { ...progressOf({ ...hunt, finds: [...finds] }), isNew: isAdded && finds.size > before.length };
}
