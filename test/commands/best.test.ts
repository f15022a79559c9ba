/** All commands and doors agree on which solution is the best. */
import { afterAll, describe, expect, test } from 'vitest';
import { type AnswerSteps, answerSteps } from '../../src/daily/delivery/messages.ts';
import { makeJudge } from '../../src/puzzle/judge.ts';
import { THREAD_STEPS, threadStepsReply } from '../../src/reply/replies/board.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { makeSearch } from '../../src/solver/search.ts';
import { makeTestApp, someone, TODAY } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';
import { hidden, shortestIn } from '../reply/look.ts';
import { CRUDE_BOARD, CRUDE_LIKELIHOODS, CRUDE_SIDES } from '../reply/setting.ts';

const words = Object.entries(CRUDE_LIKELIHOODS).map(([word, likelihood]) => ({
  word,
  likelihood,
  tier: 'everyday' as const,
}));
const puzzle = { date: TODAY, source: 'house' as const, board: CRUDE_BOARD };
const { app, close } = await makeTestApp({ words, house: (date) => ({ ...puzzle, date }) });
afterAll(close);

describe('the best solution', () => {
  const steps = (...asked: (typeof THREAD_STEPS)[number][]) => answerSteps(app)(puzzle, asked);

  test('of hints and of the answer, asked for by hand', async () => {
    expect(opened(await say(app, 'hint first'))).toContain('Start with HLCFJBDGW.');
    expect(opened(await say(app, 'hint lengths'))).toContain('In order: 9, then 4 letters.');
    expect(opened(await say(app, 'hint first words:hlcfjbdgw'))).toContain('Go on with WAKN.');
    expect(opened(await say(app, 'next hlcfjbdgw'))).toContain('WAKN');
    expect(shortestIn(await say(app, 'reveal open'))?.[0]).toMatch(/^HLCFJBDGW – WAKN/);
    expect(shortestIn(await say(app, `solve ${CRUDE_SIDES}`))?.[0]).toMatch(/^HLCFJBDGW – WAKN/);
    const words = hidden(await say(app, 'words'));
    expect(Object.keys(words)).toEqual(['Words, best known first', 'Words, best known first – may offend']);
  });

  test('of the day’s thread, one step at a time and all in one', async () => {
    expect(opened(await steps('first'))).toContain('Start with HLCFJBDGW.');
    expect(opened(await steps('masked'))).toContain('H_C_J_D_W');
    expect(shortestIn(await steps('solution'))?.[0]).toMatch(/^HLCFJBDGW – WAKN/);
    const all = await steps(...THREAD_STEPS);
    expect(hidden(all)['The first word']).toEqual(['Start with HLCFJBDGW.']);
    expect(shortestIn(all)?.[0]).toMatch(/^HLCFJBDGW – WAKN/);
  });

  test('of the command line’s data', async () => {
    const data = async (line: string) => {
      const terminal = { asData: true, solution: true };
      return (await say(app, line, { ...someone(), terminal })).data;
    };
    expect(await data(`solve ${CRUDE_SIDES}`)).toHaveProperty('shortest.0.words', ['hlcfjbdgw', 'wakn']);
    expect(await data(`hint first ${CRUDE_SIDES}`)).toMatchObject({
      first: 'hlcfjbdgw',
      solution: ['hlcfjbdgw', 'wakn'],
    });
    const ways = await data(`next hlcfjbdgw ${CRUDE_SIDES}`);
    expect(ways).toHaveProperty('ways.0.words', ['wakn']);
  });

  test('of a board too large to be certain of: the thread’s last step tells the one its hints were about', async () => {
    const { app: real, close: closeReal } = await makeTestApp();
    try {
      const hurried: AnswerSteps = async (asked, steps, audience = 'everyone') => {
        const source = await real.puzzles.wordSource(asked);
        const { words: playable, isListExact } = makeJudge(asked.board, source, real.lexicon);
        const search = makeSearch(asked.board, playable, { stop: () => true });
        return threadStepsReply({ puzzle: asked, steps, search, isListExact, audience });
      };
      const board = makeBoard(['aeto', 'rnsi', 'lcdu', 'mphg', 'bykf', 'vwxj']);
      const ask = (step: (typeof THREAD_STEPS)[number]) =>
        hurried({ ...puzzle, source: 'hand', board }, [step]);
      const [line = ''] = hidden(await ask('solution'))['A solution, maybe not the shortest'] ?? [];
      const first = line.split(' – ')[0]!;
      expect(first).toMatch(/^[A-Z]{3,}$/);
      expect(opened(await ask('first'))).toContain(`Start with ${first}.`);
    } finally {
      await closeReal();
    }
  });
});
