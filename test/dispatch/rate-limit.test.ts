import { expect, test } from 'vitest';
import { LIMITS, Rate } from '../../src/dispatch/rate-limit.ts';

const HERE = 'discord:1 10';

test('a person has ten commands in half a minute, and each comes back when its time is over', () => {
  const rate = new Rate();
  for (let at = 0; at < 10; at++) expect(rate.take('anna', HERE, at * 1000)).toEqual({ ok: true });
  expect(rate.take('anna', HERE, 10_000)).toEqual({
    ok: false,
    whose: 'person',
    isExplained: false,
    wait: 20_000,
  });
  expect(rate.take('anna', HERE, 29_999).ok).toBe(false);
  expect(rate.take('anna', HERE, 30_000).ok).toBe(true);
  expect(rate.take('anna', HERE, 30_001).ok).toBe(false);
});

test('explains a refusal once a window, and accepts again after the wait however much was tried', () => {
  const rate = new Rate();
  for (let at = 0; at < 10; at++) rate.take('anna', HERE, 0);
  const isExplained = (at: number) => {
    const rated = rate.take('anna', HERE, at);
    return rated.ok ? 'ok' : rated.isExplained;
  };
  expect([isExplained(1), isExplained(2), isExplained(3), isExplained(29_999)]).toEqual([
    false,
    true,
    true,
    true,
  ]);
  expect(isExplained(30_000)).toBe('ok');
});

test('one person cannot use up a place, but a crowd can', () => {
  const rate = new Rate();
  for (let tries = 0; tries < 500; tries++) rate.take('anna', HERE, 0);
  for (let person = 0; person < 50; person++) expect(rate.take(`p${person}`, HERE, 0).ok).toBe(true);
  expect(rate.take('ben', HERE, 0)).toEqual({
    ok: false,
    whose: 'channel',
    isExplained: false,
    wait: LIMITS.window,
  });
  expect(rate.take('ben', 'discord:1 11', 0).ok).toBe(true);
});

test('a clock that is set back locks nobody out', () => {
  const rate = new Rate();
  for (let at = 0; at < 11; at++) rate.take('anna', HERE, 1_000_000);
  expect(rate.take('anna', HERE, 0).ok).toBe(true);
});

test('those who fell silent are forgotten', () => {
  const rate = new Rate();
  for (let person = 0; person < 1000; person++) rate.take(`p${person}`, HERE, 0);
  expect(rate.size).toBeGreaterThan(900);
  rate.take('anna', HERE, 60_000);
  expect(rate.size).toBe(2);
});
