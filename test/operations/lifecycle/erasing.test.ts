import { channel } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/core/clock.ts';
import { ClockWatch, eraseHourly, steadyBefore } from '../../../src/operations/lifecycle/erasing.ts';
import type { Store } from '../../../src/store/store.ts';
import { makeStore } from '../../daily/ground.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const YEAR = 365 * DAY;

interface Machine {
  /** By the monotonic clock, since it was switched on. */
  lived: number;
  /** By how much its wall clock is ahead of the right time. */
  ahead: number;
  readonly watch: ClockWatch;
  readonly logged: string[];
  pass(milliseconds: number): void;
  /** An answer with the right time. */
  answer(): void;
}

function makeMachine({ ahead = 0, steady = 0 } = {}): Machine {
  const logged: string[] = [];
  const write = (_: object, message: string) => void logged.push(message);
  const machine = {
    lived: 0,
    ahead,
    logged,
    pass(milliseconds: number) {
      for (let passed = 0; passed < milliseconds; passed += MINUTE) {
        machine.lived += MINUTE;
        machine.watch.look();
      }
    },
    answer: () => machine.watch.witness(NOON + machine.lived),
  } as unknown as Machine & { watch: ClockWatch };
  machine.watch = new ClockWatch({
    clock: { now: () => NOON + machine.lived + machine.ahead },
    elapsed: { now: () => machine.lived },
    log: { debug() {}, info: write, warn: write, error: write },
    steadyBefore: steady,
  });
  return machine;
}

describe('a clock is trusted with erasing', () => {
  it('although the machine slept meanwhile, when the clock of the process stood still', () => {
    const logged: unknown[] = [];
    const write = (_: object, message: string) => void logged.push(message);
    const log = { debug() {}, info: write, warn: write, error: write };
    const watch = new ClockWatch({ clock: Date, log, steadyBefore: DAY });
    const before = performance.now();
    const standing = vi.spyOn(performance, 'now').mockReturnValue(before - 8 * HOUR);
    onTestFinished(() => standing.mockRestore());
    watch.witness(Date.now());
    expect(watch.erasingTime()).toBeDefined();
    expect(logged).toEqual([]);
  });

  it('after a day of running evenly, if an answer from elsewhere has shown the same time', () => {
    const machine = makeMachine();
    machine.answer();
    expect(machine.watch.erasingTime()).toBeUndefined();
    machine.pass(DAY - HOUR);
    expect(machine.watch.erasingTime()).toBeUndefined();
    machine.pass(HOUR);
    expect(machine.watch.erasingTime()).toBe(NOON + DAY);
    const why = expect.stringContaining('nothing old is erased for now');
    expect(machine.logged).toEqual([why]);
    // The same reason is said again where it is another time.
    machine.ahead = HOUR;
    expect(machine.watch.erasingTime()).toBeUndefined();
    expect(machine.logged).toEqual([why, expect.stringContaining('was set 60 minutes ahead'), why]);
  });

  it('never without such an answer, such as one that was a year ahead from the start', () => {
    const machine = makeMachine({ ahead: YEAR });
    machine.answer();
    machine.pass(3 * DAY);
    machine.answer();
    expect(machine.watch.erasingTime()).toBeUndefined();
    expect(machine.logged.at(-1)).toContain('no answer from elsewhere');
    // It is corrected, and stays right.
    machine.ahead = 0;
    machine.watch.look();
    machine.pass(DAY);
    machine.answer();
    expect(machine.watch.erasingTime()).toBe(NOON + 4 * DAY);
  });

  it.each([
    ['a year ahead', YEAR],
    ['a day ahead', DAY],
    ['an hour back', -HOUR],
    ['ten minutes ahead', 10 * MINUTE],
  ])('not at all while it is %s, and only a day after it was corrected', (_, jump) => {
    const machine = makeMachine();
    machine.answer();
    machine.pass(2 * DAY);
    expect(machine.watch.erasingTime()).toBe(NOON + 2 * DAY);
    machine.ahead = jump;
    expect(machine.watch.erasingTime()).toBeUndefined();
    machine.pass(MINUTE);
    machine.ahead = 0;
    machine.watch.look();
    machine.pass(DAY);
    // The answer before the jump counts no longer.
    expect(machine.watch.erasingTime()).toBeUndefined();
    machine.answer();
    expect(machine.watch.erasingTime()).toBe(NOON + 3 * DAY + MINUTE);
    const jumps = machine.logged.filter((line) => line.startsWith('the clock of this machine was set'));
    expect(jumps).toHaveLength(2);
  });

  it.each([
    [90 * SECOND, '90 seconds ahead'],
    [-10 * MINUTE, '10 minutes back'],
    [5 * HOUR, '5 hours ahead'],
    [-3 * DAY, '3 days back'],
  ])('not after a jump, of which the log says how long it was (%i ms)', (jump, said) => {
    const machine = makeMachine({ steady: 2 * DAY });
    machine.ahead += jump;
    machine.watch.look();
    expect(machine.logged).toEqual([expect.stringContaining(`was set ${said}: `)]);
    machine.answer();
    expect(machine.watch.erasingTime()).toBeUndefined();
  });

  it('not while it drifts away by more than five minutes a day', () => {
    const machine = makeMachine();
    for (let hour = 0; hour < 72; hour++) {
      machine.answer();
      machine.pass(HOUR);
      for (let step = 0; step < 4; step++) {
        machine.ahead += 4 * SECOND;
        machine.watch.look();
      }
    }
    expect(machine.watch.erasingTime()).toBeUndefined();
  });

  it('with the hours that earlier processes have seen it run evenly', () => {
    const machine = makeMachine({ steady: DAY });
    expect(machine.watch.erasingTime()).toBeUndefined();
    machine.answer();
    expect(machine.watch.erasingTime()).toBe(NOON);
  });

  it('by the dates of answers over the network, but not of its own', () => {
    const machine = makeMachine({ steady: DAY });
    const stop = machine.watch.start();
    const date = [Buffer.from('Date'), Buffer.from(new Date(NOON).toUTCString())];
    const answered = (origin: string) =>
      channel('undici:request:headers').publish({ request: { origin }, response: { headers: date } });
    answered('http://127.0.0.1:3000');
    for (let times = 0; times < 2; times++) expect(machine.watch.erasingTime()).toBeUndefined();
    answered('https://discord.com');
    expect(machine.watch.erasingTime()).toBe(NOON);
    // One answer is enough: it costs nothing on the others.
    expect(channel('undici:request:headers').hasSubscribers).toBe(false);
    stop();
    const listening = makeMachine({ steady: DAY });
    const stopListening = listening.watch.start();
    listening.watch.erasingTime();
    expect(channel('undici:request:headers').hasSubscribers).toBe(true);
    stopListening();
    expect(channel('undici:request:headers').hasSubscribers).toBe(false);
    const stopped = makeMachine({ steady: DAY });
    stopped.watch.start()();
    answered('https://discord.com');
    expect(stopped.watch.erasingTime()).toBeUndefined();
    expect(channel('undici:request:headers').hasSubscribers).toBe(false);
  });
});

