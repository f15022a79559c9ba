import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIButtonComponentWithCustomId,
  ButtonStyle,
  ComponentType,
} from 'discord-api-types/v10';
import { formatMoves, type Move, parseMoves } from '../../play/game.ts';
import { actionOn } from '../../reply/model/subject.ts';
import type { Action, CardSpot, GameCard } from '../../reply/model/types.ts';
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

/** A row for each side, with the letters that can't come next disabled, one of controls, and the way to the browser. */
export async function gameRows(card: GameCard, pack: Pack): Promise<Row[]> {
  const rows = card.solved === undefined && fitsButtons(card) ? card.sides.map(({ spots }) => spots) : [];
  const letters = rows.map((spots) => rowOf(spots.map((spot) => letterButton(card, spot, pack))));
  return Promise.all([
    ...letters,
    rowOf(controls(card).map((control) => controlButton(card, control, pack))),
    ...linkRows(card),
  ]);
}

async function rowOf(buttons: readonly Promise<APIButtonComponentWithCustomId>[]): Promise<Row> {
  return { type: ComponentType.ActionRow, components: await Promise.all(buttons) };
}

function linkRows({ link, solved }: GameCard): Row[] {
  if (link === undefined || solved !== undefined) return [];
  return [
    {
      type: ComponentType.ActionRow,
      components: [{ type: ComponentType.Button, style: ButtonStyle.Link, label: GO_ON, url: link }],
    },
  ];
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

function controls(card: GameCard): Control[] {
  const { can, solved } = card;
  const move = (label: string, kind: 'enter' | 'back' | 'restart', isFirst = false): Control => ({
    label,
    act: { kind: 'moves', moves: [{ kind }] },
    isPossible: can[kind],
    isFirst,
  });
  if (solved !== undefined) return [move('Back', 'back'), move('Restart', 'restart')];
  const hasLetters = fitsButtons(card);
  return [
    ...(hasLetters ? [move('Enter', 'enter', true), move('Back', 'back')] : []),
    move('Restart', 'restart'),
    { label: 'Type words', act: { kind: 'words' }, isPossible: true, isFirst: !hasLetters },
    { label: 'Hint', act: { kind: 'hint' }, isPossible: can.hint },
  ];
}

async function controlButton(
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
