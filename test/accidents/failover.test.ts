/** A PostgreSQL whose data is replaced, under running processes, by a physical copy that lacks the last seconds. */

import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import { HOUR, MINUTE, OPENING, subscribe } from '../daily/ground.ts';
import { sample } from '../fakes/sample.ts';
import { ask, postgresNeeded, startServer } from '../store/real-postgres.ts';
import { bothPlatforms } from './both-platforms.ts';

/** More than are made within the minutes after it: until then, a disk that was set back has fewer than it had. */
const LOST_TRANSACTIONS = 1_000;

const WAYS = [
  // The new processes have not seen what is missing.
  ['a replica became the primary, and the processes were started again', 'promoted', true],
  ['a disk was set back', 'plain', false],
  // Both signs at once: the other timeline, and what the processes remember.
  ['a replica became the primary', 'promoted', false],
] as const;

test.each(sample(WAYS.slice(), WAYS.slice(0, 2)))(
  'posts nothing again on Discord and Slack after %s',
  postgresNeeded,
  async (_, how, isStartedAgain) => {
    const server = startServer();
    const platforms = await bothPlatforms(OPENING - 40 * MINUTE);
    onTestFinished(() => platforms.close());
    const { channels, unreadable, clock } = platforms;
    const all = [...channels, unreadable];
    const open = async () => {
      const store = await openStore({ databaseUrl: server.url, onTrouble: () => {} });
      onTestFinished(() => store.close());
      return { store, dailies: ['one', 'other'].map((owner) => platforms.daily(store, owner)) };
    };
    let { store, dailies } = await open();
    for (const channel of all) await subscribe(store, {}, { channel, at: OPENING - HOUR });
    const at = async (moment: number) => {
      clock.time = moment;
      for (const daily of dailies) {
        await daily.tick();
        await daily.runDue();
      }
    };
    for (let moment = OPENING - 30 * MINUTE; moment < OPENING; moment += 2 * MINUTE) await at(moment);
    // Its files as a replica or a snapshot of its disk would have them.
    await server.run('copy');
    const transactions = `for lost in 1..${LOST_TRANSACTIONS} loop perform txid_current(); commit; end loop`;
    await ask(`do $$ begin ${transactions}; end $$`, server.url);
    await at(OPENING);
    const seen = () => all.map((channel) => platforms.seen(channel));
    for (const counts of seen()) expect(counts).toEqual({ openings: 1, steps: 1 });
    await server.run('replace', how);
    // The connections are lost, and the next ones lead to the copy.
    const isBack = () =>
      store.ping().then(
        () => true,
        () => false,
      );
    await expect.poll(isBack).toBe(true);
    if (isStartedAgain) ({ store, dailies } = await open());
    await at(OPENING + 2 * MINUTE);
    await at(OPENING + 10 * MINUTE);
    for (const counts of seen()) expect(counts).toEqual({ openings: 1, steps: 1 });
    expect(await store.restoredUntil(clock.time)).toBe(OPENING + 2 * MINUTE);
    for (const { tenant, channel } of channels)
      expect(await store.tenant(tenant).deliveries.get(channel, '2026-11-20', 'start')).toMatchObject({
        state: 'sent',
      });
  },
);
