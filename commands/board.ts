import { UserError } from '../src/core/errors.ts';
import { clip, listed } from '../src/core/text.ts';
import { type App, type Command, type ReadingApp, type Request, textOf } from '../src/dispatch/contract.ts';
import { PAGE_OPTION, SIDES_OPTION } from '../src/dispatch/options.ts';
import { makeBoardHere } from '../src/players/made-boards/make.ts';
import {
  closeMadeBoard,
  listMadeBoards,
  removeMadeBoard,
  showStandings,
} from '../src/players/made-boards/manage.ts';
import type { Reply } from '../src/reply/model/types.ts';
import { named } from './names.ts';

const BOARD_ACTIONS = ['make', 'list', 'standings', 'close', 'remove'] as const;

export const board: Command = {
  ...named('board'),
  options: [
    {
      name: 'do',
      description: 'What to do; left out, list the boards',
      kind: 'choice',
      choices: BOARD_ACTIONS,
      about: {
        make: 'Make a board and post it as a challenge',
        list: 'The boards of this channel',
        standings: 'Who solved a board',
        close: 'End a board, if it’s yours',
        remove: 'Delete a board and its results, if it’s yours',
      },
      optionsOfChoice: {
        make: ['sides', 'name', 'note'],
        list: ['page'],
        standings: ['name', 'sides', 'page'],
        close: ['name', 'sides'],
        remove: ['name', 'sides', 'sure'],
      },
      positional: true,
      example: 'make',
    },
    {
      ...SIDES_OPTION,
      description: 'The sides of the board',
      requiredWith: { option: 'do', choice: 'make' },
    },
    {
      name: 'name',
      description: 'Its name, or else its letters',
      kind: 'text',
      inForm: true,
      example: 'Tea time',
      complete: suggestNames,
    },
    {
      name: 'note',
      description: 'With make: shown to people once they have solved it',
      kind: 'text',
      inForm: true,
      example: 'For Ada, who loves tea',
    },
    { name: 'sure', description: 'With remove: don’t ask again', kind: 'flag' },
    PAGE_OPTION,
  ],
  actions: {
    make: { access: 'anyone-writes', run: makeBoardHere },
    list: { access: 'anyone-reads', run: list },
    standings: { access: 'anyone-reads', run: showStandings },
    close: { access: 'owner', run: closeMadeBoard },
    remove: { access: 'owner', run: removeMadeBoard },
  },
  actionOf: ({ do: action = 'list' }) => String(action),
  searches: true,
  // The bot posts the board itself. Where it can't, the board is there for its maker alone.
  private: true,
  more: 'I check that the board can be solved, and post it with a thread of its own. Its results count for that board alone, not for the day, streaks or the leaderboard. It is open for 30 days and listed for 60.',
  examples: [
    'board make ozu nri lfa mbt',
    'board make ozu nri lfa mbt name:"Tea time"',
    'board list',
    'board standings sides:ozu-nri-lfa-mbt',
    'board remove sides:ozu-nri-lfa-mbt',
  ],
};

async function list(request: Request, app: ReadingApp): Promise<Reply> {
  const typed = textOf(request, 'sides') ?? textOf(request, 'name');
  if (request.options.do === undefined && typed !== undefined) throw unknownActionError(typed);
  return listMadeBoards(request, app);
}

/** The mistake of naming a board without an action, or with an unknown one. */
function unknownActionError(typed: string): UserError {
  const line = `What should I do with "${clip(typed)}"? Type ${listed(BOARD_ACTIONS, 'or')} before it.`;
  return new UserError('board.action', line);
}

/** The names of the channel's boards that begin with what was typed. */
async function suggestNames(typed: string, { where, options }: Request, app: App): Promise<string[]> {
  if (textOf({ options }, 'do') === 'make') return [];
  const { tenant, channel } = where;
  const boards = await app.store.tenant(tenant).madeBoards.ofChannel(channel, app.clock.now());
  return boards.map(({ name }) => name).filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()));
}
