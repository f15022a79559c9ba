/** A race whose people are in a chat, on personal pages and in the Activity, and the panel of a page in a real browser. */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { MINUTE } from '../../../src/core/clock.ts';
import { COUNTDOWN_MS, readRace } from '../../../src/players/race/game.ts';
import { formatBoard } from '../../../src/solver/board.ts';
import { type GeneratedBoard, generate } from '../../../src/solver/generate.ts';
import { RacePanel } from '../../../src/web/pages/race.js';
import { announced, browserNeeded, closePages, sharedBrowser, visit } from '../../chat/web/browser.ts';
import { NOON, TODAY } from '../../fakes/app.ts';
import { press, say, unopened } from '../../fakes/ask.ts';
import { openTexts } from '../../fakes/open-texts.ts';
import { makeTestPoster, type TestPoster } from '../../fakes/poster.ts';
import { house } from '../../fakes/small-board.ts';
import { actionOf } from '../../reply/look.ts';
import { onDiscord, type ServedPages, servePages } from './serve.ts';

const tenant = 'discord:1';
/** Each test has its own. */
let channel = '10';
const APPLICATION = '55';
/** So low that the panel of a race is below the board and the window. */
const LOW = { viewport: { width: 390, height: 664 } };
/** Shorter than a race may take. */
const LINK_MS = 20 * MINUTE;
let served: ServedPages;
let poster: TestPoster;
/** The people in every Activity. */
let present: readonly string[] = [];

const asker = (id: string) => onDiscord(id, channel);
const linkFor = (id: string) =>
  served.links.linkTo(asker(id), { date: TODAY }, { madeAt: NOON, until: NOON + LINK_MS });

beforeAll(async () => {
  served = await servePages('', {
    words: undefined as never,
    house: (date) => ({ ...house(date), par: 4 }),
    posterOf: (door) => (door === 'discord' ? poster : undefined),
    activity: {
      applicationId: async () => APPLICATION,
      enter: async ({ code, instance }) => ({
        asker: asker(code.replace('code-of-', '')),
        options: { date: TODAY },
        instance,
        openingId: 'opened',
      }),
      tokenOf: async () => '',
      openingId: async () => 'opened',
      peopleIn: async () => present,
      names: async (_, people) => new Map(people.map((id) => [id, `name of ${id}`])),
    },
  });
});
afterAll(() => served.close());
beforeEach(() => {
  poster = makeTestPoster('discord');
  served.clock.time = NOON;
  channel += '0';
});

interface Answer {
  readonly id?: string;
  readonly race?: number;
  readonly board?: { readonly id: string };
  readonly lines?: string[];
  readonly said?: string;
}

/** A person on their page or, as `door` says, in the Activity. */
class Visitor {
  readonly #cookies = new Map<string, string>();
  readonly #id: string;
  readonly #root: string;
  readonly #headers: Record<string, string>;
  #page = '';
  #known: { race?: number; opened?: number } = {};
  lines: string[] = [];
  /** Everything that was answered before the race's board. */
  told = '';

  constructor(id: string, door: 'page' | 'activity') {
    this.#id = id;
    const { origin, href } = new URL(served.url);
    this.#root = door === 'page' ? href.replace(/\/$/, '') : `${href}activity`;
    this.#headers = { origin: door === 'page' ? origin : `https://${APPLICATION}.discordsays.com` };
  }

  async ask(path: string, fields: object) {
    const cookie = this.#cookies.get(path.split('/').slice(0, 3).join('/'));
    const response = await fetch(this.#root + path, {
      method: 'POST',
      headers: { ...this.#headers, ...(cookie !== undefined && { cookie }) },
      body: JSON.stringify(fields),
    });
    for (const set of response.headers.getSetCookie())
      this.#cookies.set(/; Path=([^;]+)/.exec(set)![1]!, set.split(';')[0]!);
    return { status: response.status, ...((await response.json()) as Answer) };
  }

