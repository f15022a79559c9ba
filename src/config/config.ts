import {
  ConfigError,
  type Environment,
  likelyTypos,
  missing,
  overrideOf,
  type Problem,
  readEnvironment,
  readValues,
  whereIs,
} from './read.ts';
import { DISCORD, SETTINGS, type Setting, type SettingName, SLACK, type Values } from './settings.ts';

export type Role = Values['ROLE'];

/** All that the environment decides, read once at start. */
export interface Config {
  readonly role: Role;
  readonly logLevel?: Values['LOG_LEVEL'];
  readonly workers: number;
  readonly puzzle: {
    readonly source: NonNullable<Values['PUZZLE_SOURCE']>;
    readonly wordsFile?: string;
    readonly newspaperUrl?: string;
  };
  /**
   * `temporary`: for trying things out, deleted when the process ends. `isChosen`: `DATA_DIR` is set, rather than
   * its default.
   */
  readonly store:
    | { readonly kind: 'folder'; readonly dataDir: string; readonly isChosen: boolean }
    | { readonly kind: 'postgres'; readonly databaseUrl: string; readonly dataDir: string }
    | { readonly kind: 'temporary' };
  /** Whether a chat platform is set up: then others than the operator may use the bot. */
  readonly isPlatform: boolean;
  readonly discord?: DiscordConfig;
  readonly slack?: SlackConfig;
  /** `hosts`: the names under which other machines may open it; without it, this machine's own. */
  readonly web?: { readonly port: number; readonly outside: boolean; readonly hosts?: readonly string[] };
  readonly pages?: PagesConfig;
  /** Where boards have a page for everybody. */
  readonly site?: string;
  /** The port of the site, Slack over HTTP and the health pages. Needs a chat platform, or that PORT or PUBLIC_URL is set. */
  readonly http?: { readonly host: string; readonly port: number };
  /** Set if the health pages have an address of their own. */
  readonly health?: { readonly host: string; readonly port: number };
  /** Who runs this installation, for the people who use it. */
  readonly operator: { readonly name?: string; readonly contact?: string }; // A mail or web address.
  /** Things that the operator should know although the program can run: doors left out, misspelled names. */
  readonly notices: readonly string[];
  /** Values that must never appear in logs or answers. */
  readonly secrets: readonly string[];
}

export interface PagesConfig {
  /** Where browsers reach `PORT`; it may have a path. */
  readonly publicUrl: string;
  /** Origins that may show a board of the site in a frame. */
  readonly embedOrigins?: readonly string[];
  /** Secrets that sign personal links, by door. Processes of every role need them; a door without one makes no links. */
  readonly linkSecrets?: LinkSecrets;
}

export type LinkSecrets = Readonly<Partial<Record<'discord' | 'slack', string>>>;

export type LinkConfig = Required<Pick<PagesConfig, 'publicUrl' | 'linkSecrets'>>;

/**
 * The address of a path below `PUBLIC_URL`, which may have a path of its own.
 *
 * @example publicAddress('https://example.org/games', '/slack/install').href // 'https://example.org/games/slack/install'
 */
export function publicAddress(publicUrl: string, path = '/'): URL {
  return new URL(`${publicUrl.replace(/\/+$/, '')}${path}`);
}

export interface DiscordConfig {
  readonly token: string;
  readonly publicKey?: string;
  readonly clientSecret?: string;
  readonly shards: Values['DISCORD_SHARDS'];
  readonly requestsPerSecond: number;
  readonly apiUrl?: string;
}

export interface SlackConfig {
  readonly apiUrl?: string;
  /** `posts`: receives nothing, as ROLE is not `all`, and neither SLACK_APP_TOKEN nor SLACK_SIGNING_SECRET is set. */
  readonly mode:
    | { readonly kind: 'posts' }
    | { readonly kind: 'socket'; readonly appToken: string }
    /** All signing secrets that are valid at the moment. */
    | { readonly kind: 'http'; readonly signingSecrets: readonly string[] };
  readonly workspaces:
    | { readonly kind: 'one'; readonly botToken: string }
    | {
        readonly kind: 'many';
        readonly clientId: string;
        readonly clientSecret: string;
        /** The first of them encrypts the tokens in the store; each of them decrypts. */
        readonly keys: readonly string[];
        readonly publicUrl: string;
      };
}

