/** A small fleet with every run; scripts/fleet-test.ts has 2,000 places, and restarts the database besides. */
import { expect, test } from 'vitest';
import { describeOnPostgres, makeDatabase } from '../store/real-postgres.ts';
import { runFleet } from './fleet.ts';

const PLACES = 60;

describeOnPostgres('three processes on one PostgreSQL, with pg-boss between them', () => {
  test(`${PLACES} places due in one minute, one process killed: each place exactly once`, async () => {
    const report = await runFleet({
      server: process.env.TEST_DATABASE_URL ?? '',
      databaseUrl: await makeDatabase(),
      places: PLACES,
      restart: false,
    });
    expect(report).toMatchObject({
      openings: PLACES,
      messages: 2 * PLACES,
      doubled: 0,
      missing: 0,
      threadsWrong: 0,
      unfinished: 0,
      unexplained: 0,
    });
  }, 120_000);
});
