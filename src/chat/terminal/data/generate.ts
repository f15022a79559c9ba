import { generateFor } from '../../../../commands/generate.ts';
import type { App, Request } from '../../../dispatch/contract.ts';
import type { Arguments } from '../arguments.ts';
import { type DataAnswer, EXIT } from '../subcommand.ts';

export async function generate(request: Request, app: App, typed: Arguments): Promise<DataAnswer> {
  const { board, seed, difficulty, wanted, par, solution } = await generateFor(request, app);
  return {
    exit: EXIT.answered,
    json: () => ({
      sides: board.sides,
      seed,
      difficulty,
      ...(wanted !== undefined && { wanted }),
      par,
      ...(typed.flag('solution') && { solution: solution.words }),
    }),
  };
}
