import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeApp, ONE_COMMAND } from '../../../src/app.ts';
import { type LinkSecrets, readConfig } from '../../../src/config/config.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/core/clock.ts';
import type { Asker } from '../../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { PostFailure } from '../../../src/dispatch/poster.ts';
import { makeRouter } from '../../../src/http/router.ts';
import { dateAt, spanOf } from '../../../src/puzzle/calendar.ts';
import { boardPages } from '../../../src/web/pages/board-pages.ts';
import { PersonalLinks } from '../../../src/web/pages/personal-links.ts';
import { readable, textsIn } from '../../abuse/told/reader.ts';
import { NOON } from '../../fakes/app.ts';
import { opened, say } from '../../fakes/ask.ts';
import { sendStep } from '../../fakes/day-thread.ts';
import { makeTestPoster } from '../../fakes/poster.ts';
import { chargedIn, OTHER_SIDES } from '../../fakes/small-board.ts';
import { LINK_SECRETS, onDiscord, type ServedPages, servePages } from './serve.ts';

const TODAY = { date: '2026-11-20' } as const;
let served: ServedPages;
const poster = makeTestPoster('discord');

beforeAll(async () => {
  served = await servePages('/games', { posterOf: (door) => (door === 'discord' ? poster : undefined) });
});
afterAll(() => served.close());

/** Every test has a person of its own. */
let people = 0;
const somebody = () => onDiscord(`person-${++people}`);

const linkFor = (asker: Asker, board: Record<string, string> = TODAY, until = NOON + HOUR, madeAt = NOON) =>
  served.links.linkTo(asker, board, { madeAt, until });

/** A browser with a link, and the cookie of its page. */
class Browser {
  cookie: string | undefined;
  readonly link: string;

  constructor(link = linkFor(somebody())) {
    this.link = link;
  }

  async ask(
    what: 'open' | 'play' | 'help',
    fields: object | string,
    headers: Record<string, string> = { origin: new URL(this.link).origin },
  ) {
    const response = await fetch(`${this.link.split('#')[0]}/${what}`, {
      method: 'POST',
      headers: { ...headers, ...(this.cookie !== undefined && { cookie: this.cookie }) },
      body: typeof fields === 'string' ? fields : JSON.stringify(fields),
    });
    const [cookie] = response.headers.getSetCookie();
    if (cookie !== undefined) this.cookie = cookie.split(';')[0];
    return { status: response.status, cookie, ...((await response.json()) as { trouble?: string }) };
  }

  play(moves: string, version?: number) {
    return this.ask('play', { moves, version });
  }

  open() {
    return this.ask('open', { token: this.link.split('#')[1] });
  }

  async page(): Promise<string> {
    const headers = new Headers(this.cookie === undefined ? {} : { cookie: this.cookie });
    return (await fetch(this.link, { headers })).text();
  }
}

/** A browser in which a link was opened. */
async function enter(link?: string) {
  const browser = new Browser(link);
  expect(await browser.open()).toMatchObject({ status: 200 });
  return browser;
}

