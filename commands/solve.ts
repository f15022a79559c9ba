import { UserError } from '../src/core/errors.ts';
import { counted } from '../src/core/text.ts';
import {
  type Command,
  choiceOf,
  flagOf,
  integerOf,
  type Request,
  textOf,
  wordsOf,
} from '../src/dispatch/contract.ts';
import { DATE_OPTION, EVERYDAY_OPTION, PAGE_OPTION, SIDES_OPTION } from '../src/dispatch/options.ts';
import { targetOf } from '../src/dispatch/target.ts';
import { loadPrices } from '../src/players/results/prices.ts';
import { SOLUTION_SORTS } from '../src/reply/replies/chosen-solutions.ts';
import { ALL_HINT_POINTS } from '../src/reply/replies/hint-steps.ts';
import { MAX_WORDS, type SearchOptions } from '../src/solver/search.ts';
import { named } from './names.ts';

/** Solutions of more than `MAX_WORDS` words are listed, but not counted: there may be more than a number holds exactly. */
const MOST_WORDS = 12;

export const solve: Command = {
  ...named('solve'),
  options: [
    {
      ...SIDES_OPTION,
      description: 'The sides of the board',
      required: true,
      unlessInThread: true,
      startsAs: 'seen',
    },
    {
      name: 'most',
      description: 'At most this many words',
      kind: 'integer',
      min: 1,
      max: MOST_WORDS,
      positional: true,
      example: '3',
    },
    {
      name: 'words',
      alias: ['num'],
      description: 'Exactly this many words',
      kind: 'integer',
      min: 1,
      max: MOST_WORDS,
      example: '2',
    },
    { name: 'exclude', description: 'Words to leave out', kind: 'words', example: 'forum,mozart' },
    {
      name: 'require',
      description: 'Words that each solution must contain',
      kind: 'words',
      example: 'forum',
    },
    EVERYDAY_OPTION,
    { name: 'padded', description: 'Also solutions with a first or last word too many', kind: 'flag' },
    { name: 'each', description: 'The best solution for each first word', kind: 'flag' },
    { name: 'all', description: 'All solutions, page by page', kind: 'flag' },
    {
      name: 'sort',
      description: 'Order of all solutions',
      kind: 'choice',
      choices: SOLUTION_SORTS,
      about: { likely: 'Likeliest first', alpha: 'By letters', length: 'Fewest letters first' },
      example: 'alpha',
    },
    {
      name: 'count',
      description: 'Count solutions with so many words',
      kind: 'integer',
      min: 1,
      max: MAX_WORDS,
      example: '4',
    },
    { name: 'explain', description: 'How words were chosen', kind: 'flag' },
    { ...DATE_OPTION, description: 'A day’s board' },
    PAGE_OPTION,
    { name: 'seen', description: 'The sides as a picture seems to show them', kind: 'text', internal: true },
    { name: 'unsure', description: 'The spots of letters that may be others', kind: 'text', internal: true },
  ],
  access: 'anyone-reads',
  storeUse: 'dated-boards',
  searches: true,
  private: true,
  more: `Boards have 2 to 12 sides with 1 to 12 letters each. The shortest solution is not always the safest, because the game may not accept rare words. Solutions whose first or last word isn’t needed are left out unless you add padded. On a daily board, seeing the numbers counts as a hint, and seeing a solution as all hints: ${ALL_HINT_POINTS} hint points.`,
  examples: [
    'solve ozu nri lfa mbt',
    'solve ozu-nri-lfa-mbt words:3 everyday',
    'solve sides:"ozu nri lfa mbt" exclude:forum all',
    'solve date:today exclude:mobilization',
  ],
  async run(request, app) {
    const exactly = integerOf(request, 'words');
    const most = integerOf(request, 'most');
    if (exactly !== undefined && most !== undefined && exactly > most)
      throw new UserError(
        'solve.words',
        `You asked for exactly ${counted(exactly, 'word')}, and for at most ${most}. Leave one of the two out.`,
      );
    const target = await targetOf(request, app);
    const unsure = textOf(request, 'unsure');
    if (unsure !== undefined) {
      const { uncertainBoardReply } = await import('../src/reply/replies/seen-board.ts');
      return uncertainBoardReply(target.namedBoard, unsure.split(',').map(Number));
    }
    const page = integerOf(request, 'page');
    const prices = await loadPrices(request);
    const input = {
      namedBoard: target.namedBoard,
      source: target.source,
      search: searchOptionsOf(request),
      all: flagOf(request, 'all'),
      each: flagOf(request, 'each'),
      sort: choiceOf(request, 'sort', SOLUTION_SORTS),
      lengthToCount: integerOf(request, 'count'),
      explains: flagOf(request, 'explain'),
      exactly,
      page,
      // The buttons of the answer repeat these, and name the board and the page themselves.
      options: Object.fromEntries(
        Object.entries(request.options).filter(([name]) => !['sides', 'date', 'page', 'seen'].includes(name)),
      ),
      terminal: request.terminal,
      prices: await prices?.pricesFor(request, app, target),
    };
    return app.work.run('solve', input, request);
  },
};

function searchOptionsOf(request: Request): SearchOptions {
  const exclude = wordsOf(request, 'exclude');
  const require = wordsOf(request, 'require');
  const exactly = integerOf(request, 'words') ?? 0;
  return {
    ...(exclude.length > 0 && { exclude }),
    ...(require.length > 0 && { require }),
    ...(flagOf(request, 'everyday') && { tier: 'everyday' as const }),
    ...(flagOf(request, 'padded') && { padded: true }),
    // A search goes up to MAX_WORDS unless it is told another number.
    maxWords: integerOf(request, 'most') ?? (exactly > MAX_WORDS ? exactly : undefined),
  };
}
