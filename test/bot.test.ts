import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Bot, checkBot, mayBeMoved, startBot } from '../src/bot.ts';
import { readConfig } from '../src/config/config.ts';
import { SECOND } from '../src/core/clock.ts';
import { readAbout } from '../src/core/program.ts';
import { LEASE_MS } from '../src/daily/delivery/deliver.ts';
import { SQLITE_FILE } from '../src/store/store.ts';
import { SITE } from '../src/web/pages/board-pages.ts';
import { DATE, HandClock, MINUTE, NEW_YORK, OPENING, quiet, subscribe } from './daily/ground.ts';
import { startFakeDiscord } from './fakes/discord/index.ts';
import { makeFolder } from './fakes/folder.ts';
import { closeServer, listening, originOf } from './fakes/loopback.ts';
import { openNewStore } from './fakes/new-store.ts';

test.each([
  ['the local chat on house boards', { PUZZLE_SOURCE: 'house' }, true],
  ['the newspaper, which would be asked for boards to come', { PUZZLE_SOURCE: 'newspaper' }, false],
  ['Discord, whose posts go by it', { PUZZLE_SOURCE: 'house', DISCORD_TOKEN: 'a.b.c' }, false],
])('whether people may move the clock of a bot with %s', (_, settings, may) => {
  expect(mayBeMoved(readConfig({ WEB_CHAT: 'on', ...settings }))).toBe(may);
});

function say({ chatUrl }: Bot, line: string): Promise<Response> {
  const url = chatUrl ?? expect.fail('no local chat');
  return fetch(`${url}say`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(url).origin },
    body: JSON.stringify({ person: 'ada', line }),
  });
}

/** The intervals that were set since and are not cleared. */
function openIntervals(): ReadonlySet<unknown> {
  const open = new Set<unknown>();
  const { setInterval, clearInterval } = globalThis;
  const set = vi.spyOn(globalThis, 'setInterval').mockImplementation((...given) => {
    const timer = setInterval(...given);
    open.add(timer);
    return timer;
  });
  const clear = vi.spyOn(globalThis, 'clearInterval').mockImplementation((timer) => {
    open.delete(timer);
    clearInterval(timer);
  });
  onTestFinished(() => {
    set.mockRestore();
    clear.mockRestore();
  });
  return open;
}

