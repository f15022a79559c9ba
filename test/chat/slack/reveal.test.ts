import { describe, expect, it } from 'vitest';
import { keepReply, keptReply } from '../../../src/chat/slack/reveal.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import { parseBoard } from '../../../src/solver/board.ts';

const REPLY: Reply = {
  title: 'One block of each kind',
  blocks: [
    {
      kind: 'text',
      lines: [
        'plain',
        [{ bold: 'b' }, { code: 'c' }, { moment: 1, style: 'date' }],
        [{ link: 'https://example.org', label: 'l' }, { command: 'hint' }, { person: 'U1' }],
      ],
    },
    { kind: 'facts', facts: [{ label: 'Words', value: { bold: '2' } }] },
    {
      kind: 'picture',
      picture: { board: parseBoard('ozu nri lfa mbt'), path: { words: [[0, 3]] }, letters: false },
      alt: 'A path',
      spoiler: true,
    },
    { kind: 'spoiler', label: 'Hidden', hidden: ['QQQ'] },
    {
      kind: 'buttons',
      buttons: [
        { label: 'More', action: { command: 'words', options: { page: 2, all: true } }, look: 'primary' },
      ],
    },
    { kind: 'note', line: 'small print' },
    { kind: 'file', name: 'a.txt', type: 'text/plain', content: 'a' },
  ],
  audience: 'everyone',
  replaces: true,
};

function makeApp() {
  const rows = new Map<string, string>();
  const actions = {
    put: async (key: string, text: string) => void rows.set(key, text),
    get: async (key: string) => rows.get(key),
  };
  const app = { store: { actions }, clock: { now: () => 0 } } as unknown as Parameters<typeof keepReply>[0];
  return { app, rows };
}

describe('a kept reply', () => {
  it('is read as it was stored, with blocks of every kind', async () => {
    const { app } = makeApp();
    expect(await keptReply(app, await keepReply(app, REPLY, undefined))).toEqual(REPLY);
  });

  it.each(['', '{', '{"title":"x"}', '{"title":"x","audience":"asker","blocks":[{"kind":"other"}]}'])(
    'is undefined in a form that this version does not know: %s',
    async (text) => {
      const { app, rows } = makeApp();
      rows.set('key', text);
      expect(await keptReply(app, 'key')).toBeUndefined();
    },
  );
});
