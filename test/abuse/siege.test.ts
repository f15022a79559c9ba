import { expect, it } from 'vitest';
import { siege, WHOLE } from '../../bench/siege.ts';
import { onlyLong } from '../fakes/sample.ts';

// Openings have a time in whole minutes, so that this takes two.
it('hostile people keep nobody from an answer, and no opening from its channel', onlyLong, async () => {
  const people = { ordinary: 100, hostile: 20, ordinaryRate: 3, hostileRate: 10 };
  const { parts, missing, doubled, log } = await siege({
    ...WHOLE,
    ...people,
    seconds: 20,
    parts: 1,
    channels: 20,
    isPatient: true,
  });
  expect(parts.flatMap(({ ordinary }) => ordinary.unanswered)).toEqual([]);
  expect(parts.reduce((sum, { ordinary }) => sum + ordinary.answered, 0)).toBeGreaterThan(40);
  expect({ missing, doubled, log }).toEqual({ missing: 0, doubled: 0, log: '' });
});
