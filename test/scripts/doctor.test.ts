import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { type DiscordAssumption, examineDiscord } from '../../scripts/doctor/discord.ts';
import { type Examination, report } from '../../scripts/doctor/examine.ts';
import { examineSlack, type SlackAssumption } from '../../scripts/doctor/slack.ts';
import { main } from '../../scripts/doctor.ts';
import { declareAll } from '../../src/chat/discord/commands.ts';
import { ALL_SCOPES, makeManifest } from '../../src/chat/slack/manifest.ts';
import { readConfig } from '../../src/config/config.ts';
import { runHere } from '../chat/terminal/run.ts';
import { overwriteCommands } from '../fakes/discord/commands.ts';
import { type FakeDiscord, startFakeDiscord } from '../fakes/discord/index.ts';
import { CHANNEL, type Channel, type Role } from '../fakes/discord/world.ts';
import { makeFolder } from '../fakes/folder.ts';
import { sample } from '../fakes/sample.ts';
import { type FakeSlack, startFakeSlack } from '../fakes/slack/index.ts';
import type { Channel as SlackChannel } from '../fakes/slack/world.ts';

const notOk = ({ findings }: Examination) =>
  findings
    .filter(({ result }) => result !== 'ok')
    .map(({ name, result, detail }) => `${name} ${result}: ${detail}`);

/** The commands are those of the application that the token names, in the ways in which that can be installed. */
const BREAKS_ALSO: Readonly<Partial<Record<DiscordAssumption, readonly string[]>>> = {
  installation: ['installation', 'commands'],
};

/** What a report says is broken, each with what to do. */
function brokenIn(found: Examination): string[] {
  const broken = found.findings.filter(({ result }) => result === 'broken');
  for (const { todo } of broken) expect(report(found)).toContain(todo);
  return broken.map(({ name }) => name);
}

function some<Name>(...names: readonly Name[]): readonly Name[] {
  return sample(names, names.slice(0, 3));
}

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
    });
    const guild = discord.world.addGuild('Word club', { bot: ['MANAGE_THREADS'] });
    channel = discord.world.addChannel(guild);
    forum = discord.world.addChannel(guild, CHANNEL.forum);
    role = discord.world.addRole(guild, 'Puzzlers');
    role.mentionable = true;
    overwriteCommands(discord.world, declareAll(COMMANDS, [0, 1]));
    discord.activities.enable();
    discord.world.commands.at(-1)!.handler = 1;
  });
  afterEach(() => discord.broken.clear());
  afterAll(() => discord.close());

  const examined = (more: { forum?: undefined; role?: undefined } = {}) => {
    const { discord: config } = readConfig({
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.url,
      DISCORD_CLIENT_SECRET: discord.activities.clientSecret,
      PUBLIC_URL: 'https://bot.example.org',
    });
    return examineDiscord({
      config: config!,
      channel: channel.id,
      forum: forum.id,
      role: role.id,
      ...more,
    });
  };

  it('finds every assumption kept, and leaves nothing behind', async () => {
    const found = await examined();
    expect(notOk(found)).toEqual([]);
    expect(found.left).toEqual([]);
    expect(discord.world.messagesOf(channel.id)).toEqual([]);
    const threads = [...discord.world.channels.values()].filter((one) => one.thread_metadata !== undefined);
    expect(threads).toEqual([]);
  });

  it('prints a table, without the token', async () => {
    // Empty, so that nobody's own .env is read.
    const folder = makeFolder();
    const environment = { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url };
    const typed = ['discord', '--channel', channel.id, '--forum', forum.id];
    const { code, out: stdout } = await runHere(() => main(typed, environment), folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^OK +nonce +a message that is sent twice with one nonce is posted once$/m);
    expect(stdout).toContain('12 ok, 0 broken, 2 not tried.');
    const written = readFileSync(join(folder, 'doctor-report.txt'), 'utf8');
    expect(stdout).toContain(written.trim());
  });

  it('prints no token, not even one that an error quotes', async () => {
    const folder = makeFolder();
    const environment = { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url };
    // A channel of this name is not found, and the error names the address that was asked.
    const typed = ['discord', '--channel', discord.token];
    const { code, out: stdout } = await runHere(() => main(typed, environment), folder);
    expect(code).toBe(1);
    expect(stdout).toContain('BROKEN');
    expect(stdout + readFileSync(join(folder, 'doctor-report.txt'), 'utf8')).not.toContain(discord.token);
  });

  it.each([
    ['the token', { DISCORD_TOKEN: 'bm8.bm8.bm8' }, 'Copy the token again', 13],
    ['the channel', { channel: '123' }, 'npm run invite', 12],
  ])('stops after one line where %s is wrong, and fails', async (_, wrong, todo, unmade) => {
    const environment = { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url, ...wrong };
    const typed = ['discord', '--channel', 'channel' in wrong ? wrong.channel : channel.id];
    const { code, out } = await runHere(() => main(typed, environment), makeFolder());
    expect(code).toBe(1);
    expect(out.match(/^(BROKEN|NOT TRIED) .*$/gm)).toHaveLength(1);
    expect(out).toContain(todo);
    expect(out).toContain(`The other ${unmade} were not made`);
  });

  it('fails, too, where nobody answers, and says what the network did, also where no file can be written', async () => {
    const environment = { DISCORD_TOKEN: discord.token, DISCORD_API_URL: 'http://127.0.0.1:1' };
    const typed = ['discord', '--channel', channel.id];
    const folder = makeFolder();
    mkdirSync(join(folder, 'doctor-report.txt'));
    const { code, out, err } = await runHere(() => main(typed, environment), folder);
    expect([code, err]).toEqual([1, expect.stringContaining('be written here (EISDIR)')]);
    expect(out).toMatch(/did not answer: no connection to 127.0.0.1:1 \(ECONNREFUSED\)/);
    expect(out).toContain('0 ok, 0 broken, 1 not tried.');
  });

  it('says what it did not try, and why', async () => {
    const found = await examined({ forum: undefined, role: undefined });
    expect(notOk(found)).toEqual([
      'roleMention not tried: name a role with --role ID; it is notified without a sound',
      'forumPost not tried: name a forum with --forum ID',
    ]);
  });

  it.each(
    some<DiscordAssumption>(
      ...([
        'token',
        'channel',
        'nonce',
        'readBack',
        'installation',
        'permissions',
        'commands',
        'activity',
      ] as const),
      ...(['rateLimits', 'spoilerPicture', 'roleMention', 'names', 'thread', 'forumPost'] as const),
    ),
  )('finds that %s is broken', async (name) => {
    discord.broken.add(name);
    const found = await examined();
    expect(brokenIn(found)).toEqual(BREAKS_ALSO[name] ?? [name]);
  });
});

