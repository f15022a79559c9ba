import { getPriority } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { threadId, Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { inBackground } from '../../src/core/concurrency.ts';
import { compileLexicon, loadLexicon } from '../../src/solver/lexicon.ts';
import { type FinishedJob, type JobAsker, WorkerLost, type WorkSettings } from '../../src/work/job.ts';
import { WorkerPool, type WorkerPoolOptions } from '../../src/work/worker-pool.ts';
import { needs } from '../fakes/needs.ts';
import { Gate, JOBS } from './jobs.ts';

const MODULE = new URL('./jobs.ts', import.meta.url);
const ann: JobAsker = { channel: 'a', person: 'ann' };
const bob: JobAsker = { channel: 'b', person: 'bob' };
/** A time that no test waits for. */
const LONG = 600_000;

const open: WorkerPool<typeof JOBS>[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((work) => work.close()));
});

function makeWork(settings: Partial<WorkSettings> = {}, more: Partial<WorkerPoolOptions<typeof JOBS>> = {}) {
  const done: FinishedJob[] = [];
  const logged: object[] = [];
  const workers: Worker[] = [];
  const clock = { time: 0, now: () => clock.time };
  const log = {
    debug() {},
    info() {},
    warn: (fields: object) => logged.push(fields),
    error: (fields: object) => logged.push(fields),
  };
  const work = new WorkerPool({
    jobs: JOBS,
    module: MODULE,
    lexicon: loadLexicon(compileLexicon([{ word: 'cat', likelihood: 1, tier: 'everyday' }])),
    clock,
    log,
    settings: {
      workers: 1,
      start: LONG,
      deadline: LONG,
      grace: LONG,
      queueTimeout: LONG,
      close: 0,
      ...settings,
    },
    onDone: (one) => done.push(one),
    makeWorker(file, options) {
      const worker = new Worker(file, options);
      workers.push(worker);
      return worker;
    },
    ...more,
  });
  open.push(work);
  return {
    work,
    run: (name: keyof typeof JOBS, input?: unknown, asker = ann) => work.run(name, input as never, { asker }),
    done,
    logged,
    workers,
    clock,
    outcomes: () => done.map(({ job, outcome }) => `${job} ${outcome}`),
  };
}

/** A worker that is busy until the gate opens. */
async function occupy(work: WorkerPool<typeof JOBS>, asker = ann) {
  const gate = new Gate();
  const running = work.run('gate', gate.shared, { asker });
  await gate.begun();
  return { gate, running };
}

/** What a refusal is, with a pattern of the time to try again. */
const refused = (reason: string, when = /./) => ({
  name: 'WorkRefused',
  code: `work.${reason}`,
  message: expect.stringMatching(when),
});
const IN_A_SECOND = /Try again in about 1 second\.$/;

describe('a job', () => {
  /** One worker for all of them. */
  let made: ReturnType<typeof makeWork>;
  beforeAll(() => {
    made = makeWork();
    open.pop();
  });
  beforeEach(() => void made.done.splice(0));
  afterAll(() => made.work.close());

  it('runs in a worker and returns plain data', async () => {
    const { run, done } = made;
    const input = { words: ['cat'], count: 3n, picture: Uint8Array.of(1, 2) };
    expect(await run('echo', input)).toEqual(input);
    expect(await run('later', 'soon')).toBe('soon');
    expect(await run('echo')).toBeUndefined();
    expect(done.map(({ job, where, outcome }) => [job, where, outcome])).toEqual([
      ['echo', 'worker', 'done'],
      ['later', 'worker', 'done'],
      ['echo', 'worker', 'done'],
    ]);
    using now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const { gate, running } = await occupy(made.work);
    now.mockReturnValue(7);
    gate.open();
    await running;
    expect(done.at(-1)).toMatchObject({ waited: 0, ran: 7 });
  });

  it('has the lexicon, which is shared with the worker and not copied', async () => {
    const { run } = made;
    expect(await run('likelihood', 'cat')).toBe(1);
    expect(await run('likelihood', 'dog')).toBeUndefined();
    expect(await run('isShared')).toBe(true);
  });

  it('sees none of the environment in a worker', async () => {
    const { run } = made;
    expect(await run('environment')).toEqual([]);
  });

  it('reports a mistake with its code and message', async () => {
    const { run, outcomes } = made;
    const mistake = { name: 'UserError', code: 'test.mistake', message: 'That is no board.' };
    await expect(run('mistake')).rejects.toMatchObject(mistake);
    expect(outcomes()).toEqual(['mistake mistake']);
  });

  it('reports a fault with its message and the stack of the worker', async () => {
    const { run, outcomes } = made;
    const stack = expect.stringMatching(/^RangeError: out of reach[\s\S]*test\/work\/jobs\.ts/);
    const fault = { name: 'WorkFault', stack, message: 'out of reach' };
    await expect(run('fault')).rejects.toMatchObject(fault);
    await expect(run('text')).rejects.toMatchObject({ message: 'only text' });
    expect(outcomes()).toEqual(['fault fault', 'text fault']);
  });

  it('is a fault when its output or input is no plain data, and the worker stays', async () => {
    const { run, workers, outcomes } = made;
    await expect(run('notPlain')).rejects.toMatchObject({
      stack: expect.stringContaining('DataCloneError'),
    });
    await expect(run('echo', () => 1)).rejects.toMatchObject({ name: 'DataCloneError' });
    expect(await run('echo', 1)).toBe(1);
    expect(outcomes()).toEqual(['notPlain fault', 'echo fault', 'echo done']);
    expect(workers).toHaveLength(1);
  });
});

