import { setImmediate } from 'node:timers/promises';
import { subjectOfBoard } from '../reply/model/subject.ts';
import { parseBoard } from '../solver/board.ts';
import type { Lexicon } from '../solver/lexicon.ts';
import { makeJobs } from './jobs.ts';
import { Searches } from './searches.ts';

/** With many words, and with few. */
const BOARDS = ['eci axy otu hrn', 'ozu nri lfa mbt'];

/** The first hint, which counts by letters, and the next one. */
const STEPS = ['start', 'count'] as const;

/**
 * Answers what people ask most, for nobody. The first answers of a process take several times as long as later
 * ones, until the code is compiled: up to 46 ms on the thread that answers people. Other callbacks run in between.
 */
export async function warmUp(lexicon: Lexicon): Promise<void> {
  const jobs = makeJobs(new Searches());
  const context = { lexicon, stop: () => false };
  const source = { verdicts: new Map<string, boolean>() };
  for (const sides of BOARDS) {
    const board = parseBoard(sides);
    const subject = subjectOfBoard(board);
    await setImmediate();
    await jobs.words({ subject, source, filter: { sort: 'likely' } }, context);
    for (const step of STEPS) {
      await setImmediate();
      await jobs.hint({ subject, source, step, shown: [], onwards: {} }, context);
    }
    await setImmediate();
    await jobs.solve({ subject, source, search: {}, options: {} }, context);
    await setImmediate();
    await jobs.check({ board, source, words: ['forum'] }, context);
    await setImmediate();
    await jobs.reveal({ subject, source }, context);
  }
}
