import { DAILY_SOURCES } from '../puzzle/types.ts';

/** The kinds of settings: what is expected, in words, and how a text becomes a value. */
interface Kind<Value> {
  /** Completes `expected …`. */
  readonly expected: string;
  readonly choices?: readonly string[];
  /** Undefined for what can't be read. */
  read(text: string): Value | undefined;
}

const text: Kind<string> = { expected: 'any text', read: (given) => given };

function choice<const Choices extends readonly string[]>(choices: Choices): Kind<Choices[number]> {
  return {
    expected: `one of: ${choices.join(', ')}`,
    choices,
    read: (given) => choices.find((one) => one === given.toLowerCase()),
  };
}

const MAX_PORT = 65_535;
const port: Kind<number> = {
  ...count(0, MAX_PORT),
  expected: `a port, from 0 (any that is free) to ${MAX_PORT}`,
};

function count(least: number, most: number): Kind<number> {
  return {
    expected: `a whole number from ${least} to ${most}`,
    read: (given) =>
      /^\d{1,9}$/.test(given) && Number(given) >= least && Number(given) <= most ? Number(given) : undefined,
  };
}

/**
 * An address of one of these protocols, as it was written. If its slashes were missing, a password in it would be taken for a
 * part of the path, and be logged.
 */
function address(protocols: readonly string[], example: string): Kind<string> {
  return {
    expected: `an address such as ${example}`,
    read: (given) =>
      /^\w+:\/\//.test(given) && protocols.includes(URL.parse(given)?.protocol ?? '') ? given : undefined,
  };
}

/**
 * An origin exactly as browsers write it, since pages compare the texts. Other characters could mean something in a header.
 *
 * @example origin.read('https://blog.example.org')
 */
export const origin: Kind<string> = {
  expected: 'origins such as https://blog.example.org, without a path or a *',
  read: (given) =>
    /^https?:\/\/[\w.:[\]-]+$/.test(given) && URL.parse(given)?.origin === given ? given : undefined,
};

