import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import { readPayload } from '../../src/puzzle/newspaper.ts';
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

interface BadDay {
  readonly name: string;
  readonly service: Scene;
  readonly page?: Scene;
  readonly trouble: string;
  readonly says: RegExp;
  readonly log?: object;
  readonly requests: number;
  /** Minutes until it is asked again, at random 0.5: the first pause is 33 s. */
  readonly again?: RegExp;
}

const LETTERS_10000 = 'A'.repeat(10_000);
/** Can be played on the board, letter by letter. */
const PLAYABLE_10000 = 'ME'.repeat(5_000);
const HOSTILE = ['<script>alert(1)</script>', '@everyone', LETTERS_10000, 'ACT\u202eOR', '../../etc/passwd'];

/** What people are told of each trouble. */
const SAID: Readonly<Record<string, RegExp>> = {
  missing: /doesn’t have it yet/,
  refused: /refuses/,
  'slow-down': /asked me to wait/,
  failing: /has a problem/,
  timeout: /too long/,
  unreachable: /can’t reach the newspaper/,
  'too-large': /not a puzzle/,
  redirected: /elsewhere/,
  unreadable: /not a puzzle/,
  invalid: /an incomplete puzzle/,
  'wrong-day': /puzzle of another day/,
};
const bad = (
  name: string,
  trouble: string,
  requests: number,
  service: Scene,
  more: Pick<BadDay, 'log' | 'page' | 'again'> = {},
): BadDay => ({ name, trouble, says: SAID[trouble]!, requests, service, ...more });
const wrongField = (field: string, changes: object): BadDay => {
  const name = `wrong field: ${field} ${JSON.stringify(changes).slice(0, 60)}`;
  return bad(name, 'invalid', 2, json(payload(TODAY, changes)), { log: { field } });
};
const waiting = (code: number, seconds: string) => status(code, { 'retry-after': seconds });

/**
 * The newspaper on its bad days. Each: what the person sees without a substitute and where the house
 * does, what the log says, and how many requests were sent.
 */
const BAD_DAYS: BadDay[] = [
  bad('404', 'missing', 2, status(404), { log: { status: 404 } }),
  bad('403', 'refused', 1, status(403), { log: { status: 403 } }),
  bad('401', 'refused', 1, status(401), { log: { status: 401 } }),
  bad('429 with Retry-After in seconds', 'slow-down', 1, waiting(429, '1800'), {
    again: /try again in about 33 minutes/,
    log: { status: 429 },
  }),
  bad('429 without Retry-After', 'slow-down', 1, status(429)),
  bad('503 with Retry-After', 'slow-down', 1, waiting(503, '60'), { again: /about 2 minutes/ }),
  bad('500', 'failing', 3, status(500), { log: { status: 500 } }),
  bad('500, then 429 from the page', 'slow-down', 3, status(500), {
    page: waiting(429, '1800'),
    again: /try again in about 33 minutes/,
  }),
  bad('a slow body', 'timeout', 1, slow),
  bad('no answer at all', 'timeout', 1, () => {}),
  bad('a cut body', 'unreachable', 2, cut(payload(TODAY))),
  bad('a connection that breaks at once', 'unreachable', 2, (response) => response.destroy()),
  bad('20 MB, announced', 'too-large', 2, huge(true)),
  bad('20 MB, unannounced', 'too-large', 2, huge(false)),
  bad(
    'redirects in a circle',
    'redirected',
    5,
    redirect((base) => `${base}/svc/again`),
  ),
  bad('HTML where JSON should be', 'unreadable', 2, html('<h1>Log in</h1>')),
  bad('an empty body', 'unreadable', 2, html('')),
  bad('JSON that is no object', 'invalid', 2, json(['x']), { log: { field: '(whole)' } }),
  bad('JSON null', 'invalid', 2, json(null), { log: { field: '(whole)' } }),
  wrongField('printDate', { printDate: undefined }),
  wrongField('printDate', { printDate: 20261120 }),
  wrongField('printDate', { printDate: 'November 20, 2026' }),
  wrongField('sides', { sides: undefined }),
  wrongField('sides', { sides: 'PAM ENT RIL OCS' }),
  wrongField('sides[1]', { sides: ['PAM', 3, 'RIL', 'OCS'] }),
  wrongField('sides', { sides: ['PAM'] }),
  wrongField('sides', { sides: ['PAM', 'ENT', 'RIL', 'OCP'] }),
  wrongField('sides', { sides: ['<b>', '@ev', 'ery', 'one'] }),
  wrongField('sides', { sides: [LETTERS_10000, 'ENT', 'RIL', 'OCS'] }),
  wrongField('dictionary', { dictionary: HOSTILE }),
  wrongField('dictionary', { dictionary: ['ACTOR', ...HOSTILE] }),
  bad("yesterday's puzzle under today's address", 'wrong-day', 2, json(payload('2026-11-19')), {
    log: { field: 'printDate' },
  }),
  bad("tomorrow's puzzle, both ways", 'wrong-day', 2, json(payload('2026-11-21')), {
    page: html(page(payload('2026-11-21'))),
    log: { field: 'printDate' },
  }),
  bad('a page whose data never ends', 'missing', 2, status(404), {
    page: html('<script>window.gameData = {"sides": ["'),
  }),
];

