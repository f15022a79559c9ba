import { missing, type Problem } from './read.ts';
import type { Setting } from './setting.ts';
import { DISCORD, type Fields, fieldsOf, type SettingName, SLACK, type Values } from './settings.ts';

type SlackFields = Fields<typeof SLACK>;

export type DiscordConfig = Fields<typeof DISCORD> & { readonly token: string };

export interface SlackConfig extends Pick<SlackFields, 'apiUrl'> {
  readonly mode:
    | ({ readonly kind: 'socket' } & Required<Pick<SlackFields, 'appToken'>>)
    /** All signing secrets that are valid at the moment. */
    | { readonly kind: 'http'; readonly signingSecrets: readonly string[] };
  readonly workspaces:
    | ({ readonly kind: 'one' } & Required<Pick<SlackFields, 'botToken'>>)
    /** The first of the `keys` encrypts the tokens in the store; each of them decrypts. */
    | ({ readonly kind: 'many' } & Required<
        Pick<SlackFields, 'clientId' | 'clientSecret' | 'stateSecret' | 'keys'>
      > & { readonly publicUrl: string });
}

/** A door as the settings have it: ready to open, not asked for, or asked for but kept from opening by problems. */
export interface DoorReading<Config> {
  readonly config?: Config;
  /** What keeps it from opening, in sentences for the operator. */
  readonly problems: readonly string[];
}

/** All of these are required as soon as one of them is set, except for the address, which serves other purposes too. */
const OAUTH = [
  'SLACK_CLIENT_ID',
  'SLACK_CLIENT_SECRET',
  'SLACK_STATE_SECRET',
  'SLACK_TOKEN_KEYS',
  'PUBLIC_URL',
] as const satisfies readonly SettingName[];

export function discordFrom(values: Values, problems: readonly Problem[]): DoorReading<DiscordConfig> {
  const door = new DoorProblems(DISCORD, problems);
  if (!door.isAskedFor(values)) return { problems: [] };
  const { token, ...fields } = fieldsOf(DISCORD, values);
  if (token === undefined) door.require('DISCORD_TOKEN');
  if (token === undefined || door.messages.length > 0) return { problems: door.messages };
  return { config: { token, ...fields }, problems: [] };
}

export function slackFrom(values: Values, problems: readonly Problem[]): DoorReading<SlackConfig> {
  const door = new DoorProblems(SLACK, problems);
  if (!door.isAskedFor(values)) return { problems: [] };
  const fields = fieldsOf(SLACK, values);
  const workspaces = workspacesFrom(fields, values, door);
  const mode = modeFrom(fields, door);
  if (workspaces === undefined || mode === undefined || door.messages.length > 0)
    return { problems: door.messages };
  const { apiUrl } = fields;
  return { config: { mode, workspaces, apiUrl }, problems: [] };
}

/** Collects what keeps one door from opening. */
class DoorProblems {
  readonly messages: string[];
  readonly #settings: readonly (Setting & { readonly name: SettingName })[];
  readonly #malformed: readonly SettingName[];

  constructor(settings: readonly (Setting & { readonly name: SettingName })[], problems: readonly Problem[]) {
    this.#settings = settings;
    this.#malformed = problems.map(({ name }) => name);
    this.messages = problems
      .filter(({ name }) => settings.some((setting) => setting.name === name))
      .map(({ message }) => message);
  }

  /** Whether a setting of the door is set. Settings with a default don't count. */
  isAskedFor(values: Values): boolean {
    return this.#settings.some(
      ({ name, default: usual }) =>
        this.#malformed.includes(name) || (usual === undefined && values[name] !== undefined),
    );
  }

  /** Reports a missing setting, unless it is reported as malformed already. */
  require(name: SettingName, otherwise = ''): void {
    if (!this.#malformed.includes(name)) this.messages.push(`${missing(name)}${otherwise}`);
  }
}

function workspacesFrom(
  fields: SlackFields,
  values: Values,
  door: DoorProblems,
): SlackConfig['workspaces'] | undefined {
  const { botToken, clientId, clientSecret, stateSecret, keys } = fields;
  const publicUrl = values.PUBLIC_URL;
  const isMany = OAUTH.some((name) => name !== 'PUBLIC_URL' && values[name] !== undefined);
  if (!isMany) {
    if (botToken !== undefined) return { kind: 'one', botToken };
    door.require('SLACK_BOT_TOKEN', '; or SLACK_CLIENT_ID and the other OAuth settings, for many workspaces');
    return undefined;
  }
  for (const name of OAUTH) if (values[name] === undefined) door.require(name);
  if (!clientId || !clientSecret || !stateSecret || !keys || !publicUrl) return undefined;
  return { kind: 'many', clientId, clientSecret, stateSecret, keys, publicUrl };
}

/** With both, Socket Mode: the signing secret is shown on every app's first page, and easily copied along. */
function modeFrom(
  { appToken, signingSecrets }: SlackFields,
  door: DoorProblems,
): SlackConfig['mode'] | undefined {
  if (appToken !== undefined) return { kind: 'socket', appToken };
  if (signingSecrets !== undefined) return { kind: 'http', signingSecrets };
  door.require('SLACK_APP_TOKEN', '; or SLACK_SIGNING_SECRET, for requests over HTTP');
  return undefined;
}
