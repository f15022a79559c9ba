import { afterAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { UserError } from '../../src/core/errors.ts';
import { currentRequestId } from '../../src/core/log.ts';
import type { FinishedCommand, Option, Request } from '../../src/dispatch/contract.ts';
import { type DispatcherOptions, makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { readHintRecord } from '../../src/dispatch/hint-record.ts';
import { factsAbout } from '../../src/reply/model/facts.ts';
import { parseBoard } from '../../src/solver/board.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { formOf, madeUp, replyOf, unopened } from '../fakes/ask.ts';

const { app, clock, logged, close } = await makeTestApp();
afterAll(close);

const SECRET = 'mobilization';
const BOARD = parseBoard('ozu nri lfa mbt');
const asked: Request[] = [];
const managing: boolean[] = [];
const PAGE: Option = { name: 'page', description: 'Page', kind: 'integer', min: 1, max: 9 };
const commands = [
  madeUp({
    name: 'echo',
    options: [
      {
        name: 'words',
        description: 'Words',
        kind: 'words',
        required: true,
        positional: true,
        example: 'forum',
      },
      PAGE,
    ],
    run: async (request) => {
      asked.push(request);
      return {
        title: 'Echo',
        blocks: [],
        audience: 'everyone',
        reveals: [factsAbout({ board: BOARD }, 'count')],
      };
    },
  }),
  madeUp({ name: 'open', private: false }),
  madeUp({
    name: 'whisper',
    private: false,
    run: async () => ({ title: 'Psst', blocks: [], audience: 'asker' }),
  }),
  madeUp({
    name: 'manage',
    access: 'manager',
    run: async ({ who }) => {
      managing.push(who.mayManage);
      return { title: 'Done', blocks: [], audience: 'asker' };
    },
  }),
  madeUp({
    name: 'slip',
    run: async () => {
      throw new UserError('test.slip', 'That is not how it goes. Type: slip well');
    },
  }),
  madeUp({
    name: 'break',
    private: false,
    options: [{ name: 'words', description: 'Words', kind: 'words' }],
    run: async () => {
      throw new Error(`no such table, while looking at ${SECRET}`);
    },
  }),
  madeUp({
    name: 'break-at-once',
    run: () => {
      throw new TypeError('not even a promise');
    },
  }),
];

function fresh(onDone?: (done: FinishedCommand) => void) {
  logged.length = 0;
  return makeDispatcher(app, { commands, ...(onDone && { onDone }) });
}

/** The reference of a fault on its log line. */
function referenceIn(line: (typeof logged)[number] | undefined): string {
  expect(line?.fields).toMatchObject({ reference: expect.stringMatching(/^[0-9a-z]{1,8}$/) });
  return (line!.fields as { reference: string }).reference;
}

describe('running', () => {
  test('announces whether the answer is private, and never makes a private one public', async () => {
    const prepare = (line: string) => fresh().prepareLine(line, someone());
    expect(prepare('echo x')).toMatchObject({ kind: 'answer', private: true });
    expect((await replyOf(prepare('echo x'))).audience).toBe('asker');
    expect(prepare('open')).toMatchObject({ kind: 'answer', private: false });
    expect((await replyOf(prepare('open'))).audience).toBe('everyone');
    expect((await replyOf(prepare('whisper'))).audience).toBe('asker');
    // What only the asker reads counts, even where its command would tell everybody.
    expect((await readHintRecord(someone(), app, { board: BOARD })).countedSteps).toEqual(['count']);
  });
});

test('lets the door acknowledge the request before the handler starts', async () => {
  const order: string[] = [];
  const slow = madeUp({
    name: 'slow',
    run: async () => {
      order.push('handler');
      return { title: 'Done', blocks: [], audience: 'asker' };
    },
  });
  const replying = replyOf(makeDispatcher(app, { commands: [slow] }).prepareLine('slow', someone()));
  await Promise.resolve().then(() => order.push('door'));
  await replying;
  expect(order).toEqual(['door', 'handler']);
});

describe('the id of a request', () => {
  test('is its own, from the first decision to the end of the handler', async () => {
    const ids: (string | undefined)[] = [];
    const note = madeUp({
      name: 'jot-down',
      run: async () => {
        ids.push(currentRequestId.getStore());
        return { title: 'Done', blocks: [], audience: 'asker' };
      },
    });
    const dispatcher = makeDispatcher(app, {
      commands: [note],
      onRequest: () => ids.push(currentRequestId.getStore()),
    });
    const prepared = ['jot-down', 'jot-down'].map((line) => dispatcher.prepareLine(line, someone()));
    await Promise.all(prepared.map(replyOf));
    const [one, other] = ids;
    expect(ids).toEqual([one, other, one, other]);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[0-9a-z]{1,8}$/);
    expect(currentRequestId.getStore()).toBeUndefined();
  });
});

describe('preparing', () => {
  const request = (command: string, more: Partial<Request> = {}) => ({
    ...someone(),
    command,
    options: {},
    ...more,
  });

  test.each<[string, Partial<Request['where']>, Partial<Request['who']>, boolean]>([
    ['privately where they may not write in the channel', {}, { mayPost: false }, true],
    ['openly where they may not write in threads only', {}, { mayPostInThreads: false }, false],
    ['privately in a thread that they may not write in', { thread: '7' }, { mayPostInThreads: false }, true],
    [
      'openly in a thread of a channel where they may write in threads',
      { thread: '7' },
      { mayPost: false },
      false,
    ],
  ])('answers somebody %s', (_, where, who, isPrivate) => {
    const prepared = fresh().prepare({ ...someone(who, where), command: 'open', options: {} });
    expect(prepared).toMatchObject({ kind: 'answer', private: isPrivate });
  });

  test.each([
    [{}, ['words', 'label']],
    [{ label: 'x' }, ['words']],
  ])('asks in a form for what is missing, and for nothing that was given: %j', (options, fields) => {
    const command = madeUp({
      name: 'make',
      options: [
        { name: 'words', description: 'Words', kind: 'words', required: true },
        { name: 'label', description: 'Label', kind: 'text', inForm: true },
      ],
    });
    const prepared = makeDispatcher(app, { commands: [command] }).prepare(request('make', { options }));
    const { form } = prepared.kind === 'form' ? prepared : expect.fail();
    expect(form.fields.map(({ name }) => name)).toEqual(fields);
    expect(form.action.options).toEqual(options);
  });

  test('gives the request with its options read, and runs no handler by itself', () => {
    const before = asked.length;
    const prepared = fresh().prepare(request('echo', { options: { words: 'FORUM mozart', page: '2' } }));
    expect(prepared.kind === 'answer' && prepared.request.options).toEqual({
      words: 'forum,mozart',
      page: 2,
    });
    expect(asked.length).toBe(before);
  });

  test('refuses mistakes and missing access', () => {
    expect(fresh().prepareLine('let me see', someone())).toMatchObject({
      kind: 'refusal',
      reply: { audience: 'asker' },
    });
    expect(fresh().prepare(request('manage'))).toMatchObject({
      kind: 'refusal',
      reply: { title: 'Only managers can do that', audience: 'asker' },
    });
  });

  test.each([true, false])('looks access up before a handler runs, as for a manager: %s', async (may) => {
    const outcomes: string[] = [];
    const dispatcher = fresh(({ outcome }) => outcomes.push(outcome));
    const who = { id: '5', mayManage: false, lookUpAccess: async () => may };
    const prepared = dispatcher.prepare(request('manage', { who }));
    expect(prepared).toMatchObject({ kind: 'answer', private: true });
    const { title } = await (prepared.kind === 'answer' ? prepared.run() : expect.fail());
    expect(title).toBe(may ? 'Done' : 'Only managers can do that');
    expect(outcomes).toEqual([may ? 'answered' : 'refused']);
    expect(managing.splice(0)).toEqual(may ? [true] : []);
  });

  test.each([true, false])('offers a form while access is looked up, and its refusal: %s', async (may) => {
    const needy = madeUp({
      name: 'needy',
      access: 'manager',
      options: [{ name: 'words', description: 'Words', kind: 'words', required: true }],
    });
    const outcomes: string[] = [];
    const dispatcher = makeDispatcher(app, {
      commands: [needy],
      onDone: ({ outcome }) => outcomes.push(outcome),
    });
    const who = { id: '5', mayManage: false, lookUpAccess: async () => may };
    const prepared = dispatcher.prepare(request('needy', { who }));
    const instead = await (prepared.kind === 'form' ? prepared.instead : expect.fail());
    const refusal = instead === undefined ? undefined : await replyOf(instead);
    expect(refusal?.title).toBe(may ? undefined : 'Only managers can do that');
    expect(outcomes).toEqual([may ? 'form' : 'refused']);
  });

  test('answers a lookup that fails with a reference, and never rejects', async () => {
    const who = { id: '5', mayManage: false, lookUpAccess: () => Promise.reject(new Error('store is away')) };
    const prepared = fresh().prepare(request('manage', { who }));
    const { title } = await (prepared.kind === 'answer' ? prepared.run() : expect.fail());
    expect(title).toBe('Sorry, that went wrong');
  });

  test('explains what failed outside of it: faults with a reference that is logged, mistakes without', () => {
    const dispatcher = fresh();
    const mistake = dispatcher.errorReply(new UserError('test.old', 'Too old.'), { door: 'web' }, 'failed');
    expect(mistake).toMatchObject({ title: 'Too old', isMistake: 'in-title' });
    expect(logged).toEqual([]);
    const fault = dispatcher.errorReply(new Error('gone'), { door: 'web' }, 'a button failed');
    expect(logged.map(({ message }) => message)).toEqual(['a button failed']);
    expect(JSON.stringify(fault)).toContain(`{"code":"${referenceIn(logged[0])}"}`);
  });
});

describe('what goes wrong', () => {
  test('answers a mistake privately, with what to type instead and where to read more', async () => {
    const reply = await replyOf(fresh().prepareLine('slip', someone()));
    expect(reply.audience).toBe('asker');
    expect(unopened(reply)).toBe(
      'That is not how it goes\n\nType: slip well\n\nHelp: /letterboxed help slip',
    );
    expect(logged.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test.each(['break words:mobilization', 'break-at-once'])(
    '%j: answers a fault with a short apology and a reference to the log',
    async (line) => {
      const reply = await replyOf(fresh().prepareLine(line, someone()));
      expect(reply).toMatchObject({ title: 'Sorry, that went wrong', audience: 'asker' });
      expect(unopened(reply)).not.toContain(SECRET);
      const [error, ...more] = logged.filter(({ level }) => level === 'error');
      expect(error?.fields).toMatchObject({ door: 'web', err: expect.any(Error) });
      expect(unopened(reply)).toContain(referenceIn(error));
      expect(more).toEqual([]);
      const rest = logged.filter(({ level }) => level !== 'error');
      expect(JSON.stringify(rest)).not.toContain(SECRET);
    },
  );

  test('offers the command that was meant at a press, with what was typed after it', async () => {
    const buttonsOf = async (line: string) =>
      (await replyOf(fresh().prepareLine(line, someone()))).blocks.flatMap((block) =>
        block.kind === 'buttons' ? block.buttons : [],
      );
    const action = { command: 'echo', options: { words: 'forum' } };
    expect(await buttonsOf('ehco forum')).toEqual([{ label: 'Yes, echo', action, look: 'primary' }]);
    expect(await buttonsOf('ehco page:1 page:2')).toEqual([]);
    const firstSteps = await buttonsOf('xyzzy');
    expect(firstSteps.map(({ label, action }) => [label, action])).toEqual([
      ['Hint', { command: 'hint', options: {} }],
      ['Check a word', { command: 'check', options: {} }],
      ['Today’s board', { command: 'today', options: {} }],
    ]);
    expect(await buttonsOf('the printer is broken again')).toEqual(firstSteps);
  });

  test('answers even when counting the command fails', async () => {
    const dispatcher = fresh(() => {
      throw new Error('full');
    });
    expect((await replyOf(dispatcher.prepareLine('open', someone()))).title).toBe('Done');
    expect((await replyOf(dispatcher.prepareLine('let me see', someone()))).title).toBe(
      'I’m not sure what you mean',
    );
    expect(formOf(dispatcher.prepareLine('echo', someone()))).toBeDefined();
  });

  test('counts every request once, under the name of a command or as unknown', async () => {
    const done: FinishedCommand[] = [];
    const dispatcher = fresh((one) => done.push(one));
    for (const line of ['open', 'echo', 'slip', 'manage', 'break', 'drop-table'])
      await Promise.allSettled([replyOf(dispatcher.prepareLine(line, someone()))]);
    expect(done.map(({ command, outcome }) => [command, outcome])).toEqual([
      ['open', 'answered'],
      ['echo', 'form'],
      ['slip', 'mistake'],
      ['manage', 'refused'],
      ['break', 'fault'],
      ['unknown', 'mistake'],
    ]);
    expect(done.every(({ milliseconds, door }) => milliseconds > 0 && door === 'web')).toBe(true);
    const told = done.map(({ milliseconds, ...one }) => ({
      ...one,
      milliseconds: Math.round(milliseconds * 10) / 10,
    }));
    expect(logged.filter(({ message }) => message === 'command').map(({ fields }) => fields)).toEqual(told);
  });

  test('counts a greeting that is played once', async () => {
    const { app: greeted, close } = await makeTestApp({
      house: (date) => ({ date, source: 'house', board: parseBoard('hab ecd yfg ijk'), par: 5 }),
    });
    const done: FinishedCommand[] = [];
    let requests = 0;
    const dispatcher = makeDispatcher(greeted, {
      commands: COMMANDS,
      onRequest: () => requests++,
      onDone: (one) => done.push(one),
    });
    await replyOf(dispatcher.prepareLine('hey', someone()));
    expect(done.map(({ command, outcome }) => [command, outcome])).toEqual([['play', 'answered']]);
    expect(requests).toBe(1);
    await close();
  });
});

describe('the options of a typed line', () => {
  /** A dispatcher with one command, whose option's values are read by this function. */
  function readingWith(accepts: (text: string) => boolean, listen: Partial<DispatcherOptions> = {}) {
    const option: Option = { name: 'when', description: 'When', kind: 'text', positional: true, accepts };
    return makeDispatcher(app, { commands: [madeUp({ name: 'read', options: [option] })], ...listen });
  }

  test('are not read once the rate limit refuses the line', () => {
    let reads = 0;
    const dispatcher = readingWith(() => ++reads > 0);
    const line = () => dispatcher.prepareLine('read when:soon', someone({ id: 'flood' }));
    while (line().kind !== 'refusal');
    const before = reads;
    expect(before).toBeGreaterThan(0);
    for (let more = 0; more < 5; more++) expect(line().kind).toBe('refusal');
    expect(reads).toBe(before);
  });

  test('if reading them fails, are a fault like any other', async () => {
    const done: FinishedCommand[] = [];
    const seen: unknown[] = [];
    const fail = () => {
      throw new TypeError('a bug of the reader');
    };
    const listen = {
      onRequest: (asker: unknown) => seen.push(asker),
      onDone: (one: FinishedCommand) => done.push(one),
    };
    const prepared = readingWith(fail, listen).prepareLine('read when:soon', someone({ id: 'unlucky' }));
    expect(await replyOf(prepared)).toMatchObject({ title: 'Sorry, that went wrong' });
    expect(seen).toHaveLength(1);
    expect(done).toMatchObject([{ outcome: 'fault' }]);
  });
});

describe('the rate limit', () => {
  test('refuses one person with an explanation once, then briefly, until half a minute has passed', async () => {
    const dispatcher = fresh();
    const said: string[] = [];
    for (let times = 0; times < 43; times++) {
      said.push(unopened(await replyOf(dispatcher.prepareLine('open', someone()))));
      clock.time += 50;
    }
    expect(said.slice(39)).toEqual([
      'Done',
      'One moment, please\n\nToo many commands at once. Try again in 28 seconds.',
      'One moment, please',
      'One moment, please',
    ]);
    expect(dispatcher.prepareLine('open', someone()).kind).toBe('refusal');
    expect((await replyOf(dispatcher.prepareLine('open', someone({ id: '6' })))).title).toBe('Done');
    clock.time += 28_000;
    expect((await replyOf(dispatcher.prepareLine('open', someone()))).title).toBe('Done');
    for (let person = 0; person < 240; person++)
      dispatcher.prepareLine('open', someone({ id: `p${person}` }));
    expect(unopened(await replyOf(dispatcher.prepareLine('open', someone({ id: '7' }))))).toContain(
      'Too many commands at once in this channel.',
    );
  });

  test('counts a search as two commands that search nothing, and a further page of it as one', () => {
    const { prepare } = makeDispatcher(app, {
      commands: [madeUp({ name: 'find', searches: true, options: [PAGE] })],
    });
    const accepted = (page: number) => {
      const request = { ...someone({ id: `reader ${page}` }), command: 'find', options: { page } };
      let times = 0;
      while (prepare(request).kind === 'answer') times++;
      return times;
    };
    expect([accepted(1), accepted(2)]).toEqual([20, 40]);
  });

  test('counts unknown commands and forms too', async () => {
    const dispatcher = fresh();
    for (let times = 0; times < 20; times++) {
      dispatcher.prepareLine('let me see', someone());
      dispatcher.prepareLine('echo', someone());
    }
    expect((await replyOf(dispatcher.prepareLine('open', someone()))).title).toBe('One moment, please');
  });
});

describe('suggestions while typing', () => {
  const request = { ...someone(), command: 'try', options: {} };
  const command = madeUp({
    name: 'try',
    options: [
      { name: 'step', description: '', kind: 'choice', choices: ['start', 'count', 'lengths'] },
      { name: 'date', description: '', kind: 'date' },
      {
        name: 'many',
        description: '',
        kind: 'text',
        complete: async () => [...Array(99).keys(), 'x'.repeat(101)].map(String).reverse(),
      },
      {
        name: 'faulty',
        description: '',
        kind: 'text',
        complete: () => Promise.reject(new Error('E42')),
      },
    ],
  });
  const { complete } = makeDispatcher(app, { commands: [command] });

  test('are choices, dates, or what the command computes, and never more than a platform shows', async () => {
    expect(await complete('step', 'T', request)).toEqual(['start', 'count', 'lengths']);
    expect(await complete('step', 'le', request)).toEqual(['lengths']);
    expect((await complete('date', '', request)).slice(0, 3)).toEqual(['today', 'yesterday', '2026-11-18']);
    expect(await complete('date', '11-1', request)).toHaveLength(9);
    expect(await complete('date', 'YEST', request)).toEqual(['yesterday']);
    expect(await complete('many', '', request)).toHaveLength(25);
    expect((await complete('many', '', request))[0]).toBe('98');
  });

  test('have each day once around the nights on which clocks change', async () => {
    const before = app.clock.now();
    for (const [now, days] of [
      ['2026-03-08T07:30Z', ['2026-03-06', '2026-03-05']],
      ['2026-11-02T07:30Z', ['2026-10-30', '2026-10-29']],
    ] as const) {
      clock.time = Date.parse(now);
      expect((await complete('date', '', request)).slice(2, 4)).toEqual(days);
    }
    clock.time = before;
  });

  test('are empty when computing them fails', async () => {
    expect(await complete('faulty', 'x', request)).toEqual([]);
    expect(logged.at(-1)).toMatchObject({ level: 'warn', message: 'no suggestions' });
    expect(await complete('nothing', 'x', request)).toEqual([]);
    expect(await complete('step', 'x', { ...request, command: 'nothing' })).toEqual([]);
  });
});

test('a command decides for each request whether its answer is private', () => {
  const command = madeUp({
    name: 'some',
    private: false,
    privateIn: ({ where }) => where.thread !== undefined,
  });
  const { prepareLine } = makeDispatcher(app, { commands: [command] });
  const inChannel = prepareLine('some', someone({ id: '22' }));
  const inThread = prepareLine('some', someone({ id: '22' }, { thread: 't1' }));
  expect([inChannel, inThread]).toMatchObject([{ private: false }, { private: true }]);
});
