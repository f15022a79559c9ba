import { UserError } from '../src/core/errors.ts';
import { PatternError } from '../src/core/letter-pattern.ts';
import { clip } from '../src/core/text.ts';
import { type Command, choiceOf, flagOf, integerOf, type Request, textOf } from '../src/dispatch/contract.ts';
import { DATE_OPTION, EVERYDAY_OPTION, PAGE_OPTION, SIDES_OPTION } from '../src/dispatch/options.ts';
import { targetOf } from '../src/dispatch/target.ts';
import { matcherOf, WORD_SORTS, type WordFilter } from '../src/reply/replies/words.ts';
import { named } from './names.ts';

export const words: Command = {
  ...named('words'),
  options: [
    SIDES_OPTION,
    { name: 'starts', description: 'Words that start with these letters', kind: 'text', example: 'mo' },
    { name: 'ends', description: 'Words that end with these letters', kind: 'text', example: 'z' },
    { name: 'pattern', description: 'Words like f?r*m, or /^m.*[nt]$/', kind: 'text', example: 'f?r*m' },
    { name: 'uses', description: 'Words that use all these letters', kind: 'text', example: 'jq' },
    { name: 'length', description: 'Words of so many letters, or of a range', kind: 'text', example: '5-7' },
    { name: 'once', description: 'Words with each of their letters once', kind: 'flag' },
    {
      name: 'sort',
      description: 'Order of the list',
      kind: 'choice',
      choices: WORD_SORTS,
      about: {
        likely: 'Likeliest first',
        coverage: 'Most letters of the board first',
        length: 'Longest first',
        alpha: 'By letters',
      },
      example: 'coverage',
    },
    EVERYDAY_OPTION,
    DATE_OPTION,
    PAGE_OPTION,
  ],
  access: 'anyone-reads',
  storeUse: 'dated-boards',
  searches: true,
  private: true,
  examples: [
    'words',
    'words ozu nri lfa mbt starts:m ends:n',
    'words uses:oz sides:ozu-nri-lfa-mbt sort:length',
  ],
  async run(request, app) {
    const filter = wordFilterOf(request);
    const { namedBoard, source } = await targetOf(request, app);
    const page = integerOf(request, 'page');
    const input = { namedBoard, source, filter, page, terminal: request.terminal };
    return app.work.run('words', input, request);
  },
};

function wordFilterOf(request: Request): WordFilter {
  return {
    ...letters(request, 'starts'),
    ...letters(request, 'ends'),
    ...letters(request, 'uses'),
    ...pattern(request),
    ...lengths(request),
    ...(flagOf(request, 'once') && { once: true as const }),
    ...(flagOf(request, 'everyday') && { everyday: true as const }),
    sort: choiceOf(request, 'sort', WORD_SORTS) ?? 'likely',
  };
}

function pattern(request: Request): Pick<WordFilter, 'pattern'> {
  const typed = textOf(request, 'pattern')?.toLowerCase();
  if (typed === undefined) return {};
  const isExpression = /^\/.*\/$/s.test(typed);
  if (!isExpression && !/^[a-z?*]{1,40}$/.test(typed))
    throw new UserError(
      'words.pattern',
      `"${clip(typed)}" doesn’t work for pattern. Type letters, ? for one letter and * for any, like pattern:f?r*m`,
    );
  try {
    // Only a check: the input of a job is plain data, so the job compiles the pattern again.
    matcherOf(typed);
    return { pattern: typed };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new UserError(
      'words.pattern',
      `pattern:${clip(typed)} doesn’t work: ${error.message}. It takes a regular expression, like pattern:/^m.*[nt]$/`,
    );
  }
}

function lengths(request: Request): Pick<WordFilter, 'length'> {
  const typed = textOf(request, 'length');
  if (typed === undefined) return {};
  const [, from = '', to = from] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(typed.replaceAll(/\s/g, '')) ?? [];
  if (from !== '' && Number(from) <= Number(to)) return { length: `${Number(from)}-${Number(to)}` };
  throw new UserError(
    'words.length',
    `"${clip(typed)}" doesn’t work for length. Type a number of letters or a range, like length:5-7`,
  );
}

function letters<Name extends string>(request: Request, name: Name): Partial<Record<Name, string>> {
  const typed = textOf(request, name);
  if (typed === undefined) return {};
  const plain = typed.toLowerCase().replace(/[\s,]+/g, '');
  if (/^[a-z]{1,26}$/.test(plain)) return { [name]: plain } as Record<Name, string>;
  throw new UserError(
    'words.letters',
    `"${clip(typed)}" doesn’t work for ${name}. Type letters from a to z, like ${name}:m`,
  );
}
