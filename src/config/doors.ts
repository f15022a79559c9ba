import { missing, type Problem } from './read.ts';
import type { SettingName, Values } from './settings.ts';

export interface DiscordConfig {
  readonly token: string;
  readonly guildId?: string;
  readonly register: boolean;
  /** `auto`, or a slice such as `0-3/16`. */
  readonly shards: string;
  readonly requestsPerSecond: number;
  readonly apiUrl?: string;
}

export interface SlackConfig {
  readonly mode:
    | { readonly kind: 'socket'; readonly appToken: string }
    | { readonly kind: 'http'; readonly signingSecrets: readonly string[] };
  readonly workspaces:
    | { readonly kind: 'one'; readonly botToken: string }
    | {
        readonly kind: 'many';
        readonly clientId: string;
        readonly clientSecret: string;
        readonly stateSecret: string;
        readonly keys: readonly string[];
        readonly publicUrl: string;
      };
  readonly apiUrl?: string;
}

/** A door as the settings have it: ready to open, not asked for, or asked for and lacking something. */
export interface DoorReading<Config> {
  readonly config?: Config;
  /** What keeps it from opening. */
  readonly lacks: readonly string[];
}

/** These change how a door works, and have no meaning by themselves. */
const ASKING = {
  discord: ['DISCORD_TOKEN', 'DISCORD_GUILD_ID', 'DISCORD_API_URL'],
  slack: [
    'SLACK_BOT_TOKEN',
    'SLACK_APP_TOKEN',
    'SLACK_SIGNING_SECRET',
    'SLACK_CLIENT_ID',
    'SLACK_CLIENT_SECRET',
    'SLACK_STATE_SECRET',
    'SLACK_TOKEN_KEYS',
    'SLACK_API_URL',
  ],
} as const satisfies Record<string, readonly SettingName[]>;
const OAUTH = [
  'SLACK_CLIENT_ID',
  'SLACK_CLIENT_SECRET',
  'SLACK_STATE_SECRET',
  'SLACK_TOKEN_KEYS',
  'PUBLIC_URL',
] as const satisfies readonly SettingName[];

export function discordFrom(values: Values, problems: readonly Problem[]): DoorReading<DiscordConfig> {
  const malformed = problems.filter(({ name }) => name.startsWith('DISCORD_'));
  const lacks = malformed.map(({ message }) => message);
  const isAsked = malformed.length > 0 || ASKING.discord.some((name) => values[name] !== undefined);
  if (!isAsked) return { lacks };
  const { DISCORD_TOKEN: token, DISCORD_GUILD_ID: guildId, DISCORD_API_URL: apiUrl } = values;
  if (token === undefined && !isNamed(malformed, 'DISCORD_TOKEN')) lacks.push(missing('DISCORD_TOKEN'));
  if (lacks.length > 0 || token === undefined) return { lacks };
  const { DISCORD_REGISTER: register, DISCORD_SHARDS: shards } = values;
  const { DISCORD_REQUESTS_PER_SECOND: requestsPerSecond } = values;
  return {
    config: {
      token,
      register,
      shards,
      requestsPerSecond,
      ...(guildId !== undefined && { guildId }),
      ...(apiUrl !== undefined && { apiUrl }),
    },
    lacks,
  };
}

export function slackFrom(values: Values, problems: readonly Problem[]): DoorReading<SlackConfig> {
  const malformed = problems.filter(({ name }) => name.startsWith('SLACK_') || name === 'PUBLIC_URL');
  const lacks = malformed.map(({ message }) => message);
  const isAsked =
    malformed.some(({ name }) => name !== 'PUBLIC_URL') ||
    ASKING.slack.some((name) => values[name] !== undefined);
  if (!isAsked) return { lacks: [] };
  const lack = (name: SettingName, more = '') => {
    if (!isNamed(malformed, name)) lacks.push(`${missing(name)}${more}`);
  };
  const workspaces = workspacesFrom(values, lack);
  const mode = modeFrom(values, lack);
  if (lacks.length > 0 || workspaces === undefined || mode === undefined) return { lacks };
  const { SLACK_API_URL: apiUrl } = values;
  return { config: { mode, workspaces, ...(apiUrl !== undefined && { apiUrl }) }, lacks };
}

type Lack = (name: SettingName, more?: string) => void;

function workspacesFrom(values: Values, lack: Lack): SlackConfig['workspaces'] | undefined {
  const { SLACK_BOT_TOKEN: botToken, SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret } = values;
  const { SLACK_STATE_SECRET: stateSecret, SLACK_TOKEN_KEYS: keys, PUBLIC_URL: publicUrl } = values;
  const isMany = OAUTH.some((name) => name !== 'PUBLIC_URL' && values[name] !== undefined);
  if (!isMany) {
    if (botToken !== undefined) return { kind: 'one', botToken };
    lack('SLACK_BOT_TOKEN', '; or SLACK_CLIENT_ID and its company, for many workspaces');
    return undefined;
  }
  for (const name of OAUTH) if (values[name] === undefined) lack(name);
  if (!clientId || !clientSecret || !stateSecret || !keys || !publicUrl) return undefined;
  return { kind: 'many', clientId, clientSecret, stateSecret, keys, publicUrl };
}

/** With both, Socket Mode: the signing secret is shown on every app's first page, and easily copied along. */
function modeFrom(values: Values, lack: Lack): SlackConfig['mode'] | undefined {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecrets } = values;
  if (appToken !== undefined) return { kind: 'socket', appToken };
  if (signingSecrets !== undefined) return { kind: 'http', signingSecrets };
  lack('SLACK_APP_TOKEN', '; or SLACK_SIGNING_SECRET, to be reached over HTTP');
  return undefined;
}

function isNamed(problems: readonly Problem[], name: SettingName): boolean {
  return problems.some((problem) => problem.name === name);
}
