import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeDiscord, startFakeDiscord } from './discord/index.ts';
import type { Wire } from './discord/rules.ts';
import type { Channel } from './discord/world.ts';

let discord: FakeDiscord;
let channel: Channel;

beforeAll(async () => {
  discord = await startFakeDiscord({ limits: false });
  channel = discord.world.addChannel(discord.world.addGuild('Word club'));
});
afterAll(() => discord.close());

/** A request as written by hand, good or bad. */
async function ask(
  method: string,
  path: string,
  body?: unknown,
  more: { files?: readonly { name: string; content?: string }[]; headers?: Record<string, string> } = {},
) {
  const headers: Record<string, string> = {
    'user-agent': 'DiscordBot (https://example.org, 1.0)',
    authorization: `Bot ${discord.token}`,
    ...more.headers,
  };
  let payload: FormData | string | undefined;
  if (more.files) {
    payload = new FormData();
    payload.append('payload_json', JSON.stringify(body));
    for (const [index, file] of more.files.entries()) {
      payload.append(`files[${index}]`, new Blob([file.content ?? 'x'], { type: 'image/png' }), file.name);
    }
  } else if (body !== undefined) {
    payload = JSON.stringify(body);
    headers['content-type'] ??= 'application/json';
  }
  const response = await fetch(`${discord.url}/v10${path}`, {
    method,
    headers,
    ...(payload === undefined ? {} : { body: payload }),
  });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : undefined };
}

const text = (content = 'Hello'): Wire => ({ type: 10, content });
const button = (customId = 'a', more: Wire = {}): Wire => ({
  type: 2,
  style: 1,
  label: 'Press',
  custom_id: customId,
  ...more,
});
const row = (...components: Wire[]): Wire => ({ type: 1, components });
const container = (...components: Wire[]): Wire => ({ type: 17, components });
const V2 = 1 << 15;
const v2 = (...components: Wire[]): Wire => ({ flags: V2, components });

/** How many things a 50035 complains of: a bad example should be bad in one way only. */
const complaints = (errors: unknown): number =>
  typeof errors !== 'object' || errors === null
    ? 0
    : Object.entries(errors).reduce(
        (sum, [key, inner]) => sum + (key === '_errors' ? (inner as unknown[]).length : complaints(inner)),
        0,
      );

const post = (body: unknown, files?: { name: string }[]) =>
  ask('POST', `/channels/${channel.id}/messages`, body, files ? { files } : {});

describe('a request as such', () => {
  it('needs a user agent of the documented form', async () => {
    const reply = await ask('GET', '/users/@me', undefined, { headers: { 'user-agent': 'node' } });
    expect(reply).toMatchObject({ status: 403, body: { code: 40333 } });
  });
  it('needs the token', async () => {
    const reply = await ask('GET', '/users/@me', undefined, { headers: { authorization: 'Bot x' } });
    expect(reply.status).toBe(401);
  });
  it('needs an API version and a known route', async () => {
    expect((await ask('GET', '/../v6/users/@me')).body).toMatchObject({ code: 50041 });
    expect((await ask('GET', '/nowhere')).status).toBe(404);
  });
  it('needs a content type and valid JSON', async () => {
    const path = `/channels/${channel.id}/messages`;
    const plain = await ask('POST', path, {}, { headers: { 'content-type': 'text/plain' } });
    expect(plain.body.code).toBe(50035);
    const response = await fetch(`${discord.url}/v10${path}`, {
      method: 'POST',
      headers: {
        'user-agent': 'DiscordBot (x, 1)',
        authorization: `Bot ${discord.token}`,
        'content-type': 'application/json',
      },
      body: '{"content":',
    });
    expect(await response.json()).toMatchObject({ code: 50109 });
  });
});

