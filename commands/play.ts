import { askerOf, DATE, type Topic, topicOf } from '../src/dispatch/board/topic.ts';
import { type App, type Command, type Request, wordsOf } from '../src/dispatch/contract.ts';
import { inheritHiding } from '../src/players/privacy.ts';
import { anonymizePath } from '../src/players/results/anonymized-path.ts';
import { periodOf } from '../src/players/results/period.ts';
import { isOnTime } from '../src/players/results/score.ts';
import { rankIn } from '../src/players/results/standings.ts';
import { isCertain } from '../src/puzzle/judge.ts';
import { boardKey } from '../src/puzzle/same-board.ts';
import type { PuzzleDate } from '../src/puzzle/types.ts';
import { pathOf } from '../src/reply/picture/path.ts';
import { solvedPlayReply, unsolvedPlayReply } from '../src/reply/replies/result.ts';
import { HINT_STEPS } from '../src/solver/hints.ts';
import { Random } from '../src/solver/random.ts';
import type { Result } from '../src/store/tables/results.ts';

export const play: Command = {
  name: 'play',
  description: 'Enter your solution of the day: only you see the answer, until you share it',
  options: [
    {
      name: 'words',
      description: 'Your words in the order you play them, with commas between',
      kind: 'words',
      required: true,
      positional: true,
      example: 'forum,mozart',
    },
    DATE,
  ],
  access: 'anyone',
  private: true,
  more: 'Your best result of a day is kept: fewest words, then fewest letters, then fewest hints, then the earliest. Boards of past days count in your stats, but not for streak and leaderboard. The words themselves are not kept.',
  examples: ['play forum,mozart', 'play forum mozart date:yesterday'],
  async run(request, app) {
    const topic = await topicOf(request, app);
    const { board, subject, source, puzzle } = topic;
    const words = wordsOf(request, 'words');
    const checked = await app.work.run('check', { board, source, words }, askerOf(request));
    if (!checked.solved) return unsolvedPlayReply(subject, checked, isCertain(source));
    const {
      who,
      where: { tenant },
    } = request;
    const result = await resultOf(request, app, topic, words, await countHints(request, app, topic));
    await inheritHiding(app.store, { door: request.door, tenant, person: who.id });
    const { better, beaten } = await record(request, app, result);
    const rank = await rankIn(app, request, periodOf('day', result.date as PuzzleDate));
    return solvedPlayReply({
      subject,
      words,
      result,
      ...(better !== undefined && { better }),
      ...(beaten !== undefined && { beaten }),
      ...(rank !== undefined && { rank }),
      ...(puzzle?.par !== undefined && { par: puzzle.par }),
      certain: isCertain(source),
    });
  },
};

async function resultOf(
  { who, where }: Request,
  { clock, store, puzzles, randomSeed }: App,
  { board, key }: Topic,
  words: readonly string[],
  hints: number,
): Promise<Result> {
  const now = clock.now();
  const date = key as PuzzleDate;
  const lengths = words.map((word) => word.length);
  const { from, to } = puzzles.spanOf(date);
  const opening = await store.tenant(where.tenant).deliveries.get(where.channel, date, 'opening');
  const opened = opening?.state === 'sent' && opening.doneAt !== null && opening.doneAt <= now;
  return {
    person: who.id,
    channel: where.channel,
    date,
    words: words.length,
    letters: lengths.reduce((sum, length) => sum + length, 0),
    hints,
    solvedAt: now,
    sinceOpening: now < to ? now - (opened ? opening.doneAt! : from) : null,
    lengths,
    path: anonymizePath(board, pathOf(board, words).words, new Random(randomSeed())),
  };
}

/**
 * The hint steps that a person has seen anywhere at this door, of the day or of the same board typed, in
 * whatever order of sides and letters. A hint read in private counts.
 */
async function countHints({ door, who }: Request, { store }: App, { board, key }: Topic): Promise<number> {
  const own = boardKey(board.sides);
  const seen = await store.allPeople.seenHints(door, who.id, key, board.sides.join('-').length);
  const same = seen.filter(({ puzzle }) => puzzle === key || boardKey(puzzle.split('-')) === own);
  const steps = new Set(same.map(({ step }) => step));
  return HINT_STEPS.filter((step) => steps.has(step)).length;
}

/** Results that stay or give way when a new one is recorded. */
interface Recorded {
  readonly better?: Result;
  readonly beaten?: Result;
}

/** Records a result unless the stored one is better. A result on time is never replaced by a late one. */
async function record({ who, where }: Request, { store }: App, result: Result): Promise<Recorded> {
  const { results } = store.tenant(where.tenant);
  const before = await results.get(who.id, where.channel, result.date);
  if (before !== undefined && isOnTime(before) && !isOnTime(result)) return { better: before };
  if (await results.record(result)) return before === undefined ? {} : { beaten: before };
  const better = await results.get(who.id, where.channel, result.date);
  return better === undefined ? {} : { better };
}
