import { randomUUID } from 'node:crypto';
import { formatBoard, LIMITS } from '../../solver/board.ts';
import { DIFFICULTIES, generate as generateBoard } from '../../solver/generate.ts';
import { lexiconFor } from './board.ts';
import { EXIT, type Subcommand } from './subcommand.ts';

export const generate: Subcommand = {
  usage: 'generate [options]',
  about: 'A fresh board that everyday words solve',
  options: ['seed', 'difficulty', 'sides', 'letters', 'reveal'],
  run(typed) {
    const difficulty = typed.choice('difficulty', DIFFICULTIES);
    const sides = typed.whole('sides', ...LIMITS.sides);
    const letters = typed.whole('letters', ...LIMITS.lettersPerSide);
    const made = generateBoard(lexiconFor(typed), {
      seed: typed.text('seed') ?? randomUUID(),
      ...(difficulty && { difficulty }),
      ...(sides && { sides }),
      ...(letters && { letters }),
    });
    const reveal = typed.flag('reveal');
    return {
      exit: EXIT.answered,
      json: () => ({
        sides: made.board.sides,
        seed: made.seed,
        difficulty: made.difficulty,
        ...(reveal && { solution: made.solution.words }),
      }),
      *lines() {
        yield formatBoard(made.board);
        yield `${made.difficulty}, seed ${made.seed}`;
        if (reveal) yield `Solution: ${made.solution.words.join(' ')}`;
      },
    };
  },
};