describe('a personal link', () => {
  it('is exchanged for a session of this page alone, once, and tells nobody who it is for', async () => {
    const asker = somebody();
    const link = linkFor(asker);
    expect(new URL(link).pathname).toMatch(/^\/games\/play\/[\w-]{16}$/);
    expect(link.length).toBeLessThan(512);
    const browser = new Browser(link);
    expect(await browser.page()).toContain('open in another browser');
    const opened = await browser.open();
    expect(opened.status).toBe(200);
    const { pathname } = new URL(link);
    expect(opened.cookie).toMatch(
      new RegExp(`^letterboxed-play=lb1\\.[\\w.-]+; Max-Age=3600; Path=${pathname}; HttpOnly; SameSite=Lax$`),
    );
    const page = await browser.page();
    expect(page).toContain('Friday, November 20, 2026');
    expect(page).toContain('You play as yourself: what you solve counts for you in the chat.');
    expect(page).not.toMatch(/og:|person-|discord:1/);
  });

  it('ends, with its session, when a newer one of the same page is opened', async () => {
    const asker = somebody();
    const [older, newer] = [linkFor(asker), linkFor(asker, TODAY, NOON + HOUR, NOON + 1)];
    const unopened = linkFor(asker, TODAY, NOON + HOUR, NOON);
    const one = await enter(older);
    expect(await one.play('b')).toMatchObject({ status: 200 });
    const other = await enter(newer);
    expect(await other.play('')).toMatchObject({ status: 200 });
    for (const what of ['play', 'help'] as const)
      expect(await one.ask(what, { moves: 'f', ask: 'hint', words: [] })).toMatchObject({
        status: 403,
        trouble: expect.stringContaining('by a newer link'),
      });
    expect(await one.page()).toContain('by a newer link');
    expect(await new Browser(unopened).open()).toMatchObject({ status: 403 });
  });

  it('ends, with its session, when its person erases what is stored about them', async () => {
    const asker = somebody();
    const unopened = linkFor(asker);
    const browser = await enter(linkFor(asker));
    await say(served.app, 'privacy delete sure', asker);
    expect(await browser.play('bfjmcg.kdhlnbp.')).toMatchObject({
      status: 403,
      trouble: expect.stringContaining('was erased'),
    });
    expect(await new Browser(unopened).open()).toMatchObject({ status: 403 });
    expect(await served.store.allPeople.counts('discord', asker.who.id)).toEqual([]);
    // A link that they ask for afterwards works.
    await enter(linkFor(asker, TODAY, NOON + HOUR, NOON + 1));
  });

  it('is read by a process that has only the secret of its own platform', () => {
    const token = linkFor(somebody()).split('#')[1]!;
    const readWith = (linkSecrets: LinkSecrets) =>
      new PersonalLinks({ publicUrl: served.url, linkSecrets }).read('link', token, NOON);
    expect(readWith({ discord: LINK_SECRETS.discord })).toHaveProperty('claims');
    expect(readWith({ slack: LINK_SECRETS.slack })).toEqual({ trouble: 'altered' });
  });

  it('is made at the doors that have a secret', async () => {
    const { lexicon, log, clock } = served.app;
    const config = {
      ...readConfig({}),
      pages: { publicUrl: served.url, linkSecrets: { discord: 'a secret' } },
    };
    const own = { store: served.store, replace: { lexicon } };
    const { app } = await makeApp({ config, profile: ONE_COMMAND, clock, log, ...own });
    const link = app.personalLink(somebody(), TODAY)!;
    expect(link).toContain('/play/');
    // Until the end of the day.
    const opened = new PersonalLinks(config.pages).read('link', link.split('#')[1]!, NOON);
    expect(opened).toMatchObject({ claims: { until: spanOf(dateAt(NOON)).to } });
    expect(app.personalLink({ ...somebody(), door: 'web' }, TODAY)).toBeUndefined();
  });

  it('is Secure where the pages are', async () => {
    const config = {
      publicUrl: 'https://bot.example.org',
      linkSecrets: { discord: 'a secret', slack: 'another one' },
    };
    const router = makeRouter(served.app.log);
    router.route('/', boardPages(served.app, makeDispatcher(served.app, { commands: [] }), config));
    const link = new URL(
      new PersonalLinks(config).linkTo(somebody(), TODAY, { madeAt: NOON, until: NOON + HOUR }),
    );
    const body = JSON.stringify({ token: link.hash.slice(1) });
    const headers = { origin: link.origin };
    const response = await router.request(`${link.pathname}/open`, { method: 'POST', headers, body });
    expect(response.headers.get('set-cookie')).toMatch(/; Secure; /);
  });

  it.each([
    ['on its day', 0],
    ['after its day', 24 * HOUR],
  ])('tells of a result %s what the chat tells', async (_, later) => {
    const { app, clock } = served;
    clock.time = NOON + later;
    onTestFinished(() => {
      clock.time = NOON;
    });
    const asker = somebody();
    const browser = await enter(linkFor(asker, TODAY, clock.time + HOUR, clock.time));
    await browser.ask('help', { ask: 'hint', words: [] });
    const solved = await browser.play('bfjmcg.kdhln.bp.');
    const [game, review] = [await browser.play(''), await browser.ask('help', { ask: 'review', words: [] })];
    const inChat = async (line: string) => opened(await say(app, `${line} date:${TODAY.date}`, asker));
    const toldBy = (text: string) => ({
      words: /(?:^|Solved in |Your )(\d+) words/m.exec(text)?.[1],
      points: /(\d+) hint point/.exec(text)?.[1],
      isLate: text.includes('its day is over'),
    });
    const told = { words: '3', points: '1', isLate: later > 0 };
    const games = [...[solved, game].map((answer) => readable(textsIn(answer))), await inChat('play')];
    expect(games.map(toldBy)).toEqual([told, told, told]);
    for (const text of [readable(textsIn(review)), await inChat('review')])
      expect(toldBy(text)).toEqual({ ...told, isLate: false });
  });

  it('shows nothing because the page says that it was shown, and counts all that it shows', async () => {
    const asker = somebody();
    const browser = await enter(linkFor(asker));
    const asked = (what: object) => browser.ask('help', { words: [], ...what });
    const seen = () => served.store.allPeople.seenOn('discord', asker.who.id, TODAY.date);
    await say(served.app, 'solve today words:1', { ...asker, door: 'slack' });
    await say(served.app, 'solve today', { ...asker, door: 'slack' });
    const hint = await asked({ ask: 'hint', shown: 'first' });
    expect(hint).toMatchObject({ title: expect.stringMatching(/^Hint 1 of/), shown: 'count' });
    expect(chargedIn(JSON.stringify(hint), ['first'])).not.toContain('bfj');
    expect((await seen()).sort()).toEqual(['count']);
    await browser.play('bfjmcg.kdhln.bp.');
    await asked({ ask: 'review' });
    expect((await seen()).sort()).toEqual(['count', 'first']);
    await asked({ ask: 'reveal' });
    expect((await seen()).sort()).toEqual(['count', 'first', 'solution']);
  });

  it('shares a result in the thread of the day, else shows it to be copied', async () => {
    const asker = somebody();
    const browser = await enter(linkFor(asker));
    const share = () => browser.ask('help', { ask: 'share', words: [] });
    expect(await share()).toMatchObject({ title: expect.stringContaining('Nothing to share yet') });
    await browser.play('bfjmcg.kdhlnbp.');
    const result = 'Letter Boxed, November 20 · 2 words · no hints';
    expect(await share()).toMatchObject({
      title: result,
      parts: [
        {
          lines: ['You solved it.', '🟦🟧'],
        },
        { lines: [expect.stringContaining('It could not be posted in a thread')] },
      ],
    });
    const at = { tenant: 'discord:1', channel: '10', date: TODAY.date, step: 'opening' };
    await sendStep(served.store, at, NOON - HOUR);
    // Who may not write in threads there does not do so from here.
    poster.standing = 'silent';
    served.clock.time += MINUTE;
    const shown = await share();
    expect(shown).toMatchObject({ title: result });
    expect(poster.posts).toEqual([]);
    poster.standing = 'member';
    served.clock.time += MINUTE;
    poster.failures.post.push(new PostFailure('later', 'no'));
    expect(await share()).toMatchObject({
      parts: [{}, { lines: [expect.stringContaining('It could not be posted in a thread')] }],
    });
    expect(await share()).toMatchObject({
      title: 'Shared',
      parts: [{ lines: [`Posted in today’s thread. ${result}`] }],
    });
    expect(await share()).toMatchObject({
      parts: [{ lines: [expect.stringContaining('already')] }],
    });
    const once = [{ tenant: 'discord:1', channel: '10' }, result];
    expect(poster.posts.map(({ channel, reply }) => [channel, reply.title])).toEqual([once, once]);
  });

  it('has the name and the par of a board that somebody made for the channel', async () => {
    const asker = somebody();
    await say(served.app, `board make sides:"${OTHER_SIDES}" name:"Tea time"`, asker);
    const browser = await enter(linkFor(asker, { sides: OTHER_SIDES.replaceAll(' ', '-') }));
    const page = await browser.page();
    expect(page).toMatch(/<h1>Tea time<\/h1><p id="par" class="pill">Par \d words</);
    expect(page).toContain('You play as yourself: what you solve counts');
  });

  it('says of a board that counts nowhere no word about what counts', async () => {
    const browser = await enter(linkFor(somebody(), { sides: 'vro-wal-eth-bdi' }));
    expect(await browser.page()).toContain('>You play as yourself.<');
  });
});

