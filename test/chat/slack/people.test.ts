import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeClient, SlackApi, type Workspaces } from '../../../src/chat/slack/api.ts';
import { REQUIRED_SCOPE_NAMES } from '../../../src/chat/slack/manifest.ts';
import { DirectChannels, makePeople } from '../../../src/chat/slack/people.ts';
import type { Command } from '../../../src/dispatch/contract.ts';
import { readHintRecord } from '../../../src/dispatch/hint-record.ts';
import { UNLEASED } from '../../../src/dispatch/poster.ts';
import { factsAbout, HINT_STEPS } from '../../../src/reply/model/facts.ts';
import { toAsker } from '../../../src/reply/model/text.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import { TODAY } from '../../fakes/app.ts';
import { replaceMethods } from '../../fakes/replace-methods.ts';
import type { Message } from '../../fakes/slack/world.ts';
import { messageOf, type OpenedSlack, openSlack, read } from './open-slack.ts';

/** A command for managers: with `on` it changes what the channel gets, and without it only reads. */
const daily: Command = {
  name: 'daily',
  description: 'The daily thread',
  options: [{ name: 'on', description: 'On', kind: 'flag' }],
  access: 'manager',
  private: true,
  examples: [],
  async run({ where, who, options }, { store }): Promise<Reply> {
    const { subscriptions } = store.tenant(where.tenant);
    const version = (await subscriptions.get(where.channel))?.version ?? 0;
    if (options.on) await subscriptions.save(where.channel, {}, { version, by: who.id, at: 1 });
    return { title: options.on ? 'It is on' : 'This is how it is', blocks: [], audience: 'asker' };
  },
};

let slack: OpenedSlack;
afterEach(() => slack.close());

it('reminds people by the time zone of their Slack profile, where people may be looked up', async () => {
  slack = await openSlack({ scopes: [...REQUIRED_SCOPE_NAMES, 'users:read'] });
  const { fake, workspace, channel, bob } = slack;
  const cleo = fake.addPerson(workspace, { zone: 'Asia/Tokyo' });
  const dan = fake.addPerson(workspace, { zone: 'Mars/Base' });
  expect(read(await messageOf(cleo.slash(channel, '/letterboxed remind at 19:00')))).toContain('Tokyo');
  expect(read(await messageOf(bob.slash(channel, '/letterboxed remind at 19:00')))).toContain('Berlin');
  expect(read(await messageOf(dan.slash(channel, '/letterboxed remind at 19:00')))).toContain('New York');
});

describe('who may manage', () => {
  it('is nobody while people can’t be looked up, of whom it is not said that they are no admins', async () => {
    slack = await openSlack({ commands: [daily], scopes: [...REQUIRED_SCOPE_NAMES, 'users:read'] });
    const { ann, bob, channel, fake } = slack;
    const fail = (times: number) =>
      fake.faults.inject({ kind: 'ratelimited', retryAfter: 30, method: 'users.info', times });
    const ask = async (person = ann) => read(await messageOf(person.slash(channel, '/letterboxed daily on')));
    fail(2);
    expect(await ask()).toContain('Try again in a minute');
    fail(1);
    expect(await ask()).toBe('It is on');
    fail(1);
    expect(await ask(bob)).toContain('You need to be an admin or owner');
  });

  it('is looked up again after ten minutes', async () => {
    slack = await openSlack({ commands: [daily], scopes: [...REQUIRED_SCOPE_NAMES, 'users:read'] });
    const { ann, channel, test, workspace } = slack;
    const ask = async () => read(await messageOf(ann.slash(channel, '/letterboxed daily on')));
    expect(await ask()).toBe('It is on');
    Object.assign(workspace.users.get(ann.id)!, { isAdmin: false });
    test.clock.time += 9 * 60_000;
    expect(await ask()).toBe('It is on');
    test.clock.time += 2 * 60_000;
    expect(await ask()).toContain('You need to be an admin or owner');
    // Only where everybody may, a change is announced.
    expect(channel.messages).toEqual([]);
  });

  it.each([
    ['admins and owners', [...REQUIRED_SCOPE_NAMES, 'users:read'], 'You need to be an admin or owner'],
    ['everybody', REQUIRED_SCOPE_NAMES, 'It is on'],
  ])('is %s behind a proxy that drops the header with the scopes', async (_, scopes, answer) => {
    slack = await openSlack({ commands: [daily], scopes });
    slack.fake.tokens.scopesOf = () => undefined;
    expect(read(await messageOf(slack.bob.slash(slack.channel, '/letterboxed daily on')))).toContain(answer);
  });

  const users = {
    'an admin of the first of two workspaces': (team: string) => ({ is_admin: team === 'T1' }),
    'an owner of the first of two workspaces': (team: string) => ({ is_owner: team === 'T1' }),
    'an admin of another workspace': () => ({ is_admin: true, team_id: 'T2' }),
    'an admin of another workspace of this organization': () => ({
      ...{ is_admin: true, team_id: 'T2', enterprise_user: { teams: ['T1'] } },
    }),
    'an owner of this organization': () => ({
      ...{ is_admin: false, team_id: 'T2', enterprise_user: { is_owner: true, teams: ['T1'] } },
    }),
    'an admin in the organization that installed it': () => ({
      ...{ is_admin: true, team_id: 'T3', enterprise_user: { enterprise_id: 'T2', teams: ['T3'] } },
    }),
    'an admin of the organization that installed it': () => ({
      ...{ team_id: 'T3', enterprise_user: { enterprise_id: 'T2', teams: ['T3'], is_admin: true } },
    }),
    'an owner of another organization': () => ({
      ...{ is_admin: false, team_id: 'T2', enterprise_user: { is_owner: true, teams: [] } },
    }),
  };
  it.each([
    ['an admin of the first of two workspaces', [true, false, true]],
    ['an owner of the first of two workspaces', [true, false]],
    ['an admin of another workspace', [false, true]],
    ['an admin of another workspace of this organization', [true]],
    ['an owner of this organization', [true]],
    ['an admin in the organization that installed it', [false, 'only here']],
    ['an admin of the organization that installed it', [false, true]],
    ['an owner of another organization', [false, true]],
  ] as const)('is %s, in T1 and T2: %j', async (who, expected) => {
    slack = await openSlack({ commands: [daily] });
    const { app } = slack.test;
    const api = replaceMethods(new SlackApi(makeClient(app.log, undefined), {} as Workspaces, app), {
      call: (team) => answers.shift()?.() ?? Promise.resolve({ ok: true, user: users[who](team) }),
    });
    const answers: (() => Promise<never>)[] = [];
    const people = makePeople(app, api);
    for (const [at, manages] of expected.entries()) {
      const team = at % 2 === 0 ? 'T1' : 'T2';
      expect(await people.permissionOf(team, 'U1')).toMatchObject({
        mayManage: manages !== false,
        managesOnlyHere: manages === 'only here',
      });
      answers.push(() => Promise.reject(new Error('no answer')));
      const { lookUpAccess } = await makePeople(app, api).permissionOf(team, 'U1');
      expect(await lookUpAccess?.('C1'), 'where it was not known at first').toBe(manages === true);
    }
  });

  it('announces each change once, and answers a second time that nothing has changed', async () => {
    slack = await openSlack();
    const { bob, channel } = slack;
    for (const change of ['on', 'zone:London', 'off']) {
      const type = async () => read(await messageOf(bob.slash(channel, `/letterboxed daily ${change}`)));
      const isUnchanged = /Nothing has changed|off already/;
      expect(await type()).not.toMatch(isUnchanged);
      expect(await type()).toMatch(isUnchanged);
    }
    // In a private conversation, nobody else needs to know.
    const answer = await messageOf(bob.write('set ozu nri lfa mbt'));
    expect(read(answer)).toContain('Board set');
    await slack.door.stop();
    expect(channel.messages).toHaveLength(3);
    expect(slack.workspace.channels.get(answer.channel)!.messages.at(-1)).toBe(answer);
  });

  it('is never a group: to name one changes nothing, and the answer says who manages instead', async () => {
    slack = await openSlack();
    const { bob, channel } = slack;
    const type = async (typed: string) =>
      read(await messageOf(bob.slash(channel, `/letterboxed daily ${typed}`)));
    for (const change of ['managers:@designers', 'managers <!subteam^S012345678>', 'on managers:S012345678'])
      expect(await type(change)).toContain('everyone in the channel');
    expect(await type('show')).toContain('There is no daily thread');
    expect(await type('on managers:off')).not.toContain('can’t choose');
  });
});

