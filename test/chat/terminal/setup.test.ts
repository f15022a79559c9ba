/** The set-up as a person goes through it, with the fakes as platforms: its ways in a real terminal, and its questions in this process. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { makeManifest } from '../../../src/chat/slack/manifest.ts';
import type { SetupPlatform } from '../../../src/chat/terminal/contract.ts';
import { setUp } from '../../../src/operations/setup.ts';
import { openStore } from '../../../src/store/store.ts';
import { bareEnvironment } from '../../bare-environment.ts';
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/index.ts';
import { makeFolder } from '../../fakes/folder.ts';
import { PseudoTerminal } from '../../fakes/pseudo-terminal.ts';
import { type FakeSlack, startFakeSlack } from '../../fakes/slack/index.ts';
import type { Channel, Workspace } from '../../fakes/slack/world.ts';
import { run } from './run.ts';

const TOKEN = 'bm8tb25lLW5vLW9uZQ.bm8tb25l.bm8tc2VjcmV0LWhlcmUtZWl0aGVy';
const OTHER_TOKEN = 'bm8tb25l.bm8.b3RoZXI';
const CTRL_C = '\u0003';
/** As somebody has it who has set other things already. */
const BEFORE = '# Ours\nPUZZLE_SOURCE="house" # no requests\nPORT=0\n';

let folder: string;
let terminal: PseudoTerminal;
beforeEach(() => {
  folder = makeFolder();
  writeFileSync(join(folder, '.env'), BEFORE, { mode: 0o644 });
});

function open(platform: string, settings: Record<string, string>): PseudoTerminal {
  // The shell outlives a Ctrl-C that the program obeys in order.
  const setup = `trap : INT; cd "${folder}"; "${process.execPath}" "${resolve('bin/letterboxed.js')}" setup ${platform}`;
  const after = 'echo "exit $?"; stty -a | grep -o -- "-\\?icanon\\|-\\?echo\\b" | xargs echo left with';
  const opened = new PseudoTerminal(`${setup}; ${after}`, { settings });
  onTestFinished(() => opened.kill());
  terminal = opened;
  return opened;
}
const answer = async (question: string, typed: string) => {
  await terminal.until(question);
  terminal.screen.lines = terminal.screen.lines.replaceAll(question, 'asked');
  terminal.type(typed);
};
const ended = async (status: number) => {
  await terminal.until('left with icanon echo');
  expect(terminal.screen.lines).toContain(`exit ${status}\n`);
};
const LEFT = new Error('left');
/**
 * The set-up in this process, where it is its questions that are tested. Somebody answers them, and leaves at the first
 * that has no answer, or when the bot would start. What was said and asked.
 */
async function setUpHere(
  platform: SetupPlatform,
  settings: Record<string, string>,
  answers: readonly (string | (() => string))[],
  end = LEFT.message,
): Promise<string> {
  const lines: string[] = [];
  const left = [...answers];
  const say = (text: string) => {
    lines.push(text);
    if (text === 'The bot starts.') throw LEFT;
  };
  const ask = async (question: string) => {
    say(question);
    const next = left.shift();
    if (next === undefined) throw LEFT;
    return typeof next === 'string' ? next : next();
  };
  const home = process.cwd();
  process.chdir(folder);
  try {
    await expect(
      setUp([platform], { say, print: say, ask, askSecret: ask }, { ...bareEnvironment(), ...settings }),
    ).rejects.toThrow(end);
  } finally {
    process.chdir(home);
  }
  expect(left).toEqual([]);
  return lines.join('\n');
}
const env = () => readFileSync(join(folder, '.env'), 'utf8');
const AGAIN = 'Another one, or Enter to try this one again: ';
const DISCORD = 'DISCORD_TOKEN (you don’t see it): ';
const BOT = 'SLACK_BOT_TOKEN (you don’t see it): ';
const APP = 'SLACK_APP_TOKEN (you don’t see it): ';

