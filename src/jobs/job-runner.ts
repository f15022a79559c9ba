import { setImmediate } from 'node:timers/promises';
import { channelKey, doorOf } from '../core/channel-ref.ts';
import type { Clock } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { wordSourceOf } from '../puzzle/types.ts';
import type { AskerRef } from '../reply/model/action.ts';
import { namedBoardOf } from '../reply/model/named-board.ts';
import type { Picture } from '../reply/model/types.ts';
import { JOBS as PICTURE_JOBS, PICTURES_MODULE } from '../reply/picture/pictures.ts';
import { parseBoard } from '../solver/board.ts';
import type { Lexicon } from '../solver/lexicon.ts';
import type { Board } from '../solver/types.ts';
import type { SeenBoard } from '../vision/board-from-pixels.ts';
import {
  type FinishedJob,
  type InputOf,
  type JobAsker,
  type OutputOf,
  WORK_SETTINGS,
  WorkerLost,
} from '../work/job.ts';
import { type MakeWorker, WorkerPool } from '../work/worker-pool.ts';
import { BoardJobs, JOBS, JOBS_MODULE, type Jobs, type SolveInput } from './jobs.ts';

/**
 * Milliseconds for boards like the newspaper's, if there are no workers. They take a few, but even a busy machine should
 * give the whole answer.
 */
const SMALL_BOARD_DEADLINE_MS = 1_000;
/** Milliseconds for any other board, if there are no workers: whatever is uncertain by then is reported as cut off. */
const INLINE_DEADLINE_MS = 40;
/** Milliseconds for making a board, which can't be cut short: on a busy machine the first one takes seconds. */
const MAKE_BOARD_DEADLINE_MS = 20_000;
/** Milliseconds for a picture that is drawn or read, which can't be cut short either. */
const PICTURE_DEADLINE_MS = 10_000;
/** Pictures that may wait: as many as a busy minute brings, at about 40 ms each. */
const MAX_WAITING_PICTURES = 1_000;
/** The most of them for one person: somebody with more pictures waiting gets boards drawn in characters. */
const MAX_WAITING_PICTURES_PER_PERSON = 10;
/** Milliseconds that a person's picture, and with it the whole answer, waits for its turn. */
const PICTURE_TIMEOUT_MS = 5_000;
/**
 * Megabytes of the worker that reads a picture: 25 million pixels take 390. A JPEG file of several scans with every colour
 * would take 510, and is refused like one that takes too long.
 */
const SEEING_MB = 448;
/** The asker of pictures in the bot's own posts. */
const BOT_ASKER: JobAsker = { channel: 'pictures' };
/** The newspaper's shape: with more sides, or with repeated letters, far more words can be played. */
const SMALL_BOARD = { sides: 4, letters: 12 } as const;
/** Later pages of a list of solutions take long. */
const MAX_INLINE_PAGE = 10;
/** So many moves take up to 11 ms, as when the last word of the longest game is taken back and entered again. */
const MAX_INLINE_MOVES = 40;
/** Solutions of at most this many words are few enough to list at once. */
const MAX_INLINE_WORDS = 2;

export interface JobRunnerOptions {
  readonly lexicon: Lexicon;
  readonly clock: Clock;
  readonly log: Log;
  /** Worker threads at most; 0 runs every job on the calling thread. */
  readonly workers: number;
  /** Milliseconds for any job, where nobody else is waiting. */
  readonly jobTimeout?: number | undefined;
  readonly onDone?: ((done: FinishedJob) => void) | undefined;
  /** Called again and again while a job keeps the calling thread busy. */
  readonly onWait?: (() => void) | undefined;
  /** Replaced by tests, which want to reach the workers. */
  readonly makeWorker?: MakeWorker | undefined;
}

/**
 * Runs the jobs behind answers: short ones on boards like the newspaper's at once, all others in a worker. Pictures, which
 * most answers have, are drawn by a worker of their own, so that they never wait for a search, and read by another one.
 */
