import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import {
  ADDITIONS,
  cut,
  type FakeNewspaper,
  html,
  huge,
  json,
  MAIN,
  page,
  payload,
  redirect,
  type Scene,
  slow,
  startNewspaper,
  status,
} from '../fakes/newspaper.ts';
import { HERE, makePuzzleFixture, TODAY } from './fixture.ts';

/**
 * The newspaper on its bad days. Each: what the person sees without a substitute and where the house
 * does, what the log says, and how many requests were sent.
 */
interface BadDay {
  readonly name: string;
  readonly service: Scene;
  readonly page?: Scene;
  readonly trouble: string;
  readonly says: RegExp;
  readonly log: object;
  readonly requests: number;
  /** Minutes until it is asked again, at random 0.5: the first pause is 33 s. */
  readonly again?: RegExp;
}

const LETTERS_10000 = 'A'.repeat(10_000);
/** Can be played on the board, letter by letter. */
const PLAYABLE_10000 = 'ME'.repeat(5_000);
const HOSTILE = ['<script>alert(1)</script>', '@everyone', LETTERS_10000, 'ACT\u202eOR', '../../etc/passwd'];
const bad = (trouble: string, says: RegExp, requests: number, log: object = {}) => ({
  trouble,
  says,
  requests,
  log,
});
const wrongField = (field: string, changes: object): BadDay => ({
  name: `wrong field: ${field} ${JSON.stringify(changes).slice(0, 60)}`,
  service: json(payload(TODAY, changes)),
  ...bad('invalid', /an incomplete puzzle/, 2, { field }),
});

const BAD_DAYS: BadDay[] = [
  { name: '404', service: status(404), ...bad('missing', /doesn’t have it yet/, 2, { status: 404 }) },
  { name: '403', service: status(403), ...bad('refused', /refuses/, 1, { status: 403 }) },
  { name: '401', service: status(401), ...bad('refused', /refuses/, 1, { status: 401 }) },
  {
    name: '429 with Retry-After in seconds',
    service: status(429, { 'retry-after': '1800' }),
    again: /try again in about 33 minutes/,
    ...bad('slow-down', /asked me to wait/, 1, { status: 429 }),
  },
  {
    name: '429 with Retry-After as a date',
    service: status(429, { 'retry-after': 'Fri, 20 Nov 2026 19:00:00 GMT' }),
    again: /try again in about 2 hours/,
    ...bad('slow-down', /asked me to wait/, 1),
  },
  {
    name: '429 with Retry-After of a thousand years',
    service: status(429, { 'retry-after': '31536000000' }),
    again: /try again in about 26 hours/,
    ...bad('slow-down', /asked me to wait/, 1),
  },
  { name: '429 without Retry-After', service: status(429), ...bad('slow-down', /asked me to wait/, 1) },
  {
    name: '503 with Retry-After',
    service: status(503, { 'retry-after': '60' }),
    again: /about 2 minutes/,
    ...bad('slow-down', /asked me to wait/, 1),
  },
  { name: '500', service: status(500), ...bad('failing', /has a problem/, 3, { status: 500 }) },
  {
    name: '500, then 429 from the page',
    service: status(500),
    page: status(429, { 'retry-after': '1800' }),
    again: /try again in about 33 minutes/,
    ...bad('slow-down', /asked me to wait/, 3),
  },
  { name: 'a slow body', service: slow, ...bad('timeout', /too long/, 1) },
  { name: 'no answer at all', service: () => {}, ...bad('timeout', /too long/, 1) },
  { name: 'a cut body', service: cut(payload(TODAY)), ...bad('unreachable', /can’t reach the newspaper/, 2) },
  {
    name: 'a connection that breaks at once',
    service: (response) => response.destroy(),
    ...bad('unreachable', /can’t reach the newspaper/, 2),
  },
  { name: '20 MB, announced', service: huge(true), ...bad('too-large', /not a puzzle/, 2) },
  { name: '20 MB, unannounced', service: huge(false), ...bad('too-large', /not a puzzle/, 2) },
  {
    name: 'a redirect to another site',
    service: redirect(() => 'https://example.com/puzzle.json'),
    ...bad('redirected', /elsewhere/, 2),
  },
  {
    name: 'a redirect to another port of the host',
    service: redirect(() => 'http://127.0.0.1:9/puzzle.json'),
    ...bad('redirected', /elsewhere/, 2),
  },
  {
    name: 'a redirect to a file',
    service: redirect(() => 'file:///etc/passwd'),
    ...bad('redirected', /elsewhere/, 2),
  },
  {
    name: 'redirects in a circle',
    service: redirect((base) => `${base}/svc/again`),
    ...bad('redirected', /elsewhere/, 5),
  },
  {
    name: 'HTML where JSON should be',
    service: html('<h1>Log in</h1>'),
    ...bad('unreadable', /not a puzzle/, 2),
  },
  { name: 'an empty body', service: html(''), ...bad('unreadable', /not a puzzle/, 2) },
  {
    name: 'JSON that is no object',
    service: json(['x']),
    ...bad('invalid', /incomplete puzzle/, 2, { field: '(whole)' }),
  },
  { name: 'JSON null', service: json(null), ...bad('invalid', /incomplete puzzle/, 2, { field: '(whole)' }) },
  wrongField('printDate', { printDate: undefined }),
  wrongField('printDate', { printDate: 20261120 }),
  wrongField('printDate', { printDate: 'November 20, 2026' }),
  wrongField('sides', { sides: undefined }),
  wrongField('sides', { sides: 'PAM ENT RIL OCS' }),
  wrongField('sides[1]', { sides: ['PAM', 3, 'RIL', 'OCS'] }),
  wrongField('sides', { sides: ['PAM', 'ENT'] }),
  wrongField('sides', { sides: ['PAM', 'ENT', 'RIL', 'OCP'] }),
  wrongField('sides', { sides: ['<b>', '@ev', 'ery', 'one'] }),
  wrongField('sides', { sides: [LETTERS_10000, 'ENT', 'RIL', 'OCS'] }),
  wrongField('dictionary', { dictionary: 'ACTOR' }),
  wrongField('dictionary', { dictionary: {} }),
  wrongField('dictionary[0]', { dictionary: [{ word: 'ACTOR' }] }),
  wrongField('dictionary', { dictionary: [] }),
  wrongField('dictionary', { dictionary: HOSTILE }),
  wrongField('dictionary', { dictionary: ['ACTOR', ...HOSTILE] }),
  wrongField('dictionary', { dictionary: Array(60_000).fill('ACTOR') }),
  wrongField('ourSolution', { ourSolution: 'MONITOR' }),
  wrongField('ourSolution[1]', { ourSolution: ['MONITOR', null] }),
  wrongField('par', { par: '4' }),
  wrongField('par', { par: -1 }),
  wrongField('editor', { editor: { name: 'x' } }),
  {
    name: "yesterday's puzzle under today's address",
    service: json(payload('2026-11-19')),
    ...bad('wrong-day', /puzzle of another day/, 2, { field: 'printDate' }),
  },
  {
    name: "tomorrow's puzzle, both ways",
    service: json(payload('2026-11-21')),
    page: html(page(payload('2026-11-21'))),
    ...bad('wrong-day', /puzzle of another day/, 2, { field: 'printDate' }),
  },
  {
    name: 'a page whose data never ends',
    service: status(404),
    page: html('<script>window.gameData = {"sides": ["'),
    ...bad('missing', /doesn’t have it yet/, 2),
  },
];