describe('erasing', () => {
  let store: Store;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    store = await makeStore();
    await store.tenant('web:gone').markRemoved(NOON - 8 * DAY);
    await store.tenant('web:lately').markRemoved(NOON);
    await store.actions.put('expired', 'x', NOON - HOUR);
  });
  afterEach(() => void vi.useRealTimers());

  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const kept = async () => [
    (await store.allTenants.tenants('web')).length,
    await store.actions.get('expired', 0),
  ];

  it('happens each hour, once the clock can be trusted', async () => {
    const machine = makeMachine();
    machine.answer();
    const dates = ['2026-09-21', '2026-09-22'] as const;
    for (const date of dates)
      await store.allDeliveries.plan([{ tenant: 'web:here', channel: '1', date, kind: 'day', dueAt: NOON }]);
    const end = eraseHourly(store, log, machine.watch);
    machine.pass(DAY - HOUR);
    vi.advanceTimersByTime(HOUR);
    await expect.poll(() => steadyBefore(store)).toBe(DAY - HOUR);
    expect(await kept()).toEqual([3, 'x']);
    machine.pass(HOUR);
    vi.advanceTimersByTime(HOUR);
    await expect.poll(kept).toEqual([2, undefined]);
    const left = dates.map(async (date) => (await store.allDeliveries.ofDate(date)).length);
    expect(await Promise.all(left)).toEqual([0, 1]);
    end();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not happen by a clock that is a year ahead, in this process or the next', async () => {
    const machine = makeMachine();
    machine.answer();
    machine.pass(DAY);
    machine.ahead = YEAR;
    const end = eraseHourly(store, log, machine.watch);
    await expect.poll(() => steadyBefore(store)).toBe(0);
    end();
    const next = makeMachine({ ahead: YEAR, steady: 2 * DAY });
    next.answer();
    const endNext = eraseHourly(store, log, next.watch);
    await expect.poll(() => steadyBefore(store)).toBe(2 * DAY);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await kept()).toEqual([2, 'x']);
    endNext();
  });
});
