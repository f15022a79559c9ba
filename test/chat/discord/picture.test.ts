import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeServer, listening, originOf } from '../../fakes/loopback.ts';
import { type Started, startDiscord } from './start.ts';

const requested: string[] = [];
/** Where Discord keeps what people upload. */
const files = createServer(({ url = '' }, response) => {
  requested.push(url);
  if (url === '/moved.png') response.writeHead(302, { location: '/board.png' });
  if (url === '/gone.png') response.writeHead(404);
  if (url === '/large.png') response.end(Buffer.alloc(9_000_000));
  else response.end(url === '/board.png' ? readFileSync('docs/pictures/board.png') : undefined);
});
let started: Started;
beforeAll(async () => {
  await listening(files);
  started = await startDiscord({ door: { pictureOrigins: [originOf(files)] } });
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
  expect(seen.text).not.toContain('|FORUM –');
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
});

it('loads nothing from elsewhere', async () => {
  started.expectErrors('a command failed');
  const before = requested.length;
  const { port } = new URL(originOf(files));
  const seen = await solve(`http://localhost:${port}/board.png`);
  expect(seen.text).not.toContain('Solutions');
  expect(requested.length).toBe(before);
});
