/** Answers from worker threads: the same as without, and nobody waits for somebody else's. */
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE } from '../../src/core/clock.ts';
import { warmUp } from '../../src/jobs/job-runner.ts';
import { BoardJobs } from '../../src/jobs/jobs.ts';
import { parseMoves } from '../../src/play/game.ts';
import { namedBoardOf } from '../../src/reply/model/named-board.ts';
import { pathOf } from '../../src/reply/picture/path.ts';
import { drawPicture } from '../../src/reply/picture/pictures.ts';
import { sidesOfSeen } from '../../src/reply/replies/seen-board.ts';
import { parseBoard } from '../../src/solver/board.ts';
import { compileLexicon, type LexiconEntry, loadLexicon } from '../../src/solver/lexicon.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { TakesLong } from '../../src/work/job.ts';
import { WorkerPool } from '../../src/work/worker-pool.ts';
import { makeTestApp, someone, type TestApp, type TestAppOptions } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';
import { smallPng } from '../fakes/pictures.ts';
import { sample } from '../fakes/sample.ts';
import { WORDS } from '../fakes/small-board.ts';
import { CRUDE_BOARD } from '../reply/setting.ts';

/** A module for workers: jobs of any name, none of which ever returns. */
const STUCK = `data:text/javascript,
  const stuck = () => { for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); };
  export const JOBS = new Proxy({}, { get: () => stuck });`;
/** More letters than the newspaper's boards have, so nothing about it is certain to be short. */
const LARGE = 'bcdz fgh jkl mnp';
const SMALL = 'bcd fgh jkl mnp';
const MORE_WORDS: readonly LexiconEntry[] = [...WORDS, { word: 'bfz', likelihood: 0.9, tier: 'everyday' }];
const ann = someone({ id: 'ann' });
const bob = someone({ id: 'bob', mayManage: true });

let apps: TestApp[];
beforeEach(() => {
  apps = [];
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const { close } of apps) await close();
});

async function start(options: TestAppOptions): Promise<TestApp> {
  const test = await makeTestApp(options);
  apps.push(test);
  return test;
}

