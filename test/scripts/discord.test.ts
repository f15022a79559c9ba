import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { main } from '../../scripts/discord.ts';
import { MESSAGE_COMMANDS } from '../../src/chat/discord/interaction.ts';
import { inviteLink } from '../../src/operations/discord-application.ts';
import { runHere } from '../chat/terminal/run.ts';
import { type FakeDiscord, startFakeDiscord } from '../fakes/discord/index.ts';
import { makeFolder } from '../fakes/folder.ts';
import { closeServer, listening, originOf } from '../fakes/loopback.ts';

let discord: FakeDiscord;
beforeAll(async () => {
  discord = await startFakeDiscord({ token: 'bm8tb25lLW5vLW9uZQ.bm8tb25l.bm8tc2VjcmV0LWhlcmUtZWl0aGVy' });
});
afterAll(() => discord.close());

/** Empty, so that nobody's own .env is read. */
const folder = makeFolder();
const script = (name: string, environment: Record<string, string> = settings()) =>
  runHere(() => main(name, environment), folder);
const settings = () => ({ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url });

describe('npm run register', () => {
  it('writes the command once, and says so', async () => {
    expect((await script('register')).out).toContain('is registered.');
    expect(discord.world.commands.map(({ name }) => name)).toEqual([
      'letterboxed',
      ...Object.values(MESSAGE_COMMANDS),
    ]);
    expect((await script('register')).out).toContain('already, just like this');
  });

  it('says what is missing', async () => {
    const { code, err } = await script('register', {});
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('DISCORD_TOKEN') });
  });
});

describe('npm run invite', () => {
  it('prints a link with just the permissions that are needed', async () => {
    const { application } = discord.world;
    const link = inviteLink(application);
    const [server, person] = (await script('invite')).out.split('\n');
    expect(server).toBe(`For a server: ${link}`);
    expect(link).toMatch(/^https:\/\/discord\.com\/oauth2\/authorize\?/);
    expect(person).toBe(
      `For yourself: https://discord.com/oauth2/authorize?client_id=${application.id}&integration_type=1&scope=applications.commands`,
    );
    const { searchParams } = new URL(link);
    expect(searchParams.get('client_id')).toBe(application.id);
    expect(searchParams.get('scope')).toBe('bot applications.commands');
    // View Channel, Send Messages, Attach Files, and threads: create public ones, send in them.
    const bits = [10, 11, 15, 35, 38].reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n);
    expect(searchParams.get('permissions')).toBe(String(bits));
  });
});

describe.each(['register', 'invite'])('npm run %s says in a sentence', (name) => {
  it.each([
    [
      'that Discord can’t be reached',
      { DISCORD_API_URL: 'http://127.0.0.1:1' },
      "Discord can't be reached: no connection to 127.0.0.1:1 (ECONNREFUSED).",
    ],
    [
      'that the token is refused',
      { DISCORD_TOKEN: 'bm9uZQ.bm9uZQ.bm9uZQ' },
      'Discord refuses DISCORD_TOKEN (401).',
    ],
  ])('%s', async (_, wrong, message) => {
    const failed = await script(name, { ...settings(), ...wrong });
    expect(failed).toEqual({ code: 1, out: '', err: expect.stringMatching(/^[^\n]*\n$/) });
    expect(failed.err).toContain(message);
  });
});

it.each(['text/html', 'application/json'])(
  'what a proxy answers as %s is told in a sentence',
  async (type) => {
    const proxy = createServer((_, response) => response.setHeader('content-type', type).end('<p>Log in'));
    const DISCORD_API_URL = originOf(await listening(proxy));
    onTestFinished(() => closeServer(proxy));
    const { code, err } = await script('invite', { ...settings(), DISCORD_API_URL });
    const said =
      "Discord can't be reached: something answered that is not Discord. Check this machine's network.\n";
    expect([code, err]).toEqual([1, said]);
  },
);
