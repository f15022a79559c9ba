import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkBot } from '../src/bot.ts';
import { readConfig } from '../src/config/config.ts';
import { openStore } from '../src/store/store.ts';
import { BotProcess } from './bot-process.ts';
import { quiet, subscribe } from './daily/ground.ts';
import { makeFolder } from './fakes/folder.ts';
import { closeServer, listening, originOf, portOf } from './fakes/loopback.ts';
import { PseudoTerminal } from './fakes/pseudo-terminal.ts';
import { onlyLong } from './fakes/sample.ts';

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const PUBLIC_URL = 'https://bot.example.org/games';
const bots: BotProcess[] = [];
afterEach(async () => {
  for (const bot of bots) bot.kill('SIGKILL');
  await Promise.all(bots.splice(0).map((bot) => bot.ended()));
});

function start(
  settings: Record<string, string | undefined> = {},
  folder?: string,
  typed: readonly string[] = [],
): BotProcess {
  const bot = new BotProcess({ WEB_PORT: '0', ...settings }, folder, typed);
  bots.push(bot);
  return bot;
}

async function opened(bot: BotProcess): Promise<string> {
  return String((await bot.said(/^The local chat is open/)).url);
}

async function say(url: string, line: string): Promise<Response> {
  const origin = new URL(url).origin;
  return fetch(`${url}say`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ person: 'ada', line }),
  });
}

describe('npm start without a token', () => {
  it('opens the local chat and health pages, makes the day’s board, logs its settings, answers what was asked before it ends, and leaves nothing behind', async () => {
    const bot = start({ PORT: '0' });
    const url = await opened(bot);
    await expectHealthPages(bot);
    await expectBoardMade(bot);
    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect((await say(url, 'today')).status).toBe(200);
    expect((await fetch(`${await health(bot)}/web/pages/play.js`)).status).toBe(404);
    const said = bot.lines.map(({ msg }) => msg);
    expect(said[0]).toMatch(/^Letter Boxed bot \d+\.\d+\.\d+ on Node \d+\./);
    expect(said[0]).toContain('role all');
    expect(said).toContain('store: a temporary folder: nothing is kept when this process ends');
    expect(said).toContain('puzzle of the day: the house: boards made up here, without a request to anyone');
    expect(said).toContain('daily threads: 0; nothing to post');
    const command = bot.lines.find(({ msg }) => msg === 'command');
    expect(command).toMatchObject({ door: 'web', command: 'today', outcome: 'answered' });
    expect(command?.request).toMatch(/^[0-9a-z]{1,8}$/);
    const answered = await stopWhileAsking(bot, url);
    // Everything that was accepted was answered; `today` was answered before.
    expect(answered).toBe(bot.lines.filter(({ msg }) => msg === 'command').length - 1);
    expect(readdirSync(bot.folder).filter((name) => name.startsWith('letterboxed-'))).toEqual([]);
  });
});

