import * as v from 'valibot';
import { type ChannelRef, doorOf } from '../core/channel-ref.ts';
import { DAY, HOUR, MINUTE, type PuzzleDate } from '../core/clock.ts';
import type { Attempt, DeliveryHandler, Ending } from '../daily/delivery/deliver.ts';
import { dayPostOf } from '../daily/delivery/messages.ts';
import { holdReason } from '../daily/plan/plan.ts';
import type { App, Asker } from '../dispatch/contract.ts';
import { dayBoardReply } from '../reply/replies/board.ts';
import type { Delivery } from '../store/tables/deliveries.ts';
import { makeOpeningExtras } from './opening-extras.ts';

const STEP = 'players';
/** Milliseconds between changes of a message: everything in between is shown together. */
const CHANGE_PAUSE_MS = MINUTE;
/** Milliseconds between changes of a message older than an hour: Discord takes about 30 changes an hour (error 30046). */
const OLD_CHANGE_PAUSE_MS = 3 * MINUTE;
const DETAIL = v.object({ channel: v.string() });
/**
 * Milliseconds after which the message of a day or the card of a hunt is checked again without changes, and ended if its
 * thread is closed.
 */
export const IDLE_CARD_CHECK_MS = 2 * DAY;

/**
 * Plans to update the message of a day after somebody began or solved its board. If the channel has switched the line about
 * players off, or the day has no thread, the delivery finds nothing to change.
 */
export async function planDayPost(
  { where }: Pick<Asker, 'where'>,
  app: App,
  date: PuzzleDate,
): Promise<void> {
  const { tenant, channel, direct } = where;
  if (direct || app.posterOf(doorOf(tenant)) === undefined) return;
  const { deliveries } = app.store.tenant(tenant);
  const opening = await deliveries.get(channel, date, 'opening');
  if (opening?.state !== 'sent') return;
  // A channel key of its own keeps the row apart from the channel's steps, which are posted together.
  const place = { channel: `${channel} ${STEP}`, date, step: STEP };
  const dueAt = nextChange(opening, Math.floor(app.clock.now()));
  const added = await app.store.allDeliveries.plan([{ tenant, ...place, dueAt, detail: { channel } }]);
  if (added.length === 0) await deliveries.bringForward(place, dueAt);
}

function nextChange({ doneAt }: Pick<Delivery, 'doneAt'>, now: number): number {
  return now + (now - (doneAt ?? now) < HOUR ? CHANGE_PAUSE_MS : OLD_CHANGE_PAUSE_MS);
}

export function dayPostHandlers(app: App): Record<string, DeliveryHandler> {
  return { [STEP]: (attempt) => showPlayers(app, attempt) };
}

/** Updates the line about who plays in the message of a day, if it has changed. Openings have priority. */
async function showPlayers(app: App, { claimed, poster, tools }: Attempt): Promise<Ending> {
  const { tenant, date } = claimed.lease;
  const channel = { tenant, channel: v.parse(DETAIL, claimed.delivery.detail).channel };
  if ((await app.store.allDeliveries.openingsWaiting(doorOf(tenant), tools.now())) > 0)
    return { end: 'moved', to: tools.now() + CHANGE_PAUSE_MS };
  const held = await heldUntil(app, channel, tools.now());
  if (held !== undefined) return { end: 'moved', to: held };
  const current = () =>
    dayPostOf(app, { ...channel, date, now: tools.now() }, (day) => makeOpeningExtras(app, day));
  const post = await current();
  if (post === undefined) return { end: 'sent', posted: {} };
  const { players = '' } = post.extras;
  if (players !== (claimed.record.players ?? '')) {
    await poster.edit(channel, post.posted, post.reply, [post.key]);
    await claimed.save({ players });
    const after = await current();
    if (after === undefined) {
      // It was closed in the meantime, and must not look open again.
      const over = dayBoardReply({ puzzle: post.puzzle, audience: 'everyone' });
      await poster.edit(channel, post.posted, over, [post.key]);
      return { end: 'sent', posted: {} };
    }
    if ((after.extras.players ?? '') !== players)
      return { end: 'moved', to: nextChange(after.opening, tools.now()) };
  }
  return { end: 'moved', to: tools.now() + IDLE_CARD_CHECK_MS };
}

/**
 * The moment until which the message of a day, or the card of its hunt, must not be posted or changed, such as while the
 * thread is paused; undefined if nothing holds it back.
 */
export async function heldUntil(
  app: App,
  { tenant, channel }: ChannelRef,
  now: number,
): Promise<number | undefined> {
  const subscription = await app.store.tenant(tenant).subscriptions.get(channel);
  const isOn = subscription !== undefined && subscription.state !== 'off';
  if (isOn && holdReason(subscription, now) === undefined) return undefined;
  return Math.min(now + IDLE_CARD_CHECK_MS, subscription?.until ?? Number.POSITIVE_INFINITY);
}
