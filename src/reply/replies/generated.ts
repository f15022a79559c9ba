import { counted } from '../../core/text.ts';
import type { GeneratedBoard } from '../../solver/generate.ts';
import { factsAbout } from '../model/facts.ts';
import { boardToPlay, namedBoardOf } from '../model/named-board.ts';
import { buttonsBlock, factsBlock, notes, toEveryone } from '../model/text.ts';
import { type Action, dataReply, type Reply } from '../model/types.ts';
import { playButtons } from './board.ts';

/**
 * A new board to play. The solution it was built around is not part of the reply.
 *
 * @param options those that made it, with or without the seed
 */
export function generatedReply(generated: GeneratedBoard, options: Action['options']): Reply {
  const { board, difficulty, wanted, seed, par } = generated;
  const namedBoard = namedBoardOf(board);
  const rerun: Action = { command: 'generate', options: { ...options, seed } };
  const { seed: _, ...shape } = options;
  const blocks = [
    boardToPlay(namedBoard),
    factsBlock({ Par: counted(par, 'word') }),
    notes(wanted && `I found no ${wanted} board for this seed. Here is another one.`),
    notes(['Seed: ', { code: seed }, '. The same seed gives the same board.']),
    buttonsBlock([
      ...playButtons(namedBoard),
      { label: 'Another board', action: { command: 'generate', options: shape } },
    ]),
  ];
  return toEveryone(`New ${difficulty} board: ${namedBoard.name}`, blocks, { rerun });
}

/** The same for programs, with the solution that it was made around if that is requested. */
export function generatedData(generated: GeneratedBoard, withSolution = false): Reply {
  const { board, seed, difficulty, wanted, par, solution } = generated;
  const shown = withSolution ? solution.words : undefined;
  const reveals = withSolution ? [factsAbout({ board }, 'solution')] : [];
  return dataReply({ sides: board.sides, seed, difficulty, wanted, par, solution: shown }, reveals);
}