async function countedFor(person: string) {
  const { app } = slack.test;
  const where = { tenant: `slack:${slack.workspace.id}`, channel: 'D1', direct: true };
  const { board } = await app.puzzles.puzzleOf(TODAY, where);
  const asker = { who: { id: person, mayManage: false }, where };
  return (await readHintRecord(asker, app, { board, date: TODAY })).countedSteps;
}

const isOurs = ({ byApp }: Message) => byApp;

describe('the bot’s own conversation with a person, known to every process', () => {
  it.each(['a process that knows it', 'a process that was started since'])(
    'a solution that is opened there counts, at %s',
    async (where) => {
      slack = await openSlack();
      const message = await messageOf(slack.bob.write('next words:forum sides:ozu-nri-lfa-mbt'));
      if (where.endsWith('since')) await slack.restart();
      await messageOf(slack.bob.press(message, 'Show'));
      expect(await countedFor(slack.bob.id)).toEqual(HINT_STEPS);
    },
  );

  it('is stored at its next event where the store failed at the first', async () => {
    slack = await openSlack();
    const { app, store } = slack.test;
    vi.spyOn(store.events, 'extend').mockRejectedValueOnce(new Error('no answer'));
    const here = new DirectChannels(app);
    const known: boolean[] = [];
    for (let events = 0; events < 2; events++) {
      await here.add('T1', 'D1');
      known.push(await new DirectChannels(app).has('T1', 'D1'));
    }
    expect(known).toEqual([false, true]);
    expect(await here.has('T2', 'D1')).toBe(false);
  });

  it('what is opened under a message that the bot wrote there first counts', async () => {
    slack = await openSlack();
    const { bob, workspace, channel } = slack;
    const where = { tenant: `slack:${workspace.id}`, channel: channel.id };
    const { board } = await slack.test.app.puzzles.puzzleOf(TODAY, where);
    const reveals = factsAbout({ board, date: TODAY }, 'solution');
    const hidden = { kind: 'spoiler', label: 'Solution', hidden: ['FORUM'], reveals } as const;
    await slack.door.poster.postPrivately({
      channel: where,
      person: bob.id,
      key: 'key of the reminder',
      reply: toAsker('A reminder', [hidden]),
      ...UNLEASED,
      since: 0,
    });
    await slack.restart();
    const [message] = [...workspace.channels.values()]
      .filter(({ kind }) => kind === 'im')
      .flatMap(({ messages }) => messages.filter(isOurs));
    await messageOf(bob.press(message!, 'Show'));
    expect(await countedFor(bob.id)).toEqual(HINT_STEPS);
  });
});
