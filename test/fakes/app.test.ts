import { describe, expect, test } from 'vitest';
import { parseBoard } from '../../src/solver/board.ts';
import { compileLexicon, loadLexicon } from '../../src/solver/lexicon.ts';
import { makeTestApp } from './app.ts';
import { spoilersIn } from './log-spoilers.ts';
import { house, WORDS } from './small-board.ts';

test('a test app that logged an unexpected error fails its test as it closes', async () => {
  const { app, close } = await makeTestApp();
  app.log.error({ err: new Error('full') }, 'it broke');
  await expect(close()).rejects.toThrow('the app logged an unexpected error: it broke');
});

describe('spoilers in the log', () => {
  const SECOND = 'gkdhlnbp';

  test.each([
    ['a word of the solution', { typed: 'was it BFJMCG?' }, /the log tells bfjmcg/],
    ['an error that names one', { err: new Error(`no ${SECOND} here`) }, /the log tells gkdhlnbp/],
    ['nothing of the kind', { tenant: 'web:local', milliseconds: 3 }, undefined],
  ])('a test app that logged %s says so as it closes', async (_, fields, trouble) => {
    const { app, close } = await makeTestApp({ words: WORDS, house });
    app.log.info(fields, 'something happened');
    if (trouble === undefined) await close();
    else await expect(close()).rejects.toThrow(trouble);
  });

  test.each([
    ['a sentence of the program', {}, 'the settings and the store are in order', []],
    ['an error that a test makes up', { err: new Error('no store here') }, 'failed', []],
    ['what somebody typed', { typed: 'store' }, 'answered', ['store']],
    ['an error about it', { err: new Error(`${'store'} is no word`) }, 'failed', ['store']],
  ])('on a day that "store" solves, %s gives it away or not', (_, fields, message, found) => {
    const lexicon = loadLexicon(compileLexicon([{ word: 'store', likelihood: 1, tier: 'everyday' }]));
    const board = parseBoard('sx tz oy rw eq');
    const puzzle = { date: '2026-11-20', source: 'house', board, official: ['store'], par: 1 } as const;
    expect(spoilersIn([{ level: 'info', fields, message }], lexicon, puzzle)).toEqual(found);
  });
});
