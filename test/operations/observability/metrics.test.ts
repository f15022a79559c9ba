import { describe, expect, it, vi } from 'vitest';
import { Outage } from '../../../src/chat/outage.ts';
import { MINUTE } from '../../../src/core/clock.ts';
import { StoreError } from '../../../src/core/errors.ts';
import type { DeliveryEvent } from '../../../src/daily/delivery/deliver.ts';
import {
  type Poster,
  PostFailure,
  type PostFailureKind,
  type ThreadPost,
} from '../../../src/dispatch/poster.ts';
import { DeliveryWatch, Metrics, watchedPoster } from '../../../src/operations/observability/metrics.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Delivery } from '../../../src/store/tables/deliveries.ts';

const NOW = 100 * MINUTE;

function made(backlog: Store['allDeliveries']['backlog'] = async () => []) {
  const counts: Store['planning']['counts'] = async () => [
    { state: 'active', channels: 5 },
    { state: 'off', channels: 2 },
  ];
  return new Metrics({ backlog, counts, now: () => NOW });
}

describe('metrics', () => {
  it('have all that happened under its labels, and times in seconds', async () => {
    const metrics = made(async () => [{ door: 'slack', waiting: 3, oldestDueAt: NOW - MINUTE }]);
    metrics.command({ door: 'web', command: 'solve', outcome: 'answered', milliseconds: 1_500 });
    metrics.job({ job: 'solve', where: 'worker', outcome: 'done', waited: 2_500, ran: 3_500 });
    metrics.job({ job: 'check', where: 'inline', outcome: 'done', waited: 100, ran: 500 });
    metrics.job({ job: 'generate', where: 'worker', outcome: 'refused', waited: 100, ran: 0 });
    metrics.firstAnswer('web', 4_500);
    metrics.queried('person', 'done', 5_500);
    vi.spyOn(Date, 'now').mockReturnValueOnce(7_500);
    metrics.ticked(6_500);
    metrics.delivery('web', 'opening', 'sent', 8_500);
    metrics.delivery('discord', 'count', 'sent', -1);
    metrics.limited('slack');
    metrics.fetched('found', 2);
    metrics.ready({ discord: true });
    metrics.ready({ store: true, slack: false });
    const text = await metrics.text();
    for (const [le, count] of Object.entries({ 1: 0, 2.5: 1 }))
      expect(text).toContain(`command_seconds_bucket{le="${le}",door="web",outcome="answered"} ${count}`);
    const lines = text.matchAll(/^letterboxed_(?!\w+_bucket)(.*)$/gm);
    expect(Array.from(lines, ([, line]) => line)).toEqual([
      'commands_total{door="web",command="solve",outcome="answered"} 1',
      'command_seconds_sum{door="web",outcome="answered"} 1.5',
      'command_seconds_count{door="web",outcome="answered"} 1',
      'first_answer_seconds_sum{door="web"} 4.5',
      'first_answer_seconds_count{door="web"} 1',
      'jobs_total{job="solve",where="worker",outcome="done"} 1',
      'jobs_total{job="check",where="inline",outcome="done"} 1',
      'jobs_total{job="generate",where="worker",outcome="refused"} 1',
      'job_seconds_sum{job="solve",where="worker"} 3.5',
      'job_seconds_count{job="solve",where="worker"} 1',
      'job_seconds_sum{job="check",where="inline"} 0.5',
      'job_seconds_count{job="check",where="inline"} 1',
      'job_wait_seconds_sum 2.5',
      'job_wait_seconds_count 1',
      'deliveries_total{door="web",step="opening",end="sent"} 1',
      'deliveries_total{door="discord",step="count",end="sent"} 1',
      'delivery_lag_seconds_sum{door="web"} 8.5',
      'delivery_lag_seconds_count{door="web"} 1',
      'delivery_lag_seconds_sum{door="discord"} 0',
      'delivery_lag_seconds_count{door="discord"} 1',
      'rate_limits_total{door="slack"} 1',
      'newspaper_fetches_total{outcome="found"} 1',
      'newspaper_requests_total 2',
      'store_seconds_sum{table="person",outcome="done"} 5.5',
      'store_seconds_count{table="person",outcome="done"} 1',
      'tick_seconds_sum 6.5',
      'tick_seconds_count 1',
      'last_tick_timestamp_seconds 7.5',
      'deliveries_waiting{door="slack"} 3',
      'deliveries_waiting_age_seconds{door="slack"} 60',
      'ready{part="store"} 1',
      'ready{part="slack"} 0',
      'channels 5',
    ]);
  });

  it('distinguish late deliveries from timely ones', async () => {
    const metrics = made();
    metrics.delivery('discord', 'opening', 'sent', 30 * MINUTE);
    metrics.delivery('discord', 'opening', 'sent', 30 * MINUTE - 1);
    metrics.delivery('discord', 'opening', 'given-up', undefined);
    const text = await metrics.text();
    expect(text).toContain('letterboxed_late_deliveries_total{door="discord"} 1');
    expect(text).toContain('letterboxed_deliveries_total{door="discord",step="opening",end="given-up"} 1');
    expect(text).toContain('letterboxed_delivery_lag_seconds_sum{door="discord"} 3599.999');
  });

  it('ask the store for what waits, and do without when it fails', async () => {
    let rows = [{ door: 'slack', waiting: 3, oldestDueAt: NOW - MINUTE }];
    let isUp = true;
    const metrics = made(async () => {
      if (!isUp) throw new Error('down');
      return rows;
    });
    expect(await metrics.text()).toContain('letterboxed_deliveries_waiting{door="slack"} 3');
    rows = [];
    expect(await metrics.text()).not.toContain('letterboxed_deliveries_waiting{');
    isUp = false;
    expect(await metrics.text()).toContain('process_resident_memory_bytes');
  });

  it('say nothing of ticks in a process without them, and of channels while the store fails', async () => {
    const down = () => Promise.reject(new Error('down'));
    const text = await new Metrics({ backlog: down, counts: down, now: () => NOW }).text();
    expect(text).not.toMatch(/^letterboxed_(last_tick|channels)/m);
  });

  it('have the event loop and the process among them', async () => {
    expect(await made().text()).toContain('nodejs_eventloop_lag_p99_seconds');
  });
});

