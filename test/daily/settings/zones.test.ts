import { expect, test } from 'vitest';
import { allZones, completeZones, isZone, readZone } from '../../../src/daily/settings/local-time.ts';

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
  ['EST', 'America/New_York'],
  ['Eastern Time', 'America/New_York'],
  ['Pacific Daylight Time', 'America/Los_Angeles'],
  ['cet', 'Europe/Berlin'],
  ['London time', 'Europe/London'],
])('%s is %s', (typed, zone) => {
  expect(readZone(typed)).toBe(zone);
  expect(isZone(zone)).toBe(true);
});

test.each([
  ['Berlim', 'Europe/Berlin'],
  ['Europe/Berln', 'Europe/Berlin'],
  ['new yrok', 'America/New_York'],
  ['aukland', 'Pacific/Auckland'],
  ['GMT', 'Europe/London or UTC'],
  ['IST', 'Asia/Kolkata or Europe/Dublin or Asia/Jerusalem'],
  ['Aukland time', 'Pacific/Auckland'],
])('%s suggests %s', (typed, zone) => {
  expect(() => readZone(typed)).toThrowError(
    expect.objectContaining({ code: 'daily.zone', message: expect.stringContaining(zone) }),
  );
});

test.each([['+05:30'], ['nowhere at all'], [''], ['x'.repeat(5000)]])('%s is none', (typed) => {
  expect(() => readZone(typed)).toThrowError(expect.objectContaining({ code: 'daily.zone' }));
});

test.each(['UTC+2', 'GMT-5', `america/argentina/buenos_aires${'x'.repeat(11)}`])(
  '%s suggests none',
  (typed) => {
    expect(() => readZone(typed)).toThrowError(/^There is no time zone "[^"]+". Type a city/);
  },
);

test('while typing, cities that begin so come first', () => {
  expect(completeZones('ber')[0]).toMatch(/Bermuda|Berlin/);
  expect(completeZones('berlin')).toContain('Europe/Berlin');
  expect(completeZones('munich')).toEqual(['Europe/Berlin']);
  expect(completeZones('est')[0]).toBe('America/New_York');
  expect(completeZones('').length).toBe(25);
  for (const zone of allZones()) expect(isZone(zone)).toBe(true);
});