describe('a good message', () => {
  it('is returned as it was sent, and is in the channel', async () => {
    const reply = await post(v2(container(text('**Hi**'), row(button('x')))));
    expect(reply.status).toBe(200);
    const [newest] = (await ask('GET', `/channels/${channel.id}/messages?limit=1`)).body;
    expect(newest).toMatchObject({ id: reply.body.id, flags: V2, author: { id: discord.world.bot.id } });
    expect(newest.components[0].components[1].components[0].custom_id).toBe('x');
  });
  it('takes files, their alt text and spoiler mark', async () => {
    const gallery = { type: 12, items: [{ media: { url: 'attachment://board.png' }, spoiler: true }] };
    const reply = await post(
      { ...v2(gallery), attachments: [{ id: 0, description: 'A board', is_spoiler: true }] },
      [{ name: 'board.png' }],
    );
    expect(reply.body.attachments).toMatchObject([
      { filename: 'board.png', description: 'A board', flags: 8 },
    ]);
  });
  it('keeps the ids of components and numbers the rest', async () => {
    const reply = await post(v2({ ...container(text()), id: 77 }));
    expect(reply.body.components[0]).toMatchObject({ id: 77, components: [{ id: 1 }] });
  });
});

/** Each of these is refused with 50035, unless another code stands with it. */
const BAD: Readonly<Record<string, [body: Wire, code?: number, files?: { name: string }[]]>> = {
  'an empty message': [{}, 50006],
  'an empty message with the flag': [{ flags: V2 }, 50006],
  'content over 2000 characters': [{ content: 'x'.repeat(2001) }],
  'content that is no text': [{ content: 5 }],
  'an unknown field': [{ content: 'x', colour: 'red' }],
  'a nonce over 25 characters': [{ content: 'x', nonce: 'x'.repeat(26) }],
  'enforce_nonce that is no boolean': [{ content: 'x', enforce_nonce: 'yes' }],
  'an unknown kind of mention': [{ content: 'x', allowed_mentions: { parse: ['all'] } }],
  'mentions both parsed and listed': [
    { content: 'x', allowed_mentions: { parse: ['roles'], roles: ['123456789012345678'] } },
  ],
  'over 100 roles to mention': [
    { content: 'x', allowed_mentions: { roles: Array(101).fill('123456789012345678') } },
  ],
  'a flag that cannot be set': [{ content: 'x', flags: 1 << 6 }],
  'content with components v2': [{ ...v2(text()), content: 'x' }],
  'a text display without the flag': [{ components: [text()] }],
  'components that are no list': [{ flags: V2, components: {} }],
  '41 components': [v2(...Array.from({ length: 41 }, () => text()))],
  '41 components, nested': [v2(container(...Array.from({ length: 39 }, () => text())), text())],
  'text over 4000 characters in sum': [v2(text('x'.repeat(2000)), container(text('x'.repeat(2001))))],
  'an empty text display': [v2(text(''))],
  'an unknown component': [v2({ type: 99 })],
  'a field no component has': [v2({ ...text(), color: 1 })],
  'a container in a container': [v2(container(container(text())))],
  'an accent colour beyond white': [v2({ ...container(text()), accent_color: 0x1000000 })],
  'an empty container': [v2(container())],
  'a button on its own': [v2(button())],
  'a text input in a message': [v2(row({ type: 4, custom_id: 'x', style: 1 }))],
  'a label in a message': [v2({ type: 18, label: 'x', component: { type: 4, custom_id: 'x', style: 1 } })],
  'six buttons in a row': [v2(row(...Array.from({ length: 6 }, (_, n) => button(`${n}`))))],
  'an empty row': [v2(row())],
  'a select beside a button': [
    v2(row({ type: 3, custom_id: 's', options: [{ label: 'a', value: 'a' }] }, button())),
  ],
  'a custom id over 100 characters': [v2(row(button('x'.repeat(101))))],
  'an empty custom id': [v2(row(button('')))],
  'the same custom id twice': [v2(row(button('x')), container(row(button('x'))))],
  'the same component id twice': [v2({ ...text(), id: 5 }, { ...text(), id: 5 })],
  'a label over 80 characters': [v2(row(button('x', { label: 'x'.repeat(81) })))],
  'a button without a label': [v2(row({ type: 2, style: 1, custom_id: 'x' }))],
  'a button without a style': [v2(row({ type: 2, label: 'x', custom_id: 'x' }))],
  'a link button with a custom id': [v2(row(button('x', { style: 5, url: 'https://example.org' })))],
  'a link button without a link': [v2(row({ type: 2, style: 5, label: 'x' }))],
  'a link over 512 characters': [
    v2(row({ type: 2, style: 5, label: 'x', url: `https://${'x'.repeat(512)}` })),
  ],
  '26 select options': [
    v2(
      row({
        type: 3,
        custom_id: 's',
        options: Array.from({ length: 26 }, (_, n) => ({ label: `${n}`, value: `${n}` })),
      }),
    ),
  ],
  'an empty gallery': [v2({ type: 12, items: [] })],
  'a gallery of eleven': [
    v2({ type: 12, items: Array(11).fill({ media: { url: 'https://example.org/a.png' } }) }),
  ],
  'alt text over 1024 characters': [
    v2({ type: 12, items: [{ media: { url: 'https://example.org/a.png' }, description: 'x'.repeat(1025) }] }),
  ],
  'a picture that was not sent along': [
    v2({ type: 12, items: [{ media: { url: 'attachment://b.png' } }] }),
    50035,
    [{ name: 'a.png' }],
  ],
  'a file by address': [v2({ type: 13, file: { url: 'https://example.org/a.png' } })],
  'a description of no file': [{ ...v2(text()), attachments: [{ id: 3 }] }, 50035, [{ name: 'a.png' }]],
  'a separator of size three': [v2({ type: 14, spacing: 3 })],
};

