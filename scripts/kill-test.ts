/**
 * Kills the process that delivers the daily thread, again and again, and counts what was posted.
 *
 *   npx node scripts/kill-test.ts              at every await, then 300 kills in a day of 200 channels
 *   npx node scripts/kill-test.ts 50 7         50 kills, with the seed 7, without the kills at every await
 *   PLATFORM=/path/to/platform.ts …            on another platform than Discord, such as test/fakes/slack-platform.ts
 *   scripts/test-postgres.sh run …             with PostgreSQL instead of SQLite
 */

import { DISCORD, isRight, killAtEveryAwait, killThroughDay } from '../test/daily/kill.ts';

const [kills, seed = String(Date.now() % 100_000)] = process.argv.slice(2);
const module = process.env.PLATFORM ?? DISCORD;
const server = process.env.TEST_DATABASE_URL;
let failed = false;

if (kills === undefined) {
  const began = Date.now();
  const report = await killAtEveryAwait(1, module, 1, server);
  console.log(
    `every await: ${report.points} awaits in one channel's day, killed at ${report.killed}, wrong afterwards: ${report.wrong.length} ` +
      `(${Math.round((Date.now() - began) / 1000)} s)`,
  );
  for (const line of report.wrong) console.log(`  ${line}`);
  failed ||= report.wrong.length > 0;
}

const day = await killThroughDay({
  channels: 200,
  kills: Number(kills ?? 300),
  seed: Number(seed),
  module,
  server,
  report: (line) => console.log(line),
});
console.log(JSON.stringify(day, null, 2));
failed ||= !isRight(day);
console.log(failed ? 'WRONG' : 'RIGHT: nothing twice, nothing lost');
process.exitCode = failed ? 1 : 0;
