/**
 * Three processes that share a PostgreSQL deliver to 2,000 channels due in the same minute; one is killed in
 * the middle and the database restarted once.
 *
 *   scripts/test-postgres.sh run npx node scripts/fleet-test.ts [channels]
 */
import pg from 'pg';
import { isRight } from '../test/daily/kill.ts';
import { runSeveralProcesses } from '../test/daily/several-processes.ts';

const server = process.env.TEST_DATABASE_URL;
if (server === undefined) throw new Error('TEST_DATABASE_URL is not set: see the top of this file');
const client = new pg.Client({ connectionString: server });
await client.connect();
await client.query('create database fleet');
await client.end();
const databaseUrl = Object.assign(new URL(server), { pathname: '/fleet' }).href;
const report = await runSeveralProcesses({
  server,
  databaseUrl,
  channels: Number(process.argv[2] ?? 2_000),
  restart: true,
});
console.log(JSON.stringify(report, null, 2));
const right = isRight(report) && report.openings === report.channels;
console.log(right ? 'RIGHT: every channel exactly once' : 'WRONG');
process.exitCode = right ? 0 : 1;
