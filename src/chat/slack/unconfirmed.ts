import * as v from 'valibot';
import type { ChannelRef } from '../../core/channel-ref.ts';
import { DAY, type PuzzleDate } from '../../core/clock.ts';
import { longDate } from '../../core/text.ts';
import { postKey } from '../../daily/day-thread.ts';
import { DAY_STEPS, type DayStep } from '../../daily/plan/schedule.ts';
import { dayStepName } from '../../daily/settings/show.ts';
import type { App } from '../../dispatch/contract.ts';
import { addDays } from '../../puzzle/calendar.ts';
import { dateSchema } from '../../puzzle/repository.ts';
import type { DeliveryKey } from '../../store/tables/deliveries.ts';
import type { SlackApi } from './api.ts';
import { readFailure } from './errors.ts';
import { LIMITS, plainTextObject } from './mrkdwn.ts';
import { teamOf, tenantOf } from './origin.ts';
import { note, section } from './render.ts';

export const REPEAT_ACTION = 'repeat';
const ALLOWED = 'yes';

interface DayDelivery extends DeliveryKey {
  readonly date: PuzzleDate;
  readonly step: DayStep;
}

/** The value of the button: channel, date and step of the delivery. */
const ButtonValue = v.pipe(
  v.string(),
  v.transform((text) => text.split(' ')),
  v.strictTuple([v.string(), dateSchema, v.string()]),
);

/**
 * Posts whose outcome is unknown and can't be looked up, because the app may not read the channel. Such a post
 * is left out rather than posted twice. The person who set up the daily thread gets a message with a button
 * that posts it again.
 */
export class UnconfirmedPosts {
  readonly #app: App;
  readonly #api: SlackApi;

  constructor(app: App, api: SlackApi) {
    this.#app = app;
    this.#api = api;
  }

  /** True once, after somebody asked for the post to be repeated. */
  async mayRepeat(tenant: string, key: string): Promise<boolean> {
    const { store, clock } = this.#app;
    const permission = await store.actions.get(permissionKey(tenant, key), clock.now());
    if (permission !== ALLOWED) return false;
    await store.actions.put(permissionKey(tenant, key), '', clock.now());
    return true;
  }

  /** Asks the person who set up the daily thread whether the post is missing, once a day for each post. */
  async ask(channel: ChannelRef, key: string): Promise<void> {
    const { store, clock, log } = this.#app;
    const { tenant } = channel;
    const subscription = await store.tenant(tenant).subscriptions.get(channel.channel);
    const delivery = this.#deliveryOf(channel, key);
    const isFirst = await store.events.mark(`slack-unsure:${tenant}:${key}`, clock.now(), clock.now() + DAY);
    if (subscription?.setBy == null || delivery === undefined || !isFirst) return;
    try {
      await this.#api.call(teamOf(tenant), 'chat.postMessage', {
        channel: subscription.setBy,
        text: 'A Letter Boxed post may be missing',
        blocks: questionBlocks(delivery),
      });
    } catch (error) {
      log.warn(
        { door: 'slack', ...channel, failure: readFailure(error) },
        'a post without an answer could not be reported to the person who set up the daily thread',
      );
    }
  }

  /** The button was pressed. Returns the text that replaces the question. */
  async repeat(team: string, value: string): Promise<string> {
    const { store, clock } = this.#app;
    const [channel, date, step] = v.parse(ButtonValue, value);
    const tenant = tenantOf(team);
    const now = clock.now();
    const key = permissionKey(tenant, postKey({ tenant, channel, date, step }));
    await store.actions.put(key, ALLOWED, now + DAY);
    const isRevived = await store.tenant(tenant).deliveries.revive(channel, date, step, now);
    return isRevived
      ? 'It comes within a minute or two, if its puzzle is still on.'
      : 'Nothing is left to post: it is there, or on its way.';
  }

  /** Finds the delivery of a key. Keys are hashes, so the deliveries of the last days are compared with it. */
  #deliveryOf({ tenant, channel }: ChannelRef, key: string): DayDelivery | undefined {
    const { puzzles, clock } = this.#app;
    const today = puzzles.dateAt(clock.now());
    for (const date of [today, addDays(today, -1), addDays(today, 1)]) {
      for (const step of DAY_STEPS) {
        const delivery = { tenant, channel, date, step };
        if (postKey(delivery) === key) return delivery;
      }
    }
    return undefined;
  }
}

function permissionKey(tenant: string, key: string): string {
  return `slack-repeat:${tenant}:${key}`;
}

function questionBlocks({ channel, date, step }: DayDelivery) {
  return [
    section(
      `I don’t know if ${dayStepName(step)} of ${longDate(date)} arrived in <#${channel}>: Slack gave no answer, and I may not read the channel. Please look there. If it’s missing:`,
    ),
    {
      type: 'actions',
      elements: [
        {
          type: 'button',
          action_id: REPEAT_ACTION,
          text: plainTextObject('Post it again', LIMITS.buttonText),
          value: [channel, date, step].join(' '),
        },
      ],
    },
    note(
      'With the permission channels:history (and groups:history for private channels) I can look for myself.',
    ),
  ];
}
