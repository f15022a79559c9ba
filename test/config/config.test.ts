import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import dotenv from 'dotenv';
import { describe, expect, it } from 'vitest';
import { publicAddress, readConfig } from '../../src/config/config.ts';
import { LIMITS } from '../../src/config/limits.ts';
import {
  ConfigError,
  type Environment,
  exampleLine,
  makeExample,
  OVERRIDES,
  readEnvironment,
} from '../../src/config/read.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import type { DoorName } from '../../src/core/channel-ref.ts';
import { DAILY_SOURCES } from '../../src/puzzle/types.ts';
import fc from '../fakes/fast-check.ts';
import { makeFolder } from '../fakes/folder.ts';

const EXAMPLE = readFileSync('.env.example', 'utf8');
/** Made up, in the shape of a real one. */
const DISCORD_TOKEN = `${'A'.repeat(24)}.${'b'.repeat(6)}.${'c'.repeat(27)}`;
const SLACK = { SLACK_BOT_TOKEN: 'xoxb-1-made-up', SLACK_APP_TOKEN: 'xapp-1-made-up' };
const OAUTH = {
  SLACK_SIGNING_SECRET: 'abcdef0123456789',
  SLACK_CLIENT_ID: '123.456',
  SLACK_CLIENT_SECRET: 'client-secret',
  SLACK_TOKEN_KEYS: `${'0f'.repeat(32)}, ${'1e'.repeat(32)}`,
  PUBLIC_URL: 'https://letterboxed.example.org',
};

/** What sets each platform up. */
const PLATFORMS: Readonly<Record<Exclude<DoorName, 'web' | 'terminal'>, Environment>> = {
  discord: { DISCORD_TOKEN },
  slack: SLACK,
};

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('.env.example', () => {
  it('is as the settings declare it', async () => {
    await expect(makeExample(), 'run: npm run env-example').toMatchFileSnapshot('../../.env.example');
  });

  it('has each setting once, and nothing else', () => {
    const names = Object.keys(dotenv.parse(EXAMPLE));
    expect(names.sort()).toEqual(SETTINGS.map(({ name }) => name).sort());
    expect(names.length).toBeGreaterThan(20);
  });

  it('changes nothing when it is copied as it is', () => {
    expect(readConfig(dotenv.parse(EXAMPLE))).toEqual(readConfig({}));
  });

  it('names every variable of the environment that our code reads', () => {
    const files = ['src', 'commands'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(folder, name)),
    );
    const read = files.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const dotted = [...text.matchAll(/process\.env\.([A-Z_]+)/g)].map((match) => match[1]!);
      const taken = [...text.matchAll(/const \{([^}]*)\} = process\.env\b/g)].flatMap((match) =>
        [...match[1]!.matchAll(/\b[A-Z][A-Z_]+\b/g)].map(([name]) => name),
      );
      return [...dotted, ...taken].map((name) => ({ file, name }));
    });
    const ours = new Set<string>(SETTINGS.map(({ name }) => name));
    // Where caches go, and where npm was called, are told by the machine, Node and npm.
    const told = ['XDG_CACHE_HOME', 'NODE_COMPILE_CACHE', 'INIT_CWD'];
    const others = read.filter(({ name }) => !ours.has(name) && !told.includes(name));
    expect(others).toEqual([]);
  });

  it('has no setting that the program never reads', () => {
    const reader = readFileSync('src/config/config.ts', 'utf8');
    const unread = SETTINGS.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(reader));
    expect(unread.map(({ name }) => name)).toEqual([]);
  });

  it('has no field of Config, and no limit, that nothing uses', () => {
    const reader = readFileSync('src/config/config.ts', 'utf8');
    const fields = reader.matchAll(/\breadonly (\w+)\??:/g).map(([, name]) => name!);
    const others = globSync('{src,commands}/**/*.ts', { exclude: ['src/config/**'] })
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    // `.name`, or `{ name }` on the left of `=` or before a parameter's type; `refuseTooMany` puts two limits together.
    const isUsed = (name: string) =>
      new RegExp(`\\.${name}\\b|[{,]\\s*${name}\\b[^;{}]*\\}\\s*[:=]`).test(others) ||
      others.includes(`refuseTooMany(request, app, '${name.replace(/sPer.*/, '')}')`);
    expect([...fields, ...Object.keys(LIMITS)].filter((name) => !isUsed(name))).toEqual([]);
  });

  it('shows only defaults and examples that their settings accept', () => {
    for (const setting of SETTINGS) {
      const shown = setting.default ?? setting.example;
      if (shown === undefined || shown.includes('…')) continue;
      expect(setting.kind.read(shown), setting.name).toBeDefined();
    }
  });
});

