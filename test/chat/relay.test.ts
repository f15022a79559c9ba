/** A relay as people play it: the real doors on the fake platforms, with all their rules for edits. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOUR } from '../../src/core/clock.ts';
import { textOf } from '../fakes/discord/person.ts';
import { shownText } from '../fakes/slack/shown.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { type Started, startDiscord } from './discord/start.ts';
import { messageOf, type OpenedSlack, openSmallSlack } from './slack/open-slack.ts';

const EDIT = 'PATCH /channels/:channel/messages/:message';

describe('on Discord', () => {
  let started: Started;
  beforeEach(async () => {
    started = await startDiscord({ app: { words: WORDS, house, posterOf: () => started.door.poster } });
  });
  afterEach(() => started.close());

  const people = new Map<string, object>();
  const as = (name: string) => {
    const user = people.get(name) ?? started.discord.world.addUser(name);
    people.set(name, user);
    return { user: user as never };
  };
  beforeEach(() => people.clear());
  const relay = (word: string, name: string) =>
    started.discord.command({
      channel: started.channel,
      name: 'letterboxed',
      subcommand: 'relay',
      options: { word },
      ...as(name),
    });
  /** Messages of the thread that the game has opened. */
  const inThread = () => {
    const thread = [...started.discord.world.channels.values()].find(
      ({ parent_id }) => parent_id === started.channel.id,
    );
    return started.discord.world.messagesOf(thread!.id);
  };

  test('one message in a thread of its own, edited in place, by command and by button', async () => {
    const begun = await relay('start', 'ann');
    expect(begun.ephemeral).toBe(true);
    expect(started.discord.world.messagesOf(started.channel.id)).toHaveLength(1);
    expect((await relay('bfjmcg', 'ann')).text).toContain('Word added');
    const asked = await started.discord.press(inThread()[0]!, 'Add a word', as('ben'));
    const added = await started.discord.submit(asked, { word: 'gkdhln' });
    expect(added.ephemeral).toBe(true);
    expect((await relay('zzz', 'ben')).text).toContain('not on this board');
    expect((await relay('nbp', 'ann')).text).toContain('Solved together!');
    const [message, ...others] = inThread();
    expect(others).toEqual([]);
    expect(textOf(message!)).toContain('Relay solved in 3 words');
    expect(textOf(message!)).toMatch(/1\\?\. \*\*BFJMCG\*\* <@\d+>/);
    expect(message!.mentions ?? []).toEqual([]);
    expect(textOf(started.discord.world.messagesOf(started.channel.id)[0]!)).not.toMatch(/BFJMCG|NBP/);
    expect(started.discord.requestsTo(EDIT)).toHaveLength(3);
    expect(started.discord.requests.filter(({ status = 0 }) => status >= 400)).toEqual([]);
    expect(started.discord.interactions.frowns).toEqual([]);
  });

  test('two words at the same moment: one is accepted, the other gets an explanation', async () => {
    await relay('start', 'ann');
    await relay('bfjmcg', 'ann');
    const [one, two] = await Promise.all([relay('gkdhln', 'ann'), relay('gkdhlnbp', 'ben')]);
    const answers = [one.text, two.text].map((text) => /Word added|Solved together/.test(text));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(inThread()).toHaveLength(1);
  });

  test('past the cap on edits of old messages it goes on in a fresh one', async () => {
    await relay('start', 'ann');
    await relay('bfjmcg', 'ann');
    started.clock.time += 2 * HOUR;
    started.discord.fault({ on: EDIT, what: { retryAfter: 600 } });
    await relay('gkdhln', 'ben');
    expect(inThread().map((message) => textOf(message).includes('GKDHLN'))).toEqual([false, true]);
    await relay('nbp', 'ann');
    expect(textOf(inThread().at(-1)!)).toContain('Relay solved in 3 words');
  });
});

describe('on Slack', () => {
  let slack: OpenedSlack;
  beforeEach(async () => {
    slack = await openSmallSlack();
  });
  afterEach(() => slack.close());

  const posts = () => slack.channel.messages.filter(({ byApp, only }) => byApp && only === undefined);
  const relay = (person: OpenedSlack['ann'], word: string) =>
    messageOf(person.slash(slack.channel, `/letterboxed relay ${word}`));

  test('one message in a thread, edited in place, by command and by button', async () => {
    const begun = await relay(slack.ann, 'start');
    expect(begun.only).toBe(slack.ann.id);
    const [invitation, game] = posts();
    expect(game!.threadTs).toBe(invitation!.ts);
    await relay(slack.ann, 'bfjmcg');
    await slack.bob.press(game!, 'Add a word').shown;
    const added = await messageOf(slack.bob.submit({ Word: 'gkdhlnbp' }));
    expect(shownText(added.blocks)).toContain('Solved together!');
    expect(posts()).toHaveLength(2);
    const shown = shownText(posts()[1]!.blocks);
    expect(shown).toContain('Relay solved in 2 words');
    expect(shown).toContain(`BFJMCG* <@${slack.ann.id}>`);
    expect(shown).toContain(`GKDHLNBP* <@${slack.bob.id}>`);
    expect(shownText(invitation!.blocks)).not.toContain('BFJMCG');
  });

  test('where edits are slowed down it waits, and shows the last state', async () => {
    await relay(slack.ann, 'start');
    slack.fake.faults.inject({ kind: 'ratelimited', retryAfter: 1, method: 'chat.update' });
    await relay(slack.bob, 'bfjmcg');
    expect(shownText(posts()[1]!.blocks)).toContain('BFJMCG');
    expect(posts()).toHaveLength(2);
  });

  test('where the message can be edited no more it goes on in a fresh one', async () => {
    await relay(slack.ann, 'start');
    slack.fake.faults.inject({ kind: 'error', error: 'edit_window_closed', method: 'chat.update' });
    await relay(slack.bob, 'bfjmcg');
    expect(posts()).toHaveLength(3);
    expect(shownText(posts()[2]!.blocks)).toContain('BFJMCG');
    expect(posts()[2]!.threadTs).toBe(posts()[0]!.ts);
  });
});