let newspaper: FakeNewspaper;
beforeAll(async () => {
  newspaper = await startNewspaper();
});
afterAll(() => newspaper[Symbol.asyncDispose]());

/** The time limit of a request that takes too long ends a moment after it came in, on a busy machine too. */
function play({ trouble, service, page }: BadDay): void {
  newspaper.requests.length = 0;
  if (trouble !== 'timeout') {
    newspaper.play(service, page);
    return;
  }
  const limit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit.signal);
  onTestFinished(() => timeout.mockRestore());
  newspaper.play((...all) => {
    service(...all);
    setTimeout(() => limit.abort(), 100);
  }, page);
}

describe.each(BAD_DAYS)('$name', (day) => {
  test('without a house board, the answer says why there is none, when it is tried again and what to type', async () => {
    play(day);
    const { service, logged, repository } = makePuzzleFixture(newspaper);

    const mistake = await mistakeOf(service.puzzleOf(TODAY, HERE));
    expect(mistake.code).toBe(`puzzle.${day.trouble}`);
    expect(mistake.message).toMatch(day.says);
    expect(mistake.message).toMatch(day.again ?? /try again in about a minute/);
    expect(mistake.message).toContain('type it in: set ozu nri lfa mbt');
    expect(newspaper.requests).toHaveLength(day.requests);

    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatchObject({
      level: 'warn',
      fields: { date: TODAY, trouble: day.trouble, requests: day.requests, tries: 1, ...day.log },
    });
    expectHarmless(mistake.message);
    expectHarmless(JSON.stringify(logged));

    // Asked again at once, by somebody else: the same answer, and no request more.
    await mistakeOf(service.puzzleOf(TODAY, { tenant: 'slack:T2', channel: 'C9' }));
    expect(newspaper.requests).toHaveLength(day.requests);
    expect(repository.kept).toEqual([]);
  });

  test("with a house board, the puzzle's source says that it is the house's", async () => {
    play(day);
    const { service } = makePuzzleFixture(newspaper, {
      channelSource: { source: 'newspaper', otherwise: 'house' },
    });
    expect(await service.puzzleOf(TODAY, HERE)).toMatchObject({ date: TODAY, source: 'house' });
    expect(newspaper.requests).toHaveLength(day.requests);
  });
});

