/** The board inside Discord, in a real browser: in a frame of another site, through a proxy that replaces the policy. */
import type { Browser, BrowserContextOptions, FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { DAY, MINUTE, SECOND } from '../../../src/core/clock.ts';
import { makeRouter } from '../../../src/http/router.ts';
import { HttpServer } from '../../../src/http/server.ts';
import { playSoloGame } from '../../../src/players/solo-games.ts';
import { boardPages } from '../../../src/web/pages/board-pages.ts';
import { DiscordClient } from '../../../src/web/pages/discord-client.js';
import {
  browserNeeded,
  closePages,
  DESKTOP,
  findings,
  leavePages,
  PHONE,
  sharedBrowser,
  visit,
} from '../../chat/web/browser.ts';
import { NOON } from '../../fakes/app.ts';
import { sendStep } from '../../fakes/day-thread.ts';
import type { Instance } from '../../fakes/discord/activities.ts';
import { World as FakeWorld, type User } from '../../fakes/discord/world.ts';
import { sample } from '../../fakes/sample.ts';
import { house } from '../../fakes/small-board.ts';
import { newYork, type World, world } from '../../fakes/world.ts';
import { type ActivityHost, certificateNeeded, openActivityHost } from './activity-host.ts';
import { button, letter, words } from './playing.ts';

const PATH = '/games';
/** Under which the operator's own web server is reached. */
const PUBLIC_HOST = 'letterboxed.example.org';
const ENVIRONMENT = { PUBLIC_URL: `https://${PUBLIC_HOST}${PATH}`, DISCORD_TOKEN: 'of.a.bot' };

let host: ActivityHost;
let browser: Browser;
let here: World;
let server: HttpServer | undefined;
/** Of every fake. */
const application = new FakeWorld({ now: () => NOON }).application.id;
/** People who refuse to consent. */
const refusing = new Set<string>();

async function startServer(): Promise<void> {
  const { pages } = readConfig(ENVIRONMENT);
  const { app, discord } = here;
  const router = makeRouter(app.log);
  const { activities: activity } = discord!.door;
  const site = new URL('none/', import.meta.url);
  router.route(PATH, boardPages(app, discord!.dispatcher, pages!, { site, activity }));
  server = new HttpServer({ router, host: '127.0.0.1', port: 0 });
  await server.start();
}

const fake = () => here.discord!.discord;
const playIn = (user: User, options = {}) =>
  fake().command({ user, channel: here.discord!.channel, name: 'letterboxed', subcommand: 'play', options });

const resultsIn = (tenant: string, channel: string) =>
  here.store.tenant(tenant).channelResults.sums(channel, '2026-11-20', '2026-11-20');

/** Opens the Activity by a command, once the board is remembered. */
async function launched(user: User, options = {}): Promise<Instance> {
  const { activities } = fake();
  const known = activities.instances.find(({ users }) => users.has(user.id));
  const opening = (id: string) => here.discord!.door.activities!.openingId(id, user.id);
  const before = known === undefined ? '' : await opening(known.id);
  const { instance } = await playIn(user, options);
  await expect.poll(() => opening(instance.id)).not.toBe(before);
  return instance;
}

const askerOf = ({ id }: User) => {
  const { tenant, channel } = here.places[0]!.ref;
  return {
    door: 'discord' as const,
    who: { id, mayManage: false },
    where: { tenant, channel, direct: false },
  };
};
const SOLUTION = ['bfjmcg', 'gkdhlnbp'];
/** Pixels at the edge of a frame in which the page around shows through. */
const UNPAINTED = 'innerWidth - document.body.offsetWidth';
/** The headline of the small board’s solution: its fewest words. */
const SOLVED = /^(Legend|Virtuoso|Architect)$/;

interface Shown {
  readonly page: Page;
  readonly frame: FrameLocator;
  readonly board: ReturnType<FrameLocator['getByRole']>;
  readonly troubles: string[];
}

/** Of a context in which the names of Discord and its proxy lead to the host. */
const atHost = () => ({ proxy: host.proxy, ignoreHTTPSErrors: true });

/** @param url of Discord's client, or of our own page */
async function show(url: string, options: BrowserContextOptions = DESKTOP): Promise<Shown> {
  const around = { ...options, ...atHost() };
  const { page, troubles } = await visit(browser, url, around, { ready: 'iframe, #board', own: 'https://' });
  const frame = page.frameLocator('iframe');
  return { page, frame, board: frame.getByRole('region', { name: 'Board to play' }), troubles };
}

const enter = async ({ page }: Shown, word: string) => {
  await page.keyboard.type(word);
  await page.keyboard.press('Enter');
};
const status = ({ frame }: Shown) => frame.locator('#status');
const players = ({ frame }: Shown) => frame.locator('#players');

describe('the board inside Discord', { ...browserNeeded, ...certificateNeeded }, () => {
  beforeAll(async () => {
    host = await openActivityHost({
      application,
      path: PATH,
      port: () => server!.port,
      authorize: (person) =>
        refusing.has(person)
          ? { message: 'User cancelled' }
          : { code: fake().activities.authorize(fake().world.users.get(person)!) },
    });
    browser = await sharedBrowser();
  });
  afterAll(async () => {
    await closePages(browser);
    host?.close();
  });

  let ada: User;
  const openWorld = async () => {
    let clientSecret = '';
    here = await world({
      doors: ['discord'],
      settings: ENVIRONMENT,
      house: (date) => ({ ...house(date), par: 4 }),
      discord: {
        fake: { limits: false },
        prepare: ({ activities }) => {
          activities.enable();
          ({ clientSecret } = activities);
        },
        door: () => ({ clientSecret }),
      },
    });
    ada = fake().world.addUser('Ada');
    refusing.clear();
    host.isLost = false;
    await startServer();
  };
  afterEach(async () => {
    await leavePages(browser);
    await server?.stop();
    await here.close();
  });

  /** What the profile says. */
  const shownAs =
    'seen.map((one) => JSON.parse(one)[1]).filter(({ cmd }) => cmd === "SET_ACTIVITY").at(-1)?.args';
  const SCREENS: [string, BrowserContextOptions][] = [
    ['on a desk', DESKTOP],
    ['on a phone in the dark', { ...PHONE, colorScheme: 'dark' }],
  ];
  it.each(sample(SCREENS, SCREENS.slice(-1)))(
    '%s, it is played in a frame of another site, asks again after a refusal or a loss, charges hints, and shares into the thread of the day',
    async (_, screen) => {
      await openWorld();
      const [place] = here.places;
      await place!.ask('ada', 'daily on');
      await here.at(newYork(20, 12) + MINUTE);
      const { id } = await launched(ada);
      const entered = vi.spyOn(here.discord!.door.activities!, 'enter');
      refusing.add(ada.id);
      const shown = await show(host.clientUrl(ada.id, id, 'bcd|fgh'), screen);
      const { page, frame, board, troubles } = shown;
      await expect.poll(() => status(shown).textContent()).toContain('User cancelled');
      refusing.clear();
      const again = button(frame.locator('#board'), 'Try again');
      host.isLost = true;
      await again.click();
      await expect.poll(() => status(shown).textContent()).toContain('The server did not answer');
      host.isLost = false;
      await again.click();
      await frame.getByRole('heading', { name: 'Friday, November 20, 2026' }).waitFor();
      await players(shown).getByText('Playing: you.').waitFor();
      // The page was opened by such a link, which a board that the person has opened goes before.
      expect(entered).toHaveBeenCalledWith(expect.objectContaining({ link: 'bcd|fgh' }));
      await frame.getByRole('button', { name: 'Send this board to a friend' }).click();
      const sent = 'seen.map((one) => JSON.parse(one)[1]).find(({ cmd }) => cmd === "SHARE_LINK")?.args';
      await expect
        .poll(() => page.evaluate(sent))
        .toEqual({ custom_id: '2026-11-20', message: 'Letter Boxed: Friday, November 20, 2026' });
      expect(await page.evaluate(shownAs)).toBe(undefined);
      const profile = frame.getByRole('button', { name: 'Show on my profile that I play' });
      refusing.add(ada.id);
      await profile.click();
      await expect.poll(() => status(shown).textContent()).toContain('User cancelled');
      refusing.clear();
      await profile.click();
      const details = 'Solving the board of Friday, November 20, 2026';
      await expect
        .poll(() => page.evaluate(shownAs))
        .toEqual({ activity: { type: 0, details, state: '12 letters left' } });
      const token =
        'seen.map((one) => JSON.parse(one)[1]).find(({ cmd }) => cmd === "AUTHENTICATE").args.access_token';
      expect(fake().activities.userOf(String(await page.evaluate(token)))).toBe(ada);
      const kept = page.waitForResponse('**/play');
      await letter(board, 'b').click();
      // The profile says the same after that.
      await (await kept).finished();
      for (const name of 'fjmcg') await letter(board, name).click();
      await button(board, 'Enter').click();
      await expect.poll(() => words(board).allTextContents()).toEqual(['BFJMCG']);
      await expect
        .poll(() => page.evaluate(shownAs))
        .toEqual({ activity: { type: 0, details, state: '6 letters left' } });
      await frame.getByRole('button', { name: 'Hide that I play' }).click();
      await expect.poll(() => page.evaluate(shownAs)).toEqual({ activity: null });
      await button(board, 'Hint').click();
      await frame.getByRole('region', { name: 'Help' }).getByRole('heading', { name: /^Hint/ }).waitFor();
      const { tenant } = place!.ref;
      expect(await here.store.allPeople.seenOn('discord', ada.id, '2026-11-20')).toContain('hardest');
      await page.keyboard.press('Escape');
      await frame.getByRole('region', { name: 'Help' }).waitFor({ state: 'hidden' });
      await page.setViewportSize({ width: 320, height: 568 });
      await board.focus();
      // What is typed while the server is lost is there afterwards; an update that fails is no reason to open the board again.
      host.isLost = true;
      const lost = page.waitForResponse('**/players');
      await page.evaluate('changeParticipants()');
      await (await lost).finished();
      await page.keyboard.type('kdhl');
      await expect.poll(() => status(shown).textContent()).toBe('The server did not answer. Try again.');
      host.isLost = false;
      await enter(shown, 'nbp');
      await board.getByRole('heading', { name: SOLVED }).waitFor();
      const placeOf = async (part: Locator) => (await part.boundingBox())!;
      expect((await placeOf(board.locator('.rank'))).y).toBeGreaterThanOrEqual(0);
      const share = await placeOf(button(board, 'Share'));
      expect(share.y + share.height).toBeLessThanOrEqual(568);
      // In a low window, no part lies over another.
      await page.setViewportSize({ width: 1120, height: 630 });
      const told = await placeOf(board.locator('.said span'));
      expect(told.y + told.height).toBeLessThanOrEqual((await placeOf(board.locator('.week'))).y);
      expect(await frame.locator('html').evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(
        true,
      );
      expect(troubles.filter((one) => !one.includes('status of 502'))).toEqual([]);
      const { channel } = here.discord!;
      expect(await resultsIn(tenant, channel.id)).toMatchObject([{ person: ada.id, words: 2 }]);
      // Only our own host was asked.
      const cookies = await page.context().cookies();
      expect(cookies).toMatchObject([
        {
          name: 'letterboxed-play',
          sameSite: 'None',
          secure: true,
          httpOnly: true,
          domain: `${application}.discordsays.com`,
        },
      ]);
      expect(cookies[0]).toMatchObject({ partitionKey: 'https://discord.com' });
      const asked = 'seen.map((one) => JSON.parse(one)[1].cmd ?? "handshake")';
      expect(await page.evaluate(asked)).toEqual([
        ...['handshake', 'AUTHORIZE', 'SUBSCRIBE', 'AUTHORIZE', 'AUTHORIZE', 'SHARE_LINK'],
        ...['AUTHORIZE', 'AUTHORIZE', 'AUTHENTICATE', 'SET_ACTIVITY', 'SET_ACTIVITY', 'SET_ACTIVITY'],
      ]);
      expect(await findings(page.frames()[1]!)).toEqual([]);
      await button(board, 'Share').click();
      await frame.getByRole('heading', { name: 'Shared' }).waitFor();
      const shared = (await place!.messages()).filter(({ text }) => text.includes('2 words · 1 hint point'));
      expect(shared).toHaveLength(1);
      const alone = new URL(host.ownUrl(id));
      alone.searchParams.delete('frame_id');
      await page.goto(alone.href);
      await page.getByText('Press Play there.').waitFor();
    },
  );

  it('shows who plays and who has solved, and nothing of how, and moves to the board that its person opens next, and to the new day', async () => {
    await openWorld();
    const instance = await launched(ada);
    // A page of its own, whose clock is moved.
    const shown = await show(host.clientUrl(ada.id, instance.id), { ...DESKTOP, locale: 'en-GB' });
    await shown.page.clock.install();
    await shown.page.reload();
    await players(shown).getByText('Playing: you.').waitFor();
    const ben = fake().world.addUser('Ben');
    fake().world.addMember(here.discord!.guild, ben);
    fake().activities.launch(ben, here.discord!.channel);
    await playSoloGame(askerOf(ben), here.app, { options: { date: '2026-11-20' }, words: SOLUTION });
    here.clock.time += MINUTE;
    const asked: string[] = [];
    shown.page.on('request', (request) => asked.push(request.url()));
    // A page that nobody sees asks nothing.
    await shown.page.frames()[1]!.evaluate(`{
      Object.defineProperty(document, 'hidden', { configurable: true, value: true });
      document.dispatchEvent(new Event('visibilitychange'));
      delete document.hidden;
    }`);
    // The client tells when somebody joins or leaves.
    await shown.page.evaluate('changeParticipants()');
    await players(shown).getByText('Solved: Ben.').waitFor();
    expect(asked.filter((url) => url.endsWith('/players'))).toHaveLength(1);
    expect(await players(shown).allTextContents()).toEqual(['Playing: you.Solved: Ben.']);
    const { guild, channel } = here.discord!;
    const told = {
      tenant: `discord:${guild.id}`,
      channel: channel.id,
      date: '2026-11-20' as const,
      step: 'count',
    };
    await sendStep(here.app.store, told, here.clock.time);
    here.clock.time += MINUTE;
    // It tells nothing when somebody has solved.
    await shown.page.clock.fastForward(20 * SECOND);
    await players(shown).getByText('Solved: Ben in 2 words.').waitFor();
    // Nor when somebody has begun a race.
    await here.places[0]!.ask('ada', 'race');
    // Of a calm person, others learn nothing more.
    await here.store.tenant(told.tenant).people.choose(ben.id, { calm: true });
    here.clock.time += MINUTE;
    await shown.page.clock.fastForward(20 * SECOND);
    await players(shown).getByText('Solved: Ben.').waitFor();
    await shown.frame.getByRole('region', { name: 'Race' }).getByRole('button', { name: 'Join' }).waitFor();
    await shown.frame.getByRole('heading', { name: 'Friday, November 20, 2026' }).waitFor();
    expect(await shown.frame.locator('#par').textContent()).toBe('Par 4 words');
    expect(await shown.frame.locator('html').evaluate(UNPAINTED)).toBe(0);
    // What was solved there is not told of another day.
    await launched(ada, { date: 'yesterday' });
    await shown.page.evaluate('changeParticipants()');
    await players(shown)
      .getByText(/^Playing: [^.]*Ben/)
      .waitFor();
    await launched(ada, { sides: 'bcd-fgh-jkn-lmp' });
    // An update that is under way would see the new day.
    const updated = shown.page.waitForResponse(
      (response) => response.url().endsWith('/players') && response.ok(),
    );
    // Two updates at once are both refused.
    await shown.page.evaluate('changeParticipants(); changeParticipants()');
    await shown.frame.getByRole('heading', { name: 'BCD FGH JKN LMP' }).waitFor();
    await (await updated).finished();
    // The name of such a board is its letters.
    const profile = async (details: string) =>
      expect.poll(() => shown.page.evaluate(shownAs)).toMatchObject({ activity: { details } });
    await shown.frame.getByRole('button', { name: 'Show on my profile that I play' }).click();
    await profile('Solving a board');
    here.clock.time += DAY;
    // Nothing is asked while the page is hidden.
    const seen = (isHidden: boolean) =>
      shown.frame.locator('html').evaluate(`{
        Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }`);
    await seen(true);
    await shown.page.evaluate(
      'new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))',
    );
    expect(await shown.frame.locator('h1').textContent()).toBe('BCD FGH JKN LMP');
    await seen(false);
    await shown.frame.getByRole('heading', { name: 'Saturday, November 21, 2026' }).waitFor();
    // What the profile says goes on with the board, and can still be hidden.
    await profile('Solving the board of Saturday, November 21, 2026');
    await shown.frame.getByRole('button', { name: 'Hide that I play' }).waitFor();
    expect(asked.filter((url) => url.endsWith('/open'))).toHaveLength(3);
  });

  it('may be framed by nobody but Discord, and refuses posts of other pages and what is forged', async () => {
    await openWorld();
    const instance = await launched(ada);
    const direct = `http://127.0.0.1:${server!.port}${PATH}/activity`;
    const page = await fetch(direct);
    expect(page.headers.get('content-security-policy')).toContain(
      'frame-ancestors https://discord.com https://*.discord.com https://discordapp.com https://*.discordapp.com',
    );
    // Personal pages stay as they are.
    const personal = await fetch(`http://127.0.0.1:${server!.port}${PATH}/play/x`);
    expect(personal.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const statusFrom = async (origin: string | undefined) => {
      const body = JSON.stringify({ code: fake().activities.authorize(ada), instance: instance.id });
      return (
        await fetch(`${direct}/open`, {
          method: 'POST',
          headers: { ...(origin !== undefined && { origin }) },
          body,
        })
      ).status;
    };
    const own = `https://${application}.discordsays.com`;
    expect(await statusFrom(own)).toBe(200);
    for (const origin of [
      ...[undefined, 'null', 'https://discord.com', `https://${PUBLIC_HOST}`, 'https://1.discordsays.com'],
      ...[`https://${application}.discordsays.com.example.org`, `http://${application}.discordsays.com`],
    ])
      expect(await statusFrom(origin), origin).toBe(403);
    // A personal page takes no posts of the Activity.
    const stolen = await fetch(`http://127.0.0.1:${server!.port}${PATH}/play/x/play`, {
      method: 'POST',
      headers: { origin: own },
      body: '{}',
    });
    expect(stolen.status).toBe(403);
    const post = async (what: string, fields: object, cookie = '') => {
      const response = await fetch(`${direct}/${what}`, {
        method: 'POST',
        headers: { origin: own, cookie },
        body: JSON.stringify(fields),
      });
      const [set = ''] = response.headers.getSetCookie();
      return {
        status: response.status,
        cookie: set.split(';')[0]!,
        ...((await response.json()) as { id: string; trouble?: string }),
      };
    };
    const { activities, world: there } = fake();
    const mallory = there.addUser('Mallory');
    there.addMember(here.discord!.guild, mallory);
    const entry = (user: User) => ({ code: activities.authorize(user), instance: instance.id });
    // Somebody who is not in the instance, and what is no entry at all.
    for (const fields of [
      entry(mallory),
      { ...entry(ada), code: '../..' },
      { ...entry(ada), instance: '../../users/@me' },
      {},
    ])
      expect(await post('open', fields)).toMatchObject({ status: 400, cookie: '' });
    const mine = await post('open', { ...entry(ada), person: mallory.id, channel: '1', guild: '2' });
    expect(mine.status).toBe(200);
    // The session is of this person's page alone, and can't be changed.
    activities.launch(mallory, here.discord!.channel);
    const theirs = await post('open', entry(mallory));
    expect(theirs.id).not.toBe(mine.id);
    expect(await post(`play/${mine.id}/play`, { moves: 'b' }, mine.cookie)).toMatchObject({ status: 200 });
    for (const cookie of ['', theirs.cookie, `${mine.cookie}x`, mine.cookie.replace('=lb1.', '=lb2.')])
      for (const what of ['play', 'help', 'players'])
        expect(
          await post(`play/${mine.id}/${what}`, { moves: 'b', ask: 'hint', words: [] }, cookie),
        ).toMatchObject({ status: 403 });
    // Somebody who left the server.
    here.discord!.guild.members.delete(mallory.id);
    here.clock.time += MINUTE;
    expect(await post('open', entry(mallory))).toMatchObject({
      status: 403,
      trouble: expect.stringContaining('not in the channel'),
    });
    // Who is in an instance is told to people who are in it.
    expect(await post(`play/${mine.id}/players`, {}, mine.cookie)).toMatchObject({
      lines: ['Playing: you and 1 other.'],
    });
    activities.leave(instance, ada);
    here.clock.time += MINUTE;
    expect(await post(`play/${mine.id}/players`, {}, mine.cookie)).toMatchObject({ lines: [] });
  });
});

describe('what the page hears of Discord’s client', () => {
  const OWN = 'https://1.discordsays.com';
  const [FRAME, CLOSE] = [1, 2];
  /** What the page has sent. */
  let sent: [number, { nonce?: string }][];
  /** Who may read it. */
  let targets: string[];
  let page: EventTarget;
  const hear = (opcode: number, data: object, origin = 'https://discord.com') =>
    page.dispatchEvent(new MessageEvent('message', { origin, data: [opcode, data] }));
  const connect = async ({ referrer = 'https://discord.com/', isOpened = false } = {}) => {
    sent = [];
    targets = [];
    const around = {
      postMessage(frame: (typeof sent)[0], target: string) {
        sent.push(frame);
        targets.push(target);
      },
    };
    page = new EventTarget();
    vi.stubGlobal('location', { origin: OWN });
    vi.stubGlobal('document', { referrer });
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
    vi.stubGlobal('window', { parent: isOpened ? { opener: around } : around });
    onTestFinished(() => void vi.unstubAllGlobals());
    return new DiscordClient('1', 'frame-1');
  };

  it.each([
    ['the window around the page', 'https://discord.com'],
    ['the page’s own window, on phones', OWN],
  ])('comes from %s, and from nobody else', async (_, origin) => {
    const client = await connect();
    const say = (data: object, from = origin) => hear(FRAME, data, from);
    expect(sent[0]).toMatchObject([0, { v: 1, client_id: '1', frame_id: 'frame-1' }]);
    say({ cmd: 'DISPATCH', evt: 'READY' });
    await client.ready;
    const code = client.send({ cmd: 'AUTHORIZE', args: { scope: ['identify'] } });
    const { nonce } = sent.at(-1)![1];
    const answer = (data: string) => ({ cmd: 'AUTHORIZE', evt: null, nonce, data: { code: data } });
    say(answer('of a stranger'), 'https://example.org');
    // What the page itself sent.
    say({ cmd: 'AUTHORIZE', nonce, args: {} });
    say(answer('1234'));
    expect(await code).toEqual({ code: '1234' });
    const heard = vi.fn();
    const subscribed = client.subscribe('JOINED', heard);
    say({ cmd: 'SUBSCRIBE', evt: null, nonce: sent.at(-1)![1].nonce, data: {} });
    await subscribed;
    say({ cmd: 'DISPATCH', evt: 'JOINED' });
    expect(heard).toHaveBeenCalledOnce();
    const refused = client.send({ cmd: 'AUTHORIZE', args: {} });
    say({
      cmd: 'AUTHORIZE',
      evt: 'ERROR',
      nonce: sent.at(-1)![1].nonce,
      data: { message: 'User cancelled' },
    });
    await expect(refused).rejects.toThrow('Discord refused: User cancelled');
    expect(new Set(targets)).toEqual(new Set(['https://discord.com/']));
    await connect({ referrer: '', isOpened: true });
    expect(targets).toEqual(['*']);
  });

  it('ends what waits for it, and what is asked later, when Discord ends the connection', async () => {
    const ended = 'Discord ended this (4000).';
    const early = await connect();
    hear(CLOSE, { code: 4000, message: 'Invalid handshake' });
    await expect(early.ready).rejects.toThrow(ended);
    const client = await connect();
    hear(FRAME, { cmd: 'DISPATCH', evt: 'READY' });
    await client.ready;
    const waiting = client.send({ cmd: 'AUTHORIZE', args: {} });
    hear(CLOSE, { code: 4000 });
    await expect(waiting).rejects.toThrow(ended);
    await expect(client.send({ cmd: 'AUTHORIZE', args: {} })).rejects.toThrow(ended);
  });
});