describe('a job on the calling thread', () => {
  const inline = { asker: ann, where: 'inline' } as const;

  it('begins again in a worker when it has asked too often whether to stop', async () => {
    const { work, done } = makeWork({ maxInlineChecks: 3 });
    expect(await work.run('ask', 3, inline)).toBe(threadId);
    expect(work.load.workers).toBe(0);
    expect(await work.run('ask', 4, inline)).not.toBe(threadId);
    expect(done.map(({ where, outcome }) => `${where} ${outcome}`)).toEqual([
      'inline done',
      'inline moved',
      'worker done',
    ]);
  });

  it('begins again in a worker when it says that it takes long', async () => {
    const { work, outcomes } = makeWork();
    expect(await work.run('long', undefined, inline)).not.toBe(threadId);
    expect(outcomes()).toEqual(['long moved', 'long done']);
  });

  it('goes on where there are no workers', async () => {
    const { work, run, outcomes } = makeWork({ workers: 0, maxInlineChecks: 3 });
    expect(await work.run('ask', 4, inline)).toBe(threadId);
    expect(await run('long')).toBe(threadId);
    expect(outcomes()).toEqual(['ask done', 'long done']);
  });

  it('is refused for a person whose budget is used up only if it takes long', async () => {
    const { work, run, outcomes } = makeWork({
      maxInlineChecks: 3,
      budget: { milliseconds: 1, window: LONG, people: 9 },
    });
    await run('burn', 5);
    expect(await work.run('ask', 3, inline)).toBe(threadId);
    await expect(work.run('ask', 4, inline)).rejects.toMatchObject(refused('budget'));
    expect(outcomes()).toEqual(['burn done', 'ask done', 'ask moved', 'ask refused']);
  });
});

describe('the deadline', () => {
  it('lets a job return what it has, and stops no job after it', async () => {
    const { work, outcomes } = makeWork();
    expect(await work.run('untilStop', undefined, { asker: ann, deadline: 1 })).toBe('what there is');
    expect(outcomes()).toEqual(['untilStop stopped']);
    const { gate, running: answer } = await occupy(work);
    gate.open();
    expect(await answer).toBe('passed');
  });

  it('accepts a job that returns late but within the grace time, however busy this thread is then', async () => {
    const { work } = makeWork({ grace: 1_000 });
    const gate = new Gate();
    const answer = work.run('late', gate.shared, { asker: ann, deadline: 1 });
    await gate.begun();
    gate.open();
    await nextTurn();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
    expect(await answer).toBe('late');
  });

  it('ends a job that does not return, and the next one gets a new worker', async () => {
    const { work, run, workers, outcomes, logged } = makeWork({ grace: 1 });
    const never = work.run('never', undefined, { asker: ann, deadline: 1 });
    const waiting = run('echo', 'next', bob);
    const message = expect.stringContaining('smaller board');
    await expect(never).rejects.toMatchObject({ name: 'WorkTimeout', code: 'work.timeout', message });
    expect(await waiting).toBe('next');
    expect(outcomes()).toEqual(['never timeout', 'echo done']);
    expect(workers).toHaveLength(2);
    expect(logged).toEqual([{ job: 'never', ran: expect.any(Number), outcome: 'timeout' }]);
  });
});

