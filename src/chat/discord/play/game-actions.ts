import { formatMoves, type Move, parseMoves } from '../../../play/moves.ts';
import { actionOn } from '../../../reply/model/subject.ts';
import type { Action, GameCard } from '../../../reply/model/types.ts';

/** What a button of a game does. */
export type GameAct =
  | { readonly kind: 'moves'; readonly moves: readonly Move[] }
  /** Opens the form in which words are typed, or sends what was typed there. */
  | { readonly kind: 'words' }
  | { readonly kind: 'hint' };

export interface GameAction {
  /** The options that lead to the board. */
  readonly options: Action['options'];
  readonly act: GameAct;
}

const COMMAND = 'play';
const ASKED = ['words', 'hint'] as const;

/** As a custom id it is at most 60 characters: nothing but the board, and one spot or control. */
export function makeGameAction({ options }: Pick<GameCard, 'options'>, act: GameAct): Action {
  return actionOn(
    { options },
    COMMAND,
    act.kind === 'moves' ? { moves: formatMoves(act.moves) } : { ask: act.kind },
  );
}

/** Reads what `makeGameAction` wrote; undefined for the actions of other buttons, and for forged moves. */
export function readGameAction({ command, options: given }: Action): GameAction | undefined {
  const { moves: text, ask, ...options } = given;
  if (command !== COMMAND || (text === undefined) === (ask === undefined)) return undefined;
  if (Object.keys(options).some((name) => name !== 'date' && name !== 'sides')) return undefined;
  const asked = ASKED.find((kind) => kind === ask);
  if (asked !== undefined) return { options, act: { kind: asked } };
  const moves = typeof text === 'string' && text !== '' ? parseMoves(text) : undefined;
  return moves && { options, act: { kind: 'moves', moves } };
}
