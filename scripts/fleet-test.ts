/**
 * Three processes on one real PostgreSQL deliver to 2,000 places due in the same minute; one is killed in
 * the middle and the database restarted once.
 *
 *   scripts/test-postgres.sh run npx node scripts/fleet-test.ts [places]
 */
import pg from 'pg';
import { runFleet } from '../test/daily/fleet.ts';
import { isRight } from '../test/daily/kill-runs.ts';

const server = process.env.TEST_DATABASE_URL;
if (server === undefined) throw new Error('TEST_DATABASE_URL is not set: see the top of this file');
const client = new pg.Client({ connectionString: server });
await client.connect();
await client.query('create database fleet');
await client.end();
const databaseUrl = Object.assign(new URL(server), { pathname: '/fleet' }).href;
const report = await runFleet({
  server,
  databaseUrl,
  places: Number(process.argv[2] ?? 2_000),
  restart: true,
});
console.log(JSON.stringify(report, null, 2));
const right = isRight(report) && report.openings === report.places;
console.log(right ? 'RIGHT: every place exactly once' : 'WRONG');
process.exitCode = right ? 0 : 1;