describe('Discord', () => {
  let discord: FakeDiscord;
  beforeAll(async () => {
    discord = await startFakeDiscord({ token: TOKEN, identifyWindow: 0 });
  });
  afterAll(() => discord.close());

  const here = async (answers: Parameters<typeof setUpHere>[2], url = discord.url) => {
    const said = await setUpHere('discord', { DISCORD_API_URL: url }, answers);
    return said.replace(`client_id=${discord.world.application.id}`, 'client_id=ID');
  };

  test('says of each wrong token what is wrong, and of the application what to change', async () => {
    const { application } = discord.world;
    const before = { ...application };
    onTestFinished(
      () =>
        void Object.assign(application, {
          bot_require_code_grant: false,
          interactions_endpoint_url: null,
          ...before,
        }),
    );
    Object.assign(application, {
      interactions_endpoint_url: 'https://another.example.org/discord/interactions',
      flags: 1 << 19,
      bot_require_code_grant: true,
      integration_types_config: { 1: {} },
    });
    const accepted = () => {
      expect(env()).toBe(BEFORE);
      return TOKEN;
    };
    const said = await here(['123456789012345678', OTHER_TOKEN, accepted]);
    await expect(`${said}\n`).toMatchFileSnapshot('expected/setup-discord.txt');
    expect(env()).toBe(`${BEFORE}DISCORD_TOKEN=${TOKEN}\n`);
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
  });

  test('says that the settings can’t be written, such as in a folder of another user', async () => {
    mkdirSync(join(folder, '.env.new'));
    const end = `/.env" can't be written (EISDIR).`;
    await setUpHere('discord', { DISCORD_API_URL: discord.url }, [TOKEN], end);
    expect(env()).toBe(BEFORE);
  });

  test('does not take the token of an application that the database is not of', async () => {
    const store = await openStore({ dataDir: join(folder, 'data') });
    await store.applications.put('discord', '123456789012345678');
    await store.close();
    expect(await here([TOKEN])).toMatch(
      /the token of another application: Letter Boxed .*123456789012345678[\s\S]*type: npm run -s letterboxed -- db application \d[\s\S]*Another one, or Enter/,
    );
    expect(env()).toBe(BEFORE);
  });

  test('tries the same token again when Discord could not be reached, and replaces one that was reset', async () => {
    writeFileSync(join(folder, '.env'), `DISCORD_TOKEN=${OTHER_TOKEN}\nPORT=0`);
    const unreachable = await here([''], 'http://127.0.0.1:1');
    expect(unreachable).toContain('DISCORD_TOKEN is set already.');
    expect(
      unreachable.split("Discord can't be reached: no connection to 127.0.0.1:1 (ECONNREFUSED)."),
    ).toHaveLength(3);
    expect(await here([TOKEN])).toMatch(
      /Discord refuses DISCORD_TOKEN \(401\)\.[\s\S]*Reset Token[\s\S]*It is in \.env now/,
    );
    expect(env()).toBe(`DISCORD_TOKEN=${TOKEN}\nPORT=0`);
  });

  test('asks for the client secret where the board could open inside Discord, and does without', async () => {
    const before = `DISCORD_TOKEN=${TOKEN}\nPUZZLE_SOURCE=house\nPUBLIC_URL=https://bot.example.org\nPORT=0\n`;
    writeFileSync(join(folder, '.env'), before);
    const without = await here(['']);
    expect(without).toMatch(/The bot starts\.$/);
    expect(env()).toBe(before);
    const { clientSecret } = discord.activities;
    const failing = () => {
      discord.fault({ on: 'POST /oauth2/token', what: { status: 502 }, times: 4 });
      return clientSecret;
    };
    expect(await here([failing])).toContain(
      'Discord refused this: Bad Gateway (502).\nAnother one, or Enter',
    );
    const asked = await here(['x'.repeat(32), clientSecret]);
    await expect(`${asked}\n`).toMatchFileSnapshot('expected/setup-activity.txt');
    expect(env()).toBe(`${before}DISCORD_CLIENT_SECRET=${clientSecret}\n`);
  });

  test('asks which board the channel gets, names the terms, and keeps the answer', async () => {
    writeFileSync(join(folder, '.env'), `DISCORD_TOKEN=${TOKEN}\nPORT=0\n`);
    const said = await here(['', 'mine', 'House']);
    await expect(`${said}\n`).toMatchFileSnapshot('expected/setup-source.txt');
    expect(env()).toBe(`DISCORD_TOKEN=${TOKEN}\nPORT=0\nPUZZLE_SOURCE=house\n`);
    expect(await here([])).not.toContain('newspaper or house?');
  });
});

