/** The lines of docs/limits.md about Slack, at every place where somebody's right counts, through the real door. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BOT_SCOPES } from '../../src/chat/slack/manifest.ts';
import { messageOf, type OpenedSlack, openSlack, read } from '../chat/slack/open-slack.ts';
import type { Person } from '../fakes/slack/people.ts';
import type { Message } from '../fakes/slack/world.ts';

/** Longer than the door remembers who is an admin. */
const LATER = 11 * 60_000;

describe('where admins are known', () => {
  let slack: OpenedSlack;
  let settings: Message;
  beforeAll(async () => {
    slack = await openSlack({ scopes: [...BOT_SCOPES, 'users:read'] });
    const { ann, channel } = slack;
    await messageOf(ann.slash(channel, '/letterboxed daily on'));
    settings = await messageOf(ann.slash(channel, '/letterboxed daily show'));
  });
  afterAll(() => slack.close());

  const state = async () => {
    const tenant = slack.test.store.tenant(`slack:${slack.workspace.id}`);
    const [subscription] = await tenant.subscriptions.list();
    const { boards } = await tenant.boards.state(slack.channel.id);
    return { state: subscription?.state, boards };
  };

  it.each([
    ['member', {}],
    ['Slack guest', { isRestricted: true }],
    ['external member of a shared channel', { isAdmin: true, team: 'T0ELSEWHERE' }],
  ])('%s: changes nothing, whether typed, mentioned, pressed or submitted', async (_, user) => {
    const person = slack.fake.addPerson(slack.workspace, user);
    slack.channel.members.add(person.id);
    const before = await state();
    const ways: Record<string, (who: Person) => ReturnType<Person['slash']>> = {
      typed: (who) => who.slash(slack.channel, '/letterboxed daily off'),
      'typed, with a form': (who) => who.slash(slack.channel, '/letterboxed set'),
      'typed, with a board': (who) => who.slash(slack.channel, '/letterboxed set ozu nri lfa mbt'),
      mentioned: (who) => who.mention(slack.channel, 'daily off'),
      pressed: (who) => who.press(settings, 'Switch off'),
    };
    for (const [way, act] of Object.entries(ways))
      expect(read(await messageOf(act(person))), way).toContain('Only managers');
    expect(await state()).toEqual(before);
    // Everybody may look, and play.
    const shown = read(await messageOf(person.slash(slack.channel, '/letterboxed daily show')));
    expect(shown).not.toContain('Switch off');
    const room = slack.fake.addChannel(slack.workspace, [person, slack.ann, slack.bob]);
    const relay = await messageOf(person.slash(room, '/letterboxed relay start'));
    expect(read(relay)).toContain('Relay started');
    // What somebody else plays ends by them, or by an admin.
    const theirs = slack.fake.addChannel(slack.workspace, [person, slack.bob]);
    await messageOf(slack.bob.slash(theirs, '/letterboxed relay start'));
    const ended = await messageOf(person.slash(theirs, '/letterboxed relay stop'));
    expect(read(ended)).not.toContain('Relay ended');
  });

  it('somebody who is no admin any more can not submit a form that they opened as one', async () => {
    const { fake, workspace, channel, test } = slack;
    const carl = fake.addPerson(workspace, { isAdmin: true });
    channel.members.add(carl.id);
    await carl.slash(channel, '/letterboxed set').shown;
    workspace.users.get(carl.id)!.isAdmin = false;
    test.clock.time += LATER;
    const before = await state();
    const { view, message } = await carl.submit({ Sides: 'bcd fgh jkl mnp' }).shown;
    expect(read((view ?? message)!)).toContain('Only managers');
    expect(await state()).toEqual(before);
  });
});