describe('an answer from a worker', () => {
  it('is the same as without workers', async () => {
    const without = await start({ words: MORE_WORDS, jobTimeout: MINUTE });
    const within = await start({ words: MORE_WORDS, workers: 1, jobTimeout: MINUTE });
    const lines = [
      `set ${LARGE}`,
      `solve ${LARGE}`,
      `solve ${LARGE} each exclude:bfjm`,
      `solve ${LARGE} require:quiz`,
      `hint count sides:${LARGE.replaceAll(' ', '-')}`,
      `hint words:bfz sides:${LARGE.replaceAll(' ', '-')}`,
      `next words:bfz sides:${LARGE.replaceAll(' ', '-')}`,
      `check words:bfz,zzz sides:${LARGE.replaceAll(' ', '-')}`,
      `words ${LARGE} ends:z`,
      `reveal sides:${LARGE.replaceAll(' ', '-')}`,
      'thread start,count,solution',
      'play bfz,nbp',
      'relay start',
      'relay bfz',
    ];
    // The first one makes it the board of the day.
    for (const line of sample(lines, [lines[0]!, ...lines.slice(-7)])) {
      const expected = await say(without.app, line, bob);
      expect({ line, reply: await say(within.app, line, bob) }).toEqual({ line, reply: expected });
    }
    expect(within.app.work.load.workers).toBe(1);
  });

  it('is not needed for a board like the newspaper’s', async () => {
    const { app } = await start({ words: WORDS, workers: 1 });
    expect(opened(await say(app, `solve ${SMALL}`))).toContain('BFJMCG');
    expect(app.work.load.workers).toBe(0);
    await say(app, `solve ${SMALL} words:3`);
    expect(app.work.load.workers).toBe(1);
  });

  it('is needed for a house board that another word list has to make, and for no other one', async () => {
    const { app } = await start({ workers: 1 });
    const day = { date: '2026-11-24' } as const;
    expect(await app.work.run('house', day, { channel: 'house' })).toMatchObject({ source: 'house' });
    expect(app.work.load.workers).toBe(0);
    const takesLong = () => {
      throw new TakesLong();
    };
    const context = { lexicon: loadLexicon(compileLexicon(WORDS)), stop: () => false, takesLong };
    await expect(new BoardJobs().house(day, context)).rejects.toThrow(TakesLong);
  });

  it('counts for one budget of its person, on whichever server they ask', async () => {
    const { app } = await start({ words: WORDS });
    const run = vi.spyOn(WorkerPool.prototype, 'run');
    for (const tenant of ['web:1', 'web:2'])
      await say(app, `solve ${SMALL}`, someone({ id: 'ann' }, { tenant }));
    const people = run.mock.calls.map(([, , { asker }]) => asker.person);
    expect(new Set(people)).toEqual(new Set(['web:ann']));
    const channels = run.mock.calls.map(([, , { asker }]) => asker.channel);
    expect(new Set(channels).size).toBe(2);
  });

  it('has no best solution that may offend', async () => {
    const words = ['wankbdgj', 'jcfhl'];
    const entries = words.map((word) => ({ word, likelihood: 0.9, tier: 'everyday' }) as const);
    const context = { lexicon: loadLexicon(compileLexicon(entries)), stop: () => false };
    const asked = { hints: 0, paid: [], hasResult: true, mayImprove: false, maySeeBest: true };
    const board = { namedBoard: namedBoardOf(CRUDE_BOARD), source: { verdicts: new Map() } };
    const review = await new BoardJobs().review({ ...board, ...asked, words: words.slice(1) }, context);
    expect(opened(review)).toContain('2 words');
    expect(JSON.stringify(review)).not.toMatch(/wankbdgj/i);
  });

  it('is about the word played last', async () => {
    const { app } = await start({ words: [...MORE_WORDS, { ...MORE_WORDS[0]!, word: 'pfb' }] });
    const sides = LARGE.replaceAll(' ', '-');
    expect(opened(await say(app, `hint start words:pfb,bfz sides:${sides}`))).toContain(
      'Nothing starts with Z. Take BFZ back?',
    );
    expect(opened(await say(app, `hint start words:pfb sides:${sides}`))).not.toContain('Nothing starts');
  });

  it('is needed for more moves of a game at once than fingers make', async () => {
    const { app } = await start({ words: WORDS, workers: 1 });
    const board = parseBoard(SMALL);
    const source = await app.puzzles.wordSource({ board });
    const play = (moves: string) => {
      const input = { board, source, saved: null, input: { moves: parseMoves(moves)! } };
      return app.work.run('play', input, { channel: 'pages' });
    };
    expect((await play('b<'.repeat(20))).word).toBe('');
    expect(app.work.load.workers).toBe(0);
    expect((await play(`${'b<'.repeat(20)}b`)).word).toBe('b');
    expect(app.work.load.workers).toBe(1);
  });

  it('is needed for what may take long, and says the same', async () => {
    const within = await start({ workers: 1, jobTimeout: MINUTE });
    const without = await start({ jobTimeout: MINUTE });
    const asked = vi.spyOn(Worker.prototype, 'postMessage');
    await say(within.app, 'solve ozu nri lfa mbt everyday');
    expect(asked).not.toHaveBeenCalled();
    const lines = [
      // More than 4,000 words, no solution of two words, and two short words that must be in one.
      ['words aei dgl nst oru', 'Playable words'],
      ['solve ozu nri lfa mbt require:aim,arm', 'AIM'],
      ['generate easy seed:tea', 'New easy board'],
      ['solve qui zxv abe nst', 'Four-word solutions'],
    ] as const;
    for (const [line, said] of sample<readonly (typeof lines)[number][]>(lines, lines.slice(0, 2))) {
      asked.mockClear();
      const reply = await say(within.app, line);
      expect(asked, line).toHaveBeenCalled();
      expect(opened(reply)).toContain(said);
      expect(reply).toEqual(await say(without.app, line));
    }
  });
});