/**
 * The settings of the installation in this folder: the environment, completed by `.env`. The bot, the terminal
 * and the scripts all read them here.
 *
 * @throws ConfigError
 */
export function readSettings(environment: Environment, { opensDoors = true } = {}): Config {
  return readConfig(readEnvironment(environment, '.env'), { opensDoors });
}

/**
 * @param opensDoors false for programs that open no door, such as the terminal: then none has to be set up. A door that is set
 * up wrongly still is a problem, since where things are stored depends on it.
 * @example readConfig({ ...process.env, PORT: '0' }).http // { host: '127.0.0.1', port: 0 }
 */
export function readConfig(environment: Environment, { opensDoors = true } = {}): Config {
  // A malformed value is undefined, although the types of settings with a default don't say so.
  const { values, problems } = readValues(environment);
  const discord = discordFrom(values, problems, overrideOf(environment, 'DISCORD_API_URL'));
  const slack = slackFrom(values, problems, overrideOf(environment, 'SLACK_API_URL'));
  const platforms = { Discord: discord, Slack: slack };
  const problemsOfDoors = Object.values(platforms).flatMap((platform) => platform.problems);
  const otherProblems = problems
    .map(({ message }) => message)
    .filter((message) => !problemsOfDoors.includes(message));
  const isPlatform = Object.values(platforms).some(({ config }) => config !== undefined);
  const web = webFrom(values, isPlatform || problemsOfDoors.length > 0);
  const { ROLE, HEALTH_PORT, PUBLIC_URL } = values;
  if (ROLE !== undefined && ROLE !== 'all' && values.DATABASE_URL === undefined) {
    otherProblems.push(`ROLE ${ROLE} shares its work with other processes. ${missing('DATABASE_URL')}`);
  }
  const opensPort = isPlatform || isSet(environment, 'PORT') || PUBLIC_URL !== undefined;
  const ports = [
    ['PORT', opensPort ? values.PORT : 0, values.HOST],
    ['HEALTH_PORT', HEALTH_PORT, values.HEALTH_HOST],
    ['WEB_PORT', web?.port, web?.outside ? '0.0.0.0' : '127.0.0.1'],
  ] as const;
  for (const [index, [name, port, host]] of opensDoors ? ports.entries() : []) {
    for (const [other, otherPort, otherHost] of ports.slice(0, index)) {
      if (port && port === otherPort && (host === otherHost || [host, otherHost].includes('0.0.0.0')))
        otherProblems.push(`${name} and ${other} are both ${port} (${whereIs(name)})`);
    }
  }
  const opensNothing = !isPlatform && web === undefined;
  // Problems of a door only matter if no other door opens. Otherwise that door is left out, with a notice.
  if (otherProblems.length > 0 || (opensNothing && problemsOfDoors.length > 0))
    throw new ConfigError([...otherProblems, ...problemsOfDoors]);
  if (opensNothing && opensDoors) {
    const nothing = 'Nothing to open: WEB_CHAT is off, and no chat platform is set up.';
    throw new ConfigError([`${nothing} ${missing('DISCORD_TOKEN')}`]);
  }

  return {
    role: ROLE,
    logLevel: values.LOG_LEVEL,
    workers: values.WORKERS,
    puzzle: {
      // Somebody who only tries the bot out should not send requests to the newspaper.
      source: values.PUZZLE_SOURCE ?? (isPlatform ? 'newspaper' : 'house'),
      wordsFile: values.WORDS_FILE,
      newspaperUrl: overrideOf(environment, 'NEWSPAPER_URL'),
    },
    store: storeFrom(values, { isPlatform, isChosen: isSet(environment, 'DATA_DIR') }),
    isPlatform,
    discord: discord.config,
    slack: slack.config,
    web,
    pages: pagesFrom(values, discord.config, slack.config),
    site: values.PUBLIC_SITE ?? PUBLIC_URL,
    http: opensPort ? { host: values.HOST, port: values.PORT } : undefined,
    health: HEALTH_PORT === undefined ? undefined : { host: values.HEALTH_HOST, port: HEALTH_PORT },
    operator: { name: values.OPERATOR, contact: values.OPERATOR_CONTACT },
    notices: [...leftOut(platforms), ...unused(values, slack.config), ...likelyTypos(environment)],
    secrets: secretsOf(environment),
  };
}

