import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Bot, startBot } from '../../src/bot.ts';
import { readConfig } from '../../src/config/config.ts';
import { SQLITE_FILE } from '../../src/store/store.ts';
import { HOUR, MINUTE, quiet } from '../daily/ground.ts';
import { sample } from '../fakes/sample.ts';
import { makeFolder } from '../store/folders.ts';

const NOON = Date.UTC(2026, 10, 20, 17);
/** A machine without a clock of its own starts in 1970. */
const FROM_1970 = NOON;
const JUMPS = sample([FROM_1970, -2 * HOUR, -10 * MINUTE, 10 * MINUTE, 26 * HOUR], [FROM_1970, -2 * HOUR]);

let bot: Bot;
let dataDir: string;
let errors: object[];
beforeEach(async () => {
  // The timers, and the clock that node-cron reads. A clock that is set leaves timers as they are.
  vi.useFakeTimers({
    toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date', 'performance'],
    now: NOON,
  });
  onTestFinished(() => void vi.useRealTimers());
  dataDir = makeFolder();
  const settings = { DATA_DIR: dataDir, PORT: '0', WEB_CHAT: 'on', WEB_PORT: '0', PUZZLE_SOURCE: 'house' };
  errors = [];
  bot = await startBot(readConfig(settings), {
    ...quiet,
    error: (fields, message) => void errors.push({ ...fields, message }),
  });
});
afterEach(() => bot.stop());

async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 5_000) {
    await vi.advanceTimersByTimeAsync(5_000);
    // The store answers with real callbacks in between.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

async function readiness(): Promise<{ status: number; secondsAgo: number }> {
  const response = await fetch(`http://127.0.0.1:${bot.port}/readyz`);
  const { lastTick } = (await response.json()) as { lastTick: string };
  return { status: response.status, secondsAgo: Number.parseInt(lastTick, 10) };
}

test('whenever the clock jumps, the bot stays ready and goes on planning within a minute', async () => {
  for (const jump of JUMPS) {
    vi.setSystemTime(Date.now() + jump);
    for (let minute = 1; minute <= 2; minute++) {
      await pass(MINUTE);
      const { status, secondsAgo } = await readiness();
      expect({ jump, status }).toEqual({ jump, status: 200 });
      expect(secondsAgo).toBeLessThanOrEqual(65);
    }
  }
});

test('readiness sees that planning has stopped, although the clock was set back meanwhile', async () => {
  await pass(MINUTE);
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  database.exec('alter table fingerprint rename to gone');
  database.close();
  vi.setSystemTime(Date.now() - 2 * HOUR);
  await pass(4 * MINUTE);
  const { status, secondsAgo } = await readiness();
  expect(status).toBe(503);
  expect(secondsAgo).toBeGreaterThan(180);
});

test('a database that was deleted is an error in the log within a minute, although nobody asks for readiness', async () => {
  await pass(MINUTE);
  rmSync(dataDir, { recursive: true });
  await pass(MINUTE);
  const lost = `${join(dataDir, SQLITE_FILE)} was replaced or deleted while the bot uses it. Do not restart the bot yet`;
  // One line, however often it is looked at.
  const ofStore = errors.filter((line) => 'code' in line);
  expect(ofStore).toEqual([{ code: 'store.damaged', message: expect.stringContaining(lost) }]);
  expect(readdirSync(dataDir)).toEqual([
    expect.stringContaining('letterboxed-rescue-2026-11-20'),
    `${SQLITE_FILE}.made`,
  ]);
});
