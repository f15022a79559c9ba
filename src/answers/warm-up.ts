import { setImmediate } from 'node:timers/promises';
import { subjectOfBoard } from '../reply/model/subject.ts';
import { parseBoard } from '../solver/board.ts';
import type { Lexicon } from '../solver/lexicon.ts';
import { makeJobs } from './jobs.ts';
import { Searches } from './searches.ts';

/**
 * From small to large, so that no turn of the event loop takes long: what runs most is compiled by the time that
 * there is much to do. The fourth has no short solution, the last one many words. None has the newspaper's size, whose
 * first answer would take longer than all others.
 */
const BOARDS = ['oz nr la', 'oz nr lf mb', 'ozu nri lfa', 'qui zxv abe', 'aer ist lno'];

/** The first hint, which counts by letters, and the next one. */
const STEPS = ['start', 'count'] as const;

/**
 * Answers what people ask most, for nobody, until it has been done or is aborted. The first answers of a process take
 * several times as long as later ones, until the code is compiled: up to 46 ms on the thread that answers people.
 * Here it is at most 20 at a time, and other callbacks run in between.
 */
export async function warmUp(lexicon: Lexicon, signal: AbortSignal): Promise<void> {
  for (const answer of answersOf(lexicon)) {
    await setImmediate();
    if (signal.aborted) return;
    await answer();
  }
}

function* answersOf(lexicon: Lexicon): Iterable<() => Promise<unknown>> {
  const jobs = makeJobs(new Searches());
  const context = { lexicon, stop: () => false };
  const source = { verdicts: new Map<string, boolean>() };
  for (const sides of BOARDS) {
    const board = parseBoard(sides);
    const subject = subjectOfBoard(board);
    yield () => jobs.words({ subject, source, filter: { sort: 'likely' } }, context);
    for (const step of STEPS)
      yield () => jobs.hint({ subject, source, step, shown: [], onwards: {} }, context);
    yield () => jobs.solve({ subject, source, search: {}, options: {} }, context);
    yield () => jobs.check({ board, source, words: ['forum'] }, context);
    yield () => jobs.reveal({ subject, source }, context);
  }
}