describe('Slack', () => {
  const manifest = makeManifest({ commands: COMMANDS });
  let slack: FakeSlack;
  let workspace: Workspace;
  let channel: Channel;
  beforeAll(async () => {
    slack = await startFakeSlack({ manifest });
    workspace = slack.addWorkspace();
    channel = slack.addChannel(workspace, [], { name: 'words', withBot: false });
  });
  afterAll(() => slack.close());
  const here = (answers: Parameters<typeof setUpHere>[2]) =>
    setUpHere('slack', { SLACK_API_URL: slack.apiUrl }, answers);

  test('leads from the manifest to the start, and says of each wrong token what is wrong', async () => {
    const revoked = slack.install(workspace);
    slack.tokens.kill(workspace.id, 'token_revoked');
    const poor = slack.install(workspace, { scopes: ['chat:write', 'commands'] });
    const good = slack.install(workspace);
    const { appToken } = slack.app;
    const removed = () => {
      slack.faults.inject({ kind: 'error', error: 'account_inactive', method: 'auth.test' });
      return poor;
    };
    const accepted = () => {
      expect(env()).toBe(BEFORE);
      return good;
    };
    const said = await here([appToken, 'xoxb-mistyped', revoked, removed, poor, accepted]);
    const printed = said.slice(said.indexOf('{'), said.indexOf('\n}') + 2);
    expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify(manifest)));
    expect(env()).toBe(`${BEFORE}SLACK_BOT_TOKEN=${good}\n`);

    // Left here, and taken up again.
    const refused = (error: string) => () => {
      slack.faults.inject({ kind: 'error', error, method: 'apps.connections.open' });
      return appToken;
    };
    const more = await here([
      ...[good, 'xapp-1-mistyped', refused('missing_scope'), refused('not_allowed_token_type')],
      appToken,
    ]);
    const dialogue = `${said.replace(printed, '{ the manifest }')}\n\n${more}\n`;
    await expect(dialogue).toMatchFileSnapshot('expected/setup-slack.txt');
    expect(env()).toBe(`${BEFORE}SLACK_BOT_TOKEN=${good}\nSLACK_APP_TOKEN=${appToken}\n`);

    channel.members.add(workspace.botUser);
    onTestFinished(() => void channel.members.delete(workspace.botUser));
    expect(await here([])).not.toContain('/invite');
  });
});

test('leads both platforms from nothing to the first command in a terminal, and shows no secret', async () => {
  const discord = await startFakeDiscord({ token: TOKEN, identifyWindow: 0 });
  onTestFinished(() => discord.close());
  const slack = await startFakeSlack({ manifest: makeManifest({ commands: COMMANDS }) });
  onTestFinished(() => slack.close());
  const workspace = slack.addWorkspace();
  const channel = slack.addChannel(workspace, [], { name: 'words', withBot: false });
  const slackTokens = [slack.install(workspace), slack.app.appToken] as const;
  const { screen } = open('', { DISCORD_API_URL: discord.url, SLACK_API_URL: slack.apiUrl });
  await answer('Discord, Slack or both? ', '2\r');
  await answer('Discord, Slack or both? ', 'Both\r');
  await answer(DISCORD, `${OTHER_TOKEN}\r`);
  await answer(AGAIN, `${TOKEN}\r`);
  for (const [at, question] of [BOT, APP].entries()) await answer(question, `${slackTokens[at]}\r`);
  await terminal.until('client_id=', '/invite @letterboxed', 'The bot starts.');
  await expect.poll(() => discord.gateway.connected.length).toBe(1);
  await slack.sockets.connected();
  discord.join(discord.world.addGuild('Word club'));
  channel.members.add(workspace.botUser);
  await terminal.until(
    'It is in Word club.',
    'It is in #words.',
    '/letterboxed today',
    'Ctrl-C ends the bot.',
  );
  // Only secrets are not shown while they are typed.
  expect(screen.lines).toContain('askedBoth');
  for (const secret of [TOKEN, OTHER_TOKEN, ...slackTokens]) expect(screen.lines).not.toContain(secret);
  terminal.type(CTRL_C);
  await ended(0);
});

test('asks nothing where nobody can answer', async () => {
  const { code, err } = await run(['setup', 'discord'], { folder });
  expect(code).toBe(2);
  expect(err).toContain('run it in a terminal');
});