describe('a second start', () => {
  it('loads what the first one compiled, even if that one was killed', onlyLong, async () => {
    const NODE_COMPILE_CACHE = makeFolder();
    const first = start({ NODE_COMPILE_CACHE });
    await opened(first);
    first.kill('SIGKILL');
    await first.ended();
    const second = start({ NODE_COMPILE_CACHE, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' });
    await opened(second);
    second.kill('SIGTERM');
    await second.ended();
    const [loading = ''] = second.output.split('module.flushCompileCache() requested');
    expect(loading.match(/success, size=/g)?.length).toBeGreaterThan(500);
    // Lines are not compared: another thread may write into them.
    expect(loading).not.toMatch(/no such file|mismatch/);
    expect(loading).toContain('was accepted');
    expect(loading).not.toContain('was rejected');
  });
});

describe('npm start on a terminal', () => {
  it('prints the link, where to find the rest, and no more', async () => {
    const folder = makeFolder();
    const settings = { WEB_PORT: '0', TMPDIR: folder };
    // In a folder of its own, so that it does not read the .env of whoever runs the tests.
    const command = `cd "${folder}" && "${process.execPath}" "${resolve('bin/start.js')}"`;
    const terminal = new PseudoTerminal(command, { columns: 120, settings });
    await terminal.until('Ctrl-C ends the bot.');
    // The first line is the name of the terminal.
    const said = terminal.screen.lines.split('\n').slice(1);
    expect(said[0]).toMatch(/^The local chat is open: http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(said[1]).toMatch(/npm run -s letterboxed -- setup.*README\.md.*\.env\.example/);
    expect(said.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(4);
    terminal.type('\u0003');
    await terminal.ended();
  });
});

describe('npm start -- check', () => {
  it('reads the settings, brings the store up to date, and opens nothing; what only some bots need is not loaded', async () => {
    const NODE_OPTIONS = `--import=${pathToFileURL('test/loaded-modules.js')}`;
    const bot = start({ DATA_DIR: 'kept', NODE_OPTIONS }, undefined, ['check']);
    expect(await bot.ended()).toBe(0);
    expect(bot.lines.at(-1)?.msg).toBe('the settings and the store are in order');
    expect(bot.output).not.toContain('open:');
    expect(readdirSync(join(bot.folder, 'kept'))).toContain('letterboxed.db');
    const loaded = bot.output.split('\n').filter((url) => url.startsWith('file:'));
    expect(Object.keys(dependencies).filter((name) => loaded.some((url) => isOf(name, url)))).toEqual([
      '@hono/node-server',
      'hono',
      'kysely',
      'lru-cache',
      'node-cron',
      'pino',
      'prom-client',
      'temporal-polyfill',
      'valibot',
    ]);
    const others = /\/src\/(chat\/(?!door|outage)|pages\/board-pages|reply\/picture\/png|solver\/generate)/;
    expect(loaded.filter((url) => others.test(url))).toEqual([]);
  });

  it('is the only thing that can be typed behind it', onlyLong, async () => {
    const bot = start({}, undefined, ['chekc']);
    expect(await bot.ended()).toBe(2);
    expect(bot.output).toContain('npm start -- check');
  });
});

const isOf = (name: string, url: string) => url.includes(`/node_modules/${name}/`);

/** Stops the bot while answers are on their way. How many came. */
async function stopWhileAsking(bot: BotProcess, url: string): Promise<number> {
  // Cheap ones: the process waits ten seconds for its answers, on a busy machine too.
  const asked = ['about', 'words ozu nri lfa mbt', 'help'];
  const answers = Array.from({ length: 6 }, (_, index) => say(url, asked[index % asked.length]!));
  // All are on their way in when the first is done.
  await Promise.race(answers);
  // As foreman does, which runs a Procfile.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) bot.kill(signal);
  const results = await Promise.allSettled(answers);
  expect(await bot.ended()).toBe(0);
  await expect(fetch(url)).rejects.toThrow();
  return results.filter((one) => one.status === 'fulfilled' && one.value.status === 200).length;
}

/** What personal pages load is there, whether the path of the address is passed on or not, and nothing is played by strangers. */
async function expectPages(bot: BotProcess): Promise<void> {
  const base = await health(bot);
  for (const path of ['', '/games']) {
    expect((await fetch(`${base}${path}/web/pages/play.js`)).status).toBe(200);
    for (const old of ['board/ozu-nri-lfa-mbt/play', 'day/today/help'])
      expect((await fetch(`${base}${path}/${old}`, { method: 'POST' })).status).toBe(404);
  }
  expect((await fetch(`${base}/healthz`)).headers.get('content-security-policy')).not.toContain('script');
}

/** Where `PORT` is open. */
async function health(bot: BotProcess): Promise<string> {
  const { port } = await bot.said(/^health: /);
  return `http://127.0.0.1:${port}`;
}

async function expectHealthPages(bot: BotProcess): Promise<void> {
  const base = await health(bot);
  expect((await fetch(`${base}/healthz`)).status).toBe(200);
  const readiness = await fetch(`${base}/readyz`);
  expect(readiness.status).toBe(200);
  expect(await readiness.json()).toMatchObject({ ready: true, store: 'ok', doors: { web: 'ok' } });
  // A second time, if another minute has begun meanwhile.
  expect(await (await fetch(`${base}/metrics`)).text()).toMatch(/^letterboxed_tick_seconds_count [12]$/m);
}

/** Before anybody asks for it. */
async function expectBoardMade(bot: BotProcess): Promise<void> {
  const metrics = `${await health(bot)}/metrics`;
  await expect
    .poll(async () => (await fetch(metrics)).text())
    .toContain('letterboxed_jobs_total{job="house",where="inline",outcome="done"} 1');
}

describe('npm start in a folder with settings and data', () => {
  it('reads .env, warns of settings that are incomplete or likely mistyped, goes on with the data, stops in order after an uncaught error, and at once at a signal', async () => {
    const folder = makeFolder();
    const store = await openStore({ dataDir: join(folder, 'kept') });
    await subscribe(store);
    await store.close();
    // A newspaper that never answers keeps a command waiting, as it does the day's thread, which may ask first.
    const newspaper = createServer(() => {});
    const asked = once(newspaper, 'request');
    const address = originOf(await listening(newspaper));
    writeFileSync(
      join(folder, '.env'),
      `WEB_PORT=0\nWEB_CHAT=on\nPUZZLE_SOURCE=newspaper\nNEWSPAPER_URL=${address}\nDATA_DIR=kept\nPORT=0\nPUBLIC_URL=${PUBLIC_URL}\n`,
    );
    const wrong = { SLACK_BOT_TOKEN: 'xoxb-1-made-up', DISCORD_TOKN: 'x' };
    // Personal links are signed with it; nobody answers there.
    const discord = {
      DISCORD_TOKEN: `${'M'.repeat(24)}.GabcDe.${'x'.repeat(38)}`,
      DISCORD_API_URL: 'http://127.0.0.1:1',
    };
    const NODE_OPTIONS = `--import=data:text/javascript,process.on('SIGUSR2',()=>{throw(Error('made'))})`;
    const bot = start({ WEB_PORT: undefined, NODE_OPTIONS, ...wrong, ...discord }, folder);
    const url = await opened(bot);
    expect((await bot.said(/^puzzle of the day/)).msg).toContain('newspaper');
    const warnings = bot.lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg);
    expect(warnings[0]).toMatch(
      /^Slack is left out: SLACK_APP_TOKEN is missing: expected an app-level token/,
    );
    expect(warnings[1]).toMatch(/^DISCORD_TOKN is not a setting of this program; DISCORD_TOKEN is/);
    expect(bot.output).not.toContain('xoxb-1-made-up');
    await expectPages(bot);
    expect((await bot.said(/^daily threads: /)).msg).toMatch(/^daily threads: 1; next post 20\d\d-.* UTC/);
    expect((await bot.said(/^store: /)).msg).toBe('store: SQLite in kept/letterboxed.db');
    const answer = say(url, 'today').catch(() => undefined);
    await asked;
    bot.kill('SIGUSR2');
    await bot.said(/^uncaught error; stopping$/);
    bot.kill('SIGTERM');
    expect(await bot.ended()).toBe(143);
    await answer;
    await closeServer(newspaper);
  });
});

describe('what keeps it from starting', () => {
  it(
    'in the settings is named, each with what was expected and its line, and nothing is opened',
    onlyLong,
    async () => {
      const bot = start({ PORT: '80x0', PUZZLE_SOURCE: 'times', DATABASE_URL: 'mysql://u:pass-word-1@h/d' });
      expect(await bot.ended()).toBe(2);
      const lines = bot.output.trim().split('\n');
      expect(lines).toHaveLength(3);
      for (const line of lines)
        expect(line).toMatch(/^[A-Z_]+: expected .* \(see \.env\.example, line \d+\)$/);
      expect(bot.output).not.toContain('pass-word-1');
    },
  );

  it('is a word list that is not there', async () => {
    await expect(checkBot(readConfig({ WORDS_FILE: 'missing.txt' }), quiet)).rejects.toThrow(
      'The word list "missing.txt" can\'t be read (ENOENT).',
    );
  });

  it('is a place for temporary files that is not there', async () => {
    vi.stubEnv('TMPDIR', '/nowhere');
    await expect(checkBot(readConfig({}), quiet).finally(vi.unstubAllEnvs)).rejects.toThrow(
      "No temporary folder can be made in /nowhere (ENOENT). Set TMPDIR or DATA_DIR to a folder that the bot's user may write to.",
    );
  });

  it('is a port that is taken', onlyLong, async () => {
    const other = createServer();
    const port = String(portOf(await listening(other)));
    const chat = start({ WEB_PORT: port });
    expect(await chat.ended()).toBe(1);
    expect(chat.lines.at(-1)?.msg).toContain(`another program listens on port ${port}. Set WEB_PORT`);
    const health = start({ PORT: port });
    expect(await health.ended()).toBe(1);
    expect(health.lines.at(-1)?.msg).toContain(
      `PORT ${port} can't be opened: another program listens there already`,
    );
    other.close();
  });

  it('is a database that can’t be reached; its password is not logged', onlyLong, async () => {
    const bot = start({ DATABASE_URL: 'postgres://bot:pass-word-1@127.0.0.1:1/letterboxed' });
    expect(await bot.ended()).toBe(1);
    expect(bot.lines.at(-1)?.msg).toMatch(/^The bot can't start\. /);
    expect(bot.output).not.toContain('pass-word-1');
  });
});
