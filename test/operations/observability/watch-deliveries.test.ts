import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/core/clock.ts';
import type { DeliveryEvent } from '../../../src/daily/delivery/deliver.ts';
import { DeliveryWatch, Metrics } from '../../../src/operations/observability/metrics.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Delivery } from '../../../src/store/tables/deliveries.ts';

const DUE = 1000 * MINUTE;
const delivery = {
  tenant: 'discord:1',
  channel: '2',
  date: '2026-11-20',
  step: 'opening',
  dueAt: DUE,
  attempts: 1,
} as unknown as Delivery;

function watching(since = 0, setAt = since) {
  const loud: string[] = [];
  const said: string[] = [];
  const debugged: string[] = [];
  const quiet = (_: object, message: string) => void said.push(message);
  const log = {
    debug: (_: object, message: string) => void debugged.push(message),
    info: quiet,
    warn: quiet,
    error: (_: object, message: string) => void loud.push(message),
  };
  let rows: Awaited<ReturnType<Store['allDeliveries']['backlog']>> = [];
  const store = {
    allDeliveries: { backlog: async () => rows },
    tenant: () => ({ subscriptions: { get: async () => ({ settings: { since }, setAt }) } }),
  } as unknown as Store;
  const watch = new DeliveryWatch(new Metrics({ backlog: async () => [], now: () => 0 }), store, log);
  const waits = (oldestDueAt: number | undefined) => {
    rows = oldestDueAt === undefined ? [] : [{ door: 'slack', waiting: 3, oldestDueAt }];
  };
  const sent = (at: number, attempts = 1): DeliveryEvent => ({
    delivery: { ...delivery, attempts },
    ending: { end: 'sent', posted: {} },
    at,
  });
  return { watch, loud, said, debugged, waits, sent };
}

describe('a delivery', () => {
  it('in time is a line like others', async () => {
    const { watch, loud, said, sent } = watching();
    await watch.delivered(sent(DUE + 29 * MINUTE));
    expect(loud).toEqual([]);
    expect(said).toEqual(['delivery']);
  });

  it('that waits on is a line only when the reason is another one', async () => {
    const { watch, said, debugged } = watching();
    const codes = ['newspaper-late', 'newspaper-late', 'newspaper-late', 'unexpected'] as const;
    for (const [at, code] of codes.entries())
      await watch.delivered({
        delivery: { ...delivery, reason: at === 0 ? null : { code: codes[at - 1]! } },
        ending: { end: 'later', at: DUE, reason: { code } },
        at: DUE,
      });
    expect(said).toHaveLength(2);
    expect(debugged).toHaveLength(2);
  });

  it('late by half an hour is one loud line', async () => {
    const { watch, loud, sent } = watching();
    await watch.delivered(sent(DUE + 31 * MINUTE));
    expect(loud).toEqual(['LATE: posted 31 minutes after its time']);
  });

  it('is not late where the thread was switched on after its time', async () => {
    const { watch, loud, sent } = watching(DUE + 300 * MINUTE);
    await watch.delivered(sent(DUE + 301 * MINUTE));
    expect(loud).toEqual([]);
  });

  it('is not late where the settings asked for it after its time, unless it had to be tried again', async () => {
    const { watch, loud, sent } = watching(0, DUE + 190 * MINUTE);
    await watch.delivered(sent(DUE + 191 * MINUTE));
    expect(loud).toEqual([]);
    await watch.delivered(sent(DUE + 191 * MINUTE, 4));
    expect(loud).toEqual(['LATE: posted 191 minutes after its time']);
  });

  it('that was given up is a loud line, with the reason', async () => {
    const { watch, loud } = watching();
    await watch.delivered({ delivery, ending: { end: 'given-up', reason: { code: 'unexpected' } }, at: DUE });
    expect(loud).toEqual(['a delivery was given up']);
  });
});

describe('posts that wait', () => {
  it('too long are logged once, and again when others do', async () => {
    const { watch, loud, waits } = watching();
    waits(DUE);
    for (let minute = 0; minute < 60; minute++) await watch.lookForWaiting(DUE + minute * MINUTE);
    expect(loud).toEqual(['LATE: the oldest post that waits was due 40 minutes ago']);
    waits(undefined);
    await watch.lookForWaiting(DUE + 60 * MINUTE);
    waits(DUE + 60 * MINUTE);
    for (let minute = 60; minute < 120; minute++) await watch.lookForWaiting(DUE + minute * MINUTE);
    expect(loud).toHaveLength(2);
  });

  it('from long ago, but not for long, are on their way', async () => {
    const { watch, loud, waits } = watching();
    waits(DUE - 600 * MINUTE);
    await watch.lookForWaiting(DUE);
    await watch.lookForWaiting(DUE + 5 * MINUTE);
    waits(undefined);
    await watch.lookForWaiting(DUE + 11 * MINUTE);
    expect(loud).toEqual([]);
  });
});
