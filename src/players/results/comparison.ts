/** Two people who both agreed to be compared. What each of them said about the other is one row of their own. */

import { doorOf } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import { postKey } from '../../daily/day-thread.ts';
import type { App, Request } from '../../dispatch/contract.ts';
import { PostFailure, UNLEASED } from '../../dispatch/poster.ts';
import { dateAt } from '../../puzzle/calendar.ts';
import { digestOf } from '../../reply/model/action.ts';
import type { Reply } from '../../reply/model/types.ts';
import {
  comparedReply,
  comparisonQuestion,
  notComparedReply,
  uncomparedReply,
} from '../../reply/replies/stats.ts';
import type { ComparedScore } from '../../store/tables/people.ts';
import { countToday } from '../public-messages.ts';
import { compareScores, isCalm, isSolvedOnItsDay } from './stats.ts';

/** A person as typed, as Slack sends them or as Discord does: `@ann`, `<@U1>` or `123`. */
const PERSON = /^<?@?!?([^\s<>@|]{1,100})(?:\|[^<>]*)?>?$/;

/**
 * Compares the asker with somebody if both agreed, whom it asks once. Whatever the reason is why there is no comparison, the
 * answer is the same, so that nobody learns who refused, hides or does not play.
 *
 * @param agrees what a button of the question or of the comparison says; undefined for who asks to be compared
 */
export async function compareWith(
  request: Request,
  app: App,
  typed: string,
  agrees: boolean | undefined,
): Promise<Reply> {
  const { who, where } = request;
  const { store, clock } = app;
  const other = PERSON.exec(typed)?.[1];
  if (other === undefined)
    throw new UserError('stats.person', 'Choose one person. Such as:', 'stats with:@ann');
  if (other === who.id) throw new UserError('stats.self', 'That’s you. To see your own stats:', 'stats');
  // A person's code is the same in all workspaces of an organization.
  const codeOf = (person: string) => digestOf(`compared ${doorOf(where.tenant)}:${person}`);
  const theirCode = await codeOf(other);
  const ownCode = await codeOf(who.id);
  const answerOf = (person: string, about: string) => store.allPeople.comparison(where.tenant, person, about);
  const own = await answerOf(who.id, theirCode);
  const theirs = await answerOf(other, ownCode);
  const storeOwn = (agreed: 0 | 1) => {
    const { people } = store.tenant(own?.tenant ?? where.tenant);
    return people.setComparison(who.id, theirCode, { agreed, at: clock.now() });
  };
  if (agrees === false) {
    // Only a question or a comparison has the button, so without any answer it was forged.
    if (own !== undefined || theirs !== undefined) await storeOwn(0);
    return notComparedReply();
  }
  await refuseUncompared(request, app);
  const none = uncomparedReply(other);
  if (own === undefined && theirs === undefined) {
    if (agrees) return none;
    // The limit and the row are the same for people who can't be asked: otherwise, either would tell who can.
    const most = app.limits.comparisonsPerPerson;
    if ((await countToday(app, where.tenant, 'compare', [[`person ${who.id}`, most]])) !== undefined)
      throw new UserError('stats.enough', `You’ve asked ${most} people today. Ask the next one tomorrow.`);
    // Not awaited: how long it takes would tell whether they are asked.
    if (await storeOwn(1)) void askOnce(request, app, other, theirCode);
    return none;
  }
  if (!own?.isAgreed) await storeOwn(1);
  if (!theirs?.isAgreed || !(await isCompared(app, where.tenant, other))) return none;
  return comparedReply(other, await comparedOf(app, where.tenant, who.id, other));
}

/** Whether somebody neither hides from leaderboards nor is calm. */
async function isCompared({ store }: Pick<App, 'store'>, tenant: string, person: string): Promise<boolean> {
  const { allPeople } = store;
  return !(await allPeople.isHidden(tenant, person)) && !(await allPeople.isCalm(tenant, person));
}

/** Refuses an asker who hides or is calm themselves. */
async function refuseUncompared(request: Request, app: App): Promise<void> {
  const { who, where } = request;
  if (await isCalm(request, app))
    throw new UserError(
      'stats.calm',
      'You’re calm, so nobody is compared with you. First, type:',
      'calm off',
    );
  if (await app.store.allPeople.isHidden(where.tenant, who.id))
    throw new UserError(
      'stats.hidden',
      'You hide from leaderboards, so nobody is compared with you. First, type:',
      'privacy unhide',
    );
}

/** Whether to ask somebody. They must have played in this server or workspace, which no bot and no stranger has. */
async function mayBeAsked({ door, where }: Request, app: App, person: string): Promise<boolean> {
  if (app.posterOf(door) === undefined) return false;
  if ((await app.store.tenant(where.tenant).results.days(person)) === 0) return false;
  return isCompared(app, where.tenant, person);
}

/**
 * Asks somebody in private, if they may be asked. A question that does not arrive is not sent again: they can ask for the
 * comparison themselves. A failure is only logged: an answer would tell the asker that there was a question.
 */
async function askOnce(request: Request, app: App, person: string, code: string): Promise<void> {
  const { door, who, where } = request;
  const { tenant, channel } = where;
  const now = app.clock.now();
  const key = postKey({ tenant, channel, date: dateAt(now), step: `compare ${who.id} ${code}` });
  const post = {
    ...UNLEASED,
    channel: { tenant, channel },
    key,
    reply: comparisonQuestion(who.id),
    since: now,
  };
  try {
    if (await mayBeAsked(request, app, person)) await app.posterOf(door)!.postPrivately({ ...post, person });
  } catch (error) {
    const text = 'a question about a comparison could not be sent';
    if (error instanceof PostFailure) app.log.info({ tenant, error: String(error) }, text);
    else app.log.error({ tenant, err: error }, text);
  }
}

/**
 * Compares past days on which both solved the same board on time, with words, and without having seen a solution; who was first
 * does not matter. A day that is on does not count: it would tell in how few words its board can be solved.
 */
async function comparedOf({ store, clock }: App, tenant: string, one: string, other: string) {
  const today = dateAt(clock.now());
  const scoresOf = (person: string) => store.allPeople.scoresOf(tenant, person);
  const [mine, theirs] = await Promise.all([scoresOf(one), scoresOf(other)]);
  const counts = (score: ComparedScore) =>
    score.date < today && isSolvedOnItsDay(score) && !score.reported && !score.afterSolution;
  const keyOf = ({ date, board }: ComparedScore) => `${date} ${board}`;
  const others = new Map(theirs.filter(counts).map((score) => [keyOf(score), score]));
  const differences = mine.filter(counts).flatMap((score) => {
    const their = others.get(keyOf(score));
    return their === undefined ? [] : [compareScores(score, { ...their, solvedAt: score.solvedAt })];
  });
  const foundBy = (person: string) => wordsFound(store, tenant, person, today);
  const [own, found] = await Promise.all([foundBy(one), foundBy(other)]);
  return {
    days: differences.length,
    better: differences.filter((difference) => difference < 0).length,
    worse: differences.filter((difference) => difference > 0).length,
    words: [...own].filter((word) => found.has(word)).length,
  };
}

/** The words of a person's solutions of days that are over, each with its board. */
async function wordsFound(
  { allPeople }: Pick<App['store'], 'allPeople'>,
  tenant: string,
  person: string,
  before: PuzzleDate,
): Promise<Set<string>> {
  const finds = await allPeople.findsBefore(tenant, person, before);
  return new Set(
    finds.flatMap(({ board, solution }) => solution.split(' ').map((word) => `${board} ${word}`)),
  );
}
