import { expect, test } from 'vitest';
import { allZones, completeZones, isZone, readZone } from '../../../src/daily/settings/zones.ts';

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['berlin', 'Europe/Berlin'],
  ['New York', 'America/New_York'],
  ['new_york', 'America/New_York'],
  ['são paulo', 'America/Sao_Paulo'],
  ['Mumbai', 'Asia/Kolkata'],
  ['San Francisco', 'America/Los_Angeles'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['US/Eastern', 'US/Eastern'],
  ['utc', 'UTC'],
])('%s is %s', (typed, zone) => {
  expect(readZone(typed)).toBe(zone);
  expect(isZone(zone)).toBe(true);
});

test.each([
  ['Berlim', 'Europe/Berlin'],
  ['Europe/Berln', 'Europe/Berlin'],
  ['new yrok', 'America/New_York'],
  ['aukland', 'Pacific/Auckland'],
])('%s suggests %s', (typed, zone) => {
  expect(() => readZone(typed)).toThrowError(
    expect.objectContaining({ code: 'daily.zone', message: expect.stringContaining(zone) }),
  );
});

test.each([['+05:30'], ['nowhere at all'], [''], ['x'.repeat(5000)]])('%s is none', (typed) => {
  expect(() => readZone(typed)).toThrowError(expect.objectContaining({ code: 'daily.zone' }));
});

test('while typing, cities that begin so come first', () => {
  expect(completeZones('ber')[0]).toMatch(/Bermuda|Berlin/);
  expect(completeZones('berlin')).toContain('Europe/Berlin');
  expect(completeZones('munich')).toEqual(['Europe/Berlin']);
  expect(completeZones('').length).toBe(25);
  for (const zone of allZones()) expect(isZone(zone)).toBe(true);
});