it('before it is solved, a page holds nothing that the hints would charge for, whatever others found, in its source or its answers', async () => {
  await say(served.app, 'play bfjmcg gkdhlnbp', somebody());
  const browser = await enter();
  const all: unknown[] = [];
  for (const ask of ['hunt', 'review', 'share']) all.push(await browser.ask('help', { ask, words: ['bfj'] }));
  for (const moves of ['', 'b', '-bfj.', '-gkdh.']) all.push(await browser.play(moves));
  const answers = JSON.stringify(all);
  expect(answers).toContain('GKDH is not in the word list.');
  expect(chargedIn((await browser.page()) + answers, ['bfj', 'gkdh'])).toEqual([]);
  expect(answers).not.toMatch(/"lines":\[\{"spots"/);
});

it('a person whose page sends no fields, or too few, is told so', async () => {
  const browser = await enter();
  for (const [sent, trouble] of [
    ['{', 'The page sent something that can not be read. Reload it.'],
    ['{}', 'The page left out "moves". Reload it.'],
  ] as const)
    expect(await browser.ask('play', sent)).toMatchObject({ status: 400, trouble });
});

it('a person is refused beyond so many requests in a minute, and others are not', async () => {
  const few = await servePages('', { limits: { pageRequestsPerPerson: 4 } });
  onTestFinished(() => few.close());
  const [link, elsewhere] = [few.newLink(), few.newLink()];
  const browser = await enter(link);
  for (let request = 1; request < 4; request++) expect((await browser.play('')).status).toBe(200);
  expect(await browser.play('')).toMatchObject({
    status: 400,
    trouble: 'That was too fast. Wait a minute, then go on.',
  });
  const other = await enter(elsewhere);
  expect(await other.play('')).toMatchObject({ status: 200 });
});

describe('somebody else with a personal link', () => {
  it('that was opened before gets no session, and a page that says why', async () => {
    const first = await enter();
    const second = new Browser(first.link);
    expect(await second.open()).toMatchObject({
      status: 403,
      trouble: expect.stringContaining('was opened before, and works only once'),
    });
    expect(second.cookie).toBeUndefined();
    expect(await second.page()).toContain('open in another browser');
    expect(await second.play('b')).toMatchObject({ status: 403 });
    // The browser that opened it goes on.
    expect(await first.play('b')).toMatchObject({ status: 200 });
  });

  it('gets a page that says that the day is over, after its day, with a session of that day too', async () => {
    const asker = somebody();
    expect(await new Browser(linkFor(asker, TODAY, NOON)).open()).toMatchObject({
      status: 403,
      trouble: expect.stringContaining('is over'),
    });
    const browser = await enter(linkFor(asker));
    served.clock.time = NOON + HOUR;
    expect(await browser.play('b')).toMatchObject({
      status: 403,
      trouble: expect.stringContaining('The day of this link is over'),
    });
    expect(await browser.page()).toContain('The day of this link is over');
    served.clock.time = NOON;
  });

  it('that was changed in any way gets a page that says so', async () => {
    const asker = somebody();
    const link = linkFor(asker);
    const token = link.split('#')[1]!;
    const [mark, body, signature] = token.split('.');
    const other = linkFor(somebody());
    const session = (() => {
      const opened = served.links.read('link', token, NOON);
      return 'claims' in opened ? served.links.sessionOf(opened.claims) : '';
    })();
    const foreign = new PersonalLinks({ publicUrl: served.url, linkSecrets: { discord: 'another secret' } });
    for (const changed of [
      '',
      'x',
      `${mark}.${body}`,
      `${mark}.${body}.`,
      `lb2.${body}.${signature}`,
      `${mark}.${body}x.${signature}`,
      `${mark}.${body}.${signature!.slice(0, -1)}`,
      other.split('#')[1]!,
      session,
      foreign.linkTo(asker, TODAY, { madeAt: NOON, until: NOON + HOUR }).split('#')[1]!,
      // Signed with Slack's secret, for somebody of Discord.
      linkFor({ ...asker, door: 'slack' }).split('#')[1]!,
    ]) {
      const answer = await new Browser(link).ask('open', { token: changed });
      expect(answer).toMatchObject({
        status: 403,
        trouble: expect.stringContaining('not complete, or was changed'),
      });
    }
    await enter(link);
  });

  it('can’t play another board or as somebody else by a session, or a link as a session', async () => {
    const asker = somebody();
    const board = linkFor(asker, { sides: 'b|c|d|f|g|h|j|k|l|m|n|p' });
    await enter(board);
    const browser = await enter(linkFor(asker));
    for (const elsewhere of [board, linkFor(somebody())])
      expect(await Object.assign(new Browser(elsewhere), { cookie: browser.cookie }).play('b')).toMatchObject(
        {
          status: 403,
        },
      );
    expect(await browser.play('b')).toMatchObject({ status: 200 });
    const thief = new Browser(board);
    thief.cookie = `letterboxed-play=${board.split('#')[1]}`;
    expect(await thief.play('b')).toMatchObject({ status: 403 });
  });
});

it('asks for the standing of each person in each channel, at the same moment too', async () => {
  const [member, banned] = [somebody(), somebody()];
  const elsewhere = { ...member, where: { ...member.where, channel: 'elsewhere' } };
  const browsers = await Promise.all([member, banned, elsewhere].map((asker) => enter(linkFor(asker))));
  const { membershipOf } = poster;
  poster.membershipOf = async ({ channel }, person) =>
    person === banned.who.id || channel === 'elsewhere' ? 'gone' : 'member';
  served.clock.time += 10 * SECOND;
  const share = (index: number) => browsers[index]!.ask('help', { ask: 'share', words: [] });
  expect(await share(0)).toMatchObject({ status: 200 });
  for (const other of [1, 2])
    expect(await share(other)).toMatchObject({
      status: 403,
      trouble: expect.stringContaining('You are not in'),
    });
  poster.membershipOf = membershipOf;
});

it('has a page for each channel, so that a link of one ends no page of another', async () => {
  const asker = somebody();
  const elsewhere = { ...asker, where: { ...asker.where, channel: 'elsewhere' } };
  const here = await enter(linkFor(asker));
  await enter(linkFor(elsewhere, TODAY, NOON + HOUR, NOON + 1));
  expect(await here.play('b')).toMatchObject({ game: { word: 'b' } });
});

it('asks for the standing of a person once a minute, however much is played, and after the clock was set back', async () => {
  const lookUp = vi.spyOn(poster, 'membershipOf');
  const browser = await enter();
  for (let move = 0; move < 5; move++) await browser.play('b<');
  expect(lookUp).toHaveBeenCalledTimes(1);
  served.clock.time += MINUTE;
  await browser.play('');
  expect(lookUp).toHaveBeenCalledTimes(2);
  lookUp.mockResolvedValueOnce('gone');
  served.clock.time -= 2 * MINUTE;
  expect(await browser.ask('help', { ask: 'share', words: [] })).toMatchObject({ status: 403 });
  served.clock.time += MINUTE;
  lookUp.mockRestore();
});

describe('a post to a personal page', () => {
  const FOREIGN: readonly Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    // Every browser would send one of the two.
    {},
  ];

  it.each(FOREIGN)('is refused, and spends no link, with the headers %j', async (headers) => {
    const browser = new Browser();
    const refused = { status: 403, trouble: expect.stringContaining('Only the page of this board') };
    const token = browser.link.split('#')[1];
    const opened = await browser.ask('open', { token }, headers);
    expect(opened).toMatchObject(refused);
    expect(opened.cookie).toBeUndefined();
    expect(await browser.open()).toMatchObject({ status: 200 });
    expect(await browser.ask('play', { moves: 'b' }, headers)).toMatchObject(refused);
    expect(await browser.ask('help', { ask: 'hint', words: [] }, headers)).toMatchObject(refused);
    expect(await browser.play('')).toMatchObject({ status: 200, game: { word: '' } });
  });

  it.each([{ origin: () => new URL(served.url).origin }, { 'sec-fetch-site': () => 'same-origin' }])(
    'is answered with %o',
    async (headers) => {
      const browser = new Browser();
      const [[name, value]] = Object.entries(headers) as [[string, () => string]];
      const token = browser.link.split('#')[1];
      const opened = await browser.ask('open', { token }, { [name]: value() });
      expect(opened).toMatchObject({ status: 200 });
    },
  );
});

it('tokens are in no log line, even when opening one fails', async () => {
  const { app, logged, expectErrors } = served;
  const link = linkFor(somebody());
  const { events } = app.store;
  const mark = events.mark.bind(events);
  events.mark = async () => {
    throw new Error('the store is gone');
  };
  expectErrors('a request over HTTP failed');
  const response = await fetch(`${link.split('#')[0]}/open`, {
    method: 'POST',
    headers: { origin: new URL(link).origin },
    body: JSON.stringify({ token: link.split('#')[1] }),
  });
  expect(response.status).toBe(500);
  events.mark = mark;
  expect(JSON.stringify(logged)).toContain('/play/');
  expect(JSON.stringify(logged)).not.toContain(link.split('#')[1]);
});