describe('the doctor on Slack', () => {
  let slack: FakeSlack;
  let channel: SlackChannel;
  let botToken: string;
  let elapsed = 0;

  beforeEach(async () => {
    const manifest = makeManifest({ commands: COMMANDS });
    slack = await startFakeSlack({
      manifest,
      pace: { postsPerSecond: 0, elapsed: () => elapsed },
      fileDelay: 10_000,
    });
    const workspace = slack.addWorkspace();
    channel = slack.addChannel(workspace, [slack.addPerson(workspace, { name: 'ann' })]);
    botToken = slack.install(workspace, { scopes: ALL_SCOPES });
  });
  afterEach(() => slack.close());

  const examined = () =>
    examineSlack({
      botToken,
      appToken: slack.app.appToken,
      apiUrl: slack.apiUrl,
      channel: channel.id,
      sleep: async (milliseconds) => {
        elapsed += milliseconds;
      },
    });

  it('finds every assumption kept, and leaves nothing behind', async () => {
    const found = await examined();
    expect(notOk(found)).toEqual([]);
    expect(found.left).toEqual([]);
    expect([...slack.world.workspaces.values()][0]!.files.size).toBe(0);
    expect(channel.messages.filter(({ isDeleted, byApp }) => byApp && !isDeleted)).toEqual([]);
  });

  it.each(
    some<SlackAssumption>(
      ...(['token', 'channel', 'metadata', 'slackFile', 'blocks'] as const),
      ...(['names', 'clock', 'oneApp', 'scopes', 'thread', 'replies'] as const),
    ),
  )('finds that %s is broken', async (name) => {
    slack.broken.add(name);
    const found = await examined();
    expect(brokenIn(found)).toEqual([name]);
    expect(found.left).toEqual([]);
    expect(channel.messages.filter(({ isDeleted, byApp }) => byApp && !isDeleted)).toEqual([]);
  });

  it.each([
    ['a wrong token', 'token'],
    ['a channel that the bot was not invited to', 'channel'],
  ])('stops at %s', async (_, name) => {
    if (name === 'token') botToken = 'xoxb-1-wrong';
    else channel.members.clear();
    const found = await examined();
    expect(brokenIn(found)).toEqual([name]);
    expect(found.findings.at(-1)?.name).toBe(name);
    expect(found.unmade).toBeGreaterThan(8);
  });

  it('calls nothing broken for an outage', async () => {
    slack.faults.inject({ kind: 'status', status: 503, method: 'conversations.history', times: 1 });
    expect(notOk(await examined())).toEqual([expect.stringMatching(/^metadata not tried: /)]);
  });
});
