/** A process that stands still for a while, at any await of a channel's day, and what another one posts meanwhile. */

import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../src/core/clock.ts';
import { onlyLong, sample } from '../fakes/sample.ts';
import { type FreezeOptions, freezeAtEveryAwait } from './freeze.ts';
import { DISCORD } from './kill.ts';

const SLACK = fileURLToPath(new URL('../fakes/slack-platform.ts', import.meta.url));
const PLATFORMS = { Discord: DISCORD, Slack: SLACK };
const STANDSTILLS = [5 * SECOND, 20 * SECOND, 45 * SECOND, 100 * SECOND, 170 * SECOND, 10 * MINUTE];
/** Requests that post something new. */
const POSTING = /^before POST \S*(\/messages|\/threads|chat\.postMessage)$/;
/** The sample stands still at each third of these requests: it finds what goes wrong at three of them. */
const LONGEST_HOLD = 6;

async function expectNone(options: FreezeOptions) {
  const { frozen, points, ...report } = await freezeAtEveryAwait(options);
  expect(report).toEqual({ doubled: 0, missing: 0, wrong: [] });
  expect(frozen).toBeGreaterThan(0);
  return { frozen, points };
}

describe.each(Object.entries(PLATFORMS))(
  'on %s, nothing is posted twice, and nothing is missing',
  (_, module) => {
    test('after ten minutes right before each request that posts, while another process delivers', async () => {
      const every = sample(1, 3);
      const { frozen, points } = await expectNone({
        module,
        milliseconds: 10 * MINUTE,
        only: POSTING,
        every,
      });
      expect(frozen).toBe(Math.ceil(points / every));
      expect(points).toBeGreaterThanOrEqual(7);
    });

    test.each(STANDSTILLS)('after a standstill of %i ms at every await', onlyLong, async (milliseconds) => {
      const { frozen } = await expectNone({ module, milliseconds });
      expect(frozen).toBeGreaterThan(250);
    });

    test.each(sample([1, 2, 3, 4, 5, LONGEST_HOLD], [3]))(
      'when it goes on while the other process is before its request %i',
      async (holdAt) => {
        await expectNone({ module, milliseconds: 45 * SECOND, holdAt, only: POSTING, every: sample(1, 3) });
      },
    );
  },
);
