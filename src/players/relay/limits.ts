import { UserError } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import type { App, Request } from '../../dispatch/contract.ts';
import type { Reply } from '../../reply/model/types.ts';
import { unmovedReply } from '../../reply/replies/relay.ts';
import { takeDailySlot } from '../daily-slots.ts';
import type { RelayThread } from './game-store.ts';
import { hasMessages } from './message.ts';

/** A move of somebody who may not write there would be read by everybody all the same. */
export function refuseSilenced(request: Request, app: App): void {
  if (!hasMessages(request, app) || request.who.mayPostInThreads !== false) return;
  throw new UserError(
    'relay.silenced',
    'You can’t play here, because you may not write in threads of this channel. You can watch: relay show',
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
      'A relay needs a thread, and you may not open one in this channel. Start it in a thread you may write in.';
    return unmovedReply('There is no thread here yet', line);
  }
  const { relaysPerPerson: perPerson, relaysPerChannel: perChannel } = app.limits;
  const full = await takeDailySlot(request, app, { what: 'relay', perPerson, perChannel });
  if (full === 'person') return tooMany(app, `You started ${counted(perPerson, 'relay')} today.`);
  if (full === 'channel') return tooMany(app, `This channel started ${counted(perChannel, 'relay')} today.`);
  return undefined;
}

function tooMany({ clock, puzzles }: App, what: string): Reply {
  const { to } = puzzles.spanOf(puzzles.dateAt(clock.now()));
  return unmovedReply('Enough relays for today', [
    `${what} The next one can start `,
    { moment: to, style: 'relative' },
    '. You can still play in one that is on.',
  ]);
}