/** A site to which paths are added. */
function publicSite(example: string): Kind<string> {
  const { expected, read } = address(['http:', 'https:'], example);
  return { expected, read: (given) => (/[?#]/.test(given) ? undefined : read(given)) };
}

function pattern(shape: RegExp, expected: string): Kind<string> {
  return { expected, read: (given) => (shape.test(given) ? given : undefined) };
}

const host = pattern(/^[\w.:-]+$/, 'an address of this machine, such as 127.0.0.1 or 0.0.0.0');

/** All shards of a bot, or a slice of them, as options of discord.js. */
const shards: Kind<{ readonly shards: 'auto' | number[]; readonly shardCount?: number }> = {
  expected: '"auto", or a slice such as 0-3/16: the first and last shard, and how many there are',
  read(given) {
    if (given.toLowerCase() === 'auto') return { shards: 'auto' };
    const slice = /^(\d{1,5})(?:-(\d{1,5}))?\/(\d{1,5})$/.exec(given);
    if (slice === null) return undefined;
    const [, from, to = from, total] = slice;
    const [first, last, shardCount] = [Number(from), Number(to), Number(total)];
    if (first > last || last >= shardCount) return undefined;
    return { shards: Array.from({ length: last - first + 1 }, (_, at) => first + at), shardCount };
  },
};

/** A secret, or while it is changed a list of the new and the old ones, each of which is accepted. */
function rotated<Value>(kind: Kind<Value>): Kind<readonly Value[]> {
  return { ...list(kind), expected: `${kind.expected}; two with a comma between while they are changed` };
}

export function list<Value>(kind: Kind<Value>): Kind<readonly Value[]> {
  return {
    expected: `${kind.expected}, with commas between them`,
    read(given) {
      const values = given.split(',').map((part) => kind.read(part.trim()));
      return values.every((value) => value !== undefined) ? (values as Value[]) : undefined;
    },
  };
}

/** One environment variable. Its only declaration: its type, `.env.example` and messages follow from it. */
export interface Setting<Value = unknown> {
  readonly name: string;
  readonly kind: Kind<Value>;
  /** What it is for, in whole sentences. */
  readonly about: string;
  /** Written as in the environment. */
  readonly default?: string;
  /** Shown where there is no default to show. */
  readonly example?: string;
  /** Never shown, not even in messages about it. */
  readonly secret?: true;
}

interface Chapter {
  readonly title: string;
  readonly settings: readonly Setting[];
}

/** What each does is in docs/hosting.md, "Several processes". */
export const ROLES = ['all', 'gateway', 'interactions', 'web', 'worker'] as const;
const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
const WEB_CHATS = ['auto', 'on', 'off', 'outside'] as const;

const PUZZLE = [
  {
    name: 'PUZZLE_SOURCE',
    kind: choice(DAILY_SOURCES),
    about:
      'Where the board of the day comes from. newspaper: the New York Times, whose terms restrict ' +
      'automated use and archiving, so the decision is yours. house: generated here, without any request. ' +
      'off: only what people type. The default is newspaper, or house while no chat platform is set up.',
  },
  {
    name: 'WORDS_FILE',
    kind: text,
    about:
      'Your own word list, with one word on each line, such as /usr/share/dict/words. With a plus in front ' +
      '(+words.txt), it is added to the built-in list. Lines that are not words of plain letters are left out.',
    example: '+words.txt',
  },
] as const satisfies Setting[];

const STORE = [
  {
    name: 'DATA_DIR',
    kind: text,
    default: 'data',
    about:
      'The folder of the SQLite database. Not used with DATABASE_URL. If only the local chat is open, ' +
      'nothing is stored unless this is set here.',
  },
  {
    name: 'DATABASE_URL',
    kind: address(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/letterboxed'),
    about:
      'PostgreSQL instead of SQLite, for hosts without a permanent disk and for several processes. Nothing is moved from ' +
      'SQLite: threads, results and settings begin anew. For TLS, add ' +
      '?sslmode=verify-full, or ?sslmode=no-verify if the host signs its own certificates.',
    example: 'postgres://user:password@host:5432/letterboxed?sslmode=verify-full',
    secret: true,
  },
] as const satisfies Setting[];

export const DISCORD = [
  {
    name: 'DISCORD_TOKEN',
    kind: pattern(/^[\w-]+\.[\w-]+\.[\w-]+$/, 'a bot token: three parts with dots between'),
    about: 'The bot token, from the page "Bot" of the application. With it, the bot connects to Discord.',
    secret: true,
  },
  {
    name: 'DISCORD_PUBLIC_KEY',
    kind: pattern(/^[0-9a-f]{64}$/i, 'the public key of the application: 64 digits and letters from a to f'),
    about:
      'Takes commands over HTTP, at /discord/interactions on PORT, from the "Interactions Endpoint URL" that is set on the ' +
      'page "General Information" of the application; the key is there, too.',
  },
  {
    name: 'DISCORD_CLIENT_SECRET',
    kind: pattern(/^[\w-]{16,64}$/, 'a client secret: letters, digits, - and _'),
    about:
      'Opens the board inside Discord, as an Activity, where Play is pressed; docs/discord.md has the steps. It is on the page ' +
      '"OAuth2" of the application. Needs PUBLIC_URL.',
    secret: true,
  },
  {
    name: 'DISCORD_SHARDS',
    kind: shards,
    default: 'auto',
    about: 'Which shards this process runs: as many as Discord recommends, or a range of all shards.',
  },
  {
    name: 'DISCORD_REQUESTS_PER_SECOND',
    kind: count(1, 1_000),
    default: '50',
    about:
      'The most requests per second; Discord allows a bot 50, unless it has agreed to more. Processes on one ' +
      'PostgreSQL share them. If several run without it, give each a part of them.',
  },
] as const satisfies Setting[];

const SLACK_KEY = /^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/;

export const SLACK = [
  {
    name: 'SLACK_BOT_TOKEN',
    kind: pattern(/^xoxb-[\w-]+$/, 'a bot token: it begins with xoxb-'),
    about: 'For one workspace: the "Bot User OAuth Token" of the app as installed there.',
    example: 'xoxb-…',
    secret: true,
  },
  {
    name: 'SLACK_APP_TOKEN',
    kind: pattern(/^xapp-[\w-]+$/, 'an app-level token: it begins with xapp-'),
    about: 'For Socket Mode, which needs no public address: an app-level token with connections:write.',
    example: 'xapp-…',
    secret: true,
  },
  {
    name: 'SLACK_SIGNING_SECRET',
    kind: rotated(pattern(/^[0-9a-zA-Z]{16,}$/, 'a signing secret: letters and digits')),
    about: 'For HTTP instead of Socket Mode: Slack sends its requests to PORT, signed with this secret.',
    secret: true,
  },
  {
    name: 'SLACK_CLIENT_ID',
    kind: pattern(/^\d+\.\d+$/, 'a client id: two numbers with a dot between'),
    about:
      'For many workspaces: each installs the app by OAuth on the page /slack/install. Leave ' +
      'SLACK_BOT_TOKEN empty then.',
    example: '1234567890.1234567890',
  },
  {
    name: 'SLACK_CLIENT_SECRET',
    kind: pattern(/^\S{8,}$/, 'a client secret'),
    about: 'Required with SLACK_CLIENT_ID.',
    secret: true,
  },
  {
    name: 'SLACK_TOKEN_KEYS',
    kind: rotated(pattern(SLACK_KEY, '32 random bytes, as 64 hexadecimal digits or base64')),
    about:
      'Required with SLACK_CLIENT_ID: encrypts the tokens of workspaces in the database. You can make one ' +
      'with openssl rand -hex 32. To change the key, put the new one in front of the old one.',
    secret: true,
  },
] as const satisfies Setting[];

const WEB = [
  {
    name: 'WEB_CHAT',
    kind: choice(WEB_CHATS),
    default: 'auto',
    about:
      'The local chat, a web page for trying everything out. auto: open if no chat platform is set up. It ' +
      'has no login: everybody who can open it can act as any person, so it listens on this machine only, ' +
      'unless this is set to outside.',
  },
  {
    name: 'WEB_PORT',
    kind: port,
    default: '3000',
    about: 'The port of the local chat.',
  },
  {
    name: 'WEB_HOSTS',
    kind: list(pattern(/^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-fA-F:.]+\])$/, 'names and addresses, without ports')),
    about:
      'With WEB_CHAT=outside: the names and addresses under which browsers may open the local chat, with commas ' +
      'between. By default, these are the name and the addresses of this machine. Requests under other names are ' +
      "refused, because a foreign page could send them through somebody's browser.",
    example: 'letterboxed.example.org, 192.0.2.7',
  },
] as const satisfies Setting[];

const PROCESS = [
  {
    name: 'ROLE',
    kind: choice(ROLES),
    default: 'all',
    about:
      'What this process does. gateway: answers people over the connections it keeps open to the platforms. ' +
      'interactions: answers people whose commands the platforms send over HTTP. web: the same, the site ' +
      'and personal pages. worker: posts the daily threads. Every role but all needs DATABASE_URL.',
  },
  {
    name: 'PORT',
    kind: port,
    default: '8080',
    about:
      "The port of the site, of personal pages and of Slack's requests over HTTP, and, without HEALTH_PORT, of /healthz, /readyz and " +
      '/metrics; there, the last two refuse requests that a proxy has forwarded.',
  },
  {
    name: 'HOST',
    kind: host,
    default: '127.0.0.1',
    about: 'The address that PORT is opened on; 0.0.0.0 for all network interfaces of this machine.',
  },
  {
    name: 'HEALTH_PORT',
    kind: port,
    about: 'A port of their own for /healthz, /readyz and /metrics.',
    example: '8081',
  },
  {
    name: 'HEALTH_HOST',
    kind: host,
    default: '127.0.0.1',
    about: 'The address that HEALTH_PORT is opened on.',
  },
  {
    name: 'PUBLIC_URL',
    kind: publicSite('https://letterboxed.example.org'),
    about:
      'The address at which browsers reach PORT, through a web server with TLS; it may have a path. With it, ' +
      'the bot serves the site, and Play on Discord and Slack has a personal link. Required with ' +
      'SLACK_CLIENT_ID, to return from Slack after an installation.',
    example: 'https://letterboxed.example.org',
  },
  {
    name: 'PUBLIC_SITE',
    kind: publicSite('https://you.github.io/letterboxed'),
    about:
      'The address of the site where somebody else hosts its files: links to boards lead there, rather than to PUBLIC_URL.',
    example: 'https://you.github.io/letterboxed',
  },
  {
    name: 'EMBED_ORIGINS',
    kind: list(origin),
    about: 'Whose pages may show a board of the site in a frame. Without it, nobody’s.',
    example: 'https://blog.example.org',
  },
  {
    name: 'OPERATOR',
    kind: text,
    about:
      'Who runs this installation, for its pages /privacy and /terms on PORT: a person or an organization.',
    example: 'Ada Lovelace',
  },
  {
    name: 'OPERATOR_CONTACT',
    kind: pattern(
      // The contact stands in brackets in the header that tells the newspaper who asks, and after mailto: in a link.
      /^(?:https?:\/\/[!-'*-~]{3,200}|[!-'*-9;=?-~]{1,100}@[!-'*-9;=?-~]{3,100})$/,
      'a mail address, or a web address with https://, without brackets or mailto:',
    ),
    about:
      'Where you can be reached: shown on the same pages, and sent with each request to the newspaper. Without it, these carry ' +
      'only the name and version of this program.',
    example: 'ada@example.org',
  },
  {
    name: 'WORKERS',
    kind: count(0, 16),
    default: '2',
    about:
      'Threads for what could keep everybody waiting, such as solving large boards. They start when they are ' +
      'first needed, and so do two more, for pictures. 0: only the pictures that people send have a thread beside the one that answers.',
  },
  {
    name: 'LOG_LEVEL',
    kind: choice(LOG_LEVELS),
    about:
      'The least severe log lines that are written to standard output. Without it: info, or warn if that is a terminal.',
  },
] as const satisfies Setting[];

export const CHAPTERS = [
  { title: 'The puzzle of the day', settings: PUZZLE },
  { title: 'The database', settings: STORE },
  { title: 'Discord', settings: DISCORD },
  { title: 'Slack', settings: SLACK },
  { title: 'The local chat', settings: WEB },
  { title: 'The process', settings: PROCESS },
] as const satisfies Chapter[];

type Declared = (typeof CHAPTERS)[number]['settings'][number];
export type SettingName = Declared['name'];

type ValueOf<One> = One extends { kind: Kind<infer Value> } ? Value : never;

/** The values of the environment, by the names of the settings. Settings without a default may be missing. */
export type Values = {
  readonly [One in Declared as One['name']]: One extends { default: string }
    ? ValueOf<One>
    : ValueOf<One> | undefined;
};

export const SETTINGS: readonly (Setting & { readonly name: SettingName })[] = CHAPTERS.flatMap<Declared>(
  ({ settings }) => settings,
);