describe('a bad message', () => {
  it.each(Object.entries(BAD))('is refused: %s', async (_, [body, code = 50035, files]) => {
    const before = discord.world.messagesOf(channel.id).length;
    const reply = await post(body, files);
    expect(reply.body.code).toBe(code);
    expect(complaints(reply.body.errors)).toBe(code === 50035 ? 1 : 0);
    expect(reply.status).toBe(400);
    expect(discord.world.messagesOf(channel.id).length).toBe(before);
  });
  it('is refused with the path of what is wrong', async () => {
    const { body } = await post(v2(row(button('x', { label: '' }))));
    expect(body.errors.components['0'].components['0'].label._errors[0].code).toBe('INVALID');
  });
  it('is refused when a file is over 10 MiB', async () => {
    const files = [{ name: 'a.png', content: 'x'.repeat(10 * 2 ** 20 + 1) }];
    const path = `/channels/${channel.id}/messages`;
    expect((await ask('POST', path, { content: 'x' }, { files })).status).toBe(413);
  });
});

const option = (more: Wire = {}): Wire => ({ type: 3, name: 'words', description: 'Words', ...more });
const sub = (name: string, ...options: Wire[]): Wire => ({ type: 1, name, description: 'Does it', options });
const command = (more: Wire = {}): Wire => ({ name: 'letterboxed', description: 'A companion', ...more });
const withOption = (more: Wire): Wire => command({ options: [option(more)] });

