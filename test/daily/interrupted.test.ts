/** Days of a channel that are interrupted at any await: everything is posted once all the same. */
import { describe, expect, test } from 'vitest';
import { postKey } from '../../src/daily/day-thread.ts';
import { type DailySettings, DEFAULT_SETTINGS } from '../../src/daily/settings/settings.ts';
import { reactivateOnRequest } from '../../src/daily/suspension.ts';
import { addDays } from '../../src/puzzle/calendar.ts';
import { someone } from '../fakes/app.ts';
import { loseDeliveries } from '../fakes/day-thread.ts';
import { makeFolder } from '../fakes/folder.ts';
import { openNewStore } from '../fakes/new-store.ts';
import { sample } from '../fakes/sample.ts';
import { FALLBACK, FakePlatform, type Fault, fakePuzzleService } from './fakes.ts';
import { CHANNEL, DATE, DAY, HandClock, MINUTE, NEW_YORK, quiet, subscribe, testDaily } from './ground.ts';
import { type Hook, hookedPoster, hookedStore } from './hooks.ts';

type Steps = DailySettings['steps'];
const STEPS: Steps = [
  { step: 'start', at: '08:00' },
  { step: 'count', at: '12:00' },
  { step: 'solution', at: '20:00' },
];
const TOGETHER: Steps = STEPS.map((time) => (time.step === 'count' ? { ...time, at: '08:00' } : time));
const LATER: Steps = STEPS.map((time) => (time.step === 'count' ? { ...time, at: '12:02' } : time));
/** For what is tried again, also after the lease of a process that died. */
const RETRIES = [1, 3, 10];

interface Scenario {
  readonly steps?: Steps;
  readonly moments?: readonly number[];
  /** What goes wrong with the first messages. */
  readonly faults?: readonly Fault[];
  /** When the store is set back to before the day. */
  readonly restore?: number;
  /** Whether the newspaper can't be reached for the first five minutes. */
  readonly isHouse?: boolean;
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'on time': {},
  'with two steps in one message, late': {
    steps: TOGETHER,
    moments: [NEW_YORK(20, 9), NEW_YORK(20, 21), NEW_YORK(21, 9)],
  },
  'whose answers are lost': { faults: ['lost-after', 'lost', 'lost-after', 'later', 'lost-after'] },
  'of a store that is restored': { restore: NEW_YORK(20, 12, 20) },
  'of a channel that refuses posts for a while': { faults: ['refused', 'refused'] },
  'that waits for the newspaper': { isHouse: true },
};

type Interruption = 'a process that dies' | 'a call that fails' | 'settings that change';

/** Lives through a day, and is interrupted at an await. Returns the keys of all messages, and where it was interrupted. */
async function liveInterrupted(
  { steps = STEPS, moments = DAY, faults = [], restore, isHouse = false }: Scenario,
  how: Interruption,
  point: number,
) {
  const dataDir = makeFolder();
  const store = await openNewStore(dataDir);
  const clock = new HandClock(NEW_YORK(20, 7));
  const platform = new FakePlatform();
  platform.now = () => clock.time;
  await subscribe(store, { steps }, { at: clock.time });
  const { subscriptions } = store.tenant(CHANNEL.tenant);
  async function change(): Promise<void> {
    const { version } = (await subscriptions.get(CHANNEL.channel))!;
    const changed = { ...DEFAULT_SETTINGS, steps: steps === STEPS ? LATER : STEPS };
    await subscriptions.save(CHANNEL.channel, changed, { version, by: 'manager', at: clock.time });
  }
  let points = 0;
  let at: string | undefined;
  const died = Promise.withResolvers<void>();
  const hook: Hook = async (name) => {
    if (++points !== point)
      return at !== undefined && how === 'a process that dies' ? new Promise(() => {}) : undefined;
    at = name;
    if (how === 'a call that fails') throw new Error(`fails ${name}`);
    if (how === 'settings that change') return change();
    died.resolve();
    return new Promise(() => {});
  };
  const left = [...faults];
  platform.fault = ({ what }) => (what === 'message' ? left.shift() : undefined);
  platform.beforeSending = async () => hook('before it sends');
  platform.afterSending = async () => hook('after it has sent');
  const puzzles = fakePuzzleService(() => (isHouse && clock.time < NEW_YORK(20, 8, 5) ? FALLBACK : {}));
  const parts = { clock, puzzles, random: () => 0 };
  const first = testDaily({
    ...parts,
    store: hookedStore(store, hook),
    posters: [hookedPoster(platform, hook)],
    owner: 'first',
  });
  const second = testDaily({ ...parts, store, posters: [platform], owner: 'second' });
  const run = async (daily: typeof first) => {
    await daily.tick().catch(() => {});
    await daily.runDue();
  };
  const all = moments.flatMap((moment) => [0, ...RETRIES].map((minutes) => moment + minutes * MINUTE));
  const more = restore === undefined ? [] : [0, ...RETRIES].map((minutes) => restore + minutes * MINUTE);
  for (const moment of [...all, ...more].sort()) {
    if (moment === restore) loseDeliveries(dataDir);
    clock.time = moment;
    const isDead = at !== undefined && how === 'a process that dies';
    if (isDead) Object.assign(platform, { beforeSending: async () => {}, afterSending: async () => {} });
    await (isDead ? run(second) : Promise.race([run(first), died.promise]));
    await reactivateOnRequest({ store, log: quiet })(someone({}, { ...CHANNEL, direct: false }));
  }
  await store.close();
  return { at, keys: platform.messages.flatMap(({ key, mergedKeys }) => [key, ...mergedKeys]) };
}

const nameOf = new Map(
  [DATE, addDays(DATE, 1)].flatMap((date) =>
    ['opening', 'start', 'count', 'solution', 'closing'].map((step) => [
      postKey({ ...CHANNEL, date, step }),
      `${step} of ${date}`,
    ]),
  ),
);

function ofDay(keys: readonly string[]): string[] {
  return keys
    .flatMap((key) => nameOf.get(key) ?? [])
    .filter((name) => name.endsWith(DATE))
    .sort();
}

describe.each(Object.entries(SCENARIOS))('a day %s', (_, scenario) => {
  let uninterrupted: ReturnType<typeof liveInterrupted> | undefined;
  test.each<Interruption>(['a process that dies', 'a call that fails', 'settings that change'])(
    'has everything once beside %s',
    async (how) => {
      uninterrupted ??= liveInterrupted(scenario, how, 0);
      const expected = ofDay((await uninterrupted).keys);
      expect(expected.length).toBeGreaterThanOrEqual(5);
      const wrong: string[] = [];
      let lived = 0;
      for (let point = sample(1, 60); lived < sample(Number.POSITIVE_INFINITY, 2); point += sample(1, 97)) {
        const { at, keys } = await liveInterrupted(scenario, how, point);
        if (at === undefined) break;
        lived++;
        const got = ofDay(keys);
        if (got.join() !== expected.join() || new Set(keys).size < keys.length)
          wrong.push(`${point} ${at}: ${got.join(', ')}`);
      }
      expect(wrong).toEqual([]);
      expect(lived).toBeGreaterThan(1);
    },
  );
});
