import { Random } from '../src/core/random.ts';
import { type Command, choiceOf, integerOf, textOf } from '../src/dispatch/contract.ts';
import { typedSeed } from '../src/puzzle/house.ts';
import { generatedData, generatedReply } from '../src/reply/replies/board.ts';
import { GENERATED_LIMITS } from '../src/solver/board.ts';
import { DIFFICULTIES } from '../src/solver/difficulty.ts';
import { named } from './names.ts';

export const generate: Command = {
  ...named('generate'),
  options: [
    {
      name: 'difficulty',
      description: 'How hard; left out, like the newspaper’s boards',
      kind: 'choice',
      choices: DIFFICULTIES,
      about: { easy: 'Many solutions', medium: 'Like the newspaper’s boards', hard: 'Few solutions' },
      positional: true,
      example: 'easy',
    },
    {
      name: 'sides',
      description: 'Number of sides; left out, 4',
      kind: 'integer',
      min: GENERATED_LIMITS.sides.least,
      max: GENERATED_LIMITS.sides.most,
      example: '5',
    },
    {
      name: 'letters',
      description: 'Letters on each side; left out, 3',
      kind: 'integer',
      min: GENERATED_LIMITS.lettersPerSide.least,
      max: GENERATED_LIMITS.lettersPerSide.most,
      example: '3',
    },
    {
      name: 'seed',
      description: 'Any text; the same text gives the same board',
      kind: 'text',
      example: 'tea',
    },
  ],
  access: 'anyone-reads',
  storeUse: 'none',
  searches: true,
  private: false,
  more: 'Every board can be solved with words that most people know.',
  examples: [
    'generate',
    'generate easy',
    'generate sides:5 seed:tea',
    'generate difficulty:hard seed:"a quiet evening"',
  ],
  async run(request, { work, randomSeed }) {
    const difficulty = choiceOf(request, 'difficulty', DIFFICULTIES);
    const sides = integerOf(request, 'sides');
    const letters = integerOf(request, 'letters');
    const seed = textOf(request, 'seed') ?? shortSeed(randomSeed());
    const options = { seed: typedSeed(seed), difficulty, sides, letters };
    const generated = { ...(await work.run('generate', options, request)), seed };
    if (request.terminal?.asData) return generatedData(generated, request.terminal.solution);
    return generatedReply(generated, request.options);
  },
};

/**
 * Letters of the seeds that we make: easy to tell apart, and without vowels, so that they spell no word. They make 47
 * million seeds.
 */
const SEED_LETTERS = 'bcdfghjkmnpqrstvwxz';
const SEED_LENGTH = 6;

/**
 * A seed that is short enough to type.
 *
 * @example shortSeed(crypto.randomUUID()) // 'kwrtbn'
 */
export function shortSeed(randomText: string): string {
  const random = new Random(randomText);
  return Array.from({ length: SEED_LENGTH }, () => SEED_LETTERS[random.below(SEED_LETTERS.length)]).join('');
}
