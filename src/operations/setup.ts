import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { COMMANDS } from '../../commands/index.ts';
import { type SetupPlatform, type TerminalDialog, whileWriting } from '../chat/terminal/contract.ts';
import { type Environment, overrideOf, readEnvironment, readValues } from '../config/read.ts';
import { SETTINGS, type SettingName, type Values } from '../config/settings.ts';
import { SECOND } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { PROGRAM_CALL } from '../core/program.ts';
import { listed } from '../core/text.ts';
import { openStore, SQLITE_FILE } from '../store/store.ts';

const FILE = '.env';
const START = fileURLToPath(new URL('bin/start.js', import.meta.resolve('#package')));
/** Milliseconds between two checks whether somebody has added the bot to a server. */
const POLL_INTERVAL_MS = 2 * SECOND;

/** The result of trying a token: lines for the operator, or why it can't be used. */
type TokenResult = { readonly lines: readonly string[] } | { readonly problem: string };

interface TokenStep {
  readonly name: SettingName;
  /** Bots with `PUBLIC_URL` may have it, and Enter skips it. */
  readonly isOptional?: true;
  /** Explains where to find it. */
  readonly guide: (talk: TerminalDialog) => Promise<void>;
  readonly tryToken: (token: string, environment: Environment) => Promise<TokenResult>;
}

interface PlatformSteps {
  readonly tokens: readonly TokenStep[];
  /** How to add the bot, unless it is somewhere already. */
  invitation(): Promise<string | undefined>;
  /** The server or workspace that the bot was added to; undefined as long as there is none. */
  place(): Promise<string | undefined>;
  readonly next: readonly string[];
}

/**
 * Connects the bot of this folder with platforms, and starts it. Steps that are done already, in `.env` or in the
 * environment, are only checked, so the set-up can be interrupted at any step.
 *
 * @returns the exit status of the bot
 */
export async function setUp(
  platforms: readonly SetupPlatform[],
  talk: TerminalDialog,
  environment: Environment,
): Promise<number> {
  const all = platforms.map((name) => ({ name, ...(name === 'discord' ? discordSteps() : slackSteps()) }));
  // In this order: later steps use what the token of the bot has opened.
  for (const step of all.flatMap(({ tokens }) => tokens)) {
    const isWanted = !step.isOptional || readEnvironment(environment, FILE).PUBLIC_URL?.trim();
    if (isWanted) await ensureToken(step, talk, environment);
  }
  await ensureSource(talk, environment);
  for (const { invitation } of all) {
    // If a platform gives no answer now, only its invitation is left out.
    const invite = await invitation().catch(() => undefined);
    if (invite !== undefined) talk.say(invite);
  }
  talk.say('The bot starts.');
  const stopped = new AbortController();
  const ended = runBot(talk, environment, (door) => {
    const steps = all.find(({ name }) => name === door);
    if (steps !== undefined) void sayPlace(steps, talk, stopped.signal);
  });
  return ended.finally(() => stopped.abort());
}

/** Makes sure that there is a working token, in `.env` or in the environment. */
async function ensureToken(step: TokenStep, talk: TerminalDialog, environment: Environment): Promise<void> {
  const { name, guide, tryToken } = step;
  const { kind } = SETTINGS.find((setting) => setting.name === name)!;
  const settings = () => readEnvironment(environment, FILE);
  let token = settings()[name]?.trim() ?? '';
  let isGuided = token === '';
  if (isGuided) await guide(talk);
  else talk.say(`${name} is set already.`);
  for (;;) {
    if (token === '') token = (await talk.askSecret(`${name} (you don’t see it): `)).trim();
    if (token === '' && step.isOptional) return;
    const tried =
      kind.read(token) === undefined
        ? { problem: `That is not ${kind.expected}.` }
        : await tryToken(token, settings());
    if ('lines' in tried) {
      talk.say(tried.lines.join('\n'));
      break;
    }
    talk.say(tried.problem);
    if (environment[name])
      throw new UserError('terminal.setup', `${name} is set in the environment, which goes before .env.`);
    if (!isGuided) await guide(talk);
    isGuided = true;
    const another = await talk.askSecret('Another one, or Enter to try this one again: ');
    token = another.trim() || token;
  }
  if (settings()[name]?.trim() === token) return;
  writeSetting(name, token);
  talk.say(`It is in ${FILE} now, which only you can read.`);
}

const SOURCE_GUIDE = `Which board does the channel get each day?
newspaper: the New York Times’ board of the day. Its terms restrict automated use and archiving, so whether you use it is your decision: https://help.nytimes.com/hc/en-us/articles/115014893428-Terms-of-Service
house: a board that this bot makes, new every day. It asks nobody.`;