export class JobRunner {
  readonly #work: WorkerPool<Jobs>;
  readonly #drawing: WorkerPool<typeof PICTURE_JOBS>;
  readonly #seeing: WorkerPool<typeof PICTURE_JOBS>;
  readonly #workers: number;
  readonly #jobTimeout: number | undefined;

  constructor({ workers, jobTimeout, ...world }: JobRunnerOptions) {
    this.#workers = workers;
    this.#jobTimeout = jobTimeout;
    this.#work = new WorkerPool({
      ...world,
      jobs: JOBS,
      module: JOBS_MODULE,
      settings: { workers },
    });
    this.#drawing = new WorkerPool({
      ...world,
      jobs: PICTURE_JOBS,
      module: PICTURES_MODULE,
      settings: {
        workers: Math.min(1, workers),
        niceness: 0,
        queueTimeout: PICTURE_TIMEOUT_MS,
        // Most answers have a picture, and the first one of a worker takes several times as long as others.
        idle: undefined,
        queue: {
          total: MAX_WAITING_PICTURES,
          channel: MAX_WAITING_PICTURES,
          person: MAX_WAITING_PICTURES_PER_PERSON,
        },
      },
    });
    this.#seeing = new WorkerPool({
      ...world,
      jobs: PICTURE_JOBS,
      module: PICTURES_MODULE,
      // Never on the calling thread, and each picture in a worker of its own (`kept: 0`): it may end resvg with an error.
      settings: {
        workers: 1,
        niceness: 0,
        memory: { ...WORK_SETTINGS.memory, arrays: SEEING_MB, kept: 0 },
      },
    });
  }

  get load(): WorkerPool<Jobs>['load'] {
    return this.#work.load;
  }

  /**
   * A job's output. Rejects with a `UserError` for the asker: the job refuses the request, there is too much to do, or the
   * job or its worker had to be ended.
   *
   * @example await work.run('fewest', { board, source }, request)
   */
  run<Name extends keyof Jobs>(
    name: Name,
    input: InputOf<Jobs[Name]>,
    asker: AskerRef | JobAsker,
  ): Promise<OutputOf<Jobs[Name]>> {
    const board = boardOf(input);
    const isOnSmallBoard = board !== undefined && isSmall(board);
    let deadline = board === undefined ? MAKE_BOARD_DEADLINE_MS : WORK_SETTINGS.deadline;
    if (board !== undefined && this.#workers === 0)
      deadline = isOnSmallBoard ? SMALL_BOARD_DEADLINE_MS : INLINE_DEADLINE_MS;
    return this.#work.run(name, input, {
      asker: jobAskerOf(asker),
      // Where the house's board has to be made, `house` moves itself to a worker.
      where: name === 'house' || (isOnSmallBoard && isProbablyShort(input)) ? 'inline' : 'worker',
      deadline: this.#jobTimeout ?? deadline,
    });
  }

  /**
   * The picture as a PNG file. People who ask for pictures take turns: for them it rejects with a `UserError` when there
   * is too much to draw. The bot's own pictures wait as long as it takes.
   */
  readonly draw = async (picture: Picture, asker?: AskerRef): Promise<Buffer> => {
    const options = {
      asker: jobAskerOf(asker ?? BOT_ASKER),
      deadline: PICTURE_DEADLINE_MS,
    };
    const run = () => this.#drawing.run('draw', picture, options);
    const { buffer, byteOffset, byteLength } = await run().catch((error) => {
      // The person need not hear that the worker ended: a new one takes a moment.
      if (error instanceof WorkerLost) return run();
      throw error;
    });
    return Buffer.from(buffer, byteOffset, byteLength);
  };

  /** The board in a file that somebody sent. Rejects with a `UserError` if there is none, or too much to do. */
  async see(bytes: Uint8Array, asker: AskerRef): Promise<SeenBoard> {
    const { compileResvg } = await import('../reply/picture/decode.ts');
    const file = { bytes, library: await compileResvg() };
    try {
      return await this.#seeing.run('see', file, { asker: jobAskerOf(asker), deadline: PICTURE_DEADLINE_MS });
    } catch (error) {
      if (error instanceof UserError && (error.code === 'work.timeout' || error.code === 'work.memory'))
        throw new UserError(
          'picture.effort',
          'That picture takes me too long. Crop it to the board, or type its sides.',
        );
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#work.close(), this.#drawing.close(), this.#seeing.close()]);
  }
}

