import type { Topic } from '../../dispatch/board/topic.ts';
import type { App, Asker } from '../../dispatch/contract.ts';
import type { ChallengeResult } from '../../store/tables/challenges.ts';
import { inheritHiding } from '../privacy.ts';
import { countHints } from '../results/record-solution.ts';
import { type Challenge, challengeOn, endOf } from './challenge.ts';

/** A person's place among those who solved a board that somebody made. */
export interface SolvedChallenge {
  readonly name: string;
  readonly par?: number;
  /** The person's best result; none of a board that was solved after it was closed. */
  readonly best?: ChallengeResult;
  readonly rank?: { readonly rank: number; readonly of: number };
}

/**
 * Records a solution as the asker's result of the board that somebody made for this channel, if there is one and it is
 * still open. Such results are that board's alone: they count for no day.
 */
export async function solveChallenge(
  asker: Asker,
  app: App,
  topic: Topic,
  words: readonly string[],
  isToRecord: boolean,
): Promise<SolvedChallenge | undefined> {
  const challenge = await challengeOn(app, asker.where, topic.board);
  if (challenge === undefined) return undefined;
  const { tenant, channel } = asker.where;
  const { challenges } = app.store.tenant(tenant);
  const own = () => challenges.resultOf(channel, challenge.key, asker.who.id);
  const before = await own();
  // A board may have been solved before somebody made it for the channel.
  if (app.clock.now() < endOf(challenge) && (isToRecord || before === undefined))
    await record(asker, app, topic, words, challenge);
  const best = await own();
  const results = await challenges.results(channel, challenge.key);
  const rank = results.findIndex(({ person }) => person === asker.who.id) + 1;
  const { name, appraisal } = challenge;
  return {
    name,
    ...(appraisal !== undefined && { par: appraisal.par }),
    ...(best !== undefined && { best }),
    ...(rank > 0 && results.length > 1 && { rank: { rank, of: results.length } }),
  };
}

async function record(
  asker: Asker,
  app: App,
  topic: Topic,
  words: readonly string[],
  { channel, key }: Challenge,
): Promise<void> {
  const { door, who, where } = asker;
  await inheritHiding(app.store, { door, tenant: where.tenant, person: who.id });
  await app.store.tenant(where.tenant).challenges.record({
    channel,
    board: key,
    person: who.id,
    words: words.length,
    letters: words.reduce((sum, word) => sum + word.length, 0),
    hints: await countHints(asker, app, topic),
    solvedAt: app.clock.now(),
  });
}
