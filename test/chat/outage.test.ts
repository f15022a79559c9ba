import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Outage } from '../../src/chat/outage.ts';
import { MINUTE, SECOND } from '../../src/core/clock.ts';

let outage: Outage;
let said: [string, string][];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  said = [];
  const log = { debug() {}, info: note('info'), warn: note('warn'), error: note('error') };
  outage = new Outage({ door: 'slack', log, what: 'Slack', effect: 'nothing is posted' });
});
afterEach(() => void vi.useRealTimers());

function note(level: string) {
  return (_: object, message: string) => void said.push([level, message]);
}

it('says nothing of less than two minutes', () => {
  outage.begin('It is off.');
  vi.advanceTimersByTime(2 * MINUTE - SECOND);
  outage.end();
  vi.advanceTimersByTime(10 * MINUTE);
  expect(said).toEqual([]);
});

it('is one error with the last cause, and one line when it is over, each with how long it took', () => {
  outage.begin('It is off.');
  vi.advanceTimersByTime(MINUTE);
  outage.begin('It answers 502.');
  vi.advanceTimersByTime(59 * MINUTE);
  outage.begin('It is off.');
  outage.end();
  outage.end();
  expect(said).toEqual([
    ['error', 'Slack has been out of reach for 2 minutes: nothing is posted. It answers 502.'],
    ['info', 'Slack is back after 60 minutes.'],
  ]);
});

it('counts from the beginning of the request that failed', () => {
  const began = performance.now();
  vi.advanceTimersByTime(75 * SECOND);
  outage.begin('It is off.', began);
  expect(outage.since).toBe(began);
  vi.advanceTimersByTime(45 * SECOND);
  expect(outage.current()).toBe('Slack has been out of reach for 2 minutes. It is off.');
  outage.end();
  expect(outage.since).toBeUndefined();
});

it('is counted anew after it was over, and is not reported once it was cancelled', () => {
  outage.begin('It is off.');
  outage.end();
  vi.advanceTimersByTime(MINUTE);
  outage.begin('It is off.');
  vi.advanceTimersByTime(MINUTE);
  outage.restart();
  vi.advanceTimersByTime(MINUTE);
  outage.cancel();
  vi.advanceTimersByTime(10 * MINUTE);
  expect(said).toEqual([]);
});
