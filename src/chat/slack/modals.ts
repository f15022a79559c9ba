import type { types } from '@slack/bolt';
import { plainText } from '../../reply/model/text.ts';
import type { CardSide, CardSpot, Form, GameCard, OptionValue, Reply } from '../../reply/model/types.ts';
import { drawSpots } from '../../reply/picture/drawing.ts';
import { GO_ON, gameLines } from '../../reply/replies/game.ts';
import type { Submission } from './events.ts';
import { LIMITS, literal, MENTION, packLines, plainTextObject, shorten } from './mrkdwn.ts';
import { metadataOf, type Origin, type ViewMetadata } from './origin.ts';
import { fenced, type Rendered, section } from './render.ts';

export const FORM = 'form';
const TITLE = 'Letter Boxed';
const INPUT = 'value';

/** Shown until the answer is there. */
export const WORKING: Pick<Rendered, 'blocks'> = { blocks: [section('One moment …')] };

/** What every modal has besides its blocks. */
function modalFrame(metadata: ViewMetadata) {
  return {
    type: 'modal' as const,
    title: plainTextObject(TITLE, LIMITS.modalTitle),
    close: plainTextObject('Close', LIMITS.modalButton),
    private_metadata: JSON.stringify(metadata),
  };
}

/** An answer as a modal. */
export function answerModal(origin: Origin, { blocks }: Pick<Rendered, 'blocks'>) {
  return { ...modalFrame(metadataOf(origin)), blocks };
}

/** A form as a modal. Its metadata holds the action that its fields complete, and where it was opened. */
export function formModal(form: Form, origin: Origin, packed: string) {
  return {
    ...modalFrame(metadataOf(origin, packed)),
    callback_id: FORM,
    title: plainTextObject(form.title, LIMITS.modalTitle),
    submit: plainTextObject(form.submit, LIMITS.modalButton),
    close: plainTextObject('Cancel', LIMITS.modalButton),
    blocks: form.fields.map(
      ({ name, label, hint, placeholder, required, value, long }): types.InputBlock => ({
        type: 'input',
        block_id: name,
        label: plainTextObject(label, LIMITS.inputLabel),
        optional: !required,
        hint: hint === undefined ? undefined : plainTextObject(hint, LIMITS.inputHint),
        element: {
          type: 'plain_text_input',
          action_id: INPUT,
          multiline: long === true,
          max_length: LIMITS.inputValue,
          placeholder:
            placeholder === undefined ? undefined : plainTextObject(placeholder, LIMITS.inputPlaceholder),
          initial_value: value === undefined ? undefined : shorten(value, LIMITS.inputValue),
        },
      }),
    ),
  };
}

/** The field at which a form says why it was refused: the one whose text the sentence quotes, else the first. */
export function refusedField(refusal: string, { state }: Submission['view']): Record<string, string> {
  const typed = Object.entries(state.values).map(([name, inputs]) => ({
    name,
    value: inputs[INPUT]?.value?.trim(),
  }));
  const quoted = typed.find(({ value }) => value && refusal.toLowerCase().includes(value.toLowerCase()));
  const name = (quoted ?? typed[0])?.name ?? INPUT;
  return { [name]: shorten(refusal, LIMITS.inputError) };
}

/** What was typed into the fields of a form. */
export function filledIn({ state }: Submission['view']): Record<string, OptionValue> {
  const filled: Record<string, OptionValue> = {};
  for (const [name, inputs] of Object.entries(state.values)) {
    const value = inputs[INPUT]?.value?.trim();
    if (value) filled[name] = value;
  }
  return filled;
}

export const GAME = 'game';
/** Action ids of buttons that make moves begin like this; their values are the moves. */
export const MOVES = 'moves:';
/** Action ids of buttons that ask about the board begin like this; their values are commands. */
export const ASK = 'ask:';
/** What a game has buttons for, besides its moves. */
export const ASKED = ['hint', 'share', 'reveal', 'solve', 'game', 'link'] as const;
export type Asked = (typeof ASKED)[number];

const TYPED = 'words';
/** Characters, before they are escaped. */
const LONGEST_TROUBLE = 500;
/** Characters: more than anybody types for one board. */
const LONGEST_WORDS = 500;
const MARKS = { left: '○', used: '●', notNext: '·' } as const;
const LEGEND = `${MARKS.left} not used yet   ${MARKS.used} used   ${MARKS.notNext} can’t come next`;
const WELL_DONE = 'Well done!';
const AROUND = { inThread: false, mention: MENTION };
const FIRST_SPOT = 'A'.charCodeAt(0);

export type GameModal = types.ModalView;

interface Said {
  /** In place of the reason why a move was refused. */
  readonly said?: string;
  /** There is nothing to share any more. */
  readonly isShared?: boolean;
}

/**
 * A game as a modal, to be changed with each move.
 *
 * Slack has no disabled buttons. Letters that can't come next keep theirs: they are marked, and refused with a
 * sentence. If they were left out, the others would move while somebody presses quickly, and the wrong letter would
 * be hit. For the same reason there are as many lines above the letters in each state. The board is drawn in
 * characters, because a picture of each move would come late and stay in the workspace (docs/measurements.md).
 */