/** @param isPlatform whether a chat platform is set up, or was meant to be: then `auto` opens no local chat */
function webFrom({ WEB_CHAT, WEB_PORT, WEB_HOSTS }: Values, isPlatform: boolean): Config['web'] {
  if (WEB_CHAT === undefined || WEB_CHAT === 'off' || (WEB_CHAT === 'auto' && isPlatform)) return undefined;
  return { port: WEB_PORT, outside: WEB_CHAT === 'outside', hosts: WEB_HOSTS };
}

function pagesFrom(
  { PUBLIC_URL: publicUrl, EMBED_ORIGINS: embedOrigins }: Values,
  discord: DiscordConfig | undefined,
  slack: SlackConfig | undefined,
): Config['pages'] {
  if (publicUrl === undefined) return undefined;
  return { publicUrl, embedOrigins, linkSecrets: linkSecrets(discord, slack) };
}

function storeFrom(
  { DATABASE_URL: databaseUrl, DATA_DIR: dataDir }: Values,
  { isPlatform, isChosen }: { readonly isPlatform: boolean; readonly isChosen: boolean },
): Config['store'] {
  if (databaseUrl !== undefined) return { kind: 'postgres', databaseUrl, dataDir };
  return isPlatform || isChosen ? { kind: 'folder', dataDir, isChosen } : { kind: 'temporary' };
}

function leftOut(platforms: Readonly<Record<string, DoorReading<unknown>>>): string[] {
  return Object.entries(platforms).flatMap(([name, { problems }]) =>
    problems.map((problem) => `${name} is left out: ${problem}`),
  );
}

/** With many workspaces, the bot token is not used: its workspace has no threads until somebody installs the app there. */
function unused({ SLACK_BOT_TOKEN }: Values, slack: SlackConfig | undefined): string[] {
  if (SLACK_BOT_TOKEN === undefined || slack?.workspaces.kind !== 'many') return [];
  return [
    'SLACK_BOT_TOKEN is not used with SLACK_CLIENT_ID: its workspace has to install the app at /slack/install',
  ];
}

function isSet(environment: Environment, name: string): boolean {
  return (environment[name] ?? '').trim() !== '';
}

/** With many workspaces, Slack's secret is the last of its keys: putting a new key in front of it breaks no link. */
function linkSecrets(discord?: DiscordConfig, slack?: SlackConfig): PagesConfig['linkSecrets'] {
  const workspaces = slack?.workspaces;
  const ofSlack = workspaces?.kind === 'one' ? workspaces.botToken : workspaces?.keys.at(-1);
  if (discord === undefined && ofSlack === undefined) return undefined;
  return { discord: discord?.token, slack: ofSlack };
}