async function ensureSource(talk: TerminalDialog, environment: Environment): Promise<void> {
  if (readEnvironment(environment, FILE).PUZZLE_SOURCE?.trim()) return;
  talk.say(SOURCE_GUIDE);
  for (;;) {
    const answer = (await talk.ask('newspaper or house? ')).trim().toLowerCase();
    if (answer !== 'newspaper' && answer !== 'house') continue;
    writeSetting('PUZZLE_SOURCE', answer);
    return;
  }
}

/** Writes a setting to the file, and leaves everything else in it as it is. */
function writeSetting(name: string, value: string): void {
  const file = existsSync(FILE) ? realpathSync(FILE) : FILE;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const line = `${name}=${value}`;
  const there = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=.*$`, 'gm');
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  const changed = there.test(text) ? text.replace(there, () => line) : `${text}${end}${line}\n`;
  // Renamed when it is complete, so that an interruption leaves the old file.
  const unfinished = `${file}.new`;
  whileWriting(resolve(file), () => {
    writeFileSync(unfinished, changed, { mode: 0o600 });
    chmodSync(unfinished, 0o600);
    renameSync(unfinished, file);
  });
}

const LOG_LINE = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    level: v.string(),
    msg: v.string(),
    door: v.optional(v.unknown()),
    isOpen: v.optional(v.unknown()),
  }),
);

/** Runs the bot in a process of its own, as a service would. @returns its exit status */
async function runBot(
  talk: TerminalDialog,
  environment: Environment,
  onOpen: (door: string) => void,
): Promise<number> {
  const child = spawn(process.execPath, [START], {
    env: { ...environment, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Ctrl-C reaches the bot, too. This process ends with the bot, not before it.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  createInterface({ input: child.stdout }).on('line', (text) => {
    const { success, output } = v.safeParse(LOG_LINE, text);
    if (!success) return;
    const { level, msg, door, isOpen } = output;
    if (isOpen === true && typeof door === 'string') onOpen(door);
    if (level === 'warn' || level === 'error') talk.say(msg);
  });
  const [code] = await once(child, 'exit');
  return (code as number | null) ?? 1;
}

/** Waits until the bot was added somewhere, and says where, and what to type there. */
async function sayPlace(steps: PlatformSteps, talk: TerminalDialog, signal: AbortSignal): Promise<void> {
  let where: string | undefined;
  while (where === undefined) {
    // A platform that gives no answer now is asked again.
    where = await steps.place().catch(() => undefined);
    if (where === undefined) await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
  }
  const end = 'Ctrl-C ends the bot. The same command starts it again.';
  talk.say([`It is in ${where}.`, ...steps.next, '', end].join('\n'));
}

const DISCORD_GUIDE = `On https://discord.com/developers/applications:
1. New Application, a name such as Letter Boxed, Create.
2. On its page Bot: Reset Token, and copy the token. Leave the Privileged Gateway Intents off.`;

const ACTIVITY_GUIDE = `For the board inside Discord, if you want it there; docs/discord.md lists its three steps:
On the page OAuth2 of the application: Reset Secret, and copy the client secret. Enter leaves it out.`;

function discordSteps(): PlatformSteps {
  const library = () => import('./discord-application.ts');
  /** Set once the bot token works, and so before all other steps. */
  let opened: import('discord.js').ClientApplication | undefined;
  return {
    tokens: [
      {
        name: 'DISCORD_TOKEN',
        guide: async (talk) => talk.say(DISCORD_GUIDE),
        tryToken: (token, environment) =>
          askDiscord(async () => {
            const { advice } = await library();
            const { fetchApplication } = await import('../chat/discord/application.ts');
            const { BotRest, makeClient } = await import('../chat/discord/rest.ts');
            const client = makeClient(
              new BotRest({ token, apiUrl: overrideOf(environment, 'DISCORD_API_URL') }),
            );
            const application = await fetchApplication(client);
            const { id, name } = application;
            const { values } = readValues(environment);
            const owner = await applicationOfDatabase(values);
            if (owner !== undefined && owner !== id)
              return {
                problem: `It is the token of another application: ${name} (${id}), and the bot’s database is that of ${owner}. To give it to this one, type: ${PROGRAM_CALL} db application ${id}`,
              };
            opened = application;
            return { lines: [`It is the token of ${name}.`, ...advice(application, values)] };
          }),
      },
      {
        name: 'DISCORD_CLIENT_SECRET',
        isOptional: true,
        guide: async (talk) => talk.say(ACTIVITY_GUIDE),
        tryToken: (secret) =>
          askDiscord(async () => {
            const { acceptsSecret } = await library();
            const isAccepted = await acceptsSecret(opened!.client.rest, opened!.id, secret);
            return isAccepted
              ? { lines: ['Discord accepts it.'] }
              : { problem: 'Discord refuses it: it is mistyped, or there is a newer one.' };
          }),
      },
    ],
    async invitation() {
      const { inviteLink, nameOfAServer } = await library();
      if ((await nameOfAServer(opened!.client)) !== undefined) return undefined;
      return `Open this link, and choose your server:\n${inviteLink(opened!)}`;
    },
    place: async () => (await library()).nameOfAServer(opened!.client),
    next: ['Type there, in any channel: /letterboxed today', 'For a thread each day: /letterboxed daily on'],
  };
}

/** Asks Discord about a token or secret, and explains why it refuses or can't be reached. */
async function askDiscord(ask: () => Promise<TokenResult>): Promise<TokenResult> {
  try {
    return await ask();
  } catch (error) {
    const problem = (await import('./discord-application.ts')).reasonOf(error);
    if (problem === undefined) throw error;
    return { problem };
  }
}

/** The Discord application that the bot's database belongs to, if there is one. */
async function applicationOfDatabase({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir = 'data' }: Values) {
  if (databaseUrl === undefined && !existsSync(join(dataDir, SQLITE_FILE))) return undefined;
  const store = await openStore(databaseUrl === undefined ? { dataDir } : { databaseUrl });
  return store.applications.get('discord').finally(() => store.close());
}

const SLACK_GUIDE = `On https://api.slack.com/apps:
1. Create New App, From a manifest. Choose the workspace, and paste the text above, from { to }. Create.
2. On its page Install App: Install to Workspace, Allow. Copy the Bot User OAuth Token.`;
/** Goes on with the numbers of SLACK_GUIDE. */
const SOCKET_GUIDE = `3. On its page Basic Information, App-Level Tokens: Generate Token and Scopes, any name, with the scope connections:write. Copy it.`;

type WebClient = import('@slack/bolt').webApi.WebClient;

function slackSteps(): PlatformSteps {
  /** Set once the bot token works, and so before all other steps. */
  let opened: { readonly client: WebClient; readonly token: string } | undefined;

  async function place(): Promise<string | undefined> {
    const { client, token } = opened!;
    const types = 'public_channel,private_channel';
    const { channels } = await client.users.conversations({ token, types, exclude_archived: true, limit: 1 });
    const name = channels?.[0]?.name;
    return name && `#${name}`;
  }

  return {
    tokens: [
      {
        name: 'SLACK_BOT_TOKEN',
        async guide(talk) {
          const { makeManifest } = await import('../chat/slack/manifest.ts');
          talk.print(JSON.stringify(makeManifest({ commands: COMMANDS }), null, 2));
          talk.say(SLACK_GUIDE);
        },
        tryToken: (token, environment) =>
          askSlack(environment, async (client) => {
            const { REQUIRED_SCOPE_NAMES } = await import('../chat/slack/manifest.ts');
            const answer = await client.auth.test({ token });
            const { scopes = REQUIRED_SCOPE_NAMES } = answer.response_metadata ?? {};
            const missing = REQUIRED_SCOPE_NAMES.filter((one) => !scopes.includes(one));
            if (missing.length > 0)
              return {
                problem: `The app lacks ${listed(missing)}: paste the manifest on its page App Manifest, and install it again.`,
              };
            opened = { client, token };
            return { lines: [`It is the token for the workspace ${answer.team}.`] };
          }),
      },
      {
        name: 'SLACK_APP_TOKEN',
        guide: async (talk) => talk.say(SOCKET_GUIDE),
        tryToken: (token, environment) =>
          askSlack(environment, async (client) => {
            await client.apps.connections.open({ token });
            return { lines: ['It is a token for Socket Mode.'] };
          }),
      },
    ],
    async invitation() {
      if ((await place()) !== undefined) return undefined;
      return 'In Slack, in the channel for the thread of each day, type: /invite @letterboxed';
    },
    place,
    next: ['Type there: /letterboxed today', 'For a thread each day: /letterboxed daily on'],
  };
}

/** Asks Slack about a token, and explains why it refuses. */
async function askSlack(
  environment: Environment,
  ask: (client: WebClient) => Promise<TokenResult>,
): Promise<TokenResult> {
  const { makeClient } = await import('../chat/slack/api.ts');
  const { readFailure } = await import('../chat/slack/errors.ts');
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  try {
    return await ask(makeClient(quiet, overrideOf(environment, 'SLACK_API_URL')));
  } catch (error) {
    const failure = readFailure(error);
    if (failure.kind === 'refused')
      return { problem: `Slack refuses this token (${failure.code})${REFUSALS[failure.code] ?? ''}.` };
    const details = failure.kind === 'limited' ? 'too many requests' : failure.details;
    return { problem: `Slack gives no answer (${details}). Check this machine’s network.` };
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  invalid_auth: ': it is mistyped, or there is a newer one',
  token_revoked: ': it was revoked. Install the app again, and copy the new one',
  account_inactive: ': the app was removed from the workspace. Install it again, and copy the new one',
  missing_scope: ': it lacks the scope connections:write',
  not_allowed_token_type: ': it is one of another kind',
};
