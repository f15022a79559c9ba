import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Bot, startBot } from '../../src/bot.ts';
import { readConfig } from '../../src/config/config.ts';
import { DAY } from '../../src/core/clock.ts';
import { SQLITE_FILE } from '../../src/store/store.ts';
import { HOUR, MINUTE, quiet } from '../daily/ground.ts';
import { makeFolder } from '../fakes/folder.ts';
import { sample } from '../fakes/sample.ts';

/** Noon in New York. */
const NOON = Date.UTC(2026, 10, 20, 17);

// Fakes the timers and the clock that node-cron reads. `vi.setSystemTime` moves Date, but neither the timers nor
// performance.now(), by which pauses are measured.
beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    now: NOON - HOUR,
  });
});
afterEach(() => {
  vi.useRealTimers();
});

async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 2_000) {
    await vi.advanceTimersByTimeAsync(2_000);
    // The store answers with real callbacks in between.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A machine without a clock of its own starts in 1970. */
const FROM_1970 = NOON;
const JUMPS = sample([FROM_1970, -2 * HOUR, -10 * MINUTE, 10 * MINUTE, 26 * HOUR], [FROM_1970, -2 * HOUR]);

describe('the whole bot', () => {
  let bot: Bot;
  let dataDir: string;
  let errors: object[];
  let warned: string[];
  beforeEach(async () => {
    vi.setSystemTime(NOON);
    dataDir = makeFolder();
    // With boards of the house alone, the bot would go by the local chat's own clock, which people may move.
    const settings = {
      ...{ DATA_DIR: dataDir, PORT: '0', WEB_CHAT: 'on', WEB_PORT: '0' },
      ...{ PUZZLE_SOURCE: 'newspaper', NEWSPAPER_URL: 'http://127.0.0.1:9' },
    };
    errors = [];
    warned = [];
    bot = await startBot(readConfig(settings), {
      ...quiet,
      warn: (_, message) => void warned.push(message),
      error: (fields, message) => void errors.push({ ...fields, message }),
    });
  });
  afterEach(() => bot.stop());

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
      expect(
        warned.splice(0).filter((line) => line.startsWith('the clock of this machine was set')),
      ).toHaveLength(1);
    }
  });

  test('a clock that is a year ahead for a minute erases nothing', async () => {
    const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
    database.exec(`insert into action (key, action, expires_at) values ('a', 'b', ${NOON + DAY});
      insert into removed_tenant (tenant, removed_at) values ('web:gone', ${NOON});
      insert into delivery
        (tenant, channel, date, kind, door, state, due_at, next_at, priority, claims, failures, begun, woken)
        values ('web:1', '1', '2026-11-20', 'day', 'web', 'sent', ${NOON}, ${NOON}, 0, 1, 0, 0, 0)`);
    const count = database.prepare(`select (select count(*) from action where key = 'a') as actions,
      (select count(*) from removed_tenant) as removed, (select count(*) from delivery) as deliveries`);
    const rows = () => ({ ...count.get() });
    const before = rows();
    vi.setSystemTime(NOON + 365 * DAY);
    await pass(MINUTE);
    vi.setSystemTime(NOON + MINUTE);
    await pass(MINUTE);
    expect(rows()).toEqual(before);
    // The hourly erasing has begun, and waits for a clock that it can trust.
    const steady = database.prepare("select count(*) as kept from action where key = 'clock steady'");
    expect({ ...steady.get() }).toEqual({ kept: 1 });
    database.close();
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
    const ofStore = () => errors.filter((line) => 'code' in line);
    await expect.poll(ofStore).toHaveLength(1);
    const lost = `${join(dataDir, SQLITE_FILE)} was replaced or deleted while the bot uses it. Do not restart the bot yet`;
    expect(ofStore()).toEqual([{ code: 'store.damaged', message: expect.stringContaining(lost) }]);
    expect(readdirSync(dataDir)).toEqual(['letterboxed-rescue.db', `${SQLITE_FILE}.made`]);
  });
});
