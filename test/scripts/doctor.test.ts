import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import {
  type Assumption,
  DISCORD_ASSUMPTIONS,
  type DiscordAssumption,
  SLACK_ASSUMPTIONS,
  type SlackAssumption,
} from '../../scripts/doctor/assumptions.ts';
import { examineDiscord } from '../../scripts/doctor/discord.ts';
import { type Examination, report } from '../../scripts/doctor/examine.ts';
import { examineSlack } from '../../scripts/doctor/slack.ts';
import { main } from '../../scripts/doctor.ts';
import { declareAll, MESSAGE_COMMAND_NAME } from '../../src/chat/discord/commands.ts';
import { ALL_SCOPES, makeManifest } from '../../src/chat/slack/manifest.ts';
import { MESSAGE_SHORTCUT } from '../../src/chat/slack/mrkdwn.ts';
import { readConfig } from '../../src/config/config.ts';
import { makeScrubber } from '../../src/operations/observability/redact.ts';
import { runHere } from '../chat/terminal/run.ts';
import { overwriteCommands } from '../fakes/discord/commands.ts';
import { type FakeDiscord, startFakeDiscord } from '../fakes/discord/index.ts';
import { CHANNEL, type Channel, type Role } from '../fakes/discord/world.ts';
import { sample } from '../fakes/sample.ts';
import { type FakeSlack, startFakeSlack } from '../fakes/slack/index.ts';
import type { Person } from '../fakes/slack/people.ts';
import type { Channel as SlackChannel } from '../fakes/slack/world.ts';

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
const brokenIn = ({ findings }: Examination) =>
  findings
    .filter(({ result }) => result !== 'ok')
    .map(({ name, result, detail }) => `${name} ${result}: ${detail}`);

/** The commands are those of the application that the token names, in the ways in which that can be installed. */
const BREAKS_ALSO: Readonly<Partial<Record<DiscordAssumption, readonly string[]>>> = {
  token: ['token', 'installation', 'commands', 'activity'],
  installation: ['installation', 'commands'],
};

/** What a report says is broken, each with what to do. */
function namedIn(
  { findings, left }: Examination,
  assumptions: Readonly<Record<string, Assumption>>,
): string[] {
  const printed = report(assumptions, { findings, left }, (text) => text);
  const broken = findings.filter(({ result }) => result === 'broken').map(({ name }) => name);
  for (const name of broken) expect(printed).toContain(assumptions[name]!.todo);
  return broken;
}

function some<Name>(names: readonly Name[]): readonly Name[] {
  return sample(names, names.slice(0, 3));
}

describe('the list of assumptions', () => {
  it.each(Object.entries({ ...DISCORD_ASSUMPTIONS, ...SLACK_ASSUMPTIONS }))(
    'names the file that relies on %s',
    (_, { file }) => {
      expect(readFileSync(file, 'utf8').length).toBeGreaterThan(0);
    },
  );
});

