import { expect, onTestFinished, test, vi } from 'vitest';
import { channelKey, type DatedKind, type Kind, type ThingKind } from '../../../src/core/channel-ref.ts';
import { DAY } from '../../../src/core/clock.ts';
import type { DeliveryEvent } from '../../../src/daily/delivery/deliver.ts';
import { forecast, nextPostIn } from '../../../src/daily/plan/forecast.ts';
import { planDue, planOf } from '../../../src/daily/plan/planner.ts';
import { readSubscription } from '../../../src/daily/settings/settings.ts';
import { addDays, dateAt } from '../../../src/puzzle/calendar.ts';
import type { Store } from '../../../src/store/store.ts';
import type { DueChannels } from '../../../src/store/tables/subscriptions.ts';
import { sendStep } from '../../fakes/day-thread.ts';
import { replaceMethods } from '../../fakes/replace-methods.ts';
import { sample } from '../../fakes/sample.ts';
import { random } from '../../solver/random-boards.ts';
import {
  CHANNEL,
  DATE,
  HOUR,
  MINUTE,
  makeGround,
  makeStore,
  NEW_YORK,
  OPENING,
  quiet,
  subscribe,
} from '../ground.ts';
import { live } from '../script.ts';
import { randomSettings } from '../walk.ts';

/** A store whose planner writes days otherwise. */
function withPlan(store: Store, change: (due: DueChannels) => DueChannels['deliveries']['plan']): Store {
  const withDue: Store['planning']['withDue'] = (now, limit, work) =>
    store.planning.withDue(now, limit, (due) =>
      work({ ...due, deliveries: replaceMethods(due.deliveries, { plan: change(due) }) }),
    );
  return { ...store, planning: replaceMethods(store.planning, { withDue }) };
}

test('openings that could not be written down are planned again in the next minute', async () => {
  let failed = 0;
  const store = withPlan(await makeStore(), ({ deliveries }) => async (rows) => {
    if (rows.some(({ date }) => date === DATE) && failed++ === 0) throw new Error('the server restarts');
    return deliveries.plan(rows);
  });
  await subscribe(store, {}, { at: OPENING - HOUR });
  const ground = await makeGround(OPENING - MINUTE, { store });
  await ground.at(OPENING - MINUTE);
  await ground.at(OPENING).catch(() => {});
  expect(failed).toBe(1);
  await ground.until(OPENING + 2 * MINUTE);
  expect(ground.platform.messages).toHaveLength(2);
});

test.each([
  ['that a pause has held back is due at its end', { state: 'paused', until: OPENING + 2 * HOUR }, 2 * HOUR],
  [
    'that a suspension has held back is due once that is over',
    { state: 'suspended', reason: { code: 'refused', message: 'no' } },
    2 * HOUR,
  ],
  ['after a downtime is late', undefined, 0],
] as const)('an opening %s', async (_, held, due) => {
  const dueAt: number[] = [];
  const onDelivery = ({ delivery, ending }: DeliveryEvent) => {
    if (ending.end === 'sent') dueAt.push(delivery.dueAt);
  };
  const ground = await makeGround(OPENING - HOUR, { onDelivery });
  await subscribe(ground.store, { steps: [{ step: 'solution', at: '20:00' }] }, { at: OPENING - 2 * HOUR });
  const { subscriptions } = ground.store.tenant(CHANNEL.tenant);
  if (held !== undefined) await subscriptions.setState(CHANNEL.channel, held);
  await ground.at(OPENING - MINUTE);
  if (held !== undefined) await ground.at(OPENING);
  await subscriptions.reactivate(CHANNEL.channel);
  await ground.at(OPENING + 2 * HOUR);
  expect(dueAt).toEqual([OPENING + due]);
});

test.each([
  { channels: 500, slow: 0 },
  { channels: 5, slow: 20 },
])(
  'plans of $channels channels, each $slow ms, leave turns for others in between',
  async ({ channels, slow }) => {
    const store = await makeStore();
    for (let index = 0; index < channels; index++)
      await subscribe(store, {}, { channel: { ...CHANNEL, channel: `c${index}` }, at: OPENING - HOUR });
    let turns = 0;
    let isPlanning = true;
    const count = () => {
      turns++;
      if (isPlanning) setImmediate(count);
    };
    setImmediate(count);
    let now = 0;
    const spy = vi.spyOn(performance, 'now').mockImplementation(() => (now += slow));
    onTestFinished(() => void spy.mockRestore());
    await planDue(store, OPENING);
    expect(await store.allDeliveries.ofDate(DATE)).toHaveLength(channels);
    isPlanning = false;
    expect(turns).toBeGreaterThanOrEqual(2);
  },
);

test('a change while a channel is being planned is planned, too', async () => {
  const real = await makeStore();
  await subscribe(real, {}, { at: OPENING - 2 * HOUR });
  let change: Promise<unknown> | undefined;
  const store = withPlan(real, ({ deliveries }) => (rows) => {
    change = real.tenant(CHANNEL.tenant).subscriptions.setState(CHANNEL.channel, { state: 'off' });
    return deliveries.plan(rows);
  });
  await planDue(store, OPENING - HOUR);
  await change;
  const [row] = await real.planning.upcoming({ offset: 0, limit: 1 });
  expect(row).toMatchObject({ state: 'off', planAt: 0 });
});

