import { postKey } from '../../../daily/delivery/post-key.ts';
import { DAY_STEPS } from '../../../daily/types.ts';
import type { App } from '../../../dispatch/contract.ts';
import { addDays } from '../../../puzzle/calendar.ts';
import type { DeliveryKey } from '../../../store/types.ts';
import { teamOf, tenantOf } from '../install/workspaces.ts';
import { LIMITS, plainText } from '../render/limits.ts';
import { note, section } from '../render/render.ts';
import type { SlackApi } from './api.ts';
import { readFailure } from './errors.ts';

/**
 * Posts whose outcome is not known and can't be looked up, for the app may not read channels: rather once too
 * few than twice. Whoever manages the place is asked, and a button has it posted.
 */
export interface UnconfirmedPosts {
  /** True once, after somebody asked for it to be posted again. */
  mayRepeat(tenant: string, key: string): Promise<boolean>;
  ask(tenant: string, channel: string, key: string): Promise<void>;
  /** The button was pressed. */
  repeat(team: string, value: string): Promise<string>;
}

export const REPEAT = 'repeat';
const DAY = 24 * 60 * 60_000;
const GRANTED = 'yes';

export function makeUnconfirmedPosts({ store, clock, puzzles, log }: App, api: SlackApi): UnconfirmedPosts {
  const grantOf = (tenant: string, key: string) => `slack-repeat:${tenant}:${key}`;

  /** The row of a key: keys tell nothing, so those of the last days are compared. */
  function deliveryOf(tenant: string, channel: string, key: string): DeliveryKey | undefined {
    const today = puzzles.dateAt(clock.now());
    for (const date of [today, addDays(today, -1), addDays(today, 1)]) {
      for (const step of DAY_STEPS) {
        const delivery = { tenant, channel, date, step };
        if (postKey(delivery) === key) return delivery;
      }
    }
    return undefined;
  }

  return {
    async mayRepeat(tenant, key) {
      const granted = await store.actions.get(grantOf(tenant, key), clock.now());
      if (granted !== GRANTED) return false;
      await store.actions.put(grantOf(tenant, key), '', clock.now());
      return true;
    },

    async ask(tenant, channel, key) {
      const subscription = await store.tenant(tenant).subscriptions.get(channel);
      const delivery = deliveryOf(tenant, channel, key);
      const isNews = await store.events.mark(`slack-unsure:${tenant}:${key}`, clock.now(), clock.now() + DAY);
      if (subscription?.setBy == null || delivery === undefined || !isNews) return;
      try {
        await api.call(teamOf(tenant), 'chat.postMessage', {
          channel: subscription.setBy,
          text: 'A Letter Boxed post may be missing',
          blocks: [
            section(
              `Slack gave no answer to a post in <#${channel}> (${delivery.step}, ${delivery.date}), and I may not read the channel to see whether it arrived. I would rather leave it out than post it twice. If it is not there, have it posted:`,
            ),
            {
              type: 'actions',
              elements: [
                {
                  type: 'button',
                  action_id: REPEAT,
                  text: plainText('Post it again', LIMITS.buttonText),
                  value: [channel, delivery.date, delivery.step].join(' '),
                },
              ],
            },
            note(
              'With the permission channels:history (and groups:history for private channels) I could look for myself.',
            ),
          ],
        });
      } catch (error) {
        log.warn(
          { door: 'slack', tenant, failure: readFailure(error) },
          'nobody could be asked about a post',
        );
      }
    },

    async repeat(team, value) {
      const [channel = '', date = '', step = ''] = value.split(' ');
      const tenant = tenantOf(team);
      const now = clock.now();
      await store.actions.put(grantOf(tenant, postKey({ tenant, channel, date, step })), GRANTED, now + DAY);
      const isRevived = await store.tenant(tenant).deliveries.revive(channel, date, step, now);
      return isRevived
        ? 'It will be posted within a minute or two, if its puzzle is still on.'
        : 'Nothing is left to post: it is there, or on its way.';
    },
  };
}
