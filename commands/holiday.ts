import { peopleScope } from '../src/core/channel-ref.ts';
import { type Command, flagOf, textOf } from '../src/dispatch/contract.ts';
import { checkYears, MOST_DAYS_OFF, readHoliday, stretchesOf } from '../src/players/results/holidays.ts';
import { isOnTime } from '../src/players/results/stats.ts';
import { addDays, dateAt } from '../src/puzzle/calendar.ts';
import { holidayReply } from '../src/reply/replies/own-settings.ts';

export const holiday: Command = {
  name: 'holiday',
  description: 'Announce days off, so that they don’t break your streak',
  options: [
    {
      name: 'days',
      description: 'How many days from now on, or the first and the last date',
      kind: 'text',
      positional: true,
      example: '5 days',
    },
    { name: 'off', description: 'Take back the days that are still to come', kind: 'flag' },
  ],
  access: 'anyone',
  private: true,
  more: `A day counts as off only if you announce it before its board is over, and at most ${MOST_DAYS_OFF} days in a year do. You get no reminders on those days. If you solve a board all the same, it counts. Without a number, you see what you’ve announced.`,
  examples: ['holiday', 'holiday 5 days', 'holiday 2026-12-24 2026-12-28', 'holiday off'],
  async run(request, { store, clock }) {
    const { who, where } = request;
    const { allPeople } = store;
    const today = dateAt(clock.now());
    const typed = textOf(request, 'days');
    let change: 'none' | 'added' | 'ended' = 'none';
    if (flagOf(request, 'off') || typed?.trim().toLowerCase() === 'off') {
      await allPeople.endHolidays(peopleScope(where.tenant), who.id, today);
      change = 'ended';
    } else if (typed !== undefined) {
      const isSolved = (await allPeople.resultsOf(peopleScope(where.tenant), who.id, today)).some(isOnTime);
      const wanted = readHoliday(typed, isSolved ? addDays(today, 1) : today, today);
      checkYears(await allPeople.holidaysOf(peopleScope(where.tenant), who.id), wanted);
      await store.tenant(where.tenant).holidays.add(who.id, wanted);
      change = 'added';
    }
    const known = await allPeople.holidaysOf(peopleScope(where.tenant), who.id);
    const year = today.slice(0, 4);
    return holidayReply({
      change,
      coming: stretchesOf(known.filter((date) => date >= today)),
      used: known.filter((date) => date.startsWith(year)).length,
      most: MOST_DAYS_OFF,
      year,
    });
  },
};