/** The channels in which a day begins now that has no row, although their plan is in the future. */
async function unplanned(store: Store, now: number) {
  const all = await store.planning.upcoming({ limit: 500, offset: 0 });
  const planned = all.filter(({ planAt }) => planAt !== null && planAt > now);
  const from = addDays(dateAt(now), -1);
  const days = await store.allDeliveries.days(planned, from);
  const known = new Set(days.map((row) => channelKey(row, row.date)));
  return planned.filter((one) => {
    const { days } = planOf(readSubscription(one), now);
    return days.some(({ date }) => !known.has(channelKey(one, date)));
  });
}

test('after each tick, planning every channel from its settings finds nothing more, whatever happened before', async () => {
  const next = random(7);
  const from = Date.UTC(2026, 2, 1);
  const ground = await makeGround(from);
  const channels = Array.from({ length: 12 }, (_, index) => ({ ...CHANNEL, channel: `c${index}` }));
  for (const channel of channels) await subscribe(ground.store, randomSettings(next), { channel, at: from });
  const { subscriptions } = ground.store.tenant(CHANNEL.tenant);
  let posts = 0;
  for (let step = 0; step < sample(600, 12); step++) {
    const { channel } = channels[Math.floor(next() * channels.length)]!;
    const now = ground.clock.time;
    const chance = next();
    if (chance < 0.1)
      await subscribe(ground.store, randomSettings(next), { channel: { ...CHANNEL, channel }, at: now });
    else if (chance < 0.15) await subscriptions.setState(channel, { state: 'off' });
    else if (chance < 0.2)
      await subscriptions.setState(channel, { state: 'paused', until: now + Math.floor(next() * 3 * DAY) });
    else if (chance < 0.3) await subscriptions.setState(channel, { state: 'active' });
    else if (chance < 0.33) await ground.restart();
    else if (chance < 0.35) await ground.at(now - Math.floor(next() * 5 * HOUR));
    await ground.at(ground.clock.time + MINUTE + Math.floor(next() ** 4 * 3 * DAY));
    const missed = await unplanned(ground.store, ground.clock.time);
    expect(missed, `step ${step}`).toEqual([]);
    posts = ground.platform.messages.length;
  }
  expect(posts).toBeGreaterThan(sample(50, 20));
});

/** Whether `daily show` and forecasts know of a kind. Of others, only their own messages tell. */
const FORESEEN: Readonly<Record<Kind, boolean>> = {
  day: true,
  reminder: false,
  players: false,
  hunt: false,
  'made-board': false,
  'made-board-end': false,
  'relay-end': false,
  'race-end': false,
};

test('of what is planned in a channel, the day alone is announced', async () => {
  const store = await makeStore();
  await subscribe(store, { steps: [] }, { at: OPENING - 2 * HOUR });
  const key = { ...CHANNEL, channel: `${CHANNEL.channel} 1`, date: DATE } as const;
  const planned = Object.keys(FORESEEN).map(
    (kind) => ({ ...key, kind: kind as ThingKind, dueAt: OPENING - 30 * MINUTE }) as const,
  );
  await store.allDeliveries.plan(planned);
  const posts = await forecast(store, { from: OPENING - HOUR, to: OPENING }, quiet);
  const foreseen = Object.values(FORESEEN).filter((isForeseen) => isForeseen);
  expect(posts.map(({ steps }) => steps)).toEqual(foreseen.map(() => ['opening']));
});

/** How often a kind comes in a week in which somebody plays each day. */
const IN_A_WEEK: Readonly<Record<DatedKind, number>> = { day: 7, reminder: 0, players: 7 };

test('each kind of dated post comes as often in a week as it should', async () => {
  const here = await live(NEW_YORK(16, 7));
  await here.ask('daily on');
  for (let day = 16; day < 23; day++) {
    await here.at(NEW_YORK(day, 8));
    await here.ask('play bfjmcg gkdhlnbp', 'ann');
  }
  const planned: Record<string, number> = Object.fromEntries(Object.keys(IN_A_WEEK).map((kind) => [kind, 0]));
  for (let day = 16; day < 23; day++)
    for (const { kind } of await here.store.allDeliveries.ofDate(`2026-11-${day}`)) planned[kind]!++;
  const wrong = 'a post that does not come each day is planned by its own date, not by that of a puzzle';
  expect(planned, wrong).toEqual(expect.objectContaining(IN_A_WEEK));
});

test('the next post in some channels is the earliest in any of them', async () => {
  const store = await makeStore();
  const openings = { late: '09:00', early: '08:00' } as const;
  for (const [channel, opening] of Object.entries(openings))
    await subscribe(store, { opening, steps: [] }, { channel: { ...CHANNEL, channel }, at: OPENING - HOUR });
  const channels = await store.tenant(CHANNEL.tenant).subscriptions.list();
  for (const some of [channels, channels.toReversed()])
    expect(await nextPostIn(store, some, OPENING - MINUTE, quiet)).toMatchObject({
      channel: 'early',
      at: OPENING,
    });
});

test('a forecast has the openings, and the closing that each of them brings', async () => {
  const store = await makeStore();
  await subscribe(store, { steps: [] }, { at: OPENING - 2 * HOUR });
  await sendStep(store, { ...CHANNEL, date: addDays(DATE, -1), step: 'opening' }, OPENING - DAY);
  const posts = await forecast(store, { from: OPENING - HOUR, to: OPENING + DAY }, quiet);
  expect(posts.map(({ date, steps, at }) => [date, steps, at])).toEqual([
    [DATE, ['opening'], OPENING],
    [addDays(DATE, -1), ['closing'], OPENING],
    [addDays(DATE, 1), ['opening'], OPENING + DAY],
    [DATE, ['closing'], OPENING + DAY],
  ]);
});
