import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { botEnvironment, clockFrom } from '../../bare-environment.ts';
import { NOON } from '../../fakes/app.ts';
import { fieldsOf } from '../../fakes/discord/fields.ts';
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/index.ts';
import type { User } from '../../fakes/discord/world.ts';
import { makeFolder } from '../../fakes/folder.ts';
import { onlyLong } from '../../fakes/sample.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const GUIDE = readFileSync(join(ROOT, 'docs/discord.md'), 'utf8');
const TOKEN = 'bm8tb25lLW5vLW9uZQ.bm8tb25l.bm8tc2VjcmV0LWhlcmUtZWl0aGVy';

/** Every command of the guide that can be sent as it is written, with its options. */
const typed = [...GUIDE.matchAll(/`\/letterboxed ([a-z]+(?: [a-z]+(?!:))?)((?: [a-z]+:[^`]+)?)`/g)].map(
  ([, subcommand = '', rest = '']) => ({ subcommand, options: fieldsOf(rest) }),
);

describe('docs/discord.md, followed word by word', onlyLong, () => {
  const folder = makeFolder();
  let discord: FakeDiscord;
  let owner: User;
  const said: string[] = [];
  let end: () => Promise<number | null>;

  beforeAll(async () => {
    discord = await startFakeDiscord({ token: TOKEN, clock: { now: () => NOON } });
    // What the guide puts into .env, and what keeps the bot from the rest of the world.
    const child = spawn(process.execPath, [join(ROOT, 'bin/start.js')], {
      cwd: folder,
      env: {
        ...botEnvironment(),
        // The guide has dates in it, which must not pass.
        ...clockFrom(NOON),
        DISCORD_TOKEN: TOKEN,
        DISCORD_API_URL: discord.url,
        PUZZLE_SOURCE: 'house',
        PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    end = async () => {
      child.kill('SIGTERM');
      return (await exited)[0] as number | null;
    };
    for await (const line of createInterface({ input: child.stdout })) {
      said.push(line);
      if (line.includes('discord: open')) break;
    }
    child.stdout.resume();
  });
  afterAll(async () => {
    await end?.();
    await discord?.close();
  });

  it('has commands in it', () => {
    expect(typed.map(({ subcommand }) => subcommand)).toEqual(
      expect.arrayContaining(['today', 'daily on', 'daily pause']),
    );
    expect(typed.length).toBeGreaterThan(4);
  });

  it('leads to a bot that starts and registers its command', () => {
    expect(said.join('\n')).toContain('discord: open');
    expect(discord.world.commands.map(({ name }) => name)).toEqual([
      'letterboxed',
      'Add to my results',
      'Solve the board',
    ]);
  });

  it('has only commands that work for somebody who manages the server', async () => {
    owner = discord.world.addUser('owner');
    const guild = discord.world.addGuild('Word club', { owner });
    discord.join(guild);
    const channel = discord.world.addChannel(guild);
    for (const { subcommand, options } of typed) {
      const seen = await discord.command({
        user: owner,
        channel,
        name: 'letterboxed',
        subcommand,
        options,
      });
      expect({ subcommand, options, failed: seen.failed }).toEqual({ subcommand, options, failed: false });
      expect(seen.text).not.toMatch(/didn’t work|went wrong|One moment/);
    }
    expect(discord.requests.filter(({ status = 0 }) => status >= 400)).toEqual([]);
  });

  it('leads to a bot that stops with exit code 0', async () => {
    expect(await end()).toBe(0);
  });
});
