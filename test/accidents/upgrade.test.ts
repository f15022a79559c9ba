import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CamelCasePlugin, Kysely } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { HOUR, MINUTE } from '../../src/core/clock.ts';
import { openDatabase, sqliteDialect } from '../../src/store/engines/sqlite.ts';
import { MIGRATIONS, migrate } from '../../src/store/migrations/migrate.ts';
import { openStore, SQLITE_FILE } from '../../src/store/open.ts';
import type { Database } from '../../src/store/schema.ts';
import { IS_LONG } from '../fakes/sample.ts';
import { makeFolder } from '../store/folders.ts';
import { openPlatforms, posted, WholeBot } from '../whole-bot/platforms.ts';

/** 08:00 in New York, on the second day. */
const OPENING = Date.UTC(2026, 10, 21, 13);
const SETTINGS = JSON.stringify({
  zone: 'America/New_York',
  opening: '08:00',
  steps: [
    { step: 'start', at: '08:00' },
    { step: 'count', at: '12:00' },
  ],
  source: 'newspaper',
  otherwise: 'house',
  weekends: true,
  ping: null,
  managers: null,
  format: 1,
  since: OPENING - 48 * HOUR,
});

/** As version 1 left it in the evening before: one channel is on, and one is off. */
async function makeVersion1(dataDir: string, tenant: string, [on, off]: readonly string[]): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, SQLITE_FILE);
  const dialect = sqliteDialect(openDatabase(file), (error) => error);
  const db = new Kysely<Database>({ dialect, plugins: [new CamelCasePlugin()] });
  await migrate(db, 'sqlite', MIGRATIONS.slice(0, 1));
  await db.destroy();
  const database = new DatabaseSync(file);
  const place = database.prepare('insert into place values (?, ?, ?, ?, ?, ?, 1, ?, null, null)');
  place.run(tenant, on!, SETTINGS, 'p1', 'active', null, OPENING - 48 * HOUR);
  place.run(tenant, off!, SETTINGS, 'p1', 'paused', 'off', OPENING - 48 * HOUR);
  const delivery = database.prepare(`insert into delivery
    (tenant, place, date, step, door, state, due_at, next_at, urgency, attempts, outcome_unknown, posted, reason, done_at)
    values (?, ?, '2026-11-20', ?, 'discord', ?, ?, ?, 1, 1, 0, ?, ?, ?)`);
  const at = OPENING - 24 * HOUR;
  const ids = JSON.stringify({ message: '7', thread: '7' });
  delivery.run(tenant, on!, 'opening', 'sent', at, at, ids, null, at);
  delivery.run(tenant, on!, 'start', 'sent', at, at, JSON.stringify({ message: '8' }), null, at);
  delivery.run(tenant, on!, 'count', 'skipped', at, at, null, 'told in one message with start', at);
  database.close();
}

test.runIf(IS_LONG)(
  'the whole bot starts on a database of version 1, and the next day is posted once',
  async () => {
    const dataDir = makeFolder();
    const opened = Date.now();
    const platforms = await openPlatforms(4, { now: () => opened });
    onTestFinished(() => platforms.close());
    const [on, off] = platforms.discordChannels;
    const tenant = `discord:${on!.guild_id}`;
    await makeVersion1(dataDir, tenant, [on!.id, off!.id]);

    const bot = new WholeBot(
      { ...platforms.settings, DATA_DIR: dataDir },
      {
        startsAt: OPENING - 30 * MINUTE,
      },
    );
    onTestFinished(() => void bot.child.kill('SIGKILL'));
    await bot.nextMessage();
    await bot.ask({ move: OPENING });
    await bot.ask({ move: OPENING + MINUTE });
    expect(posted(platforms)).toMatchObject({ openings: [expect.any(String)], others: [expect.any(String)] });
    await bot.ask({ move: OPENING + 4 * HOUR });
    expect(posted(platforms).others).toHaveLength(2);
    await bot.stop();

    const store = await openStore({ dataDir });
    const { deliveries, subscriptions } = store.tenant(tenant);
    const states = (await deliveries.ofDay(on!.id, '2026-11-21')).map(({ step, state }) => [step, state]);
    expect(Object.fromEntries(states)).toEqual({ opening: 'sent', start: 'sent', count: 'sent' });
    expect((await deliveries.get(on!.id, '2026-11-20', 'count'))?.reason).toEqual({
      code: 'merged',
      step: 'start',
    });
    expect((await subscriptions.get(off!.id))?.state).toBe('off');
    expect(await deliveries.ofDay(off!.id, '2026-11-21')).toEqual([]);
    await store.close();
  },
);