describe('answers that look wrong and are used', () => {
  async function todayWith(service: Scene, pageScene?: Scene) {
    newspaper.play(service, pageScene);
    newspaper.requests.length = 0;
    const setting = makePuzzleFixture(newspaper);
    return { ...setting, puzzle: await setting.service.puzzleOf(TODAY, HERE) };
  }

  test('hostile words among good ones are dropped and counted, never shown', async () => {
    const good = [...MAIN, ...ADDITIONS];
    const upper = good.map((word) => word.toUpperCase());
    const dictionary = [...upper, ...HOSTILE, PLAYABLE_10000, 'ZEBRA', 'ON', ''];
    const changes = { dictionary, ourSolution: HOSTILE.slice(0, 2), editor: '@everyone <b>' };
    const { puzzle, logged } = await todayWith(json(payload(TODAY, changes)));
    expect(puzzle.dictionary?.map(({ word }) => word)).toEqual(good);
    expect(puzzle.official).toBeUndefined();
    expect(puzzle.editor).toBeUndefined();
    expect(logged[0]).toMatchObject({ level: 'info', fields: { words: good.length, dropped: 9 } });
    expectHarmless(JSON.stringify([puzzle, logged]));
  });

  test('without a dictionary the board is still good; the log names the field', async () => {
    const { puzzle, logged } = await todayWith(json(payload(TODAY, { dictionary: undefined })));
    expect(puzzle.board.sides).toEqual(['pam', 'ent', 'ril', 'ocs']);
    expect(puzzle.dictionary).toBeUndefined();
    expect(logged.at(-1)).toMatchObject({ level: 'warn', fields: { field: 'dictionary' } });
  });

  test('a redirect within the site is followed', async () => {
    const { puzzle } = await todayWith((response, request, url) =>
      (request.url?.endsWith('moved') ? json(payload(TODAY)) : redirect((base) => `${base}/svc/moved`))(
        response,
        request,
        url,
      ),
    );
    expect(puzzle.source).toBe('newspaper');
    expect(newspaper.requests).toHaveLength(2);
  });

  test('a failure of the first request is tried again after a moment', async () => {
    let asked = 0;
    const { puzzle, slept } = await todayWith((...all) =>
      (asked++ === 0 ? status(502) : json(payload(TODAY)))(...all),
    );
    expect(puzzle.source).toBe('newspaper');
    expect(slept).toEqual([1_500]);
    expect(newspaper.requests).toHaveLength(2);
  });

  test.each<[string, Scene]>([
    ['has it not', status(404)],
    ['is broken', status(500)],
    ['answers with a page', html('<p>hello')],
    ["has yesterday's", json(payload('2026-11-19'))],
  ])('the service %s: the page has it', async (_, service) => {
    const { puzzle } = await todayWith(service, html(page(payload(TODAY))));
    expect(puzzle).toMatchObject({
      date: TODAY,
      source: 'newspaper',
      par: 4,
      official: ['monitor', 'replaces'],
    });
    expect(newspaper.requests.at(-1)?.path).toBe('/puzzles/letter-boxed');
  });
});

test("yesterday's sides under today's date are refused where yesterday is known", async () => {
  const setting = makePuzzleFixture(newspaper, { clock: { now: Date.parse('2026-11-19T17:00:00Z') } });
  newspaper.play(json(payload('2026-11-19')));
  await setting.service.puzzleOf('2026-11-19', HERE);
  setting.clock.now += 24 * 3_600_000;
  newspaper.play(json(payload(TODAY, { sides: ['SCO', 'MAP', 'TEN', 'LIR'] })));
  const mistake = await mistakeOf(setting.service.puzzleOf(TODAY, HERE));
  expect(mistake.code).toBe('puzzle.wrong-day');
  expect(setting.logged.at(-1)).toMatchObject({ fields: { trouble: 'wrong-day', field: 'sides' } });
});

test('a newspaper that cannot be reached is logged as unreachable', async () => {
  // At this end of a connection nobody listens, and nobody else can begin to.
  const taken = connect(Number(new URL(newspaper.url).port), '127.0.0.1');
  onTestFinished(() => void taken.destroy());
  await once(taken, 'connect');
  const { service, logged } = makePuzzleFixture({ url: `http://127.0.0.1:${taken.localPort}` });
  expect((await mistakeOf(service.puzzleOf(TODAY, HERE))).code).toBe('puzzle.unreachable');
  expect(logged[0]?.message).toContain('ECONNREFUSED');
});

function expectHarmless(text: string): void {
  for (const hostile of [
    '<script',
    '@everyone',
    'AAAAAAAAAA',
    'MEMEMEME',
    'mememe',
    '\u202e',
    'passwd',
    '<b>',
  ]) {
    expect(text).not.toContain(hostile);
  }
}

async function mistakeOf(promise: Promise<unknown>): Promise<UserError> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(UserError);
  return outcome as UserError;
}
