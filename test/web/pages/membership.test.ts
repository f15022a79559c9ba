/** What somebody may do by a personal link is what they may do in its channel at that moment, by what the platform says. */
import { afterEach, expect, it } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { REQUIRED_SCOPE_NAMES } from '../../../src/chat/slack/manifest.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/core/clock.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { PersonalLinks } from '../../../src/web/pages/personal-links.ts';
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
    const { discord, guild } = started!;
    const member =
      guild.members.get(person) ?? discord.world.addMember(guild, discord.world.users.get(person)!);
    return {
      remove: () => void guild.members.delete(person),
      bringBack: () => void guild.members.set(person, member),
      fail: () => discord.fault({ on: 'GET /guilds/:guild/members/:user', what: { status: 503 }, times: 50 }),
      repair: () => discord.clearFaults(),
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

it.each(PLATFORMS)(
  'by a personal link of %s, somebody posts who is known to be in the channel, and nobody plays who left it',
  async (door) => {
    const { visit, shared, openThread, pass, person } = await open(door);
    await openThread();
    const ben = HANDS[door](here, person);
    ben.fail();
    const { ask } = await visit();
    expect(await ask('play', { moves: SOLVED })).toMatchObject({ status: 200 });
    const unsaid = await ask('help', SHARE);
    expect(unsaid).toMatchObject({ status: 200, answer: { title: expect.stringContaining('2 words') } });
    expect(JSON.stringify(unsaid)).toContain('can’t find out now whether you may write there');
    expect(await shared()).toBe(0);
    ben.repair();
    pass(MINUTE);
    expect(await ask('play', { moves: '' })).toMatchObject({ status: 200 });
    ben.remove();
    // Moves go by what was found out within the last minute; what others will see does not.
    pass(10 * SECOND);
    expect(await ask('play', { moves: '' })).toMatchObject({ status: 200 });
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
    expect(await again.ask('help', SHARE)).toMatchObject({ status: 200, answer: { title: 'Shared' } });
    expect(await shared()).toBe(1);
  },
);

it('on Slack, somebody whose account was deactivated is gone, though the channel’s list has them', async () => {
  const { visit, person } = await open('slack', {
    slack: { scopes: [...REQUIRED_SCOPE_NAMES, 'users:read'] },
  });
  HANDS.slack(here, person).deactivate();
  expect(await visit()).toMatchObject({ status: 403 });
});