describe('a worker', () => {
  it('is started by the first job that needs one, and kept', async () => {
    const { work, run, workers } = makeWork({ workers: 2 });
    expect(workers).toHaveLength(0);
    const first = await run('thread');
    const second = await run('thread');
    expect(second).toBe(first);
    expect(workers).toHaveLength(1);
    expect(work.load).toEqual({ queued: 0, running: 0, workers: 1 });
  });

  it(
    'has a lower priority than the thread that started it',
    needs('Linux', process.platform === 'linux'),
    async () => {
      const { run } = makeWork({ niceness: 7 });
      expect(await run('niceness')).toBe(Math.min(19, getPriority() + 7));
    },
  );

  it('that runs out of memory fails only its own job, and is replaced', async () => {
    const { work, run, outcomes } = makeWork({ workers: 2, memory: { heap: 24, arrays: 1000, kept: 1000 } });
    const { gate, running: other } = await occupy(work, bob);
    const message = expect.stringContaining('smaller board');
    await expect(run('objects')).rejects.toMatchObject({ name: 'WorkerLost', code: 'work.memory', message });
    expect(await run('echo', 'next')).toBe('next');
    gate.open();
    expect(await other).toBe('passed');
    expect(outcomes()).toEqual(['objects lost', 'echo done', 'gate done']);
  });

  it('that takes too much memory in typed arrays is ended', async () => {
    const { run } = makeWork({ memory: { heap: 256, arrays: 20, kept: 1000 } });
    await expect(run('arrays', 60)).rejects.toMatchObject({ code: 'work.memory' });
  });

  it('that holds much memory after a job is replaced', async () => {
    const { run } = makeWork({ memory: { heap: 256, arrays: 1000, kept: 100 } });
    const first = await run('hold', 10);
    expect(await run('hold', 200)).toBe(first);
    expect(await run('thread')).not.toBe(first);
  });

  it('that is terminated from outside fails only its own job, and is replaced', async () => {
    const { run, workers } = makeWork({ workers: 2 });
    const [mine, other] = [new Gate(), new Gate()];
    const answers = [run('gate', mine.shared), run('gate', other.shared, bob)] as const;
    await Promise.all([mine.begun(), other.begun()]);
    await workers.find(({ threadId }) => threadId === mine.thread)!.terminate();
    await expect(answers[0]).rejects.toMatchObject({ name: 'WorkerLost', code: 'work.ended' });
    expect(await run('echo', 'next')).toBe('next');
    other.open();
    expect(await answers[1]).toBe('passed');
    expect(workers).toHaveLength(3);
  });

  it('that has had no job for a while is ended, and the next job starts another', async () => {
    const { work, run, workers } = makeWork({ idle: 1 });
    await run('echo', 1);
    await expect.poll(() => work.load.workers).toBe(0);
    expect(await run('echo', 2)).toBe(2);
    expect(workers).toHaveLength(2);
  });

  it('is not ended while it has a job, however long that takes', async () => {
    const { work, workers } = makeWork({ idle: 1 });
    const { gate, running: answer } = await occupy(work);
    // A worker that became idle later is ended meanwhile.
    const later = makeWork({ idle: 1 });
    await later.run('echo', 1);
    await expect.poll(() => later.work.load.workers).toBe(0);
    gate.open();
    expect(await answer).toBe('passed');
    expect(workers).toHaveLength(1);
  });

  it('that ends itself or throws outside of the job is replaced', async () => {
    const { run } = makeWork();
    await expect(run('exit')).rejects.toMatchObject({ code: 'work.ended' });
    await expect(run('crash')).rejects.toMatchObject({
      name: 'WorkFault',
      stack: expect.stringMatching(/^TypeError/),
      message: 'outside of the job',
    });
    expect(await run('echo', 'next')).toBe('next');
  });

  it('that can not be started fails one job for each attempt', async () => {
    const { work, workers, logged } = makeWork({}, { module: new URL('./no-such-jobs.ts', import.meta.url) });
    const fault = { name: 'WorkFault', message: expect.stringContaining('no-such-jobs') };
    const failing = [ann, bob].map((asker) => work.run('echo', 1, { asker }));
    await Promise.all(failing.map((echo) => expect(echo).rejects.toMatchObject(fault)));
    expect(workers).toHaveLength(2);
    expect(logged).toHaveLength(2);
  });

  it('that the system has no thread for fails one job for each attempt, and leaves nothing behind', async () => {
    let isShort = true;
    const { work, run, logged } = makeWork(
      { workers: 2 },
      {
        makeWorker(file, options) {
          if (isShort) throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' });
          return new Worker(file, options);
        },
      },
    );
    for (const job of ['one', 'two'])
      await expect(run('echo', job)).rejects.toMatchObject({ message: 'EAGAIN' });
    expect(logged).toHaveLength(2);
    expect(work.load).toEqual({ queued: 0, running: 0, workers: 0 });
    isShort = false;
    const { gate, running: first } = await occupy(work, bob);
    isShort = true;
    const second = run('echo', 'waits');
    gate.open();
    expect(await Promise.all([first, second])).toContain('waits');
  });

  it('that is not ready in time is ended', async () => {
    // A program that never says that it is ready: a real one could be on a machine that is busy elsewhere.
    const makeWorker = () => new Worker('setInterval(() => {}, 1_000)', { eval: true });
    const { run } = makeWork({ start: 1 }, { makeWorker });
    await expect(run('echo', 1)).rejects.toMatchObject({ code: 'work.ended' });
  });
});

