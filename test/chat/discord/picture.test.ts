import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { ComponentType } from 'discord.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPicturesOnce } from '../../fakes/app.ts';
import type { Message } from '../../fakes/discord/message.ts';
import { closeServer, listening, originOf } from '../../fakes/loopback.ts';
import { type Started, startDiscord } from './start.ts';

const requested: string[] = [];
let megabytesSent = 0;
function* large() {
  while (megabytesSent++ < 100) yield Buffer.alloc(1_000_000);
}
/** Where Discord keeps what people upload. */
const files = createServer(({ url = '' }, response) => {
  requested.push(url);
  if (url === '/moved.png') response.writeHead(302, { location: '/board.png' });
  if (url === '/gone.png') response.writeHead(404);
  if (url === '/large.png') Readable.from(large()).pipe(response);
  else response.end(url === '/board.png' ? readFileSync('test/fakes/board.png') : undefined);
});
let started: Started;
beforeAll(async () => {
  await listening(files);
  started = await startDiscord({ app: {}, door: { pictureOrigins: [originOf(files)] } });
  readPicturesOnce(started.app);
});
afterAll(async () => {
  await started.close();
  await closeServer(files);
});

const solve = (address: string, options: Record<string, string | number> = {}) =>
  started.discord.command({
    channel: started.channel,
    name: 'letterboxed',
    subcommand: 'solve',
    options: { picture: '123', ...options },
    files: { 123: address },
  });

it('solves the board in a picture, with the other options, for its sender alone', async () => {
  const seen = await solve(`${originOf(files)}/board.png`, { exclude: 'forum', sides: 'bcd fgh jkl mnp' });
  expect(seen.ephemeral).toBe(true);
  expect(seen.text).toContain('Solutions: OZU NRI LFA MBT');
  expect(seen.text).toContain('MULTIFORM – MOBILIZATION');
  expect(seen.text).not.toContain('FORUM');
});

it.each([
  ['moved.png', 'I can’t load that picture'],
  ['gone.png', 'I can’t load that picture'],
  ['empty.png', 'I can’t read that file'],
  ['large.png', 'That picture is too large'],
])('says in a sentence why it solves nothing of %s', async (name, sentence) => {
  started.clock.time += 60_000;
  const seen = await solve(`${originOf(files)}/${name}`);
  expect(seen.text).toContain(sentence);
  expect(seen.text).not.toContain('Solutions');
  // Of a large one, no more is loaded than shows that.
  expect(megabytesSent).toBeLessThan(50);
});

type File = { readonly name: string; readonly type: string; readonly url?: string };

/** Chooses the command in the menu of a message with these files. */
const choose = (...chosen: readonly File[]) => chooseOf(() => ({}), ...chosen);
const chooseOf = (change: (message: Message) => object, ...chosen: readonly File[]) => {
  const { discord, channel } = started;
  const attachments = chosen.map(
    ({ name: filename, type, url = `${originOf(files)}/${filename}` }, index) => ({
      ...{ id: String(index), filename, content_type: type, size: 1, flags: 0 },
      ...{ url, proxy_url: url },
    }),
  );
  const message = discord.write(channel, discord.world.addUser('ann'), '', attachments);
  return discord.messageCommand({ ...message, ...change(message) }, 'Solve the board');
};

it('solves the first picture in a message of somebody else, for the asker alone', async () => {
  started.clock.time += 60_000;
  const seen = await choose(
    { name: 'notes.txt', type: 'text/plain' },
    { name: 'board.png', type: 'image/png' },
    { name: 'gone.png', type: 'image/png' },
  );
  expect(seen.ephemeral).toBe(true);
  expect(seen.text).toContain('Solutions: OZU NRI LFA MBT');
  // Discord has the parts of a forwarded message in a copy of it.
  const forwarded = await chooseOf(
    ({ attachments }) => ({ attachments: [], message_snapshots: [{ message: { attachments } }] }),
    { name: 'board.png', type: 'image/png' },
  );
  expect(forwarded.text).toContain('Solutions: OZU NRI LFA MBT');
  // The bot's own messages have theirs in components, and then not among the attachments.
  const own = await chooseOf(
    ({ attachments: [file] }) => ({
      attachments: [],
      components: [
        {
          type: ComponentType.Container,
          components: [
            { type: ComponentType.TextDisplay, content: 'A board' },
            {
              type: ComponentType.MediaGallery,
              items: [
                { media: { ...file, url: 'https://elsewhere.example/x.png' } },
                { media: { ...file, attachment_id: '1' } },
              ],
            },
          ],
        },
      ],
    }),
    { name: 'board.png', type: 'image/png' },
  );
  expect(own.text).toContain('Solutions: OZU NRI LFA MBT');
});

it('says in a sentence that a message has no picture, or one that is no board', async () => {
  started.clock.time += 60_000;
  for (const [file, sentence] of [
    [[{ name: 'notes.txt', type: 'text/plain' }], 'I see no picture in that message'],
    [[], 'I see no picture in that message'],
    [[{ name: 'empty.png', type: 'image/png' }], 'I can’t read that file'],
  ] as const)
    expect((await choose(...file)).text).toContain(sentence);
});

it('loads nothing from elsewhere', async () => {
  started.expectErrors('a command failed');
  const before = requested.length;
  const { port } = new URL(originOf(files));
  const seen = await solve(`http://localhost:${port}/board.png`);
  expect(seen.text).not.toContain('Solutions');
  expect(requested.length).toBe(before);
});
