import { type Backoff, doubling, pauseAfter } from '../../core/backoff.ts';
import { UserError } from '../../core/errors.ts';
import { type MissingRequirement, PostFailure } from '../../dispatch/poster.ts';
import { suspend } from '../suspension.ts';
import type { DeliveryAttempt, Ending } from './attempt.ts';
import { noteLog } from './log.ts';
import { namedLacks, restNotice } from './notices.ts';

/** What an attempt comes to that threw. */
export async function endFor(attempt: DeliveryAttempt, error: unknown): Promise<Ending> {
  const { tools, claimed, spot: channel, date, step, notebook } = attempt;
  const where = { ...channel, date, step, attempt: claimed.lease.attempt };
  if (error instanceof PostFailure) return endForFailure(attempt, error, where);
  // A fault before anything was sent is tried again; one after it leaves open what was posted.
  const unknown = notebook.isPosting;
  if (error instanceof UserError) tools.log.warn({ ...where, code: error.code }, error.message);
  else noteLog(tools.log, error, where, unknown ? 'posting failed unexpectedly' : 'preparing a post failed');
  return later(attempt, { reason: 'something unexpected went wrong', unknown, retryAfter: undefined });
}

async function endForFailure(attempt: DeliveryAttempt, failure: PostFailure, where: object): Promise<Ending> {
  const { tools, spot: channel, poster } = attempt;
  const reason = failure.message;
  const told = { ...where, kind: failure.kind, reason };
  switch (failure.kind) {
    case 'later':
    case 'unknown':
      tools.log.info(told, 'a post is put off');
      return later(attempt, { reason, unknown: failure.kind === 'unknown', retryAfter: failure.retryAfter });
    case 'refused': {
      const lacks =
        failure.missingRequirements.length > 0 ? failure.missingRequirements : await lacksOf(attempt);
      const why = lacks.length > 0 ? namedLacks(lacks) : reason;
      await suspend(tools, poster, channel, why, restNotice(why, lacks));
      return { end: 'given-up', reason: why };
    }
    case 'removed':
      tools.log.warn(told, 'the bot is no longer there');
      await tools.store.tenant(channel.tenant).markRemoved(tools.now());
      return { end: 'given-up', reason };
    case 'invalid':
      tools.log.error(told, 'the platform refuses this message');
      return { end: 'given-up', reason };
  }
}

const SECOND = 1_000;
const BACKOFF: Backoff = { pauses: doubling(5 * SECOND, 600 * SECOND), jitter: 0.3 };
/** An opening that waited for its board has made many attempts, none of which says anything about the platform. */
const MOST_AFTER_WAITING = 5;

function later(
  { tools, claimed, notebook }: DeliveryAttempt,
  { reason, unknown, retryAfter }: { reason: string; unknown: boolean; retryAfter: number | undefined },
): Ending {
  const { now, random } = tools;
  const { attempt } = claimed.lease;
  const failures = notebook.record.waitsSince === undefined ? attempt : Math.min(attempt, MOST_AFTER_WAITING);
  const at = now() + pauseAfter({ failures, retryAfter, random }, BACKOFF);
  return { end: 'later', at, reason, unknown };
}

/** What is missing, for the notice; without an answer the failure's own words must do. */
async function lacksOf({ poster, spot: channel }: DeliveryAttempt): Promise<readonly MissingRequirement[]> {
  try {
    return await poster.missingRequirements(channel);
  } catch {
    return [];
  }
}