export function gameModal(
  card: GameCard,
  metadata: ViewMetadata,
  { said = card.refusal, isShared }: Said = {},
): GameModal {
  const { refusal: _, ...rest } = card;
  const { solved } = card;
  return {
    ...modalFrame(metadata),
    callback_id: GAME,
    blocks: [
      section(`*${literal(card.title)}*`),
      section(fenced(drawSpots(card.board, usedIn(card)), LIMITS.sectionText)),
      ...packLines(gameLines(rest), AROUND, LIMITS.sectionText).map(section),
      section(said === undefined ? (solved === undefined ? LEGEND : WELL_DONE) : `*${literal(said)}*`),
      ...(solved === undefined ? playBlocks(card, metadata.input ?? 0) : [solvedBlock(card, isShared)]),
    ],
    submit: solved === undefined ? plainTextObject('Enter', LIMITS.modalButton) : undefined,
  };
}

/** Until the game is there. */
export function waitingModal(metadata: ViewMetadata): GameModal {
  return { ...modalFrame(metadata), blocks: [...WORKING.blocks] };
}

/** What went wrong with a game, with a button that shows it again. */
export function troubleModal(
  { title, blocks }: Pick<Reply, 'title' | 'blocks'>,
  metadata: ViewMetadata,
): GameModal {
  const text = plainText({ title, blocks: blocks.filter(({ kind }) => kind === 'text') });
  return {
    ...modalFrame(metadata),
    blocks: [
      section(literal(shorten(text, LONGEST_TROUBLE))),
      { type: 'actions', elements: [askButton('game', 'Back to the board')] },
    ],
  };
}

/** What was typed into the modal. */
export function typedIn({ state }: Submission['view']): string {
  const [input = {}] = Object.values(state.values);
  return input[TYPED]?.value?.trim() ?? '';
}

function usedIn({ sides }: GameCard): Set<number> {
  return new Set(sides.flatMap(({ spots }) => spots.filter(({ isUsed }) => isUsed).map(({ spot }) => spot)));
}

function playBlocks({ sides, can, words, link }: GameCard, input: number): types.KnownBlock[] {
  const restart = moveButton('restart', 'Restart', '0');
  return [
    ...sides.map(
      (side): types.KnownBlock => ({
        type: 'actions',
        elements: side.spots.map((spot) => letterButton(side, spot)),
      }),
    ),
    {
      type: 'actions',
      elements: [
        { ...moveButton('enter', 'Enter', '.'), style: can.enter ? 'primary' : undefined },
        moveButton('back', 'Back', '<'),
        // It is beside the others, and takes everything away.
        words.length > 0 ? { ...restart, confirm: RESTART } : restart,
        askButton('hint', 'Hint'),
        // Slack reports a press of it all the same, which is only acknowledged.
        ...(link === undefined ? [] : [{ ...askButton('link', GO_ON), url: link }]),
      ],
    },
    {
      type: 'input',
      // Slack keeps what somebody is typing as long as this number stays the same.
      block_id: `typed:${input}`,
      optional: true,
      label: plainTextObject('Type words', LIMITS.inputLabel),
      hint: plainTextObject('They go on from the words so far. Press Enter below.', LIMITS.inputHint),
      element: { type: 'plain_text_input', action_id: TYPED, max_length: LONGEST_WORDS },
    },
  ];
}

const RESTART: types.ConfirmationDialog = {
  title: plainTextObject('Start again?', LIMITS.confirmTitle),
  text: plainTextObject('This takes your words away.', LIMITS.confirmText),
  confirm: plainTextObject('Start again', LIMITS.confirmButton),
  deny: plainTextObject('Go on', LIMITS.confirmButton),
};

function letterButton({ name }: CardSide, { spot, letter, isNext, isUsed }: CardSpot): types.Button {
  const shown = letter.toUpperCase();
  const mark = !isNext ? MARKS.notNext : isUsed ? MARKS.used : MARKS.left;
  const state = [...(isUsed ? ['used'] : []), ...(isNext ? [] : ["can't come next"])];
  return {
    ...moveButton(String(spot), `${mark} ${shown}`, String.fromCharCode(FIRST_SPOT + spot)),
    accessibility_label: [`${shown}, ${name.toLowerCase()}`, ...state].join(', '),
  };
}

function solvedBlock({ solved }: GameCard, isShared: boolean | undefined): types.KnownBlock {
  const counts = solved?.counts === true;
  return {
    type: 'actions',
    elements: [
      ...(counts && !isShared ? [{ ...askButton('share', 'Share'), style: 'primary' as const }] : []),
      askButton(counts ? 'reveal' : 'solve', 'See other solutions'),
      moveButton('restart', 'Play again', '0'),
    ],
  };
}

function moveButton(id: string, label: string, moves: string): types.Button {
  return {
    type: 'button',
    action_id: `${MOVES}${id}`,
    text: plainTextObject(label, LIMITS.buttonText),
    value: moves,
  };
}

function askButton(command: Asked, label: string): types.Button {
  return {
    type: 'button',
    action_id: `${ASK}${command}`,
    text: plainTextObject(label, LIMITS.buttonText),
    value: command,
  };
}
