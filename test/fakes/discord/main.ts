/**
 * The fake Discord as a process of its own: `node test/fakes/discord/main.ts [port]`. It prints its address
 * and is set up over HTTP beside the API, so that its starter can look inside and inject faults:
 *
 *     POST /fake/guild {"name":"Word club"}      → { guild, text, forum, announcement }
 *     POST /fake/command {"channel":"…","name":"letterboxed","subcommand":"today"}
 *     POST /fake/fault {"on":"POST /channels/:channel/messages","what":"lose"}
 *     GET  /fake/messages?channel=…              GET /fake/requests
 */
import { createServer } from 'node:http';
import { type Command, type FakeDiscord, startFakeDiscord } from './index.ts';
import type { Fault } from './server.ts';
import { CHANNEL } from './world.ts';

const port = Number(process.argv[2] ?? 4800);
const discord = await startFakeDiscord({ port });

const actions: Readonly<Record<string, (body: never, query: URLSearchParams, fake: FakeDiscord) => unknown>> =
  {
    'POST /fake/guild': ({ name = 'Word club' }: { name?: string }, _, { world }) => {
      const guild = world.addGuild(name);
      const text = world.addChannel(guild);
      const forum = world.addChannel(guild, CHANNEL.forum, { tags: ['daily'], requireTag: true });
      const announcement = world.addChannel(guild, CHANNEL.announcement);
      discord.join(guild);
      return { guild: guild.id, text: text.id, forum: forum.id, announcement: announcement.id };
    },
    'POST /fake/command': async (asked: Omit<Command, 'channel' | 'user'> & { channel: string }, _, fake) => {
      const channel = fake.world.channels.get(asked.channel);
      if (channel === undefined) throw new Error('There is no such channel.');
      const seen = await fake.command({ ...asked, channel });
      return { failed: seen.failed, ephemeral: seen.ephemeral, message: seen.failed ? null : seen.message };
    },
    'POST /fake/fault': (fault: Fault, _, fake) => fake.fault(fault) ?? {},
    'GET /fake/messages': (_: never, query, fake) => fake.world.messagesOf(query.get('channel') ?? ''),
    'GET /fake/requests': (_: never, _query, fake) =>
      fake.requests.map(({ method, path, status, code, errors }) => ({ method, path, status, code, errors })),
  };

const control = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const action = actions[`${request.method} ${url.pathname}`];
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (action === undefined) throw new Error(`There is: ${Object.keys(actions).join(', ')}.`);
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as never;
    response.end(JSON.stringify(await action(body, url.searchParams, discord)));
  } catch (error) {
    response.writeHead(400).end(String(error));
  }
});
control.listen(port + 1, '127.0.0.1', () => {
  console.log(
    `DISCORD_API_URL=${discord.url} DISCORD_TOKEN=${discord.token} control=http://127.0.0.1:${port + 1}`,
  );
});
