import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIButtonComponentWithCustomId,
  ButtonStyle,
  ComponentType,
} from 'discord-api-types/v10';
import { formatMoves, type Move, parseMoves } from '../../play/game.ts';
import { actionOn } from '../../reply/model/subject.ts';
import type { Action, CardSide, CardSpot, GameCard } from '../../reply/model/types.ts';
import { ARROWS } from '../../reply/picture/drawing.ts';
import { GO_ON } from '../../reply/replies/game.ts';
import { LIMITS } from './limits.ts';

/** What a button of a game does. */
type GameAct =
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

/** Rows of buttons that people can still tell apart: four sides, and the controls. */
const MOST_SIDES = 4;

type Pack = (action: Action) => Promise<string>;
type Row = APIActionRowComponent<APIButtonComponent>;

/** Whether each letter of a board can have a button; larger boards are played by typing. */
function fitsButtons({ sides }: Pick<GameCard, 'sides'>): boolean {
  return sides.length <= MOST_SIDES && sides.every(({ spots }) => spots.length <= LIMITS.buttonsInRow);
}

/**
 * Buttons for each word come right under the picture, so that no scrolling is needed; then a row for each side, with the
 * letters that can't come next disabled; and last the buttons that are seldom needed.
 */
export async function gameRows(card: GameCard, pack: Pack): Promise<Row[]> {
  const { can, solved } = card;
  const move = (label: string, kind: 'enter' | 'back' | 'restart', isFirst = false) =>
    button(card, { label, act: { kind: 'moves', moves: [{ kind }] }, isPossible: can[kind], isFirst }, pack);
  if (solved !== undefined) return [await rowOf([move('Back', 'back'), move('Restart', 'restart')])];
  const hasLetters = fitsButtons(card);
  const words = {
    label: 'Type words',
    act: { kind: 'words' },
    isPossible: true,
    isFirst: !hasLetters,
  } as const;
  const typing = button(card, words, pack);
  const hint = button(card, { label: 'Hint', act: { kind: 'hint' }, isPossible: can.hint }, pack);
  const restart = move('Restart', 'restart');
  if (!hasLetters) return [await rowOf([typing, hint, restart, ...browserButtons(card)])];
  return Promise.all([
    rowOf([move('Enter', 'enter', true), move('Back', 'back'), hint]),
    ...card.sides.map(({ name, spots }) =>
      rowOf([...sideButtons(name, spots), ...spots.map((spot) => letterButton(card, spot, pack))]),
    ),
    rowOf([restart, typing, ...browserButtons(card)]),
  ]);
}

async function rowOf(buttons: readonly (APIButtonComponent | Promise<APIButtonComponent>)[]): Promise<Row> {
  return { type: ComponentType.ActionRow, components: await Promise.all(buttons) };
}

/** Points to the side of a row, where there is room for it. */
function sideButtons(name: string, spots: CardSide['spots']): APIButtonComponent[] {
  const label = ARROWS[name];
  if (label === undefined || spots.length >= LIMITS.buttonsInRow) return [];
  return [
    {
      type: ComponentType.Button,
      style: ButtonStyle.Secondary,
      label,
      custom_id: `side:${name}`,
      disabled: true,
    },
  ];
}

function browserButtons({ link }: GameCard): APIButtonComponent[] {
  if (link === undefined) return [];
  return [{ type: ComponentType.Button, style: ButtonStyle.Link, label: GO_ON, url: link }];
}

async function letterButton(
  card: GameCard,
  { spot, letter, isNext, isUsed }: CardSpot,
  pack: Pack,
): Promise<APIButtonComponentWithCustomId> {
  const moves: Move[] = [{ kind: 'spot', spot }];
  return {
    type: ComponentType.Button,
    style: isUsed ? ButtonStyle.Success : ButtonStyle.Secondary,
    label: letter.toUpperCase(),
    custom_id: await pack(makeGameAction(card, { kind: 'moves', moves })),
    disabled: !isNext,
  };
}

interface Control {
  readonly label: string;
  readonly act: GameAct;
  readonly isPossible: boolean;
  readonly isFirst?: boolean;
}

async function button(
  card: GameCard,
  { label, act, isPossible, isFirst }: Control,
  pack: Pack,
): Promise<APIButtonComponentWithCustomId> {
  return {
    type: ComponentType.Button,
    style: isFirst ? ButtonStyle.Primary : ButtonStyle.Secondary,
    label,
    custom_id: await pack(makeGameAction(card, act)),
    disabled: !isPossible,
  };
}