describe('OPERATOR_CONTACT', () => {
  it('is kept as it was written', () => {
    expect(readConfig({ OPERATOR_CONTACT: ' me@example.org ' }).operator.contact).toBe('me@example.org');
  });

  it.each([
    'javascript:alert(1)',
    'me (at home)',
    'me\u0000@example.org',
    'mé@example.org',
    `${'x'.repeat(201)}@example.org`,
    'mailto:me@example.org',
    'Me<me@example.org>',
  ])('is refused if it would break the header that it is sent in, or the link to it: %j', (contact) => {
    expect(problemsOf({ OPERATOR_CONTACT: contact })[0]).toContain('a mail address, or a web address');
  });
});

describe('an empty environment', () => {
  const config = readConfig({});

  it('opens the local chat with house boards, a temporary database, and on this machine only', () => {
    expect(config).toMatchObject({
      role: 'all',
      web: { port: 3000, outside: false },
      puzzle: { source: 'house' },
      store: { kind: 'temporary' },
      notices: [],
      secrets: [],
    });
    const DATA_DIR = 'here';
    expect(readConfig({ DATA_DIR }).store).toEqual({ kind: 'folder', dataDir: DATA_DIR, isChosen: true });
    expect(config.http).toBeUndefined();
    expect(config.discord).toBeUndefined();
    expect(config.slack).toBeUndefined();
  });
});

