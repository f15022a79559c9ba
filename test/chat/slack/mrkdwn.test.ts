import { afterEach, describe, expect, it, vi } from 'vitest';
import { REQUIRED_SCOPE_NAMES } from '../../../src/chat/slack/manifest.ts';
import { inlineMarkup, lineMarkup, literal, packLines } from '../../../src/chat/slack/mrkdwn.ts';
import { DAY } from '../../../src/core/clock.ts';
import type { Inline, Reply } from '../../../src/reply/model/types.ts';
import { madeUp } from '../../fakes/ask.ts';
import fc, { anyCharacter } from '../../fakes/fast-check.ts';
import { readMarkup } from '../../fakes/slack/shown.ts';
import { messageOf, type OpenedSlack, openingPost, openSlack, read } from './open-slack.ts';

const HERE = { inThread: false };
const GAP = '\u200b';
const LOOKALIKES: Record<string, string> = { '∗': '*', ˍ: '_', '∼': '~', ˋ: '`' };
/** What a reader sees. */
const shown = (markup: string) =>
  readMarkup(markup)
    .replaceAll(GAP, '')
    .replace(/[∗ˍ∼ˋ]/g, (sign) => LOOKALIKES[sign] ?? sign);

describe('text in Slack’s markup', () => {
  it('shows every string as it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter }).filter((text) => !/[∗ˍ∼ˋ\u200b]/.test(text)),
        (text) => shown(literal(text)) === text,
      ),
    );
  });

  it.each([
    ['*bold* and _italic_', '∗bold∗ and ˍitalicˍ'],
    ['~gone~, `code`', '∼gone∼, ˋcodeˋ'],
    ['a_b_c 2*3*4', 'a_b_c 2*3*4'],
    ['at 08:00 :smile: 12:30', `at 08:00 :${GAP}smile: 12:30`],
  ])('breaks up the markup in %s', (text, made) => {
    expect(literal(text)).toBe(made);
  });

  it('makes no quote of a line that begins with >', () => {
    expect(literal('> said')).toBe(`${GAP}&gt; said`);
  });

  it('has bold, code, links, moments, people, and commands as they are typed here', () => {
    expect(inlineMarkup({ bold: 'two words' }, HERE)).toBe('*two words*');
    expect(inlineMarkup({ code: 'a`b<c' }, HERE)).toBe('`aˋb&lt;c`');
    expect(inlineMarkup({ link: 'https://x.test/a?b=1&c=2|>', label: 'a|b' }, HERE)).toBe(
      '<https://x.test/a?b=1&amp;c=2%7C%3E|a|b>',
    );
    expect(inlineMarkup({ moment: 1_795_194_000_000, style: 'time' }, HERE)).toBe(
      '<!date^1795194000^{time}|2026-11-20 17:00 UTC>',
    );
    expect(inlineMarkup({ moment: 1_795_194_000_000, style: 'weekday' }, HERE)).toBe(
      '<!date^1795194000^{date_long_pretty} at {time}|2026-11-20 17:00 UTC>',
    );
    expect(inlineMarkup({ command: 'hint step:count' }, HERE)).toBe('`/letterboxed hint step:count`');
    expect(inlineMarkup({ command: 'hint' }, { ...HERE, inThread: true })).toBe('`@letterboxed hint`');
    expect(inlineMarkup({ bold: ' ' }, HERE) + inlineMarkup({ code: '' }, HERE)).toBe('');
  });

  it('separates bold from letters that would disable it', () => {
    expect(lineMarkup(['x', { bold: 'M' }, 'y', { code: 'z' }], HERE, 100)).toBe(
      `x${GAP}*M*${GAP}y${GAP}\`z\``,
    );
    expect(lineMarkup(['Best: ', { bold: 'M' }, '.'], HERE, 100)).toBe('Best: *M*.');
    expect(lineMarkup([{ bold: 'M' }, 'yyyyyy'], HERE, 8)).toBe(`*M*${GAP}yyy…`);
  });

  it('is cut at a number of characters, never within markup', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.string(),
        fc.string({ minLength: 1 }).map((bold): Inline => ({ bold })),
        fc.constant<Inline>({ moment: 0, style: 'full' }),
      ),
    );
    fc.assert(
      fc.property(pieces, fc.integer({ min: 10, max: 80 }), (line, most) => {
        const text = lineMarkup(line, HERE, most);
        expect(text.length).toBeLessThanOrEqual(most);
        expect(text).not.toMatch(/&(?!amp;|lt;|gt;)/);
        expect((text.match(/</g) ?? []).length).toBe((text.match(/>/g) ?? []).length);
      }),
    );
  });

  it('joins lines into as few texts as possible, losing none that fit', () => {
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`);
    const packed = packLines(lines, HERE, 100);
    expect(packed.join('\n').split('\n')).toEqual(lines);
    expect(packed.every((text) => text.length <= 100)).toBe(true);
    expect(packed.length).toBeLessThan(8);
  });
});

const BOARD: Reply = {
  title: 'Leaderboard',
  blocks: [{ kind: 'text', lines: [['1. ', { person: 'U0123' }]] }],
  audience: 'everyone',
};
const leaderboard = madeUp({ name: 'leaderboard', private: false, run: async () => BOARD });

describe('people in public messages', () => {
  let slack: OpenedSlack;
  afterEach(() => slack.close());

  /** What a mention in a message said when it was new, for then it calls people. */
  const firstSeen = async () => {
    const { message } = await slack.fake.next(({ message: shown }) => shown !== undefined);
    return JSON.stringify(message!.blocks);
  };

  // A page that was typed takes the place of no message.
  it.each([false, true])('are mentioned by an edit, which notifies nobody: replaces=%s', async (replaces) => {
    const run = async (): Promise<Reply> => ({ ...BOARD, replaces });
    slack = await openSlack({ commands: [madeUp({ name: 'leaderboard', private: false, run })] });
    const fresh = firstSeen();
    const named = slack.fake.next(({ message }) => message?.isEdited === true);
    slack.ann.slash(slack.channel, '/letterboxed leaderboard');
    expect(await fresh).not.toContain('U0123');
    expect(read((await named).message!)).toContain('<@U0123>');
    expect(slack.channel.messages).toHaveLength(1);
  });

  it('are not mentioned where the bot may not post, because it can’t edit its answers there', async () => {
    slack = await openSlack({ commands: [leaderboard] });
    slack.channel.members.delete(slack.workspace.botUser);
    const answer = await messageOf(slack.ann.slash(slack.channel, '/letterboxed leaderboard'));
    expect(read(answer)).toContain('someone');
  });

  it('are left out where the edit fails: the answer is there, and no apology comes after it', async () => {
    slack = await openSlack({ commands: [leaderboard] });
    slack.fake.faults.inject({ kind: 'status', status: 500, method: 'chat.update' });
    slack.ann.slash(slack.channel, '/letterboxed leaderboard');
    await expect.poll(() => slack.fake.faults.isClear).toBe(true);
    await slack.door.stop();
    expect(slack.channel.messages.map((message) => read(message))).toEqual([
      expect.stringContaining('someone'),
    ]);
  });

  it('are in lines where a workspace refuses a table, in the message without names and in its edit', async () => {
    const columns = [{ label: 'Player' }, { label: 'Words' }];
    const table = { caption: 'Places', columns, rows: [[{ person: 'U0123' }, 2]] };
    const run = async (): Promise<Reply> => ({ ...BOARD, blocks: [{ kind: 'table', table }] });
    slack = await openSlack({ commands: [madeUp({ name: 'leaderboard', private: false, run })] });
    for (const method of ['chat.postMessage', 'chat.update'])
      slack.fake.faults.inject({ kind: 'error', error: 'invalid_blocks', method });
    const named = slack.fake.next(({ message }) => message?.isEdited === true);
    slack.ann.slash(slack.channel, '/letterboxed leaderboard');
    const { blocks } = (await named).message!;
    expect(blocks.map(({ type }) => type)).toEqual(['header', 'section']);
    expect(read({ blocks })).toContain('<@U0123> · 2');
  });

  it('are mentioned by an edit in posts, too', async () => {
    slack = await openSlack();
    const fresh = firstSeen();
    const channel = { tenant: `slack:${slack.workspace.id}`, channel: slack.channel.id };
    const post = openingPost(slack, BOARD, { ping: 'S0123' });
    const posted = await slack.door.poster.open(post);
    expect(await fresh).not.toContain('U0123');
    const [message] = slack.channel.messages;
    expect(read(message!)).toMatch(/^<!subteam\^S0123>.*<@U0123>/s);
    // The process died after it posted.
    await slack.door.poster.edit(channel, posted, { ...BOARD, blocks: [] });
    expect(read(message!)).not.toContain('<@U0123>');
    await slack.door.poster.open({ ...post, posted });
    expect(read(message!)).toContain('<@U0123>');
    expect(slack.channel.messages).toHaveLength(1);
  });

  it('are shown by their names at once where the app may look people up, each looked up once a day', async () => {
    slack = await openSlack({ scopes: [...REQUIRED_SCOPE_NAMES, 'users:read'] });
    const { fake, workspace, test, door } = slack;
    const ben = fake.addPerson(workspace, { name: 'ben.k', displayName: 'Ben *K*' });
    const line = [{ person: ben.id }, ' and ', { person: slack.bob.id }];
    const rows = [[{ person: ben.id }, 2]];
    const table = { caption: 'Places', columns: [{ label: 'Player' }, { label: 'Words' }], rows };
    const named: Reply = {
      ...BOARD,
      blocks: [
        { kind: 'text', lines: [line] },
        { kind: 'table', table },
        { kind: 'spoiler', label: 'Who else', hidden: [line], reveals: undefined },
      ],
    };
    const calls = vi.spyOn(fake.faults, 'take');
    const lookups = () => calls.mock.calls.filter(([method]) => method === 'users.info').length;
    const kept = vi.spyOn(test.store.actions, 'put');
    const post = () => door.poster.open(openingPost(slack, named, { key: `key-${lookups()}` }));
    const posted = await post();
    const [message] = slack.channel.messages;
    expect(message).toMatchObject({ isEdited: false, notified: [] });
    expect(read(message!)).toContain(`Ben ∗K∗ and ${slack.bob.id.toLowerCase()}`);
    expect(read(message!)).toContain('Player | Words\nBen *K* | 2');
    await door.poster.edit({ tenant: `slack:${workspace.id}`, channel: slack.channel.id }, posted, named);
    expect(read(message!)).toContain(`Ben ∗K∗ and ${slack.bob.id.toLowerCase()}`);
    await post();
    expect(lookups()).toBe(2);
    test.clock.time += DAY + 1;
    await post();
    expect(lookups()).toBe(4);
    // Somebody who can’t be looked up is mentioned, by an edit.
    workspace.users.delete(ben.id);
    test.clock.time += DAY + 1;
    await post();
    expect(slack.channel.messages.at(-1)).toMatchObject({ isEdited: true, notified: [] });
    expect(read(slack.channel.messages.at(-1)!)).toContain(`<@${ben.id}> and ${slack.bob.id.toLowerCase()}`);
    // What is stored for the Show button has ids alone.
    const stored = JSON.stringify([kept.mock.calls, test.logged]);
    expect(stored).toContain(ben.id);
    expect(stored).not.toContain('Ben');
  });
});