let newspaper: FakeNewspaper;
beforeAll(async () => {
  newspaper = await startNewspaper();
});
afterAll(() => newspaper[Symbol.asyncDispose]());

/** The step of `timeoutAwake` with the time limit of the fixture. */
const STEP_MS = 6_000;

/** The time limit of a request that takes too long ends once it came in, or once its answer has begun. */
function play({ trouble, service, page }: BadDay): void {
  newspaper.requests.length = 0;
  if (trouble !== 'timeout') {
    newspaper.play(service, page);
    return;
  }
  const steps: (() => void)[] = [];
  const endLimit = () => {
    while (steps.length > 0) steps.shift()!();
  };
  const { setTimeout } = globalThis;
  const timeout = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    run: (...given: unknown[]) => void,
    milliseconds?: number,
    ...given: unknown[]
  ) => {
    if (milliseconds !== STEP_MS) return setTimeout(run, milliseconds, ...given);
    steps.push(() => run(...given));
    return { unref() {} };
  }) as typeof setTimeout);
  const { fetch } = globalThis;
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...all) => {
    const answer = await fetch(...all);
    setImmediate(endLimit);
    return answer;
  });
  onTestFinished(() => {
    timeout.mockRestore();
    asked.mockRestore();
  });
  newspaper.play((response, ...more) => {
    service(response, ...more);
    if (!response.headersSent) endLimit();
  }, page);
}

test.each(BAD_DAYS)(
  '$name: without a house board, the answer says why there is none, when it is tried again and what to type',
  async (day) => {
    play(day);
    const { service, logged, repository } = await makePuzzleFixture(newspaper);

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
    expect(await repository.days('newspaper')).toEqual([]);
  },
);

describe('answers that look wrong and are used', () => {
  async function todayWith(service: Scene, pageScene?: Scene) {
    newspaper.play(service, pageScene);
    newspaper.requests.length = 0;
    const setting = await makePuzzleFixture(newspaper);
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

  test.each([
    ['dictionary', 'ACTOR'],
    ['dictionary', {}],
    ['dictionary', [{ word: 'ACTOR' }]],
    ['dictionary', Array(60_000).fill('ACTOR')],
    ['ourSolution', 'MONITOR'],
    ['ourSolution', ['MONITOR', null]],
    ['par', '4'],
    ['par', -1],
    ['editor', { name: 'x' }],
  ])('a %s of another form is left out, and named in the log', async (field, odd) => {
    const { puzzle, logged } = await todayWith(json(payload(TODAY, { [field]: odd })));
    const name = field === 'ourSolution' ? 'official' : field;
    const { puzzle: whole } = readPayload(payload(TODAY), TODAY);
    expect(puzzle).toEqual({ ...whole, difficulty: puzzle.difficulty, [name]: undefined });
    expect(logged).toContainEqual(expect.objectContaining({ level: 'warn', fields: { date: TODAY, field } }));
  });

  test.each([
    ['without a dictionary', undefined],
    ['with an empty dictionary', []],
    ['with a word of its dictionary', ['ACTOR']],
  ])('%s the board is still good, and our list judges; the log names the field', async (_, dictionary) => {
    const { puzzle, logged } = await todayWith(json(payload(TODAY, { dictionary })));
    expect(puzzle.board.sides).toEqual(['pam', 'ent', 'ril', 'ocs']);
    expect(puzzle.dictionary).toBeUndefined();
    expect(logged.at(-1)).toMatchObject({ level: 'warn', fields: { field: 'dictionary' } });
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
  const setting = await makePuzzleFixture(newspaper, { clock: { now: Date.parse('2026-11-19T17:00:00Z') } });
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
  const { service, logged } = await makePuzzleFixture({ url: `http://127.0.0.1:${taken.localPort}` });
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
