import { UserError } from '../src/core/errors.ts';
import { spokenTime } from '../src/core/text.ts';
import { MAX_IGNORED_REMINDERS, nextReminder } from '../src/daily/reminders.ts';
import {
  type ClockTime,
  completeZones,
  isTypedTime,
  isZoneName,
  readClockTime,
  readZone,
  spokenZone,
} from '../src/daily/settings/local-time.ts';
import { settingsOf } from '../src/daily/settings/settings.ts';
import { type Command, flagOf, textOf } from '../src/dispatch/contract.ts';
import { isCalm } from '../src/players/results/stats.ts';
import { reminderOffReply, reminderSettingReply } from '../src/reply/replies/reminder.ts';
import type { Reminder } from '../src/store/tables/reminders.ts';
import { named } from './names.ts';

export const remind: Command = {
  ...named('remind'),
  options: [
    {
      name: 'at',
      description: 'When, such as 19:00; left out, you see what is set',
      kind: 'text',
      positional: true,
      accepts: isTypedTime,
      alias: ['time', 'when'],
      example: '19:00',
    },
    { name: 'off', description: 'No more reminders', kind: 'flag' },
    {
      name: 'zone',
      description: 'Your time zone, if this channel has another',
      kind: 'text',
      accepts: isZoneName,
      complete: async (typed) => completeZones(typed),
      example: 'Europe/Berlin',
    },
  ],
  access: 'anyone-writes',
  private: true,
  more: `You get at most one message a day. After ${MAX_IGNORED_REMINDERS} in a row without a game, they stop. The platform must let me send you private messages.`,
  examples: ['remind', 'remind at 19:00', 'remind at 7pm zone:Berlin', 'remind off'],
  async run(request, app) {
    const { door, who, where } = request;
    if (door === 'terminal')
      throw new UserError(
        'remind.where',
        'The terminal can’t send you messages. Type this where the bot runs: in a chat, or in a message to it.',
      );
    const { store, clock } = app;
    const typed = textOf(request, 'at')?.replace(/^(?:me )?at /i, '');
    const typedZone = textOf(request, 'zone');
    if (flagOf(request, 'off') || typed?.toLowerCase() === 'off')
      return reminderOffReply(await store.allReminders.remove(where.tenant, who.id));
    if (await isCalm(request, app))
      throw new UserError('remind.calm', 'You’re calm, so I don’t remind you. First, type:', 'calm off');
    const { reminders } = store.tenant(where.tenant);
    const before = await store.allReminders.get(where.tenant, who.id);
    if (typed === undefined && typedZone === undefined)
      return reminderSettingReply(before && shown(before, clock.now()));
    const at = typed === undefined ? before?.at : readClockTime(typed, 'the reminder');
    const zone =
      typedZone === undefined
        ? (before?.zone ?? who.zone ?? (await settingsOf(store, where)).zone)
        : readZone(typedZone);
    if (at === undefined) throw new UserError('remind.time', 'When? Try:', `remind at 19:00 zone:${zone}`);
    const now = clock.now();
    const days = before?.days ?? [];
    const setting = { person: who.id, channel: where.channel, at, zone, setAt: now };
    // A person has one reminder on a platform, wherever they set it last. Removed first: otherwise, of two requests at once,
    // each would remove what the other has set.
    await store.allReminders.remove(where.tenant, who.id, { except: where.tenant });
    await reminders.set(setting, days);
    return reminderSettingReply(shown({ ...setting, days, state: 'on' }, now));
  },
};

type Shown = Pick<Reminder, 'at' | 'zone' | 'days' | 'state'>;

function shown({ at, zone, days, state }: Shown, now: number) {
  const when = `${spokenTime(at as ClockTime)} ${spokenZone(zone)}`;
  return { when, nextAt: nextReminder(at, zone, now, days), state, maxIgnored: MAX_IGNORED_REMINDERS };
}