  async enter() {
    if (this.#root.endsWith('activity')) {
      const { id } = await this.ask('/open', { code: `code-of-${this.#id}`, instance: 'instance-1' });
      this.#page = `/play/${id}`;
    } else {
      const link = new URL(linkFor(this.#id));
      this.#page = link.pathname;
      await this.ask(`${this.#page}/open`, { token: link.hash.slice(1) });
    }
    return this;
  }

  async race(pressed?: string) {
    const state = await this.ask(`${this.#page}/race`, { ...this.#known, press: pressed });
    const { race, board, lines = [] } = state;
    this.#known = { ...this.#known, ...(race !== undefined && { race }) };
    this.lines = lines;
    if (board !== undefined) {
      this.#known.opened = race!;
      this.#page = `/play/${board.id}`;
    } else this.told += JSON.stringify(state);
    return state;
  }

  play = (moves: string) => this.ask(`${this.#page}/play`, { moves });
  players = () => this.ask(`${this.#page}/players`, {});
}

/** The board under way, with two words that solve it. */
async function boardOfRace(): Promise<GeneratedBoard> {
  const { race } = (await readRace(served.app, { tenant, channel }))!;
  for (let n = 1; ; n++) {
    const made = generate(served.app.lexicon, { seed: `seed ${n}` });
    if (formatBoard(made.board) === race.board) return made;
  }
}
/** Words in the form of *Type words*. */
const typed = (id: string, { sides }: GeneratedBoard['board'], words: string) =>
  press(served.app, { command: 'play', options: { sides: sides.join('-'), words, ask: 'play' } }, asker(id));
const shown = () => poster.messages.at(-1)!.shown.at(-1)!;

it('five race at three doors, and one leaves', async () => {
  const { app, clock } = served;
  const ann = await new Visitor('ann', 'page').enter();
  const bob = await new Visitor('bob', 'activity').enter();
  const cleo = await new Visitor('cleo', 'activity').enter();
  expect(await ann.race()).toMatchObject({ buttons: [{ press: 'begin' }], next: 0 });
  expect(await ann.race('begin')).toMatchObject({ said: expect.stringContaining('can press Start') });
  await bob.race();
  await bob.race('join');
  await cleo.race();
  await cleo.race('join');
  for (const id of ['dan', 'eve']) await press(app, actionOf(shown(), 'Join'), asker(id));
  expect(await bob.race('start')).toMatchObject({ next: 1_000 });
  const { board, solution } = await boardOfRace();
  const [first = '', second = ''] = solution.words;
  expect(bob.lines).toContain('name of ann: 0 of 12 letters, 0 words');
  expect(bob.lines[1]).toBe('Start: in 10 s.');
  // How far each racer is stands above the rule, which people know by then.
  expect(bob.lines.at(-1)).toContain('The first to solve the board wins');
  clock.time += COUNTDOWN_MS - 1;
  expect(await ann.race()).toMatchObject({ next: 1 });
  clock.time++;
  for (const one of [ann, bob, cleo]) expect(await one.race()).toMatchObject({ board: { id: /./ } });
  expect((await ann.play(`${first}.`)).status).toBe(200);
  await cleo.race('leave');
  await cleo.play(`${first}.${second.slice(1)}.`);
  await typed('eve', board, first);
  await bob.race();
  expect(bob.lines.join()).toMatch(/name of ann: \d+ of 12 letters, 1 word/);
  await say(app, `play ${first},${second} sides:"${formatBoard(board)}"`, asker('dan'));
  await ann.play(`${second.slice(1)}.`);
  await ann.race();
  expect(ann.lines.slice(0, 2)).toEqual(['Race won in 2 words', 'Racer 4 won after 1 second.']);
  await expect.poll(() => unopened(shown())).toContain('@dan won after 1 second.');
  const told = [ann, bob, cleo].map((one) => one.told).join() + poster.messages.flatMap((one) => one.shown.slice(0, -1).flatMap(openTexts)).join(); // biome-ignore format: one line reads better
  for (const secret of [first, second, ...board.sides])
    expect(told.toLowerCase().split(/[^a-z]+/)).not.toContain(secret);
  // The board of the next race opens on the same page.
  await ann.race('begin');
  await bob.race();
  await bob.race('join');
  await bob.race('start');
  clock.time += COUNTDOWN_MS;
  expect(await ann.race()).toMatchObject({ board: { id: /./ } });
  clock.time = NOON + LINK_MS - 1;
  expect((await ann.play('')).status).toBe(200);
  clock.time++;
  expect((await ann.play('')).status).toBe(403);
});

it('somebody who may write in threads alone joins a race in a thread, and begins none in the channel', async () => {
  poster.standing = 'in-threads';
  const mia = await new Visitor('mia', 'page').enter();
  expect((await mia.race('begin')).said).toContain('may not write here');
  poster.standing = undefined;
  served.clock.time += MINUTE;
  expect((await mia.race('begin')).said).toContain('can’t find out now');
  expect(poster.messages).toEqual([]);
  poster.standing = 'in-threads';
  served.clock.time += MINUTE;
  const dan = asker('dan');
  await say(served.app, 'race', { ...dan, where: { ...dan.where, thread: 'of-a-day' } });
  await mia.race();
  expect((await mia.race('join')).lines).toContain('Racers: Racer 1, You');
});

it('an Activity lists who has solved in its own channel, also right after the store has failed', async () => {
  present = ['hal', 'ivy'];
  const { app, store, clock } = served;
  const hal = await new Visitor('hal', 'activity').enter();
  const { tenant: of } = store;
  served.expectErrors('a request over HTTP failed');
  store.tenant = () => {
    store.tenant = of;
    throw new Error('no answer');
  };
  await expect(hal.players()).rejects.toThrow('That failed here');
  const playing = ['Playing: you and name of ivy.'];
  expect((await hal.players()).lines).toEqual(playing);
  await say(app, 'record 2 words', asker('ivy'));
  clock.time += MINUTE;
  expect((await hal.players()).lines).toEqual(['Playing: you.', 'Solved: name of ivy.']);
  channel += '0';
  expect((await (await new Visitor('hal', 'activity').enter()).players()).lines).toEqual(playing);
});

it('the panel of a page asks once in an interval, whatever was pressed meanwhile', async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const doesNothing = () => undefined;
  const part = {
    isConnected: true,
    setAttribute: doesNothing,
    append: doesNothing,
    replaceChildren: doesNothing,
    scrollIntoView: doesNothing,
  };
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('HTMLElement', Object);
  const status = { textContent: '' };
  vi.stubGlobal('document', { createElement: () => part, querySelector: () => status });
  const fetched = vi.fn(async () => Response.json({ race: 1, lines: [], buttons: [], next: 2_000 }));
  vi.stubGlobal('fetch', fetched);
  const panel = new RacePanel('/play/x', doesNothing);
  await panel.refresh('join');
  await vi.advanceTimersByTimeAsync(1_000);
  await panel.refresh('start');
  await vi.advanceTimersByTimeAsync(1_999);
  expect(fetched).toHaveBeenCalledTimes(3);
  await vi.advanceTimersByTimeAsync(1);
  expect(fetched).toHaveBeenCalledTimes(4);
  // An answer that is lost is asked for again, which only those are told who have pressed something.
  fetched.mockRejectedValue(new TypeError('no network'));
  await vi.advanceTimersByTimeAsync(2_000);
  expect([fetched.mock.calls.length, status.textContent]).toEqual([5, '']);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(fetched).toHaveBeenCalledTimes(6);
  await panel.refresh('leave');
  expect(status.textContent).toBe('There is no connection to the server. Try again.');
  // A session that has ended asks nothing more, and nor does a race that is over.
  fetched.mockResolvedValueOnce(Response.json({ trouble: 'over' }, { status: 403 }));
  await vi.advanceTimersByTimeAsync(33_000);
  expect(fetched).toHaveBeenCalledTimes(8);
  fetched.mockResolvedValueOnce(Response.json({ race: 1, lines: [], buttons: [], next: 0 }));
  await panel.refresh();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(fetched).toHaveBeenCalledTimes(9);
  // Another board was opened in the Activity, with a panel of its own, which opens the race's board.
  part.isConnected = false;
  await panel.refresh();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(fetched).toHaveBeenCalledTimes(10);
});

describe('the panel of a page', browserNeeded, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });
  afterAll(() => closePages(browser));

  it('begins a race, counts down, opens its board, and shows how far the others are', async () => {
    const { app, clock } = served;
    const options = { ready: '#board .board:not(.is-waiting)', own: served.url };
    const { page, troubles } = await visit(browser, linkFor('fay'), LOW, options);
    const isInView = async (part: Locator) => {
      const { y, height } = (await part.boundingBox())!;
      return y >= 0 && Math.floor(y + height) <= LOW.viewport.height;
    };
    const race = page.getByRole('region', { name: 'Race' });
    await race.getByRole('button', { name: 'Race others here' }).click();
    await race.getByText('Racers: You').waitFor();
    // What to press next is in sight, and the board is once the race starts.
    await expect.poll(() => isInView(race.getByRole('button', { name: 'Leave' }))).toBe(true);
    await page.locator('#status:not(.trouble)', { hasText: 'can press Start' }).waitFor();
    await press(app, actionOf(shown(), 'Join'), asker('gus'));
    expect(await race.locator('.primary').allTextContents()).toEqual(['Start']);
    await race.getByRole('button', { name: 'Start' }).click();
    await race.getByText(/Start: in \d+ s/).waitFor();
    clock.time += COUNTDOWN_MS;
    await page.getByRole('heading', { name: 'Race', level: 1 }).waitFor();
    await expect.poll(() => isInView(page.locator('.box'))).toBe(true);
    expect(await announced(page)).toContain('The race has started.');
    expect(await page.locator('#board .board:focus').count()).toBe(1);
    expect(await page.locator('#par').textContent()).toBe('');
    const { board, solution } = await boardOfRace();
    await expect
      .poll(() => page.getByRole('region', { name: 'Board to play' }).locator('.letter').allTextContents())
      .toEqual([...board.letters.toUpperCase()]);
    await page.locator('#board .board').evaluate((board) => board.setAttribute('data-first', ''));
    await expect.poll(() => page.getByRole('button', { name: /^Hint/ }).count()).toBe(0);
    await race.getByRole('button', { name: 'Leave' }).focus();
    await typed('gus', board, solution.words[0]!);
    await race.getByText(/Racer 2: \d+ of 12 letters, 1 word/).waitFor();
    expect(await race.locator('button:focus').count()).toBe(1);
    // The board is opened once.
    expect(await page.locator('[data-first]').count()).toBe(1);
    // Beside the board where there is room, and never over it.
    for (const [height, isBeside] of [
      [800, true],
      [500, false],
    ] as const) {
      await page.setViewportSize({ width: 1280, height });
      const [panel, box] = await Promise.all([race, page.locator('.box')].map((part) => part.boundingBox()));
      expect(panel!.x + panel!.width <= box!.x).toBe(isBeside);
      expect(panel!.y >= box!.y + box!.height).toBe(!isBeside);
    }
    // The board that was there before hears nothing of what is typed.
    const own = `${page.url()}/play`;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.keyboard.type(solution.words[0]!);
    await page.keyboard.press('Enter');
    await page.keyboard.type(solution.words[1]!.slice(1));
    await page.keyboard.press('Enter');
    await race.getByText('You won after 1 second.').waitFor();
    expect(asked).not.toContain(own);
    expect(troubles).toEqual([]);
  });
});
