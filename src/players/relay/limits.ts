import { UserError } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import { postKey } from '../../daily/delivery/post-key.ts';
import type { App, Request } from '../../dispatch/contract.ts';
import type { Reply } from '../../reply/model/types.ts';
import { unmovedReply } from '../../reply/replies/relay.ts';
import type { RelayThread } from './game-store.ts';
import { hasMessages } from './message.ts';

/** A move of somebody who may not write there would be read by everybody all the same. */
export function refuseSilenced(request: Request, app: App): void {
  if (!hasMessages(request, app) || request.who.mayPostInThreads !== false) return;
  throw new UserError(
    'relay.silenced',
    'You may not write in the threads of this channel, so you can’t play there. You can watch: relay show',
  );
}

/**
 * Why this person may not start a relay here. Each start that is not refused counts for the day of the puzzle: the
 * bot posts a message for it, and perhaps opens a thread.
 */
export async function refuseStart(
  request: Request,
  app: App,
  { posted }: RelayThread,
): Promise<Reply | undefined> {
  if (!hasMessages(request, app)) return undefined;
  if (posted === undefined && request.who.mayOpenThreads === false) {
    const line =
      'There is no thread here yet, and a relay would open one. Start it in a thread you may write in.';
    return unmovedReply('You may not open threads in this channel', line);
  }
  const { relaysPerPerson, relaysPerChannel } = app.limits;
  const { tenant, channel } = request.where;
  if (!(await takeSlot(app, tenant, `person ${request.who.id}`, relaysPerPerson)))
    return tooMany(app, `You have started ${counted(relaysPerPerson, 'relay')} today`);
  if (!(await takeSlot(app, tenant, `channel ${channel}`, relaysPerChannel)))
    return tooMany(app, `${counted(relaysPerChannel, 'relay')} were started in this channel today`);
  return undefined;
}

/** Takes the first free one of so many slots, which the database gives to one process only. */
async function takeSlot(app: App, tenant: string, whose: string, most: number): Promise<boolean> {
  const now = app.clock.now();
  const date = app.puzzles.dateAt(now);
  const { to } = app.puzzles.spanOf(date);
  for (let slot = 1; slot <= most; slot++) {
    const key = postKey({ tenant, channel: whose, date, step: `relay ${slot}` });
    if (await app.store.events.mark(`relay:${key}`, now, to)) return true;
  }
  return false;
}

function tooMany({ clock, puzzles }: App, what: string): Reply {
  const { to } = puzzles.spanOf(puzzles.dateAt(clock.now()));
  return unmovedReply('Enough relays for today', [
    `${what}, and there are no more before the next puzzle: `,
    { moment: to, style: 'relative' },
    '. A relay that is on takes your words as before.',
  ]);
}