describe('waiting jobs', () => {
  it('of one person leave a worker to others, in whatever channels they are', async () => {
    const { work } = makeWork({ workers: 2 });
    const gates = [new Gate(), new Gate(), new Gate()] as const;
    const run = (gate: Gate, asker: JobAsker) => work.run('gate', gate.shared, { asker });
    const answers = [run(gates[0], ann), run(gates[1], { ...ann, channel: 'c' }), run(gates[2], bob)];
    await Promise.all([gates[0].begun(), gates[2].begun()]);
    expect(work.load).toEqual({ queued: 1, running: 2, workers: 2 });
    expect(gates[1].hasBegun).toBe(false);
    for (const gate of gates) gate.open();
    expect(await Promise.all(answers)).toEqual(['passed', 'passed', 'passed']);
  });

  it.each([
    ['person', { total: 9, channel: 9, person: 1 }, { channel: 'other', person: 'bob' }],
    ['channel', { total: 9, channel: 1, person: 9 }, { channel: 'b', person: 'cleo' }],
    ['queue', { total: 1, channel: 9, person: 9 }, { channel: 'other', person: 'cleo' }],
  ] as const)(
    'are refused over the bound of the %s, with a time to try again',
    async (reason, queue, asker) => {
      const { work, run, outcomes } = makeWork({ queue });
      const { gate, running } = await occupy(work);
      const waiting = run('echo', 1, bob);
      const another = work.run('echo', 2, { asker });
      await expect(another).rejects.toMatchObject(refused(reason, IN_A_SECOND));
      gate.open();
      expect(await Promise.all([running, waiting])).toEqual(['passed', 1]);
      expect(await work.run('echo', 3, { asker })).toBe(3);
      expect(outcomes()).toEqual(['echo refused', 'gate done', 'echo done', 'echo done']);
    },
  );

  it('take a place of the channel that has the most when all are taken', async () => {
    const { work, run, outcomes } = makeWork({ queue: { total: 2, channel: 9, person: 9 } });
    const { gate, running } = await occupy(work);
    const [first, second] = [1, 2].map((count) => run('echo', count, bob));
    const displaced = expect(second).rejects.toMatchObject(refused('queue', IN_A_SECOND));
    const other = work.run('echo', 3, { asker: { channel: 'other', person: 'cleo' } });
    await displaced;
    gate.open();
    expect(await Promise.all([running, first, other])).toEqual(['passed', 1, 3]);
    expect(outcomes()).toEqual(['echo refused', 'gate done', 'echo done', 'echo done']);
  });
});

