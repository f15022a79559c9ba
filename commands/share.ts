import type { PuzzleDate } from '../src/core/clock.ts';
import { dayThread, isQuiet, threadId } from '../src/daily/day-thread.ts';
import { DATE, puzzleOf } from '../src/dispatch/board/topic.ts';
import { type App, type Command, choiceOf, type Request } from '../src/dispatch/contract.ts';
import { type Posted, PostFailure } from '../src/dispatch/poster.ts';
import { savedWords } from '../src/play/saved-game.ts';
import { resultToShow } from '../src/players/results/record-solution.ts';
import { bestOfEachDay } from '../src/players/results/score.ts';
import { shareEvent, shareKey } from '../src/players/results/shared.ts';
import { dayGameKey } from '../src/players/solo/solo-games.ts';
import type { Puzzle } from '../src/puzzle/types.ts';
import { subjectOfDay } from '../src/reply/model/subject.ts';
import type { Reply } from '../src/reply/model/types.ts';
import { noWordsReply, sharedNoteReply, sharedReply, unsharedReply } from '../src/reply/replies/result.ts';
import { SHARE_FORMATS, type ShareFormat } from '../src/reply/replies/share-formats.ts';
import type { Result } from '../src/store/tables/result-row.ts';

/** Sharing the same result again within this time says so instead of posting it twice. */
const REMEMBERED = 60 * 24 * 60 * 60_000;

export const share: Command = {
  name: 'share',
  description: 'Show everyone your result, without words or letters',
  options: [
    { ...DATE, positional: true },
    {
      name: 'as',
      description: 'What to show; left out, squares and a picture',
      kind: 'choice',
      choices: SHARE_FORMATS,
      about: {
        line: 'Only the line',
        squares: 'A square for each letter',
        notation: 'First and last letters and lengths, hidden: it reveals letters',
      },
      positional: true,
      example: 'squares',
    },
  ],
  access: 'anyone',
  private: false,
  more: 'It is posted in the day’s thread, if there is one. The picture shows a shuffled board, so that it gives nothing away. The notation, such as S - H(9), H - T(5), reveals letters: it stays hidden until somebody opens it.',
  examples: ['share', 'share squares', 'share yesterday'],
  async run(request, app) {
    const puzzle = await puzzleOf(request, app);
    const result = await ownResult(request, app, puzzle.date);
    const subject = subjectOfDay(puzzle);
    if (result === undefined) return unsharedReply(subject);
    const format = choiceOf(request, 'as', SHARE_FORMATS);
    const words = format === 'notation' ? await ownWords(request, app, puzzle, result) : undefined;
    if (format === 'notation' && words === undefined) return noWordsReply(subject);
    const shown = await resultToShow(request, app, result);
    const reply = sharedReply(subject, request.who.id, shown, { format, words });
    if (request.who.mayPostInThreads === false) return { ...reply, audience: 'asker' };
    const thread = await dayThread(app, request.where, puzzle.date);
    const isThere = thread !== undefined && threadId(thread) === request.where.thread;
    return thread === undefined || isThere
      ? reply
      : postOnce(request, app, thread, result, { reply, format });
  },
};

/** The result of this channel, else the person's best of the day at this door. */
async function ownResult(
  { door, who, where }: Request,
  { store }: App,
  date: PuzzleDate,
): Promise<Result | undefined> {
  const here = await store.tenant(where.tenant).results.get(who.id, where.channel, date);
  if (here !== undefined) return here;
  return bestOfEachDay(await store.allPeople.resultsOf(door, who.id, date))[0];
}

/** The words of a result, as long as the person's game of the board still has them. */
async function ownWords(
  { who, where }: Request,
  { store, clock }: App,
  puzzle: Puzzle,
  { lengths }: Result,
): Promise<readonly string[] | undefined> {
  const key = dayGameKey(puzzle);
  const game = await store.tenant(where.tenant).soloGames.get(who.id, key, clock.now());
  const words = game === undefined ? undefined : savedWords(game.state);
  const isOfResult =
    words?.length === lengths.length && words.every((word, index) => word.length === lengths[index]);
  return isOfResult ? words : undefined;
}

/** Posts the result in the thread, or returns it as the answer when posting fails. */
async function postOnce(
  { door, who, where }: Request,
  app: App,
  thread: Posted,
  result: Result,
  { reply, format }: { readonly reply: Reply; readonly format: ShareFormat | undefined },
): Promise<Reply> {
  const poster = app.posterOf(door);
  if (poster === undefined) return reply;
  const { tenant, channel } = where;
  const key = shareKey({ tenant, channel }, { ...result, person: who.id }, format);
  const now = app.clock.now();
  const isToday = result.date === app.puzzles.dateAt(now);
  if (!(await app.store.events.mark(shareEvent(key), now, now + REMEMBERED)))
    return sharedNoteReply(result, 'shared-before', isToday);
  try {
    await poster.post({
      channel: { tenant, channel },
      key,
      reply,
      thread,
      quiet: await isQuiet(app, where),
      posted: undefined,
      outcomeUnknown: false,
      since: now,
      note: async () => true,
    });
    return sharedNoteReply(result, 'posted', isToday);
  } catch (error) {
    app.log.warn({ err: error, door, tenant }, 'a result could not be posted in the thread');
    if (error instanceof PostFailure && error.kind !== 'unknown') return reply;
    return sharedNoteReply(result, 'unconfirmed', isToday);
  }
}
