import type { MissingRequirement, PostFailure } from '../../dispatch/poster.ts';
import type { Reason } from '../../store/reasons.ts';
import type { ClaimedDelivery } from '../../store/tables/deliveries.ts';
import { missingRequirements, suspensionNotice } from '../reasons.ts';
import { parseStored } from '../settings/settings.ts';
import { suspend } from '../suspension.ts';
import type { DayStep } from '../types.ts';
import { type BegunAttempt, type DayAttempt, type DayTools, type Ending, endFor } from './attempt.ts';
import { closeDay } from './close-day.ts';
import { openDay } from './open-day.ts';
import { postSteps } from './post-steps.ts';

/** One attempt at a step of a channel's day, together with its siblings if it is one of the thread's. */
export async function deliverDay(
  tools: DayTools,
  begun: BegunAttempt,
  siblings: readonly ClaimedDelivery[],
): Promise<Ending> {
  const { tenant, channel, date, step } = begun.claimed.lease;
  const { subscriptions } = tools.store.tenant(tenant);
  const subscription = await subscriptions.get(channel);
  if (subscription === undefined || subscription.state === 'off') {
    return { end: 'skipped', reason: { code: 'switched-off' } };
  }
  const settings = parseStored(subscription.settings);
  const attempt: DayAttempt = {
    ...begun,
    tools,
    channel: { tenant, channel },
    date,
    step: step as DayStep,
    subscription,
    settings,
    day: tools.schedules.of(settings, date),
    gaps: await tools.gaps(),
  };
  const ending = await post(attempt, siblings).catch((error: unknown) =>
    endFor(begun, error, (failure) => refused(attempt, failure)),
  );
  const wasStopped = subscription.state === 'active' && subscription.reason !== null;
  if (wasStopped && ending.end === 'sent') await subscriptions.posted(channel);
  return ending;
}

async function post(attempt: DayAttempt, siblings: readonly ClaimedDelivery[]): Promise<Ending> {
  if (attempt.step === 'opening') return openDay(attempt);
  if (attempt.step === 'closing') return closeDay(attempt);
  return postSteps(attempt, attempt.step, siblings);
}

/** Nothing more is posted in a channel that refuses posts. */
async function refused(attempt: DayAttempt, failure: PostFailure): Promise<Ending> {
  const { tools, poster, channel } = attempt;
  const missing =
    failure.missingRequirements.length > 0 ? failure.missingRequirements : await askMissing(attempt);
  const reason: Reason =
    missing.length > 0 ? missingRequirements(missing) : { code: 'refused', message: failure.message };
  await suspend(tools, { poster, channel, reason, notice: suspensionNotice(channel, reason, missing) });
  return { end: 'given-up', reason };
}

/** What is missing, for the notice. Without an answer the notice has the failure's own words. */
async function askMissing({ poster, channel }: DayAttempt): Promise<readonly MissingRequirement[]> {
  try {
    return await poster.missingRequirements(channel);
  } catch {
    return [];
  }
}