describe('the doors', () => {
  it.each(Object.entries(PLATFORMS))(
    'of %s makes others use the bot, whose data is kept',
    (_, environment) => {
      expect(readConfig(environment)).toMatchObject({ isPlatform: true, store: { kind: 'folder' } });
    },
  );

  it.each(Object.entries(PLATFORMS))('of %s has a secret for personal links', (door, environment) => {
    const { pages } = readConfig({ PUBLIC_URL: 'https://example.org', ...environment });
    expect(pages?.linkSecrets).toHaveProperty(door, expect.any(String));
  });

  it('of Discord runs all shards, or a slice of them', () => {
    const read = (DISCORD_SHARDS: string) => readConfig({ DISCORD_TOKEN, DISCORD_SHARDS }).discord?.shards;
    expect(read('Auto')).toEqual({ shards: 'auto' });
    expect(read('5/16')).toEqual({ shards: [5], shardCount: 16 });
    for (const wrong of ['3', '4-2/16', '0-16/16', 'a-b/c']) expect(() => read(wrong)).toThrow('0-3/16');
  });

  it('of Discord opens with a token', () => {
    const config = readConfig({ DISCORD_TOKEN, DISCORD_SHARDS: '0-3/16' });
    expect(config.discord).toEqual({
      token: DISCORD_TOKEN,
      shards: { shards: [0, 1, 2, 3], shardCount: 16 },
      requestsPerSecond: 50,
    });
    expect(config).toMatchObject({
      puzzle: { source: 'newspaper' },
      store: { kind: 'folder', dataDir: 'data', isChosen: false },
      http: { host: '127.0.0.1', port: 8080 },
      secrets: [DISCORD_TOKEN],
    });
    expect(config.web).toBeUndefined();
  });

  it('of Slack opens for one workspace in Socket Mode, or over HTTP', () => {
    expect(readConfig(SLACK).slack).toEqual({
      mode: { kind: 'socket', appToken: SLACK.SLACK_APP_TOKEN },
      workspaces: { kind: 'one', botToken: SLACK.SLACK_BOT_TOKEN },
    });
    const withSecret = { ...SLACK, SLACK_SIGNING_SECRET: 'abcdef0123456789' };
    expect(readConfig(withSecret).slack?.mode.kind).toBe('socket');
    const http = {
      SLACK_BOT_TOKEN: SLACK.SLACK_BOT_TOKEN,
      SLACK_SIGNING_SECRET: 'abcdef0123456789,0123456789abcdef',
    };
    expect(readConfig(http).slack?.mode).toEqual({
      kind: 'http',
      signingSecrets: ['abcdef0123456789', '0123456789abcdef'],
    });
    expect(readConfig(http).secrets).toEqual([SLACK.SLACK_BOT_TOKEN, 'abcdef0123456789', '0123456789abcdef']);
  });

  it('of Slack opens for many workspaces, with keys in rotation', () => {
    expect(readConfig(OAUTH).slack?.workspaces).toEqual({
      kind: 'many',
      clientId: '123.456',
      clientSecret: 'client-secret',
      keys: ['0f'.repeat(32), '1e'.repeat(32)],
      publicUrl: 'https://letterboxed.example.org',
    });
  });

  it('that are set up incompletely are left out with a notice, and the others open', () => {
    const config = readConfig({ ...SLACK, DISCORD_PUBLIC_KEY: 'a'.repeat(64) });
    expect(config.slack).toBeDefined();
    expect(config.discord).toBeUndefined();
    expect(config.notices).toEqual([
      `Discord is left out: DISCORD_TOKEN is missing: expected a bot token: three parts with dots between (see .env.example, line ${exampleLine('DISCORD_TOKEN')})`,
    ]);
    const withoutUrl = readConfig({ ...SLACK, DISCORD_TOKEN, DISCORD_CLIENT_SECRET: 'a'.repeat(32) });
    expect(withoutUrl.notices.join()).toContain('Discord is left out: PUBLIC_URL is missing');
  });

  it('name each setting that is missing for Slack with OAuth', () => {
    const { SLACK_TOKEN_KEYS: _, PUBLIC_URL: __, ...rest } = OAUTH;
    const config = readConfig({ ...rest, DISCORD_TOKEN });
    expect(config.slack).toBeUndefined();
    expect(config.notices.map((notice) => notice.split(' ').slice(4, 7).join(' '))).toEqual([
      'SLACK_TOKEN_KEYS is missing:',
      'PUBLIC_URL is missing:',
    ]);
  });

  it('of Slack with OAuth opens with a notice if a bot token is set, too, which it does not use', () => {
    const config = readConfig({ ...OAUTH, ...SLACK });
    expect(config.slack?.workspaces.kind).toBe('many');
    expect(config.notices.join()).toMatch(/^SLACK_BOT_TOKEN is not used with SLACK_CLIENT_ID/);
  });

  it('that are all set up incompletely keep the bot from starting', () => {
    const problems = problemsOf({ SLACK_BOT_TOKEN: SLACK.SLACK_BOT_TOKEN });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('SLACK_APP_TOKEN is missing');
  });

  it('of pages opens with PUBLIC_URL, and has personal links where a platform has secrets to sign them', () => {
    const PUBLIC_URL = 'https://bot.example.org/games';
    expect(readConfig({}).pages).toBeUndefined();
    expect(readConfig({ PUBLIC_URL })).toMatchObject({
      pages: { publicUrl: PUBLIC_URL },
      http: { host: '127.0.0.1', port: 8080 },
    });
    expect(readConfig({ PUBLIC_URL }).pages?.linkSecrets).toBeUndefined();
    expect(readConfig({ PUBLIC_URL }).site).toBe(PUBLIC_URL);
    expect(publicAddress(`${PUBLIC_URL}/`, '/slack').href).toBe(`${PUBLIC_URL}/slack`);
    const EMBED_ORIGINS = 'https://blog.example.org, http://127.0.0.1:8000';
    expect(readConfig({ PUBLIC_URL, EMBED_ORIGINS }).pages?.embedOrigins).toEqual(EMBED_ORIGINS.split(', '));
    // Pages compare an origin as it is, and a header would read these as several.
    for (const wrong of [
      'https://*',
      `${EMBED_ORIGINS},https://*`,
      'https://*.example.org',
      'https://a;script-src',
      "https://'self'",
    ])
      expect(() => readConfig({ PUBLIC_URL, EMBED_ORIGINS: wrong }), wrong).toThrow('without a path or a *');
    const PUBLIC_SITE = 'https://ada.github.io/boards/';
    expect(readConfig({ PUBLIC_URL, PUBLIC_SITE }).site).toBe(PUBLIC_SITE);
    const { pages: none, site, http } = readConfig({ PUBLIC_SITE });
    expect([none, site, http]).toEqual([undefined, PUBLIC_SITE, undefined]);
  });

  it('of pages sign links with what every role has, and go on while a key is added', () => {
    const PUBLIC_URL = 'https://bot.example.org/games';
    const secretsOf = (environment: Environment) =>
      readConfig({ ...environment, PUBLIC_URL }).pages?.linkSecrets;
    const whole = { ...SLACK, DISCORD_TOKEN, SLACK_SIGNING_SECRET: 'abcdef0123456789' };
    const secrets = { discord: DISCORD_TOKEN, slack: SLACK.SLACK_BOT_TOKEN };
    expect(secretsOf(whole)).toEqual(secrets);
    const ROLE = { ROLE: 'worker', DATABASE_URL: 'postgres://one:secret@host/db' };
    expect(secretsOf({ ...ROLE, DISCORD_TOKEN, SLACK_BOT_TOKEN: SLACK.SLACK_BOT_TOKEN })).toEqual(secrets);
    const [added, old] = OAUTH.SLACK_TOKEN_KEYS.split(', ');
    expect(secretsOf({ ...OAUTH, SLACK_TOKEN_KEYS: old })).toEqual({ slack: old });
    expect(secretsOf({ ...OAUTH, SLACK_TOKEN_KEYS: `${added},${old}` })).toEqual({ slack: old });
  });

  it('of the local chat stays closed when a platform is set up, unless it is set to open', () => {
    expect(readConfig({ DISCORD_TOKEN }).web).toBeUndefined();
    expect(readConfig({ DISCORD_TOKEN, WEB_CHAT: 'on' }).web).toEqual({ port: 3000, outside: false });
    expect(readConfig({ WEB_CHAT: 'outside', WEB_PORT: '0' }).web).toEqual({ port: 0, outside: true });
    expect(problemsOf({ WEB_CHAT: 'off' })[0]).toContain('Nothing to open');
    expect(readConfig({ WEB_CHAT: 'off' }, { opensDoors: false }).web).toBeUndefined();
  });
});