/**
 * Whether a job on a small board is short as far as its input shows. A job on a board with thousands of words, or without
 * short solutions, finds out itself that it takes long, and begins again in a worker.
 */
function isProbablyShort(input: InputOf<Jobs[keyof Jobs]>): boolean {
  if ('saved' in input && 'moves' in input.input) return input.input.moves.length <= MAX_INLINE_MOVES;
  return !('search' in input) || !goesFar(input);
}

/** A person has one budget across all channels of a platform. */
function jobAskerOf(asker: AskerRef | JobAsker): JobAsker {
  if (!('who' in asker)) return asker;
  const { who, where } = asker;
  return { channel: channelKey(where), person: `${doorOf(where.tenant)}:${who.id}` };
}

function isSmall({ sides, letters }: Board): boolean {
  if (sides.length > SMALL_BOARD.sides || letters.length > SMALL_BOARD.letters) return false;
  return new Set(letters).size === letters.length;
}

/** Whether a search has to go deep even on a small board, or through the whole word list. */
function goesFar({
  all,
  each,
  sort,
  explains,
  exactly = 0,
  lengthToCount = 0,
  page = 1,
}: SolveInput): boolean {
  if (all || each || explains || sort !== undefined) return true;
  return Math.max(exactly, lengthToCount) > MAX_INLINE_WORDS || page > MAX_INLINE_PAGE;
}

function boardOf(input: InputOf<Jobs[keyof Jobs]>): Board | undefined {
  if ('board' in input) return input.board;
  if ('namedBoard' in input) return input.namedBoard.board;
  return 'puzzle' in input ? input.puzzle.board : undefined;
}

/**
 * Boards from small to large, so that no turn of the event loop takes long: the most frequent code is compiled before there
 * is much to do. The fourth has no short solution, the last one many words. None has the newspaper's size, whose first
 * answer would take longer than all others together.
 */
const WARM_UP_BOARDS = ['oz nr la', 'oz nr lf mb', 'ozu nri lfa', 'qui zxv abe', 'aer ist lno'];

/** The hints that a daily thread has by default. */
const WARM_UP_STEPS = ['start', 'count'] as const;

/**
 * Runs the most frequent requests once, without an asker, unless it is aborted. The first answers of a process take several
 * times as long as later ones, until the code is compiled: up to 46 ms on the thread that answers people. Here they take at
 * most 20 ms at a time, with other callbacks in between.
 */
export async function warmUp(lexicon: Lexicon, signal: AbortSignal): Promise<void> {
  for (const answer of answersOf(lexicon)) {
    await setImmediate();
    if (signal.aborted) return;
    await answer();
  }
}

function* answersOf(lexicon: Lexicon): Iterable<() => Promise<unknown>> {
  const jobs = new BoardJobs();
  const context = { lexicon, stop: () => false };
  const source = wordSourceOf({});
  for (const sides of WARM_UP_BOARDS) {
    const board = parseBoard(sides);
    const namedBoard = namedBoardOf(board);
    yield () => jobs.words({ namedBoard, source, filter: { sort: 'likely', pattern: '*a*' } }, context);
    for (const step of WARM_UP_STEPS)
      yield () => jobs.hint({ namedBoard, source, step, shown: [], taken: [], continuation: {} }, context);
    yield () => jobs.solve({ namedBoard, source, search: {}, options: {} }, context);
    yield () => jobs.check({ board, source, words: ['forum'] }, context);
    // After a solution, `record` and `play` need the list of the board's hunt.
    yield () => jobs.huntSolutions({ board, source }, context);
    yield () => jobs.play({ board, source, saved: undefined, input: { words: ['forum'] } }, context);
    for (const open of [false, true])
      yield () => jobs.reveal({ namedBoard, source, ...(open && { open }) }, context);
  }
}