/** The lines of a log, without what differs from run to run. */
function logging() {
  const lines: string[] = [];
  const info = (fields: object, message: string) =>
    void lines.push(
      `${message} ${JSON.stringify(fields)}`
        .replace(/(?<=[ "])\d+\.\d+\.\d+/g, 'VERSION')
        .replace(/ in \/[^" ]*/g, '')
        .replace(/(?<=:)\d{3,}/g, 'PORT'),
    );
  return { log: { ...quiet, info }, lines };
}
const STARTING = [
  'Letter Boxed bot VERSION on Node VERSION, role all {"version":"VERSION","node":"VERSION"}',
  'store: SQLite {"store":"SQLite"}',
  'puzzle of the day: the house: boards made up here, without a request to anyone {"source":"house"}',
];

test('a check opens no door, and closes the store', async () => {
  const dataDir = makeFolder();
  const { log, lines } = logging();
  const settings = { DATA_DIR: dataDir, PORT: '0', WEB_CHAT: 'on', PUZZLE_SOURCE: 'house' };
  await checkBot(readConfig(settings), log);
  expect(lines).toEqual([...STARTING, 'the settings and the store are in order {}']);
  expect(readdirSync(dataDir)).not.toContain(`${SQLITE_FILE}-wal`);
});

test('a start that fails has closed the store when it says so', async () => {
  const dataDir = makeFolder();
  const taken = createServer();
  await listening(taken);
  onTestFinished(() => closeServer(taken));
  const settings = { DATA_DIR: dataDir, WEB_CHAT: 'on', WEB_PORT: new URL(originOf(taken)).port };
  await expect(startBot(readConfig({ ...settings, PUZZLE_SOURCE: 'house' }), quiet)).rejects.toThrow(
    "can't be opened",
  );
  expect(readdirSync(dataDir)).not.toContain(`${SQLITE_FILE}-wal`);
});

test('a command in a suspended channel reactivates it', async () => {
  const dataDir = makeFolder();
  const settings = { DATA_DIR: dataDir, PORT: '0', WEB_CHAT: 'on', WEB_PORT: '0', PUZZLE_SOURCE: 'house' };
  const { log, lines } = logging();
  const bot = await startBot(readConfig(settings), log);
  onTestFinished(() => bot.stop());
  expect(lines).toEqual([
    ...STARTING,
    'health: http://127.0.0.1:PORT/healthz, /readyz and /metrics {"port":PORT}',
    'web: open {"door":"web","isOpen":true}',
    'daily threads: 0; nothing to post {"active":0,"inactive":0}',
    'The local chat is open: http://127.0.0.1:PORT/ {"url":"http://127.0.0.1:PORT/"}',
  ]);
  await say(bot, 'daily on');
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  onTestFinished(() => database.close());
  const state = database.prepare('select state from subscription');
  await expect.poll(() => state.get()).toEqual({ state: 'active' });
  database.exec("update subscription set state = 'suspended'");
  await say(bot, 'about');
  await expect.poll(() => state.get()).toEqual({ state: 'active' });
});

test('a bot counts what it asks of the newspaper, and late posts from the first on', async () => {
  const newspaper = createServer((_, response) => response.writeHead(404).end());
  onTestFinished(() => closeServer(newspaper));
  const settings = {
    DATA_DIR: makeFolder(),
    PORT: '0',
    WEB_CHAT: 'on',
    WEB_PORT: '0',
    PUZZLE_SOURCE: 'newspaper',
  };
  const NEWSPAPER_URL = originOf(await listening(newspaper));
  const bot = await startBot(readConfig({ ...settings, NEWSPAPER_URL }), quiet);
  onTestFinished(() => bot.stop());
  await say(bot, 'today');
  const metrics = await (await fetch(`http://127.0.0.1:${bot.port}/metrics`)).text();
  expect(metrics).toContain('letterboxed_late_deliveries_total{door="web"} 0\n');
  expect(metrics).toMatch(/^letterboxed_newspaper_fetches_total\{outcome="missing"\} [1-9]/m);
});

test('a bot names the platforms that it is open on, and not one that it could not open yet', async () => {
  const discord = await startFakeDiscord();
  onTestFinished(() => discord.close());
  const bot = await startBot(
    readConfig({
      ...{ DATA_DIR: makeFolder(), PORT: '0', WEB_CHAT: 'on', WEB_PORT: '0', PUZZLE_SOURCE: 'house' },
      ...{ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url },
      ...{ SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', SLACK_API_URL: 'http://127.0.0.1:9/' },
    }),
    quiet,
  );
  onTestFinished(() => bot.stop());
  expect(bot.platforms).toEqual(['Discord']);
});

test('a bot that stops is not ready any more while it still answers', async () => {
  const newspaper = createServer();
  const asked = once(newspaper, 'request');
  const discord = await startFakeDiscord();
  onTestFinished(() => discord.close());
  const settings = {
    ...{ DATA_DIR: makeFolder(), PORT: '0', WEB_CHAT: 'on', WEB_PORT: '0', PUZZLE_SOURCE: 'newspaper' },
    NEWSPAPER_URL: originOf(await listening(newspaper)),
    ...{ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url },
  };
  const intervals = openIntervals();
  const bot = await startBot(readConfig(settings), quiet);
  expect(intervals.size).toBeGreaterThan(5);
  const readiness = async () => (await fetch(`http://127.0.0.1:${bot.port}/readyz`)).json();
  expect(await readiness()).toMatchObject({ ready: true, store: 'ok' });
  const said = say(bot, 'today');
  // Whoever asks first, the answer waits for the newspaper.
  const [, response] = await asked;
  const stopped = bot.stop();
  expect(await readiness()).toMatchObject({ ready: false, store: 'ok' });
  newspaper.on('request', (_, later) => later.writeHead(404).end());
  response.writeHead(404).end();
  expect((await said).status).toBe(200);
  await stopped;
  expect(intervals.size).toBe(0);
  await closeServer(newspaper);
});

test.each([
  ['worker', { discord: 'ok' }, ''],
  ['interactions', {}, '; to take commands over HTTP it needs DISCORD_PUBLIC_KEY'],
] as const)('%s is ready with the doors that it opens or posts at', async (role, doors, need) => {
  const discord = await startFakeDiscord();
  onTestFinished(() => discord.close());
  const settings = {
    ...{ DATA_DIR: makeFolder(), PORT: '0', PUZZLE_SOURCE: 'house' },
    ...{ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url },
  };
  const { log, lines } = logging();
  const bot = await startBot({ ...readConfig(settings), role }, log);
  onTestFinished(() => bot.stop());
  expect(lines).toContain(`discord: this process takes no commands there${need} {"door":"discord"}`);
  const address = `http://127.0.0.1:${bot.port}/readyz`;
  const lastTick = expect.any(String);
  expect(await (await fetch(address)).json()).toEqual({ ready: true, store: 'ok', doors, lastTick });
  // The port has other pages, too, to which a proxy may lead.
  const forwarded = { 'x-forwarded-for': '192.0.2.1' };
  expect((await fetch(address, { headers: forwarded })).status).toBe(404);
});

test('a process that does not post is ready whatever nobody posts, with the doors that are open', async () => {
  const discord = await startFakeDiscord();
  onTestFinished(() => discord.close());
  const guild = discord.world.addGuild('Word club');
  const channel = discord.world.addChannel(guild);
  const dataDir = makeFolder();
  const store = await openNewStore(dataDir);
  await store.allDeliveries.plan([
    {
      tenant: `discord:${guild.id}`,
      channel: channel.id,
      date: '2026-11-20',
      kind: 'players',
      dueAt: OPENING,
    },
  ]);
  await store.close();
  const settings = {
    ...{ DATA_DIR: dataDir, PORT: '0', PUZZLE_SOURCE: 'house' },
    ...{ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url },
    ...{ SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', SLACK_API_URL: `${discord.url}/` },
  };
  const bot = await startBot({ ...readConfig(settings), role: 'gateway' }, quiet);
  onTestFinished(() => bot.stop());
  const ready = await fetch(`http://127.0.0.1:${bot.port}/readyz`);
  const doors = { discord: 'ok', slack: 'not open yet' };
  expect(await ready.json()).toMatchObject({ ready: true, doors });
});

test('pages are on one port and health is on another', async () => {
  const discord = await startFakeDiscord();
  onTestFinished(() => discord.close());
  const settings = {
    ...{ DATA_DIR: makeFolder(), PORT: '0', HEALTH_PORT: '0', PUZZLE_SOURCE: 'house' },
    ...{ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url },
    ...{ SLACK_CLIENT_ID: '1.2', SLACK_CLIENT_SECRET: 'client-secret', SLACK_TOKEN_KEYS: '0f'.repeat(32) },
    ...{ SLACK_SIGNING_SECRET: 'abcdef0123456789', SLACK_API_URL: `${discord.url}/` },
    PUBLIC_URL: 'https://bot.example.org/games',
  };
  const lines: string[] = [];
  const note = (_: object, message: string) => void lines.push(message);
  const bot = await startBot({ ...readConfig(settings), role: 'web' }, { ...quiet, info: note, warn: note });
  onTestFinished(() => bot.stop());
  const told = lines.flatMap((line) => /^health: .*:(\d+)\/healthz/.exec(line)?.[1] ?? []);
  expect(told).toHaveLength(1);
  const ask = (port: number | undefined, path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
  const statuses = (path: string) =>
    Promise.all([Number(told[0]), bot.port].map(async (port) => (await ask(port, path)).status));
  // A web server in front may pass the path of PUBLIC_URL on, or remove it.
  for (const below of ['', '/games']) {
    for (const path of ['/privacy', '/terms', '/slack/install'])
      expect(await statuses(below + path), below + path).toEqual([404, 200]);
    expect(await statuses(`${below}/slack/oauth_redirect`)).toEqual([404, 400]);
    // No method but POST.
    expect(await statuses(`${below}/slack/events`)).toEqual([404, 405]);
    expect(await statuses(`${below}/readyz`)).toEqual([below === '' ? 200 : 404, 404]);
  }
  const bare = await fetch(`http://127.0.0.1:${bot.port}/games?day=2026-11-20`, { redirect: 'manual' });
  expect(bare.headers.get('location')).toBe('/games/?day=2026-11-20');
  expect((await ask(bot.port, '/other/privacy')).status).toBe(404);
  const { headers } = await ask(bot.port, '/games/play/nobody');
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(lines.some((line) => line.startsWith('no site is built'))).toBe(!existsSync(SITE));
});

test('a post comes within seconds after an outage, and a limit of the platform is counted', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const clock = new HandClock(OPENING);
  const discord = await startFakeDiscord({ clock, limits: false });
  onTestFinished(() => discord.close());
  const guild = discord.world.addGuild('Word club');
  const channel = discord.world.addChannel(guild);
  const dataDir = makeFolder();
  const store = await openNewStore(dataDir);
  await subscribe(
    store,
    { zone: 'America/New_York', opening: '08:00', steps: [{ step: 'count', at: '12:00' }] },
    { channel: { tenant: `discord:${guild.id}`, channel: channel.id }, at: OPENING - 1 },
  );
  const another = { tenant: `discord:${guild.id}`, channel: '1', date: DATE, dueAt: OPENING };
  await store.allDeliveries.plan([{ ...another, kind: 'players' }]);
  await store.close();
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  onTestFinished(() => database.close());
  // As another process has it that posts.
  const leased = { next_at: OPENING + LEASE_MS };
  database.prepare("update delivery set next_at = ? where kind = 'players'").run(leased.next_at);
  const settings = {
    ...{ DATA_DIR: dataDir, PORT: '0', PUZZLE_SOURCE: 'house' },
    ...{ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url },
  };
  const sent = () => discord.requestsTo('POST /channels/:channel/messages').map(({ status }) => status);
  const second = () => vi.advanceTimersByTimeAsync(SECOND);
  discord.fault({ on: 'POST /channels/:channel/messages', what: { status: 503 } });
  const bot = await startBot({ ...readConfig(settings), role: 'worker' }, quiet, { clock });
  onTestFinished(() => bot.stop());
  await expect.poll(sent).toEqual([503]);
  const rules = database.prepare("select value from fingerprint where key = 'plans'").get();
  expect(rules).toEqual({ value: `${readAbout().version} ${process.versions.tz}` });
  // As after many attempts; the clock stands still.
  const postponed = database.prepare(
    "update delivery set next_at = ? where kind = 'day' and state = ? and next_at > ?",
  );
  const postpone = () => postponed.run(OPENING + 10 * MINUTE, 'due', OPENING).changes;
  await expect.poll(postpone).toBe(1);
  await expect
    .poll(async () => {
      await second();
      return sent();
    })
    .toEqual([503, 200]);

  const itsRow = database.prepare("delete from delivery where kind = 'players' returning next_at");
  expect(itsRow.get()).toEqual(leased);
  const row = database.prepare('select state, failures from delivery');
  await expect.poll(() => ({ ...row.get() })).toEqual({ state: 'due', failures: 0 });
  discord.fault({ on: 'POST /channels/:channel/messages', what: { retryAfter: 3_600 } });
  clock.time = NEW_YORK(20, 12);
  // The step is due now, which is not left behind yet.
  const ready = await fetch(`http://127.0.0.1:${bot.port}/readyz`);
  expect(await ready.json()).toMatchObject({ doors: { discord: 'ok' } });
  await expect
    .poll(async () => {
      await second();
      return (await fetch(`http://127.0.0.1:${bot.port}/metrics`)).text();
    })
    .toContain('letterboxed_rate_limits_total{door="discord"} 1');
});

test('a start tries waiting posts again at once, such as with a token that was corrected', async () => {
  const discord = await startFakeDiscord();
  onTestFinished(() => discord.close());
  const dataDir = makeFolder();
  const store = await openNewStore(dataDir);
  const post = { tenant: 'discord:1', channel: '2', date: DATE, dueAt: OPENING };
  await store.allDeliveries.plan([{ ...post, kind: 'players' }]);
  await store.close();
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  onTestFinished(() => database.close());
  database.prepare('update delivery set next_at = ?').run(OPENING + 10 * MINUTE);
  const settings = {
    ...{ DATA_DIR: dataDir, PORT: '0', PUZZLE_SOURCE: 'house' },
    ...{ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url },
  };
  const clock = new HandClock(OPENING);
  const bot = await startBot({ ...readConfig(settings), role: 'worker' }, quiet, { clock });
  onTestFinished(() => bot.stop());
  const row = database.prepare('select claims from delivery');
  await expect.poll(() => row.get()?.claims).toBe(1);
});