describe('the watched poster', () => {
  it('has all that a poster has', () => {
    const never = async () => Promise.reject(new Error('not asked'));
    const poster: Required<Poster> = {
      door: 'discord',
      isPrivateInChannel: true,
      open: never,
      post: never,
      postPrivately: never,
      archive: never,
      edit: never,
      missingRequirements: never,
      mentionNeeds: never,
      membershipOf: never,
      notify: never,
      reach: never,
      linkTo: () => 'https://example.com/thread',
    };
    const counted = watchedPoster(poster, {
      onLimited: () => undefined,
      onFault: () => undefined,
      outage: outage().outage,
    });
    expect(Object.keys(counted).sort()).toEqual(Object.keys(poster).sort());
    expect(counted.isPrivateInChannel).toBe(true);
    expect(counted.linkTo?.({ tenant: 'discord:1', channel: '2' }, {})).toContain('/thread');
  });

  function outage() {
    const lines: string[] = [];
    const note = (_: object, message: string) => lines.push(message);
    const log = { debug() {}, info: note, warn() {}, error: note };
    return {
      lines,
      outage: new Outage({ door: 'slack', log, what: 'Slack’s API', effect: 'nothing is posted' }),
    };
  }

  const cause = new Error('socket hang up');
  it.each<[PostFailureKind, object, reports: number, isOutage: boolean]>([
    ['later', { retryAfter: 500 }, 1, false],
    ['later', { cause }, 0, true],
    ['unknown', {}, 0, true],
    // What another process has, and what the store keeps from being posted, says nothing about the platform.
    ['later', {}, 0, false],
    ['later', { cause: new StoreError('store.unreachable', 'gone') }, 0, false],
    ['unknown', { cause: new StoreError('store.unreachable', 'gone') }, 0, false],
    ['refused', {}, 0, false],
    ['later', { cause, isFault: true }, 1, false],
  ])(
    'after failures of kind %s (%o), reports %i limits and faults; an outage: %s',
    async (kind, more, reports, isOutage) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      try {
        const failure = new PostFailure(kind, 'no answer', more);
        const reported: string[] = [];
        const { lines, outage: watched } = outage();
        const poster = {
          door: 'slack',
          post: async () => Promise.reject(failure),
          edit: async () => {},
        };
        const onLimited = (name: string) => reported.push(name);
        const seen = watchedPoster(poster as unknown as Poster, {
          onLimited,
          onFault: (name) => void reported.push(`fault ${name}`),
          outage: watched,
        });
        await expect(seen.post({} as ThreadPost)).rejects.toBe(failure);
        await vi.advanceTimersByTimeAsync(2 * MINUTE);
        expect(reported).toHaveLength(reports);
        const said = 'Slack’s API has been out of reach for 2 minutes';
        expect(watched.current()?.startsWith(said)).toBe(isOutage ? true : undefined);
        expect(lines).toEqual(isOutage ? [`${said}: nothing is posted. No answer.`] : []);
        // Without another attempt, nothing is known after a while.
        await vi.advanceTimersByTimeAsync(15 * MINUTE);
        expect(watched.current()).toBeUndefined();
        await seen.edit(
          { tenant: 'slack:T', channel: 'C' },
          {},
          { title: '', blocks: [], audience: 'everyone' },
        );
        expect(lines).toHaveLength(isOutage ? 2 : 0);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  it('takes a refusal for an answer only where the platform has given it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const { outage: watched } = outage();
      let failure = new PostFailure('unknown', 'no answer');
      const poster = { door: 'slack', post: async () => Promise.reject(failure) };
      const seen = watchedPoster(poster as unknown as Poster, {
        onLimited: () => undefined,
        onFault: () => undefined,
        outage: watched,
      });
      const post = () => seen.post({} as ThreadPost).catch(() => {});
      await post();
      failure = new PostFailure('invalid', 'the post can not be looked for');
      await post();
      await vi.advanceTimersByTimeAsync(2 * MINUTE);
      expect(watched.current()).toBeDefined();
      failure = new PostFailure('refused', 'Slack said no', { cause });
      await post();
      expect(watched.current()).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });
});

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
  const store = {
    tenant: () => ({ subscriptions: { get: async () => ({ since, setAt }) } }),
  } as unknown as Store;
  const metrics = new Metrics({ backlog: async () => [], counts: async () => [], now: () => 0 });
  const watch = new DeliveryWatch(metrics, store, log);
  const sent = (at: number, failures = 0, reason: Delivery['reason'] = null): DeliveryEvent => ({
    delivery: { ...delivery, failures, reason },
    steps: ['opening'],
    ending: { end: 'sent', posted: {} },
    at,
  });
  return { watch, metrics, loud, said, debugged, sent };
}