describe('a job that waits behind others for too long', () => {
  it('is refused and never run, while one that has begun in time goes on', async () => {
    const { work, run, outcomes } = makeWork({ queueTimeout: 1 });
    const { gate, running } = await occupy(work);
    await expect(run('echo', 1, bob)).rejects.toThrow('I’m busy right now. Try again in about 1 second.');
    expect(work.load.queued).toBe(0);
    gate.open();
    expect(await running).toBe('passed');
    expect(outcomes()).toEqual(['echo refused', 'gate done']);
  });

  it('is run if the bot itself needs it, and while only the start of a worker is waited for', async () => {
    const { work, run } = makeWork({ queueTimeout: 1 });
    const { gate, running: first } = await occupy(work);
    const own = work.run('echo', 1, { asker: { channel: 'daily' } });
    await expect(run('echo', 2, bob)).rejects.toMatchObject(refused('queue'));
    gate.open();
    expect(await Promise.all([first, own])).toEqual(['passed', 1]);
  });
});

it('the time to try again grows with the number of jobs that wait', async () => {
  const { work, run } = makeWork({ queue: { total: 20, channel: 20, person: 20 } });
  const { gate, running } = await occupy(work);
  const waiting = Array.from({ length: 20 }, (_, index) => run('echo', index, bob));
  // Half a second each, as long as nothing was measured.
  const another = work.run('echo', 1, { asker: { ...ann, channel: bob.channel } });
  await expect(another).rejects.toThrow('about 10 seconds');
  gate.open();
  await Promise.all([running, ...waiting]);
});

describe('the budget', () => {
  const budget = { milliseconds: 1, window: 60_000, people: 10 };

  it('is charged with the processor time of a job, and refuses until it is paid off', async () => {
    const { work, run, clock } = makeWork({ budget });
    await run('burn', 5);
    const another = work.run('echo', 1, { asker: { ...ann, channel: 'another' } });
    await expect(another).rejects.toMatchObject(refused('budget', /in about \d+ minutes\.$/));
    expect(await run('echo', 2, bob)).toBe(2);
    clock.time += 1_000 * budget.window;
    expect(await run('echo', 3)).toBe(3);
  });

  it('refuses a job that waited while earlier ones used it up', async () => {
    const { run } = makeWork({ budget });
    const first = run('burn', 5);
    const second = run('echo', 1);
    const others = run('echo', 2, bob);
    await first;
    await expect(second).rejects.toMatchObject(refused('budget'));
    expect(await others).toBe(2);
  });

  it("is charged for a job that was ended, and not for the bot's own jobs", async () => {
    const { work, run } = makeWork({ budget, grace: 1 });
    for (let round = 0; round < 2; round++) await work.run('burn', 5, { asker: { channel: 'a' } });
    await expect(work.run('never', undefined, { asker: ann, deadline: 5 })).rejects.toThrow();
    await expect(run('echo', 1)).rejects.toMatchObject(refused('budget'));
  });
});

describe('closing', () => {
  it('waits for what runs and refuses what waits', async () => {
    const { work, run } = makeWork({ close: LONG });
    const { gate, running } = await occupy(work);
    const waiting = run('echo', 1, bob);
    const closed = work.close();
    await expect(waiting).rejects.toMatchObject(refused('closing'));
    await expect(run('echo', 2, bob)).rejects.toMatchObject(refused('closing'));
    gate.open();
    expect(await running).toBe('passed');
    await closed;
    expect(work.load).toEqual({ queued: 0, running: 0, workers: 0 });
  });

  it('ends what still runs after the bound', async () => {
    const { work, run } = makeWork({ close: 1 });
    const gate = new Gate();
    const running = expect(run('gate', gate.shared)).rejects.toThrow(WorkerLost);
    await gate.begun();
    await work.close();
    await running;
    expect(work.load.workers).toBe(0);
  });
});

describe('inline', () => {
  it('runs one job in each turn of the event loop, those of people in turn with the bot’s own', async () => {
    let turn = 0;
    const count = () => {
      turn++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const ran: string[] = [];
    const echo = (name: unknown) => {
      ran.push(String(name));
      return turn;
    };
    const { run } = makeWork({ workers: 0 }, { jobs: { ...JOBS, echo } as typeof JOBS });
    const own = inBackground(() => ['own 1', 'own 2', 'own 3'].map((name) => run('echo', name)));
    const turns = await Promise.all([...own, run('echo', 'ann 1'), run('echo', 'ann 2')]);
    clearImmediate(counting);
    expect(ran).toEqual(['own 1', 'ann 1', 'own 2', 'ann 2', 'own 3']);
    expect(new Set(turns).size).toBe(5);
  });
});
