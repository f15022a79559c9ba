import { type Backoff, doubling, pauseAfter } from '../../core/backoff.ts';
import { SECOND } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import { type MissingRequirement, PostFailure } from '../../dispatch/poster.ts';
import type { Reason } from '../../store/reasons.ts';
import { logFault } from '../log-fault.ts';
import { missingRequirements } from '../reasons.ts';
import { suspend } from '../suspension.ts';
import type { DeliveryAttempt, Ending } from './attempt.ts';
import { suspensionNotice } from './notices.ts';

/** How an attempt ends that threw. */
export async function endFor(attempt: DeliveryAttempt, error: unknown): Promise<Ending> {
  const { tools, claimed, channel, date, step, journal } = attempt;
  const where = { ...channel, date, step, attempt: claimed.lease.attempt };
  if (error instanceof PostFailure) return endForFailure(attempt, error, where);
  // A fault before anything was sent is tried again; one after it leaves open what was posted.
  const unknown = journal.isPosting;
  if (error instanceof UserError) tools.log.warn({ ...where, code: error.code }, error.message);
  else logFault(tools.log, error, where, unknown ? 'posting failed unexpectedly' : 'preparing a post failed');
  return later(attempt, { reason: { code: 'unexpected' }, unknown, retryAfter: undefined });
}

async function endForFailure(attempt: DeliveryAttempt, failure: PostFailure, where: object): Promise<Ending> {
  const { tools, channel, poster } = attempt;
  const { message } = failure;
  const fields = { ...where, kind: failure.kind, reason: message };
  switch (failure.kind) {
    case 'later':
    case 'unknown':
      tools.log.info(fields, 'a post is postponed');
      return later(attempt, {
        reason: { code: failure.kind === 'unknown' ? 'no-answer' : 'postponed', message },
        unknown: failure.kind === 'unknown',
        retryAfter: failure.retryAfter,
      });
    case 'refused': {
      const missing =
        failure.missingRequirements.length > 0 ? failure.missingRequirements : await askMissing(attempt);
      const reason: Reason = missing.length > 0 ? missingRequirements(missing) : { code: 'refused', message };
      const notice = suspensionNotice(channel, reason, missing);
      await suspend(tools, { poster, channel, reason, notice });
      return { end: 'given-up', reason };
    }
    case 'removed':
      // Nothing is recorded: only its door can tell a removal from the token of another application or workspace.
      tools.log.warn(fields, 'the bot is not there');
      return { end: 'given-up', reason: { code: 'removed', message } };
    case 'invalid':
      tools.log.error(fields, 'the platform refuses this message');
      return { end: 'given-up', reason: { code: 'invalid', message } };
  }
}

const BACKOFF: Backoff = { pauses: doubling(5 * SECOND, 600 * SECOND), jitter: 0.3 };
/** An opening that waited for its board has made many attempts, none of which says anything about the platform. */
const MOST_AFTER_WAITING = 5;

/** To be tried again, each time after a longer pause. */
export function later(
  { tools, claimed, journal }: Pick<DeliveryAttempt, 'tools' | 'claimed' | 'journal'>,
  { reason, unknown, retryAfter }: { reason: Reason; unknown: boolean; retryAfter: number | undefined },
): Ending {
  const { now, random } = tools;
  const { attempt } = claimed.lease;
  const failures = journal.record.waitsSince === undefined ? attempt : Math.min(attempt, MOST_AFTER_WAITING);
  const at = now() + pauseAfter({ failures, retryAfter, random }, BACKOFF);
  return { end: 'later', at, reason, unknown };
}

/** What is missing, for the notice. Without an answer the notice has the failure's own words. */
async function askMissing({ poster, channel }: DeliveryAttempt): Promise<readonly MissingRequirement[]> {
  try {
    return await poster.missingRequirements(channel);
  } catch {
    return [];
  }
}