describe('a setting that is wrong', () => {
  it.each([
    ['PORT', '80x0', 'a port'],
    ['PORT', '65536', 'a port'],
    ['PUZZLE_SOURCE', 'times', `one of: ${DAILY_SOURCES.join(', ')}`],
    [
      'EMBED_ORIGINS',
      'https://blog.example.org/',
      'origins such as https://blog.example.org, without a path',
    ],
    ['PUBLIC_URL', 'https://bot.example.org/?page=1', 'an address such as https://letterboxed.example.org'],
    ['DATABASE_URL', 'mysql://root@host/db', 'an address such as postgres://'],
    ['DATABASE_URL', 'postgres:/one:secret@host/db', 'an address such as postgres://'],
    ['ROLE', 'boss', 'one of: all, gateway, interactions, web, worker'],
    ['HOST', 'a b', 'an address of this machine'],
  ])('is named with what was expected and its line in .env.example: %s=%s', (name, value, expected) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name}: expected `));
    expect(problems[0]).toContain(expected);
    const line = Number(/\.env\.example, line (\d+)/.exec(problems[0]!)?.[1]);
    expect(EXAMPLE.split('\n')[line - 1]).toBe(`${name}=`);
  });

  it('is a port of its own for the health pages or the local chat that is the other one', () => {
    expect(problemsOf({ PORT: '3000' })).toEqual([
      expect.stringMatching(/^WEB_PORT and PORT are both 3000 \(/),
    ]);
    expect(problemsOf({ HEALTH_PORT: '3000' })[0]).toMatch(/^WEB_PORT and HEALTH_PORT are both 3000 \(/);
    const ports = SETTINGS.filter(({ kind }) => kind.expected.startsWith('a port'));
    for (const [index, one] of ports.entries())
      for (const other of ports.slice(0, index))
        expect(problemsOf({ [one.name]: '4000', [other.name]: '4000' })).toHaveLength(1);
    // The terminal opens none of them.
    expect(readConfig({ PORT: '3000' }, { opensDoors: false }).web?.port).toBe(3000);
    expect(problemsOf({ PORT: '3000', WEB_CHAT: 'outside', HOST: '::1' })).toHaveLength(1);
    expect(readConfig({ PORT: '3000', DISCORD_TOKEN }).http?.port).toBe(3000);
    expect(readConfig({ PORT: '0', WEB_PORT: '0' }).web?.port).toBe(0);
    expect(problemsOf({ PORT: '80', HEALTH_PORT: '80' })[0]).toMatch(
      /^HEALTH_PORT and PORT are both 80 \(see \.env\.example, line \d+\)$/,
    );
    expect(problemsOf({ DISCORD_TOKEN, HOST: '0.0.0.0', HEALTH_PORT: '8080' })).toHaveLength(1);
    expect(readConfig({ PORT: '80', HOST: '::1', HEALTH_PORT: '80' }).health).toEqual({
      host: '127.0.0.1',
      port: 80,
    });
    expect(readConfig({ PORT: '0', HEALTH_PORT: '0' }).health?.port).toBe(0);
  });

  it('is reported together with all others', () => {
    expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'loud', DISCORD_TOKEN: 'short' })).toHaveLength(3);
  });

  it('never shows what a secret was set to', () => {
    // Logs leave it out as a whole.
    const DATABASE_URL = 'postgres://one:a,b@host/db';
    expect(readConfig({ DATABASE_URL }).secrets).toEqual([DATABASE_URL]);
    fc.assert(
      fc.property(
        fc.constantFrom(...SETTINGS),
        fc.stringMatching(/^[a-z]{3}[\w.:/-]{9,30}$/),
        (setting, value) => {
          fc.pre(setting.secret === true);
          const config = (() => {
            try {
              return readConfig({ [setting.name]: value }).notices.join();
            } catch (error) {
              return (error as Error).message;
            }
          })();
          expect(config).not.toContain(value);
        },
      ),
    );
  });

  it('is refused for a role that needs other processes without a database', () => {
    expect(problemsOf({ DISCORD_TOKEN, ROLE: 'worker' })[0]).toContain('DATABASE_URL is missing');
    expect(readConfig({ DISCORD_TOKEN, ROLE: 'worker', DATABASE_URL: 'postgres://a@b/c' }).role).toBe(
      'worker',
    );
  });
});

it('a setting is secret if its name says so, or if it may hold a password', () => {
  const isNamedSecret = (name: string) => /TOKEN|SECRET|KEY|PASSWORD|^DATABASE_URL$/.test(name);
  const others = SETTINGS.filter(({ name, secret = false }) => isNamedSecret(name) !== secret);
  expect(others.map(({ name }) => name)).toEqual(['DISCORD_PUBLIC_KEY']);
});

describe('names', () => {
  it.each([
    ['DISCORD_TOKN', 'DISCORD_TOKEN'],
    ['SLACK_TOKEN_KEY', 'SLACK_TOKEN_KEYS'],
    ['PUZZEL_SOURCE', 'PUZZLE_SOURCE'],
    ['PUZZLE_SORCE', 'PUZZLE_SOURCE'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['WORD_FILE', 'WORDS_FILE'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['DSCORD_TOKEN', 'DISCORD_TOKEN'],
    ['HEALT_PORT', 'HEALTH_PORT'],
  ])('that are a slip away from ours are spoken of: %s', (name, meant) => {
    const { notices } = readConfig({ [name]: 'x' });
    expect(notices).toEqual([
      expect.stringContaining(`${name} is not a setting of this program; ${meant} is`),
    ]);
  });

  it('of other programs, and those of tests, are not', () => {
    const others = {
      PATH: '/bin',
      HOME: '/root',
      HOSTNAME: 'h',
      POST: '1',
      DB_PORT: '1',
      LOGNAME: 'root',
      DATADOG_KEY: 'k',
      WEBPACK: '1',
      SLACK_BOT_ID: 'B1',
      ...Object.fromEntries(OVERRIDES.map((name) => [name, 'http://127.0.0.1:1'])),
    };
    expect(readConfig(others).notices).toEqual([]);
  });
});

describe('.env', () => {
  it('completes the environment, which goes before it', () => {
    const folder = makeFolder();
    const file = join(folder, '.env');
    writeFileSync(file, '# mine\nPORT=4000\nWORDS_FILE="my words.txt"\nLOG_LEVEL=\n');
    const environment = readEnvironment({ PORT: '5000', HOME: '/x' }, file);
    expect(environment).toEqual({ PORT: '5000', HOME: '/x', WORDS_FILE: 'my words.txt', LOG_LEVEL: '' });
    expect(process.env.WORDS_FILE).toBeUndefined();
    // The encoding of Windows' shell: nothing in it would be found.
    writeFileSync(file, '\ufeffPORT=4000\n', 'utf16le');
    expect(() => readEnvironment({}, file)).toThrow(`${file} is not plain text`);
    writeFileSync(file, '\ufeffPORT=4000\r\n');
    expect(readEnvironment({}, file)).toEqual({ PORT: '4000' });
    expect(() => readEnvironment({}, folder)).toThrow(`${folder} is there but can't be read (EISDIR).`);
  });

  it('need not be there', () => {
    expect(readEnvironment({ A: '1' }, '/nowhere/.env')).toEqual({ A: '1' });
  });
});
