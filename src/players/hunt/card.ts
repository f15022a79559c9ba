import * as v from 'valibot';
import { type ChannelRef, doorOf } from '../../core/channel-ref.ts';
import { DAY, type PuzzleDate, SECOND } from '../../core/clock.ts';
import { dayThread, isQuiet } from '../../daily/day-thread.ts';
import { type BegunAttempt, beginPost, type Deliverer, type Ending } from '../../daily/delivery/attempt.ts';
import { isRestored } from '../../daily/delivery/look.ts';
import { postedOf, postKey } from '../../daily/delivery/record.ts';
import type { App, Asker } from '../../dispatch/contract.ts';
import type { Posted } from '../../dispatch/poster.ts';
import { dateAt } from '../../puzzle/calendar.ts';
import { dateSchema } from '../../puzzle/repository.ts';
import type { Reply } from '../../reply/model/types.ts';
import { huntCardReply } from '../../reply/replies/hunt.ts';
import { endOf, readMadeBoard } from '../made-boards/made-board.ts';
import { reviewSettings } from '../reviews.ts';
import { huntIn } from './standings.ts';

const CARD_STEP = 'hunt';
/** Milliseconds between two changes of a card: solutions found meanwhile are shown together. */
const BETWEEN = 5 * SECOND;
/** A card that nobody changes is looked at again after this time, and ended once its thread is closed. */
const LOOKED_AFTER = 2 * DAY;

const DETAIL = v.object({ channel: v.string(), board: v.string(), date: v.exactOptional(dateSchema) });
type CardOf = v.InferOutput<typeof DETAIL>;

/** The card of a hunt in its thread shows a new find soon: it is posted with the first one, and changed with the others. */
export async function planCard(
  { where }: Asker,
  app: App,
  { board, date }: Pick<CardOf, 'board'> & { readonly date?: PuzzleDate },
): Promise<void> {
  const { tenant, channel } = where;
  if (app.posterOf(doorOf(tenant)) === undefined) return;
  const card = { channel, board, ...(date !== undefined && { date }) };
  if ((await threadOf(app, tenant, card)) === undefined) return;
  const now = Math.floor(app.clock.now());
  const place = { channel: `${channel} ${board}`, date: date ?? dateAt(0), step: CARD_STEP };
  const planned = await app.store.allDeliveries.plan([{ tenant, ...place, dueAt: now, detail: card }]);
  if (planned.length === 0) await app.store.tenant(tenant).deliveries.hasten(place, now + BETWEEN);
}

/** The thread in which a board is played, while it is open. */
async function threadOf(
  app: App,
  tenant: string,
  { channel, board, date }: CardOf,
): Promise<Posted | undefined> {
  if (date !== undefined) return dayThread(app, { tenant, channel }, date);
  const now = app.clock.now();
  const found = await app.store.tenant(tenant).madeBoards.get(channel, board, now);
  const made = found && readMadeBoard(found);
  return made !== undefined && now < endOf(made) ? made.posted : undefined;
}

export function huntDeliveries(app: App): Record<string, Deliverer> {
  return { [CARD_STEP]: (begun) => showCard(app, begun) };
}

/** Posts the card, or changes it in place. */
async function showCard(app: App, begun: BegunAttempt): Promise<Ending> {
  const { claimed, poster, tools, journal } = begun;
  const { tenant } = claimed.lease;
  const card = v.parse(DETAIL, claimed.delivery.detail);
  const channel = { tenant, channel: card.channel };
  const thread = await threadOf(app, tenant, card);
  if (thread === undefined) return { end: 'sent', posted: {} };
  const { reply, finds } = await cardOf(app, channel, card);
  const posted = postedOf(journal.record);
  if (posted?.message === undefined) {
    const post = await beginPost(begun, { channel, reply, quiet: await isQuiet(app, channel) });
    if (post === undefined) return { end: 'lost' };
    const outcomeUnknown =
      claimed.lease.attempt > 1 || isRestored(claimed.delivery, await tools.store.restoredUntil(tools.now()));
    await post.note(await poster.post({ ...post, outcomeUnknown, thread }));
  } else {
    await poster.edit(channel, posted, reply, postKey(claimed.lease));
  }
  const isBehind = (await cardOf(app, channel, card)).finds !== finds;
  return { end: 'moved', to: tools.now() + (isBehind ? BETWEEN : LOOKED_AFTER) };
}

async function cardOf(
  app: App,
  channel: ChannelRef,
  { board, date }: CardOf,
): Promise<{ reply: Reply; finds: number }> {
  const hunt = await huntIn(app.store, channel, board);
  const { names } = await reviewSettings(app.store, channel);
  return {
    reply: huntCardReply(hunt, {
      options: date === undefined ? { sides: board.replaceAll(' ', '-') } : { date },
      names,
    }),
    finds: (hunt?.found.length ?? 0) + (hunt?.others ?? 0),
  };
}
