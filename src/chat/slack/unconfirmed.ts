import * as v from 'valibot';
import type { ChannelRef } from '../../core/channel-ref.ts';
import { DAY, type PuzzleDate } from '../../core/clock.ts';
import { longDate } from '../../core/text.ts';
import { postKey } from '../../daily/day-thread.ts';
import { DAY_STEPS, type DayStep } from '../../daily/plan/schedule.ts';
import { dayStepName } from '../../daily/settings/show.ts';
import type { App } from '../../dispatch/contract.ts';
import { PostFailure } from '../../dispatch/poster.ts';
import { addDays, dateAt } from '../../puzzle/calendar.ts';
import { dateSchema } from '../../puzzle/repository.ts';
import type { DeliveryKey } from '../../store/tables/deliveries.ts';
import type { SlackApi } from './api.ts';
import { privateFailure, readFailure } from './errors.ts';
import { teamOf, tenantOf } from './events.ts';
import { LIMITS, plainTextObject } from './mrkdwn.ts';
import { note, section } from './render.ts';

/** What a person says about a post whose outcome is unknown: the ids of the question's buttons, with their labels. */
const VERDICTS = { repeat: 'Post it again', there: 'It is there' } as const;
export type Verdict = keyof typeof VERDICTS;

export function isOutcomeButton(id: string | undefined): id is Verdict {
  return id !== undefined && Object.hasOwn(VERDICTS, id);
}

interface DayDelivery extends DeliveryKey {
  readonly date: PuzzleDate;
  readonly step: DayStep;
}

/** The value of the buttons: channel, date and step of the delivery. */
const ButtonValue = v.pipe(
  v.string(),
  v.transform((text) => text.split(' ')),
  v.strictTuple([v.string(), dateSchema, v.string()]),
);

/**
 * Posts whose outcome is unknown and can't be looked up, because the app may not read the channel. Such a post is left out
 * rather than posted twice. The person who set up the daily thread is asked, and can have it posted again, or say that it
 * is there: the hints of an opening then follow under a new small message.
 */
export function makeUnconfirmedPosts(app: App, api: SlackApi) {
  /** What somebody said of a post. It is used once, since the next attempt may get no answer either. */
  async function take(tenant: string, key: string): Promise<Verdict | undefined> {
    const { store, clock } = app;
    const verdict = await store.actions.get(verdictKey(tenant, key), clock.now());
    if (!isOutcomeButton(verdict)) return undefined;
    await store.actions.put(verdictKey(tenant, key), '', clock.now());
    return verdict;
  }

  /**
   * Asks the person who set up the daily thread whether the post is missing. Throws where that may work later: then the post
   * must not be given up yet. Perhaps twice, like any message whose answer is lost.
   */
  async function ask(channel: ChannelRef, key: string): Promise<void> {
    const { store, log } = app;
    const { tenant } = channel;
    const subscription = await store.tenant(tenant).subscriptions.get(channel.channel);
    const delivery = deliveryOf(channel, key);
    if (subscription?.setBy == null || delivery === undefined) return;
    try {
      await api.call(teamOf(tenant), 'chat.postMessage', {
        channel: subscription.setBy,
        text: 'A Letter Boxed post may be missing',
        blocks: questionBlocks(delivery),
      });
    } catch (error) {
      const { kind, message } = privateFailure(error);
      if (kind === 'later' || kind === 'unknown')
        throw new PostFailure('later', `nobody could be asked about the post: ${message}`, { cause: error });
      log.warn(
        { door: 'slack', ...channel, failure: readFailure(error) },
        'a post without an answer could not be reported to the person who set up the daily thread',
      );
    }
  }

  /** A button was pressed. Returns the text that replaces the question. */
  async function answer(team: string, verdict: Verdict, value: string): Promise<string> {
    const { store, clock } = app;
    const [channel, date, step] = v.parse(ButtonValue, value);
    if (verdict === 'there' && step !== 'opening') return 'Good: it stays as it is.';
    const tenant = tenantOf(team);
    const { deliveries } = store.tenant(tenant);
    const now = clock.now();
    await store.actions.put(verdictKey(tenant, postKey({ tenant, channel, date, step })), verdict, now + DAY);
    const isRevived = await deliveries.makeDueAgain(channel, date, step, now);
    if (!isRevived) return 'Nothing is left to post: it is there, or on its way.';
    // The hints that were due meanwhile had no thread.
    for (const { step: other, reason } of await deliveries.ofDay(channel, date))
      if (reason?.code === 'thread-not-opened') await deliveries.makeDueAgain(channel, date, other, now);
    return verdict === 'there'
      ? 'The hints follow under a new small message, if the puzzle is still on.'
      : 'It comes within a minute or two, if its puzzle is still on.';
  }

  /** Finds the delivery of a key. Keys are hashes, so the deliveries of the last days are compared with it. */
  function deliveryOf({ tenant, channel }: ChannelRef, key: string): DayDelivery | undefined {
    const today = dateAt(app.clock.now());
    return [today, addDays(today, -1), addDays(today, 1)]
      .flatMap((date) => DAY_STEPS.map((step) => ({ tenant, channel, date, step })))
      .find((delivery) => postKey(delivery) === key);
  }

  return { take, ask, answer };
}

export type UnconfirmedPosts = ReturnType<typeof makeUnconfirmedPosts>;

function verdictKey(tenant: string, key: string): string {
  return `slack-repeat:${tenant}:${key}`;
}

function questionBlocks({ channel, date, step }: DayDelivery) {
  return [
    section(
      `I don’t know if ${dayStepName(step)} of ${longDate(date)} arrived in <#${channel}>: Slack gave no answer, and I may not read the channel. Please look there.`,
    ),
    {
      type: 'actions',
      elements: Object.entries(VERDICTS).map(([id, label]) => ({
        type: 'button',
        action_id: id,
        text: plainTextObject(label, LIMITS.buttonText),
        value: [channel, date, step].join(' '),
      })),
    },
    note(
      'With the permission channels:history (and groups:history for private channels) I can look for myself.',
    ),
  ];
}