const BAD_COMMANDS: Readonly<Record<string, Wire | Wire[]>> = {
  'no name': { description: 'x' },
  'a name in capitals': command({ name: 'Letterboxed' }),
  'a name with a space': command({ name: 'letter boxed' }),
  'a name over 32 characters': command({ name: 'x'.repeat(33) }),
  'no description': { name: 'x' },
  'a description over 100 characters': command({ description: 'x'.repeat(101) }),
  'an unknown field': command({ colour: 1 }),
  'the same name twice': [command(), command()],
  '26 options': command({ options: Array.from({ length: 26 }, (_, n) => option({ name: `o${n}` })) }),
  'the same option twice': command({ options: [option(), option()] }),
  'subcommands beside options': command({ options: [sub('a'), option()] }),
  'a subcommand in a subcommand': command({ options: [sub('a', sub('b'))] }),
  'a required option after an optional one': command({
    options: [option(), option({ name: 'more', required: true })],
  }),
  'an unknown type of option': withOption({ type: 12 }),
  '26 choices': withOption({
    choices: Array.from({ length: 26 }, (_, n) => ({ name: `${n}`, value: `${n}` })),
  }),
  'a choice value over 100 characters': withOption({ choices: [{ name: 'x', value: 'x'.repeat(101) }] }),
  'a choice of the wrong type': withOption({ type: 4, choices: [{ name: 'x', value: 'x' }] }),
  'choices and autocomplete': withOption({ autocomplete: true, choices: [{ name: 'x', value: 'x' }] }),
  'autocomplete on a flag': withOption({ type: 5, autocomplete: true }),
  'a range on a text': withOption({ min_value: 1 }),
  'a length on a number': withOption({ type: 4, max_length: 5 }),
  'max_length over 6000': withOption({ max_length: 6001 }),
  'an unknown language': command({ description_localizations: { xx: 'x' } }),
  'an unknown language of an option': withOption({ name_localizations: { german: 'worte' } }),
  'a translated name in capitals': withOption({ name_localizations: { de: 'Worte' } }),
  'a translated name with a space': withOption({ name_localizations: { de: 'die worte' } }),
  'a translated description over 100 characters': withOption({
    description_localizations: { de: 'x'.repeat(101) },
  }),
  'an unknown context': command({ contexts: [3] }),
  'permissions that are no bit set': command({ default_member_permissions: 'admin' }),
  'over 8000 characters': command({
    options: Array.from({ length: 4 }, (_, n) =>
      option({
        name: `o${n}`,
        choices: Array.from({ length: 25 }, (_, c) => ({
          name: `${c}`.padEnd(50, 'x'),
          value: `${c}`.padEnd(50, 'x'),
        })),
      }),
    ),
  }),
  '101 commands': Array.from({ length: 101 }, (_, n) => command({ name: `c${n}` })),
};

describe('commands', () => {
  const path = () => `/applications/${discord.world.application.id}/commands`;
  const put = (body: unknown) => ask('PUT', path(), body);

  it('are kept, keep their ids, and are read back', async () => {
    const good = command({
      options: [sub('hint', option({ autocomplete: true })), sub('solve', option({ required: true }))],
      integration_types: [0, 1],
      contexts: [0, 1, 2],
    });
    const [first] = (await put([good])).body;
    const [second] = (await put([{ ...good, description: 'Changed' }])).body;
    expect(second.id).toBe(first.id);
    expect((await ask('GET', path())).body).toMatchObject([{ description: 'Changed', type: 1 }]);
  });
  it('are read with their translations only when asked', async () => {
    const german = { de: 'worte' };
    await put([withOption({ name_localizations: german })]);
    const [short] = (await ask('GET', path())).body;
    expect(short.options[0]).not.toHaveProperty('name_localizations');
    const [whole] = (await ask('GET', `${path()}?with_localizations=true`)).body;
    expect(whole.options[0].name_localizations).toEqual(german);
  });
  it.each(Object.entries(BAD_COMMANDS))('are refused: %s', async (_, body) => {
    const reply = await put(Array.isArray(body) ? body : [body]);
    const tooMany = Array.isArray(body) && body.length > 100;
    expect(reply.body.code).toBe(tooMany ? 30032 : 50035);
    expect(complaints(reply.body.errors)).toBe(tooMany ? 0 : 1);
  });
  it('of one server take no contexts', async () => {
    const guild = discord.world.addGuild('Another');
    const own = `/applications/${discord.world.application.id}/guilds/${guild.id}/commands`;
    expect((await ask('PUT', own, [command({ contexts: [0] })])).body.code).toBe(50035);
    expect((await ask('PUT', own, [command()])).status).toBe(200);
  });
});