/** Secrets may be lists while they are rotated. The database's address is one secret, and may contain commas. */
function secretsOf(environment: Environment): string[] {
  return SETTINGS.filter(({ secret }) => secret).flatMap(({ name }) =>
    (environment[name] ?? '')
      .split(name === 'DATABASE_URL' ? /\n/ : ',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
}

/** What the settings say about a door: ready to open, not asked for, or asked for but misconfigured. */
interface DoorReading<DoorConfig> {
  readonly config?: DoorConfig;
  /** What keeps it from opening, in sentences for the operator. */
  readonly problems: readonly string[];
}

/** If one of these is set, all of them are required, and so is PUBLIC_URL, which is not here as it has other purposes, too. */
const OAUTH = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_TOKEN_KEYS'] as const;

function discordFrom(
  values: Values,
  problems: readonly Problem[],
  apiUrl?: string,
): DoorReading<DiscordConfig> {
  const door = doorProblems(DISCORD, values, problems);
  if (door === undefined) return { problems: [] };
  const { DISCORD_TOKEN: token, DISCORD_CLIENT_SECRET: clientSecret } = values;
  if (token === undefined) door.require('DISCORD_TOKEN');
  if (clientSecret !== undefined && values.PUBLIC_URL === undefined) door.require('PUBLIC_URL');
  if (token === undefined || door.problems.length > 0) return { problems: door.problems };
  const config = {
    token,
    publicKey: values.DISCORD_PUBLIC_KEY,
    clientSecret,
    shards: values.DISCORD_SHARDS,
    requestsPerSecond: values.DISCORD_REQUESTS_PER_SECOND,
    apiUrl,
  };
  return { config, problems: [] };
}

function slackFrom(values: Values, problems: readonly Problem[], apiUrl?: string): DoorReading<SlackConfig> {
  const door = doorProblems(SLACK, values, problems);
  if (door === undefined) return { problems: [] };
  const workspaces = workspacesFrom(values, door);
  const mode = modeFrom(values, door);
  if (workspaces === undefined || mode === undefined || door.problems.length > 0)
    return { problems: door.problems };
  return { config: { mode, workspaces, apiUrl }, problems: [] };
}

type DoorProblems = NonNullable<ReturnType<typeof doorProblems>>;

/** Collects the problems of a door's settings; undefined if none is set, apart from those with a default. */
function doorProblems(
  settings: readonly (Setting & { readonly name: SettingName })[],
  values: Values,
  problems: readonly Problem[],
) {
  const malformed = problems.filter(({ name }) => settings.some((setting) => setting.name === name));
  const isAskedFor =
    malformed.length > 0 ||
    settings.some(({ name, default: usual }) => usual === undefined && values[name] !== undefined);
  if (!isAskedFor) return undefined;
  const messages = malformed.map(({ message }) => message);
  return {
    problems: messages,
    /** Reports a missing setting, unless it is reported as malformed already. */
    require(name: SettingName, otherwise = ''): void {
      if (!problems.some((one) => one.name === name)) messages.push(`${missing(name)}${otherwise}`);
    },
  };
}

function workspacesFrom(values: Values, door: DoorProblems): SlackConfig['workspaces'] | undefined {
  const { SLACK_BOT_TOKEN: botToken, SLACK_CLIENT_ID: clientId, PUBLIC_URL: publicUrl } = values;
  const { SLACK_CLIENT_SECRET: clientSecret, SLACK_TOKEN_KEYS: keys } = values;
  const isMany = OAUTH.some((name) => values[name] !== undefined);
  if (!isMany) {
    if (botToken !== undefined) return { kind: 'one', botToken };
    door.require('SLACK_BOT_TOKEN', '; or SLACK_CLIENT_ID and the other OAuth settings, for many workspaces');
    return undefined;
  }
  for (const name of [...OAUTH, 'PUBLIC_URL'] as const) if (values[name] === undefined) door.require(name);
  if (!clientId || !clientSecret || !keys || !publicUrl) return undefined;
  return { kind: 'many', clientId, clientSecret, keys, publicUrl };
}

/** Socket Mode wins if both are set: every app's first page shows the signing secret, so it is easily copied along. */
function modeFrom(
  { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecrets, ROLE }: Values,
  door: DoorProblems,
): SlackConfig['mode'] | undefined {
  if (appToken !== undefined) return { kind: 'socket', appToken };
  if (signingSecrets !== undefined) return { kind: 'http', signingSecrets };
  if (ROLE !== 'all') return { kind: 'posts' };
  door.require('SLACK_APP_TOKEN', '; or SLACK_SIGNING_SECRET, for requests over HTTP');
  return undefined;
}
