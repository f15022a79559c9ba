import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  allZones,
  completeZones,
  isZone,
  readClockTime,
  readZone,
} from '../../../src/daily/settings/local-time.ts';
import {
  applyChange,
  DEFAULT_SETTINGS,
  OPENING_LINES,
  parseStored,
  readSteps,
} from '../../../src/daily/settings/settings.ts';
import fc from '../../fakes/fast-check.ts';
import { random } from '../../solver/random-boards.ts';
import { randomSettings } from '../walk.ts';

describe('settings as they are stored', () => {
  test('come back as they were', () => {
    const next = random(1);
    for (let run = 0; run < 200; run++) {
      const once = parseStored({ ...DEFAULT_SETTINGS, ...randomSettings(next), ping: '42' });
      expect(parseStored(JSON.parse(JSON.stringify(once)))).toEqual(once);
    }
  });

  test('are read whatever they hold; what makes no sense becomes the default', () => {
    fc.assert(
      fc.property(fc.anything(), (stored) => {
        const read = parseStored(stored);
        expect(parseStored(read)).toEqual(read);
      }),
    );
    expect(parseStored({ zone: 'Mars/Olympus', opening: '25:00', steps: 'all', weekends: 0 })).toEqual(
      DEFAULT_SETTINGS,
    );
    // No stored value that can't be read may stop its channel's thread.
    for (const key of Object.keys(DEFAULT_SETTINGS))
      expect(parseStored({ [key]: null })).toEqual(DEFAULT_SETTINGS);
    // The runtime reads it, but nothing can be planned with it.
    expect(parseStored({ zone: 'IST' })).toEqual(DEFAULT_SETTINGS);
    expect(
      parseStored({ opening: '09:00', steps: [{ step: 'start', at: '09:00' }, { step: 'x' }] }),
    ).toMatchObject({
      opening: '09:00',
      steps: [{ step: 'start', at: '09:00' }],
    });
  });
});

describe('changes of settings', () => {
  test.each([
    ['start@08:00 count@12:00 solution@20:00', ['start 08:00', 'count 12:00', 'solution 20:00']],
    ['solution at 9pm, lengths@16', ['lengths 16:00', 'solution 21:00']],
    ['start at 8 am count@12 pm, solution 9 PM', ['start 08:00', 'count 12:00', 'solution 21:00']],
    ['solution 20:00 start', ['start 08:00', 'solution 20:00']],
    ['start count', ['start 08:00', 'count 12:00']],
    ['masked', ['masked 08:00']],
    ['none', []],
  ])('read typed steps: %s', (typed, expected) => {
    expect(readSteps(typed, DEFAULT_SETTINGS).map(({ step, at }) => `${step} ${at}`)).toEqual(expected);
  });

  test.each([['stort@08:00'], ['start@28:00'], ['start@8 start@9'], ['']])(
    'refuse what is no list of steps, and say what to type: "%s"',
    (typed) => {
      expect(() => readSteps(typed, DEFAULT_SETTINGS)).toThrowError(
        expect.objectContaining({ name: 'UserError', message: expect.stringMatching(/08:00|one time/) }),
      );
    },
  );
});

describe('times of day as typed', () => {
  test.each([
    ['08:00', '08:00'],
    ['8', '08:00'],
    ['8.30', '08:30'],
    ['20h15', '20:15'],
    ['12am', '00:00'],
    ['12 pm', '12:00'],
    ['8:30 PM', '20:30'],
    ['noon', '12:00'],
    ['830pm', '20:30'],
    ['0830', '08:30'],
    ['Midnight', '00:00'],
  ])('%s is read as %s', (typed, expected) => {
    expect(readClockTime(typed, 'the opening')).toBe(expected);
  });

  test.each([['24:00'], ['8:60'], ['13pm'], ['0am'], ['noonish'], [''], ['-1'], ['8:5']])(
    '"%s" is refused',
    (typed) => {
      expect(() => readClockTime(typed, 'the opening')).toThrowError(
        expect.objectContaining({ code: 'daily.time' }),
      );
    },
  );
});

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
  ['IST', 'Asia/Kolkata, Europe/Dublin or Asia/Jerusalem'],
  ['Aukland time', 'Pacific/Auckland'],
])('%s suggests %s', (typed, zone) => {
  expect(() => readZone(typed)).toThrowError(
    expect.objectContaining({ code: 'daily.zone', message: expect.stringContaining(zone) }),
  );
});

test.each([['+05:30'], ['nowhere at all'], [''], ['constructor'], ['__proto__ time'], ['x'.repeat(5000)]])(
  '%s is none',
  (typed) => {
    expect(() => readZone(typed)).toThrowError(expect.objectContaining({ code: 'daily.zone' }));
  },
);

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

test.each([
  ['off', []],
  ['none', []],
  ['on', OPENING_LINES],
  ['ALL', OPENING_LINES],
  ['week, board', ['board', 'week']],
  ['yesterday', ['yesterday']],
])('`daily lines %s` chooses what the opening says', (typed, lines) => {
  const { quiet, names, ...changed } = applyChange(DEFAULT_SETTINGS, { lines: typed });
  expect(changed.lines).toEqual(lines);
  expect(parseStored({ ...changed, quiet, names })).toEqual({ ...DEFAULT_SETTINGS, lines });
});

test('each line of the opening is left out where it is not chosen', () => {
  const makers = globSync('src/{daily/delivery,players}/*.ts').map((file) => readFileSync(file, 'utf8'));
  const isAsked = (line: string) => makers.some((text) => text.includes(`lines.includes('${line}')`));
  expect(OPENING_LINES.filter((line) => !isAsked(line))).toEqual([]);
});

test('lines that the opening does not have are refused with the ones it has', () => {
  expect(() => applyChange(DEFAULT_SETTINGS, { lines: 'board weather' })).toThrow(
    '"weather" doesn’t work for lines. Choose board, yesterday, week, players or off.',
  );
  expect(() => applyChange(DEFAULT_SETTINGS, { lines: 'board off' })).toThrow(
    '"off" doesn’t work for lines. Choose board, yesterday, week or players.',
  );
});

test('a plain word is no id of a role', () => {
  expect(applyChange(DEFAULT_SETTINGS, { ping: 'S0DESIGN1' }).ping).toBe('S0DESIGN1');
  expect(() => applyChange(DEFAULT_SETTINGS, { ping: 'MODERATORS' })).toThrow('isn’t a role');
});
