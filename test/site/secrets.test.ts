import { expect, test } from 'vitest';
import { Site } from '../../src/site/site.ts';
import { compileLexicon, loadLexicon } from '../../src/solver/lexicon.ts';
import { chargedIn, SIDES, WORDS } from '../fakes/small-board.ts';

test('the worker of the site tells its page nothing that the hints would charge for', async () => {
  const lexicon = loadLexicon(compileLexicon(WORDS));
  const site = new Site({
    lexicon: () => lexicon,
    days: () => () => undefined,
    now: Date.now,
    address: 'https://example.org/',
  });
  const asked = { board: SIDES };
  const told = [await site.board(asked)] as object[];
  for (const moves of ['', 'b', 'bfj.', 'gkdh.']) told.push(await site.play(asked, { moves }));
  expect(chargedIn(JSON.stringify(told), ['bfj', 'gkdh'])).toEqual([]);
  expect(chargedIn(JSON.stringify(await site.help(asked, { ask: 'hint', words: ['bfjm'] })))).not.toEqual([]);
});
