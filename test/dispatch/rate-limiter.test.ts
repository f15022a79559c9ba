import { describe, expect, test } from 'vitest';
import type { ChannelRef } from '../../src/core/channel-ref.ts';
import { RATE_WINDOW_MS, RateLimiter } from '../../src/dispatch/rate-limiter.ts';

const HERE = { tenant: 'discord:1', channel: '10' };

/** Ten whole commands for a person, sixty for a channel. */
class TenAndSixty extends RateLimiter {
  constructor() {
    super({ commandsPerPerson: 10, commandsPerChannel: 60 });
  }

  override take(person: string, where: ChannelRef, now: number, cost: 1 | 0.5 = 1) {
    return super.take(person, where, now, cost);
  }
}

describe('the rate limit', () => {
  test('one person cannot use up the limit of a channel, but many people can', () => {
    const limiter = new TenAndSixty();
    for (let tries = 0; tries < 500; tries++) limiter.take('anna', HERE, 0);
    for (let person = 0; person < 50; person++) expect(limiter.take(`p${person}`, HERE, 0)).toBeUndefined();
    expect(limiter.take('ben', HERE, 0)).toEqual({
      whose: 'channel',
      wasExplained: false,
      wait: RATE_WINDOW_MS,
    });
    expect(limiter.take('ben', { ...HERE, channel: '11' }, 0)).toBeUndefined();
  });

  test('where the channel is full as well, a person is refused for their own limit', () => {
    const limiter = new TenAndSixty();
    for (let person = 0; person < 50; person++) limiter.take(`p${person}`, HERE, 10_000);
    for (let times = 0; times < 10; times++) limiter.take('anna', HERE, 20_000);
    for (const wasExplained of [false, true])
      expect(limiter.take('anna', HERE, 20_000)).toEqual({
        whose: 'person',
        wasExplained,
        wait: RATE_WINDOW_MS,
      });
    for (let times = 0; times < 10; times++) limiter.take('anna', HERE, 20_000 + RATE_WINDOW_MS);
    expect(limiter.take('anna', HERE, 20_000 + RATE_WINDOW_MS)).toMatchObject({ wasExplained: false });
  });

  test('a clock that is set back refuses nobody, and the next refusal is explained', () => {
    const limiter = new TenAndSixty();
    for (let times = 0; times < 11; times++) limiter.take('anna', HERE, 1_000_000);
    for (let times = 0; times < 10; times++) expect(limiter.take('anna', HERE, 0)).toBeUndefined();
    expect(limiter.take('anna', HERE, 0)).toMatchObject({ wasExplained: false });
  });

  test('remembers a bounded number of people, those of the current window among them', () => {
    const limiter = new TenAndSixty();
    const channelOf = (person: number) => ({ ...HERE, channel: `c${person}` });
    const useUp = (person: number) => {
      for (let times = 0; times < 10; times++) limiter.take(`p${person}`, channelOf(person), 0);
    };
    useUp(0);
    for (let person = 1; person < 10_000; person++) limiter.take(`p${person}`, channelOf(person), 0);
    expect(limiter.take('p0', channelOf(0), 0)).toBeDefined();
    useUp(1);
    // The limit of whoever was not seen for the longest time is forgotten.
    for (let person = 10_000; person < 20_000; person++) limiter.take(`p${person}`, channelOf(person), 0);
    expect(limiter.take('p1', channelOf(1), 0)).toBeUndefined();
  });

  test('people and channels of two platforms share no limit, even with the same ids', () => {
    const limiter = new TenAndSixty();
    const there = { ...HERE, tenant: 'slack:1' };
    for (let at = 0; at < 10; at++) limiter.take('anna', HERE, 0);
    expect(limiter.take('anna', there, 0)).toBeUndefined();
    for (let person = 0; person < 50; person++) limiter.take(`p${person}`, HERE, 0);
    expect(limiter.take('ben', HERE, 0)).toBeDefined();
    expect(limiter.take('ben', there, 0)).toBeUndefined();
  });

  test('counts cheap commands as half of one, and says when there is room for a whole one', () => {
    const limiter = new TenAndSixty();
    for (let at = 0; at < 19; at++) expect(limiter.take('anna', HERE, at * 1000, 0.5)).toBeUndefined();
    expect(limiter.take('anna', HERE, 19_000, 1)).toMatchObject({ wait: 11_000 });
    expect(limiter.take('anna', HERE, 19_000, 0.5)).toBeUndefined();
    expect(limiter.take('anna', HERE, 19_000, 1)).toMatchObject({ wait: 12_000 });
    expect(limiter.take('anna', HERE, 31_000, 1)).toBeUndefined();
  });

  test('a person has one limit for all servers of a platform', () => {
    const limiter = new TenAndSixty();
    for (let server = 0; server < 10; server++)
      limiter.take('anna', { ...HERE, tenant: `discord:${server}` }, 0);
    expect(limiter.take('anna', { ...HERE, tenant: 'discord:99' }, 0)).toMatchObject({ whose: 'person' });
  });
});
