import { afterEach, describe, expect, it } from 'vitest';
import type { Reply } from '../../../src/reply/model/types.ts';
import { madeUp } from '../../fakes/ask.ts';
import { type OpenedSlack, openSlack, read } from './open-slack.ts';

const BOARD: Reply = {
  title: 'Leaderboard',
  blocks: [
    {
      kind: 'table',
      table: {
        caption: 'Places',
        columns: [{ label: '#', isNumber: true }, { label: 'Player' }, { label: 'Words', isNumber: true }],
        rows: [
          [1, { person: 'U0123' }, 2.25],
          [2, { person: 'U0456' }, '–'],
        ],
      },
    },
  ],
  audience: 'everyone',
};
const leaderboard = madeUp({ name: 'leaderboard', private: false, run: async () => BOARD });

let slack: OpenedSlack;
afterEach(() => slack.close());

/** Types the command and waits for the message with names. Returns the kinds of its blocks, and what people read. */
async function ask() {
  const named = slack.fake.next(({ message }) => message?.isEdited === true);
  slack.ann.slash(slack.channel, '/letterboxed leaderboard');
  const { message } = await named;
  return { kinds: message!.blocks.map(({ type }) => type), text: read(message!), blocks: message!.blocks };
}

describe('a table', () => {
  it('is a data table, with numbers to sort by and names added by an edit', async () => {
    slack = await openSlack({ commands: [leaderboard] });
    const { kinds, text, blocks } = await ask();
    expect(kinds).toEqual(['header', 'data_table']);
    expect(text).toContain('# | Player | Words\n1 | <@U0123> | 2.3\n2 | <@U0456> | –');
    expect(blocks[1]).toMatchObject({ caption: 'Places', row_header_column_index: 1, page_size: 2 });
    expect(blocks[1]?.rows[1][0]).toEqual({ type: 'raw_number', value: 1, text: '1' });
  });

  it('is lines where a workspace refuses it', async () => {
    slack = await openSlack({ commands: [leaderboard] });
    // The message without names, and its edit.
    slack.fake.faults.inject({ kind: 'error', error: 'invalid_blocks', method: 'chat.postMessage' });
    slack.fake.faults.inject({ kind: 'error', error: 'invalid_blocks', method: 'chat.update' });
    const { kinds, text } = await ask();
    expect(kinds).toEqual(['header', 'section']);
    expect(text).toContain('1 · <@U0123> · Words 2.3\n2 · <@U0456> · Words –');
  });
});
