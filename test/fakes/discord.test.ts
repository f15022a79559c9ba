/** The limits of Discord by which our own are measured; the fake has all others as schemas, and product tests meet them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeDiscord, startFakeDiscord } from './discord/index.ts';
import type { Wire } from './discord/rules.ts';

let discord: FakeDiscord;
let messages: string;
beforeAll(async () => {
  discord = await startFakeDiscord({ limits: false });
  messages = `/channels/${discord.world.addChannel(discord.world.addGuild('Word club')).id}/messages`;
});
afterAll(() => discord.close());

async function send(method: string, path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${discord.url}/v10${path}`, {
    method,
    headers: {
      'user-agent': 'DiscordBot (https://example.org, 1.0)',
      authorization: `Bot ${discord.token}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const { code } = (await response.json()) as { code?: number };
  return code ?? response.status;
}

const repeated = (times: number, make: (number: number) => Wire) =>
  Array.from({ length: times }, (_, n) => make(n));
const text = (length: number): Wire => ({ type: 10, content: 'x'.repeat(length) });
const button = (more: Wire = {}): Wire => ({ type: 2, style: 1, label: 'Press', custom_id: 'a', ...more });
const row = (...components: Wire[]): Wire => ({ type: 1, components });
const buttons = (count: number) => row(...repeated(count, (n) => button({ custom_id: `${n}` })));
const alt = (length: number): Wire => ({
  type: 12,
  items: [{ media: { url: 'https://example.org/a.png' }, description: 'x'.repeat(length) }],
});

it.each<[what: string, most: Wire[], more: Wire[]]>([
  ['components', repeated(40, () => text(1)), repeated(41, () => text(1))],
  ['characters of text', [text(4000)], [text(2000), text(2001)]],
  ['buttons in a row', [buttons(5)], [buttons(6)]],
  [
    'characters of a label',
    [row(button({ label: 'x'.repeat(80) }))],
    [row(button({ label: 'x'.repeat(81) }))],
  ],
  [
    'characters of a custom id',
    [row(button({ custom_id: 'x'.repeat(100) }))],
    [row(button({ custom_id: 'x'.repeat(101) }))],
  ],
  ['buttons with one custom id', [row(button())], [row(button(), button())]],
  ['characters of alt text', [alt(1024)], [alt(1025)]],
])('the fake refuses a message with more %s than Discord takes', async (_, most, more) => {
  const post = (components: Wire[]) => send('POST', messages, { flags: 1 << 15, components });
  expect([await post(most), await post(more)]).toEqual([200, 50035]);
});

it('the fake refuses a command of more than 8,000 characters, and whoever has no token', async () => {
  const commands = `/applications/${discord.world.application.id}/commands`;
  const choices = (length: number) =>
    repeated(25, (n) => ({ name: `${n}`.padEnd(length, 'x'), value: `${n}`.padEnd(length, 'x') }));
  const command = (length: number) => ({
    name: 'letterboxed',
    description: 'x',
    options: repeated(4, (n) => ({ type: 3, name: `o${n}`, description: 'x', choices: choices(length) })),
  });
  expect(await send('PUT', commands, [command(30)])).toBe(200);
  expect(await send('PUT', commands, [command(50)])).toBe(50035);
  expect(await send('PUT', commands, [], { authorization: 'Bot x' })).not.toBe(200);
});
