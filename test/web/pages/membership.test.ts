/** What somebody may do by a personal link is what they may do in its channel at that moment, by what the platform says. */
import { afterEach, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { REQUIRED_SCOPE_NAMES } from '../../../src/chat/slack/manifest.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/core/clock.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { PersonalLinks } from '../../../src/web/pages/personal-links.ts';
import { bitsOf } from '../../fakes/discord/world.ts';
import {
  newYork,
  PLATFORMS,
  type Platform,
  type World,
  type WorldOptions,
  world,
} from '../../fakes/world.ts';
import { LINK_SECRETS, openLink } from './serve.ts';

const LINKS = { publicUrl: 'https://bot.example.org', linkSecrets: LINK_SECRETS };
const SOLVED = 'bfjmcg.kdhlnbp.';

/** What a moderator does to somebody, and what is wrong with a platform. */
const HANDS = {
  discord: ({ discord: started }: World, person: string) => {
    const { discord, guild, channel } = started!;
    const member =
      guild.members.get(person) ?? discord.world.addMember(guild, discord.world.users.get(person)!);
    return {
      remove: () => void guild.members.delete(person),
      bringBack: () => void guild.members.set(person, member),
      fail: () => discord.fault({ on: 'GET /guilds/:guild/members/:user', what: { status: 503 }, times: 50 }),
      repair: () => discord.clearFaults(),
      silence: () => {
        const deny = String(bitsOf(['SEND_MESSAGES_IN_THREADS']));
        channel.permission_overwrites = [{ id: person, type: 1, allow: '0', deny }];
      },
      timeOut: () => {
        const until = new Date(discord.world.clock.now() + HOUR).toISOString();
        guild.members.set(person, { ...member, communication_disabled_until: until });
      },
    };
  },
  slack: ({ slack }: World, person: string) => {
    const { fake, workspace, channel } = slack!;
    return {
      remove: () => void channel.members.delete(person),
      bringBack: () => void channel.members.add(person),
      fail: () =>
        fake.faults.inject({ kind: 'status', status: 503, method: 'conversations.members', times: 50 }),
      repair: () => fake.faults.clear(),
      deactivate: () => {
        workspace.users.get(person)!.isDeleted = true;
      },
    };
  },
};

let here: World;
afterEach(() => here.close());

/** Where Ben has a link. */
async function open(door: Platform, options: Partial<WorldOptions> = {}) {
  here = await world({ doors: [door], ...options });
  const [place] = here.places;
  const named = place!.named('ben');
  const users = here.discord === undefined ? [] : [...here.discord.discord.world.users.values()];
  const person = users.find(({ username }) => username === named)?.id ?? named.replace(/\W/g, '');
  const dispatcher = makeDispatcher(here.app, { commands: COMMANDS });
  const visit = () => {
    const { clock } = here;
    const asker = {
      door,
      who: { id: person, mayManage: false },
      where: { ...place!.ref, direct: false },
    };
    const times = { madeAt: clock.time, until: clock.time + HOUR };
    const link = new PersonalLinks(LINKS).linkTo(asker, { date: '2026-11-20' }, times);
    return openLink(here.app, dispatcher, new URL(link), LINKS.linkSecrets);
  };
  const shared = async () =>
    (await place!.messages()).filter(({ text }) => text.includes('2 words · no hints')).length;
  const openThread = async () => {
    await place!.ask('ada', 'daily on');
    await here.at(newYork(20, 8) + MINUTE);
  };
  return { visit, shared, openThread, pass: (time: number) => (here.clock.time += time), person };
}
const SHARE = { ask: 'share', words: [] };

describe.each(PLATFORMS)('by a personal link of %s', (door) => {
  it('somebody who left the channel or was banned neither posts nor plays, and their session has ended', async () => {
    const { visit, shared, openThread, pass, person } = await open(door);
    await openThread();
    const ben = HANDS[door](here, person);
    const { ask } = await visit();
    expect(await ask('play', { moves: SOLVED })).toMatchObject({ status: 200 });
    ben.remove();
    // Moves go by what was found out within the last minute; what others will see does not.
    pass(10 * SECOND);
    expect(await ask('help', SHARE)).toMatchObject({
      status: 403,
      answer: { trouble: expect.stringContaining('not in the channel of this link any more') },
    });
    expect(await ask('play', { moves: 'b' })).toMatchObject({ status: 403 });
    expect(await visit()).toMatchObject({ status: 403 });
    expect(await shared()).toBe(0);
    ben.bringBack();
    pass(MINUTE);
    expect(await ask('help', SHARE)).toMatchObject({
      status: 403,
      answer: { trouble: expect.stringContaining('or you left its channel') },
    });
    const again = await visit();
    expect(again.status).toBe(200);
    expect(await again.ask('help', SHARE)).toMatchObject({ status: 200, answer: { title: 'Shared' } });
    expect(await shared()).toBe(1);
  });

  it('plays on while the platform can’t say whether they are there, and posts nothing meanwhile', async () => {
    const { visit, shared, openThread, pass, person } = await open(door);
    await openThread();
    const { fail, repair } = HANDS[door](here, person);
    fail();
    const { ask } = await visit();
    expect(await ask('play', { moves: SOLVED })).toMatchObject({ status: 200 });
    const unsaid = await ask('help', SHARE);
    expect(unsaid).toMatchObject({ status: 200, answer: { title: expect.stringContaining('2 words') } });
    expect(JSON.stringify(unsaid)).toContain('can’t find out now whether you may write there');
    expect(await shared()).toBe(0);
    repair();
    pass(10 * SECOND);
    expect(await ask('help', SHARE)).toMatchObject({ answer: { title: 'Shared' } });
    expect(await shared()).toBe(1);
  });

  it('costs the platform one look-up a minute, however much is played', async () => {
    const { visit, pass, person } = await open(door);
    HANDS[door](here, person);
    const poster = here.app.posterOf(door)!;
    let lookUps = 0;
    const { membershipOf } = poster;
    poster.membershipOf = (...asked) => {
      lookUps++;
      return membershipOf.apply(poster, asked);
    };
    const { ask } = await visit();
    for (let move = 0; move < 5; move++) await ask('play', { moves: 'b<' });
    expect(lookUps).toBe(1);
    pass(MINUTE);
    await ask('play', { moves: '' });
    expect(lookUps).toBe(2);
  });
});

it.each(['silence', 'timeOut'] as const)(
  'on Discord, somebody after a %s plays and posts nothing',
  async (what) => {
    const { visit, shared, openThread, person } = await open('discord');
    await openThread();
    HANDS.discord(here, person)[what]();
    const { ask } = await visit();
    await ask('play', { moves: SOLVED });
    expect(await ask('help', SHARE)).toMatchObject({
      status: 200,
      answer: { title: expect.stringContaining('2 words') },
    });
    expect(await shared()).toBe(0);
  },
);

it('on Slack, somebody whose account was deactivated is gone, though the channel’s list has them', async () => {
  const { visit, person } = await open('slack', {
    slack: { scopes: [...REQUIRED_SCOPE_NAMES, 'users:read'] },
  });
  HANDS.slack(here, person).deactivate();
  expect(await visit()).toMatchObject({ status: 403 });
});