describe('a delivery', () => {
  it('that waits on is a line only when the reason is another one', async () => {
    const { watch, said, debugged } = watching();
    const codes = ['newspaper-late', 'newspaper-late', 'newspaper-late', 'unexpected'] as const;
    for (const [at, code] of codes.entries())
      await watch.delivered({
        delivery: { ...delivery, reason: at === 0 ? null : { code: codes[at - 1]! } },
        steps: ['opening'],
        ending: { end: 'later', at: DUE, reason: { code } },
        at: DUE,
      });
    expect(said).toHaveLength(2);
    expect(debugged).toHaveLength(2);
  });

  it.each([
    ['in time', 29, 0, []],
    ['late by half an hour', 31, 0, ['LATE: posted 31 minutes after its time']],
    ['of a thread that was switched on after its time', 301, 300, []],
  ])('%s is a line, loud only where it is late', async (_, minutes, since, expected) => {
    const { watch, metrics, loud, said, sent } = watching(since === 0 ? 0 : DUE + since * MINUTE);
    await watch.delivered(sent(DUE + minutes * MINUTE));
    expect({ loud, lines: loud.length + said.length }).toEqual({ loud: expected, lines: 1 });
    const text = await metrics.text();
    expect(text).toContain('letterboxed_deliveries_total{door="discord",step="opening",end="sent"} 1');
    const lag = (minutes - since) * 60;
    expect(text).toContain(`letterboxed_delivery_lag_seconds_sum{door="discord"} ${lag}`);
  });

  it('is not late where the settings asked for it after its time, unless it had to be tried again', async () => {
    const { watch, loud, sent } = watching(0, DUE + 190 * MINUTE);
    await watch.delivered(sent(DUE + 191 * MINUTE));
    expect(loud).toEqual([]);
    await watch.delivered(sent(DUE + 191 * MINUTE, 4));
    expect(loud).toEqual(['LATE: posted 191 minutes after its time']);
  });

  it('is not late where it waited for its board', async () => {
    const { watch, loud, sent } = watching();
    await watch.delivered(sent(DUE + 191 * MINUTE, 0, { code: 'newspaper-late' }));
    expect(loud).toEqual([]);
  });

  it('that was given up is a loud line, unless people have closed it', async () => {
    const { watch, loud, said } = watching();
    for (const reason of [{ code: 'closed', message: '' }, { code: 'unexpected' }] as const)
      await watch.delivered({ delivery, steps: ['count'], ending: { end: 'given-up', reason }, at: DUE });
    expect([said.length, loud]).toEqual([1, ['a delivery was given up']]);
  });
});