describe('a picture', () => {
  const board = parseBoard(SMALL);

  it('is drawn in a worker of its own, the same as without', async () => {
    const { app } = await start({ words: WORDS, workers: 1 });
    const picture = { board, path: pathOf(board, ['bfj']) };
    expect(await app.work.draw(picture)).toEqual(await drawPicture(picture));
    expect(app.work.load.workers).toBe(0);
  });

  it('is drawn although its worker is terminated meanwhile', async () => {
    const workers: Worker[] = [];
    const { app } = await start({
      words: WORDS,
      workers: 1,
      makeWorker(file, options) {
        const worker = new Worker(file, options);
        workers.push(worker);
        return worker;
      },
    });
    const drawing = app.work.draw({ board });
    // Its first message says that it is ready.
    await once(workers[0]!, 'message');
    await workers[0]!.terminate();
    expect(await drawing).toEqual(await drawPicture({ board }));
    expect(workers).toHaveLength(2);
  });

  /** A JPEG file of 4 by 4 pixels with 16 bits for each value, which the library expects to have 8. */
  const lossless = () => {
    const table = `ffc4001400${'01'.padEnd(32, '0')}00`;
    const frame = 'ffc30011100004000403011100021100031100';
    const scan = `ffda000c03010002000300010000${'00'.repeat(60)}`;
    return Buffer.from(`ffd8${table}${frame}${scan}ffd9`, 'hex');
  };

  it('that somebody sends ends the library with an error, and the next one is read, without workers too', async () => {
    const { app } = await start({ words: WORDS, workers: 0 });
    await expect(app.work.see(lossless(), ann)).rejects.toMatchObject({ code: 'picture.type' });
    expect(sidesOfSeen(await app.work.see(await smallPng(...SMALL.split(' ')), ann)).sides).toBe(
      'bcd-fgh-jkl-mnp',
    );
  });

  it('that somebody sends and that takes too much is refused with what to do', async () => {
    const { app } = await start({
      words: WORDS,
      makeWorker(file, options) {
        const worker = new Worker(file, options);
        const memory = Object.assign(new Error('no memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
        return worker.once('message', () => queueMicrotask(() => worker.emit('error', memory)));
      },
    });
    await expect(app.work.see(lossless(), ann)).rejects.toThrow('Crop it to the board');
  });
});

describe('while a worker is stuck', () => {
  let workers: Worker[];
  let test: TestApp;
  beforeEach(async () => {
    workers = [];
    test = await start({
      words: MORE_WORDS,
      workers: 1,
      // Or a busy machine would end the worker before the test does.
      jobTimeout: MINUTE,
      makeWorker(file, options) {
        const stuck = { ...options, workerData: { ...options.workerData, module: STUCK } };
        const worker = new Worker(file, workers.length === 0 ? stuck : options);
        workers.push(worker);
        return worker;
      },
    });
  });

  const untilRunning = async () => {
    while (test.app.work.load.running === 0) await setImmediate();
  };

  it('everybody else is answered, and who asked hears of it when the worker ends', async () => {
    const answer = say(test.app, `solve ${LARGE}`, ann);
    await untilRunning();
    expect(opened(await say(test.app, `solve ${SMALL}`, bob))).toContain('BFJMCG');
    expect(opened(await say(test.app, `check nbp ${SMALL}`, bob))).toContain('NBP fits.');
    expect(opened(await say(test.app, 'help all', ann))).toContain('solve');
    expect(test.app.work.load.running).toBe(1);
    await workers[0]!.terminate();
    expect(opened(await answer)).toContain('Something interrupted this answer before it was done');
  });

  it('a person who asks for more and more is refused', async () => {
    const answers = [say(test.app, `solve ${LARGE}`, ann)];
    await untilRunning();
    for (let more = 0; more < 4; more++) answers.push(say(test.app, `words ${LARGE}`, ann));
    while (test.app.work.load.queued < 4) await setImmediate();
    const refused = opened(await say(test.app, `reveal sides:${LARGE.replaceAll(' ', '-')}`, ann));
    expect(refused).toMatch(/I’m still working on what you asked for before\s+Try again in about/);
    expect(opened(await say(test.app, `solve ${SMALL}`, ann))).toContain('BFJMCG');
    await workers[0]!.terminate();
    const [lost, ...others] = await Promise.all(answers);
    expect(opened(lost!)).toContain('Something interrupted this answer before it was done');
    // A new worker has taken the place of the one that ended.
    for (const reply of others) expect(opened(reply)).toContain('Playable words');
    expect(workers).toHaveLength(2);
  });
});

it('the warm-up of the solver lets other callbacks run in between', async () => {
  let isOver = false;
  let turns = 0;
  const counting = (async () => {
    for (; !isOver; turns++) await setImmediate();
  })();
  await warmUp(readLexicon(), new AbortController().signal);
  isOver = true;
  await counting;
  expect(turns).toBeGreaterThanOrEqual(10);
});
