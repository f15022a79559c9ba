import { DAILY_SOURCES } from '../puzzle/types.ts';
import {
  address,
  choice,
  count,
  flag,
  type Kind,
  pattern,
  port,
  several,
  shards,
  site,
  text,
} from './kinds.ts';

/** One environment variable, declared once: the program, `.env.example` and the messages all go by it. */
export interface Setting<Value = unknown> {
  readonly name: string;
  readonly kind: Kind<Value>;
  /** What it is for, in whole sentences. */
  readonly about: string;
  /** As it would be written in the environment. */
  readonly default?: string;
  /** Shown where there is no default to show. */
  readonly example?: string;
  /** Never shown, not even in messages about it. */
  readonly secret?: true;
}

export interface Chapter {
  readonly title: string;
  readonly settings: readonly Setting[];
}

/** `bot`: talks to the platforms; `worker`: posts the daily threads; `web`: takes requests over HTTP. */
export const ROLES = ['all', 'bot', 'worker', 'web'] as const;
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
/** `auto`: when no chat platform is set up; `outside`: reachable from other machines. */
export const WEB_CHATS = ['auto', 'on', 'off', 'outside'] as const;

const SLACK_KEY = /^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/;

const puzzle = [
  {
    name: 'PUZZLE_SOURCE',
    kind: choice(DAILY_SOURCES),
    about:
      'Where the board of the day comes from. newspaper: the New York Times, whose terms restrict automated ' +
      'use and archiving: you decide. house: made up here, without a request. off: only what people type. ' +
      'Unset, it is newspaper, but house while nothing but the local chat is set up.',
    example: 'newspaper',
  },
  {
    name: 'NEWSPAPER_URL',
    kind: site('https://www.nytimes.com'),
    about: 'Another address for the newspaper: a proxy, or a stand-in for tests.',
    example: 'https://www.nytimes.com',
  },
  {
    name: 'CONTACT',
    kind: pattern(/^[!-'*-~]{3,200}$/, 'a mail or web address, without spaces or brackets'),
    about:
      'Where the newspaper can reach you: told with each request to it, and to nobody else. Unset, requests ' +
      'carry the name and version of this program alone.',
    example: 'you@example.org',
  },
  {
    name: 'LEARN_WORDS',
    kind: flag,
    default: 'on',
    about: 'Keep which words the newspaper took and which not, to do better on boards typed by hand.',
  },
  {
    name: 'WORDS_FILE',
    kind: text,
    about:
      'Your own word list, one word a line; with a plus in front (+words.txt) it adds to the built-in one.',
    example: '+words.txt',
  },
] as const satisfies Setting[];

const store = [
  {
    name: 'DATA_DIR',
    kind: text,
    default: 'data',
    about:
      'The folder of the SQLite database. Unused with DATABASE_URL. With the local chat alone nothing is kept ' +
      'unless it is set here.',
  },
  {
    name: 'DATABASE_URL',
    kind: address(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/letterboxed'),
    about:
      'PostgreSQL instead of SQLite, for hosts that lose their disk and for several processes. ' +
      'TLS by ?sslmode=verify-full, or no-verify where the host signs its own certificates.',
    example: 'postgres://user:password@host:5432/letterboxed?sslmode=verify-full',
    secret: true,
  },
] as const satisfies Setting[];

const discord = [
  {
    name: 'DISCORD_TOKEN',
    kind: pattern(/^[\w-]+\.[\w-]+\.[\w-]+$/, 'a bot token: three parts with dots between'),
    about: 'The bot token of the application, from its page "Bot". It opens the Discord door.',
    secret: true,
  },
  {
    name: 'DISCORD_GUILD_ID',
    kind: pattern(/^\d{17,20}$/, "a server's id: 17 to 20 digits"),
    about: 'Registers the commands in this server only, where changes show at once: for development.',
    example: '123456789012345678',
  },
  {
    name: 'DISCORD_REGISTER',
    kind: flag,
    default: 'on',
    about: 'Register the commands at start when they have changed. Off: only npm run register does.',
  },
  {
    name: 'DISCORD_SHARDS',
    kind: shards,
    default: 'auto',
    about: 'Which shards this process holds: as many as Discord advises, or a slice of all.',
  },
  {
    name: 'DISCORD_REQUESTS_PER_SECOND',
    kind: count(1, 1_000),
    default: '50',
    about:
      'What this process may send of the 50 that Discord takes from a bot. Several processes share them.',
  },
  {
    name: 'DISCORD_API_URL',
    kind: site('https://discord.com/api'),
    about: 'Another address for Discord, such as a REST proxy that a fleet shares.',
    example: 'https://discord.com/api',
  },
] as const satisfies Setting[];

const slack = [
  {
    name: 'SLACK_BOT_TOKEN',
    kind: pattern(/^xoxb-[\w-]+$/, 'a bot token: it begins with xoxb-'),
    about: 'One workspace: the "Bot User OAuth Token" of the app as installed there.',
    example: 'xoxb-…',
    secret: true,
  },
  {
    name: 'SLACK_APP_TOKEN',
    kind: pattern(/^xapp-[\w-]+$/, 'an app-level token: it begins with xapp-'),
    about: 'Socket Mode, which needs no public address: an app-level token with connections:write.',
    example: 'xapp-…',
    secret: true,
  },
  {
    name: 'SLACK_SIGNING_SECRET',
    kind: several(pattern(/^[0-9a-zA-Z]{16,}$/, 'a signing secret: letters and digits')),
    about: 'HTTP instead of Socket Mode: Slack sends to PORT, and signs with this.',
    secret: true,
  },
  {
    name: 'SLACK_CLIENT_ID',
    kind: pattern(/^\d+\.\d+$/, 'a client id: two numbers with a dot between'),
    about: 'Many workspaces, each installing by OAuth from the page /slack/install; then no SLACK_BOT_TOKEN.',
    example: '1234567890.1234567890',
  },
  {
    name: 'SLACK_CLIENT_SECRET',
    kind: pattern(/^\S{8,}$/, 'a client secret'),
    about: 'Goes with SLACK_CLIENT_ID.',
    secret: true,
  },
  {
    name: 'SLACK_STATE_SECRET',
    kind: pattern(/^.{16,}$/, 'at least 16 characters of your own making'),
    about: 'Goes with SLACK_CLIENT_ID: signs installations under way. Such as from openssl rand -hex 32.',
    secret: true,
  },
  {
    name: 'SLACK_TOKEN_KEYS',
    kind: several(pattern(SLACK_KEY, '32 random bytes, as 64 hexadecimal digits or base64')),
    about:
      'Goes with SLACK_CLIENT_ID: seals the tokens of workspaces in the store. Make one with openssl rand ' +
      '-hex 32. To change it, put the new one in front of the old one.',
    secret: true,
  },
  {
    name: 'PUBLIC_URL',
    kind: site('https://letterboxed.example.org'),
    about: 'Goes with SLACK_CLIENT_ID: where browsers reach this process, for the way back from Slack.',
    example: 'https://letterboxed.example.org',
  },
  {
    name: 'SLACK_API_URL',
    kind: site('https://slack.com/api/'),
    about: 'Another address for Slack, such as GovSlack or a proxy.',
    example: 'https://slack.com/api/',
  },
] as const satisfies Setting[];

const web = [
  {
    name: 'WEB_CHAT',
    kind: choice(WEB_CHATS),
    default: 'auto',
    about:
      'The local chat, a page to try everything. auto: when no chat platform is set up. It has no log-in: ' +
      'whoever reaches it can act as anyone, so it listens to this machine only, unless set to outside.',
  },
  {
    name: 'WEB_PORT',
    kind: port,
    default: '3000',
    about: 'Where the local chat listens.',
  },
] as const satisfies Setting[];

const running = [
  {
    name: 'ROLE',
    kind: choice(ROLES),
    default: 'all',
    about:
      'What this process does. bot: answers people over the lines it keeps open to the platforms. worker: ' +
      'posts the daily threads. web: answers what comes in over HTTP. Anything but all needs DATABASE_URL.',
  },
  {
    name: 'PORT',
    kind: port,
    default: '8080',
    about: 'Where /healthz, /readyz and /metrics are, and where Slack sends to over HTTP.',
  },
  {
    name: 'HOST',
    kind: pattern(/^[\w.:-]+$/, 'an address of this machine, such as 127.0.0.1 or 0.0.0.0'),
    default: '127.0.0.1',
    about: 'The address PORT is opened on: 0.0.0.0 for every way into this machine.',
  },
  {
    name: 'LOG_LEVEL',
    kind: choice(LOG_LEVELS),
    default: 'info',
    about: 'How much is said on standard output.',
  },
] as const satisfies Setting[];

export const CHAPTERS = [
  { title: 'The puzzle of the day', settings: puzzle },
  { title: 'What is kept', settings: store },
  { title: 'Discord', settings: discord },
  { title: 'Slack', settings: slack },
  { title: 'The local chat', settings: web },
  { title: 'The process', settings: running },
] as const satisfies Chapter[];

type Declared = (typeof CHAPTERS)[number]['settings'][number];
export type SettingName = Declared['name'];

/** What the environment said, read: undefined where a setting without a default is not set. */
export type Values = {
  readonly [One in Declared as One['name']]: One extends { kind: Kind<infer Value> }
    ? One extends { default: string }
      ? Value
      : Value | undefined
    : never;
};

export const SETTINGS: readonly (Setting & { readonly name: SettingName })[] = CHAPTERS.flatMap<Declared>(
  ({ settings }) => settings,
);