describe('the doctor on Discord', () => {
  let discord: FakeDiscord;
  let channel: Channel;
  let forum: Channel;
  let role: Role;

  beforeAll(async () => {
    discord = await startFakeDiscord({
      token: 'bm8tb25lLW5vLW9uZQ.bm8tb25l.bm8tc2VjcmV0LWhlcmUtZWl0aGVy',
      // Waiting for limits is not what is tested here.
      limits: { global: 10_000, buckets: { '*': { limit: 1_000, per: 1_000 } } },
      identifyWindow: 0,
    });
    const guild = discord.world.addGuild('Word club', { bot: ['MANAGE_THREADS'] });
    channel = discord.world.addChannel(guild);
    forum = discord.world.addChannel(guild, CHANNEL.forum);
    role = discord.world.addRole(guild, 'Puzzlers');
    role.mentionable = true;
    overwriteCommands(discord.world, '', declareAll(COMMANDS, [0, 1]));
    discord.activities.enable();
    discord.commandsIn().at(-1)!.handler = 1;
  });
  afterEach(() => discord.broken.clear());
  afterAll(() => discord.close());

  /** Somebody presses the button as soon as it is there. */
  const act = (line: string) => {
    if (line.includes(MESSAGE_COMMAND_NAME)) {
      const written = discord.write(channel, discord.world.addUser('writes'), 'forum, mozart');
      void discord.messageCommand(written, MESSAGE_COMMAND_NAME).catch(() => {});
    } else if (line.includes('Open me')) {
      void press('Open me')
        .then((seen) => discord.submit(seen, { word: 'mozart' }))
        .catch(() => {});
    } else void press('Press me').catch(() => {});
  };
  const press = (label: string) => {
    const messages = discord.world.messagesOf(channel.id);
    const message = messages.find((one) => JSON.stringify(one).includes(label));
    return discord.press(message!, label, { channel });
  };
  const examined = (more: { press?: boolean; forum?: string | undefined; role?: undefined } = {}) => {
    const { discord: config } = readConfig({
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.url,
      DISCORD_CLIENT_SECRET: discord.activities.clientSecret,
      PUBLIC_URL: 'https://bot.example.org',
      DISCORD_REQUESTS_PER_SECOND: '1000',
    });
    return examineDiscord({
      config: config!,
      channel: channel.id,
      forum: forum.id,
      role: role.id,
      press: true,
      say: act,
      ...more,
    });
  };

  it('finds every assumption kept, and leaves nothing behind', async () => {
    const found = await examined();
    expect(brokenIn(found)).toEqual([]);
    expect(found.findings.map(({ name }) => name)).toEqual(Object.keys(DISCORD_ASSUMPTIONS));
    expect(found.left).toEqual([]);
    const { bot } = discord.world;
    expect(discord.world.messagesOf(channel.id).filter(({ author }) => author.id === bot.id)).toEqual([]);
    const threads = [...discord.world.channels.values()].filter((one) => one.thread_metadata !== undefined);
    expect(threads).toEqual([]);
  });

  it('prints a table, without the token', async () => {
    // Empty, so that nobody's own .env is read.
    const folder = mkdtempSync(join(tmpdir(), 'letterboxed-doctor-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const environment = { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url };
    const typed = ['discord', '--channel', channel.id, '--forum', forum.id];
    const { code, out: stdout } = await runHere(() => main(typed, environment), folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^OK +nonce +a message that is sent twice .* \(src\/chat\/discord\/poster\.ts\)$/m,
    );
    expect(stdout).toContain('13 ok, 0 broken, 6 not tried.');
    const written = readFileSync(join(folder, 'doctor-report.txt'), 'utf8');
    expect(stdout).toContain(written.trim());
    expect(stdout).not.toContain(discord.token);
  });

  it('says what it did not try, and why', async () => {
    const found = await examined({ press: false, forum: undefined, role: undefined });
    expect(brokenIn(found)).toEqual([
      'roleMention not tried: name a role with --role ID; it is notified without a sound',
      'forumPost not tried: name a forum with --forum ID',
      'deferredAnswer not tried: needs somebody who presses a button: add --press',
      'privateFollowUp not tried: needs somebody who presses a button: add --press',
      'form not tried: needs somebody who fills in a form: add --press',
      'messageText not tried: needs somebody who chooses a command on a message: add --press',
    ]);
  });

  it.each(some(Object.keys(DISCORD_ASSUMPTIONS) as DiscordAssumption[]))(
    'finds that %s is broken',
    async (name) => {
      discord.broken.add(name);
      const needsPress = ['deferredAnswer', 'privateFollowUp', 'form', 'messageText'].includes(name);
      const found = await examined({ press: needsPress });
      expect(namedIn(found, DISCORD_ASSUMPTIONS)).toEqual(BREAKS_ALSO[name] ?? [name]);
    },
  );
});

describe('the doctor on Slack', () => {
  let slack: FakeSlack;
  let ann: Person;
  let channel: SlackChannel;
  let botToken: string;
  let elapsed = 0;

  beforeEach(async () => {
    const manifest = makeManifest({ commands: COMMANDS });
    slack = await startFakeSlack({
      manifest,
      pace: { postsPerSecond: 0, elapsed: () => elapsed },
      // What a new app of the operator's own meets at worst.
      isUnlisted: true,
      fileDelay: 10_000,
    });
    const workspace = slack.addWorkspace();
    ann = slack.addPerson(workspace, { name: 'ann' });
    channel = slack.addChannel(workspace, [ann]);
    botToken = slack.install(workspace, { scopes: ALL_SCOPES });
  });
  afterEach(() => slack.close());

  const act = (line: string) => {
    if (line.includes('asks to wait')) return;
    if (line.includes(MESSAGE_SHORTCUT.name)) {
      const written = ann.say(channel, 'forum, mozart');
      void ann.choose(written, MESSAGE_SHORTCUT.name).shown.catch(() => {});
    } else if (line.includes('/letterboxed')) {
      void ann.slash(channel, '/letterboxed doctor @ann').shown.catch(() => {});
    } else press();
  };
  const press = () => {
    const message = channel.messages.find((one) => JSON.stringify(one.blocks).includes('Press me'));
    void ann.press(message!, 'Press me').shown.catch(() => {});
  };
  const examined = (isThere: boolean) =>
    examineSlack({
      botToken,
      appToken: slack.app.appToken,
      apiUrl: slack.apiUrl,
      channel: channel.id,
      press: isThere,
      sleep: async (milliseconds) => {
        elapsed += milliseconds;
      },
      log: QUIET,
      say: act,
    });

  it('finds every assumption kept, and leaves nothing behind', async () => {
    const found = await examined(true);
    expect(brokenIn(found)).toEqual([]);
    expect(found.findings.map(({ name }) => name)).toEqual(Object.keys(SLACK_ASSUMPTIONS));
    expect(found.left).toEqual([]);
    expect(channel.messages.filter(({ isDeleted, byApp }) => byApp && !isDeleted)).toEqual([]);
    expect([...slack.world.workspaces.values()][0]!.files.size).toBe(0);
  });

  it.each(some(Object.keys(SLACK_ASSUMPTIONS) as SlackAssumption[]))(
    'finds that %s is broken',
    async (name) => {
      slack.broken.add(name);
      const found = await examined(['responseUrlThread', 'modal', 'escaping', 'messageText'].includes(name));
      expect(namedIn(found, SLACK_ASSUMPTIONS)).toEqual([name]);
      expect(found.left).toEqual([]);
      expect(channel.messages.filter(({ isDeleted, byApp }) => byApp && !isDeleted)).toEqual([]);
    },
  );

  it('tries again what failed by an outage, and calls nothing broken for it', async () => {
    slack.faults.inject({ kind: 'status', status: 503, method: 'chat.update', times: 2 });
    const unanswered = async () => {
      const { findings } = await examined(false);
      return findings
        .filter(({ detail = '' }) => !detail.includes('add --press'))
        .map(({ result }) => result);
    };
    expect(new Set(await unanswered())).toEqual(new Set(['ok']));
    slack.faults.inject({ kind: 'status', status: 503, method: 'chat.update', times: 3 });
    expect(new Set(await unanswered())).toEqual(new Set(['ok', 'not tried']));
  });

  it('prints no token, not even one that an error quotes', () => {
    const findings = [{ name: 'token', result: 'broken', detail: `refused ${botToken}` }] as const;
    const left = [`the message 1 with ${botToken}`];
    const printed = report(SLACK_ASSUMPTIONS, { findings, left }, makeScrubber([botToken]));
    expect(printed).toContain('BROKEN');
    expect(printed).toContain('src/chat/slack/door.ts');
    expect(printed).not.toContain(botToken);
  });
});
