import { setTimeout as sleep } from 'node:timers/promises';
import type { types } from '@slack/bolt';
import * as v from 'valibot';
import { HOUR } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import { shorten, splitWords } from '../../core/text.ts';
import type { Options } from '../../dispatch/contract.ts';
import { parseMoves } from '../../play/game.ts';
import { type PlayedGame, type SoloGames, shownGame } from '../../players/solo-games.ts';
import type { Subject } from '../../reply/model/action.ts';
import { plainText, present } from '../../reply/model/text.ts';
import type { CardSide, CardSpot, GameCard, Reply } from '../../reply/model/types.ts';
import { ARROWS, drawSpots } from '../../reply/picture/drawing.ts';
import { GO_ON, gameCard, gameLines, HOW_YOU_DID, HUNT } from '../../reply/replies/game.ts';
import { readFailure, refusalOf, retrying } from './api.ts';
import { askerOf, type Origin, type Submission, type ViewMetadata } from './events.ts';
import { LIMITS, literal, packLines, plainTextObject } from './mrkdwn.ts';
import { fenced, modalFrame, note, section, WORKING } from './render.ts';
import type { SendTools } from './send.ts';

/** A modal with a game in it, as requests from it describe it. */
export interface GameView {
  readonly id: string;
  readonly origin: Origin;
  readonly metadata: ViewMetadata;
  /** Different after each change of the view, so that the slower of two processes does not show an older state. */
  readonly hash?: string | undefined;
}

/** A request about a game. Moves are made in the order of `at`, when they were pressed. */
export type Turn =
  | { readonly kind: 'moves'; readonly moves: string; readonly at: string }
  /** None enter the current word. */
  | { readonly kind: 'words'; readonly words: string; readonly shown: (modal: GameModal) => void }
  /** Only shows the game, with a message. */
  | { readonly kind: 'show'; readonly said?: string; readonly isShared?: boolean };

/** The turns of one view, taken one after the other. */
interface ViewTurns {
  readonly view: GameView;
  hash: string | undefined;
  input: number;
  waiting: Turn[];
  done: Promise<void>;
  /** Its person has closed it. */
  isClosed?: true;
}

/** Milliseconds in which presses are put in their order: they come over several connections. */
const GATHERED = 20;
/** Turns that may wait for one view: more than anybody makes meanwhile. */
const MOST_WAITING = 100;
const BUSY = 'Too many moves of yours are waiting in this game. Try again in a moment.';

/** Milliseconds after the last press in which a view shows what is played elsewhere: its person may have closed it. */
const FOLLOWED_FOR = HOUR;

const Updated = v.object({ view: v.object({ hash: v.string() }) });

export interface GameTools extends SendTools {
  readonly solo: SoloGames;
  /** Milliseconds before a submitted view is acknowledged at the latest. */
  readonly submitPatience: number;
}

/**
 * Plays games in modals. Presses that arrive while Slack takes a change of the view are played together after it, and shown
 * once. The game is stored before it is shown, so a view that was closed meanwhile loses nothing.
 */
export function makeGameViews(tools: GameTools) {
  /** By the ids of views, only while there is something to do. */
  const lines = new Map<string, ViewTurns>();

  /** Resolves when there is nothing left to do for this view. Never rejects. */
  function take(view: GameView, turn: Turn): Promise<void> {
    return add(view, turn).done;
  }

  function add(view: GameView, turn: Turn): ViewTurns {
    const line = lines.get(view.id);
    if (line === undefined) {
      const { hash, metadata } = view;
      const input = metadata.input ?? 0;
      const added: ViewTurns = { view, hash, input, waiting: [turn], done: Promise.resolve() };
      lines.set(view.id, added);
      added.done = sleep(GATHERED).then(() => run(added));
      return added;
    }
    if (line.waiting.length < MOST_WAITING) line.waiting.push(turn);
    else if (turn.kind === 'words') turn.shown(trouble(view, new UserError('game.busy', BUSY)));
    return line;
  }

  /**
   * Plays typed words.
   *
   * @param acknowledge answers Slack with the modal; one that takes too long is shown later
   */
  async function enter(
    view: GameView,
    words: string,
    acknowledge: (modal: GameModal) => Promise<void>,
  ): Promise<void> {
    const shown = Promise.withResolvers<GameModal>();
    void take(view, { kind: 'words', words, shown: shown.resolve });
    const isLate = sleep(tools.submitPatience, undefined, { ref: false });
    const modal = await Promise.race([shown.promise, isLate]);
    await acknowledge(modal ?? waitingModal(view.metadata));
    if (modal === undefined) await update(view, await shown.promise);
  }

  /** From now on a view shows what its person plays elsewhere. */
  function follow(view: GameView, game: Pick<Subject, 'options' | 'board'>): void {
    const { followers } = tools.app;
    followers.follow(shownGame(askerOf(view.origin), game), {
      lasts: FOLLOWED_FOR,
      show: async () => {
        const line = add(view, { kind: 'show' });
        await line.done;
        if (line.isClosed) throw new Error('the view was closed');
        return true;
      },
    });
  }

  /** Changes a view. False when the game is to be shown once more, because another process has changed the view. */
  async function update(
    { id, origin: { team } }: GameView,
    modal: object,
    line?: ViewTurns,
  ): Promise<boolean> {
    const { api, app, sleep: pause } = tools;
    try {
      const call = { view_id: id, view: modal, hash: line?.hash };
      const updated = v.safeParse(Updated, await retrying(() => api.call(team, 'views.update', call), pause));
      if (line !== undefined) line.hash = updated.success ? updated.output.view.hash : undefined;
    } catch (error) {
      const code = refusalOf(error);
      if (code === 'hash_conflict' && line !== undefined) {
        line.hash = undefined;
        return false;
      }
      // Somebody who has closed the view finds the game as it is when they open it again.
      if (code !== 'not_found')
        app.log.warn({ door: 'slack', team, failure: readFailure(error) }, 'a game could not be shown');
      else if (line !== undefined) line.isClosed = true;
    }
    return true;
  }

  async function run(line: ViewTurns): Promise<void> {
    for (let turn = nextTurn(line); turn !== undefined; turn = nextTurn(line)) {
      const modal = await play(line, turn);
      if (turn.kind === 'words') {
        turn.shown(modal);
        // The answer to what was typed changes the view, and its new hash is not known.
        line.hash = undefined;
      } else if (line.waiting.length === 0 && !(await update(line.view, modal, line))) {
        line.waiting.unshift({ kind: 'show' });
      }
    }
    lines.delete(line.view.id);
  }

  async function play(line: ViewTurns, turn: Turn): Promise<GameModal> {
    const { id, origin, metadata } = line.view;
    try {
      const { options } = await tools.dispatcher.unpackAction(metadata.packed ?? '');
      const played = await made(origin, options, turn);
      if (turn.kind === 'words' && turn.words !== '' && played.state.refusal === undefined) line.input += 1;
      const shown = { ...metadata, input: line.input };
      // Without its hash, which changes each time that the view is shown.
      if (turn.kind !== 'show') follow({ id, origin, metadata: shown }, played.subject);
      return gameModal(gameCard(played), shown, turn.kind === 'show' ? turn : {});
    } catch (error) {
      return trouble(line.view, error);
    }
  }

  function trouble({ origin: { team }, metadata }: GameView, error: unknown): GameModal {
    const reply = tools.dispatcher.errorReply(error, { door: 'slack', team }, 'moves in a game failed');
    return troubleModal(reply, metadata);
  }

  async function made(origin: Origin, options: Options, turn: Turn): Promise<PlayedGame> {
    const { solo } = tools;
    const asker = askerOf(origin);
    const play = (moves: string) => solo.play(asker, { options, moves: parseMoves(moves) ?? [] });
    if (turn.kind === 'show') return solo.open(asker, options);
    if (turn.kind === 'moves') return play(turn.moves);
    const words = splitWords(turn.words.slice(0, LONGEST_WORDS));
    if (words.length === 0) return play('.');
    const { state } = await solo.open(asker, options);
    return solo.play(asker, { options, words: [...state.words, ...words] });
  }

  return { take, enter, follow, update };
}

export type GameViews = ReturnType<typeof makeGameViews>;

/** All moves that wait are one turn. */
function nextTurn(line: ViewTurns): Turn | undefined {
  const [first] = line.waiting;
  if (first?.kind !== 'moves') return line.waiting.shift();
  const other = line.waiting.findIndex(({ kind }) => kind !== 'moves');
  const moves = line.waiting.splice(0, other < 0 ? line.waiting.length : other);
  const inOrder = moves.filter((turn) => turn.kind === 'moves').sort((one, next) => byTime(one.at, next.at));
  return { ...first, moves: inOrder.map((turn) => turn.moves).join('') };
}

/** Slack's timestamps are seconds with six decimals: more digits than a number has. */
function byTime(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : Number(one > other));
}

export const GAME = 'game';
/** Action ids of buttons that make moves begin like this; their values are the moves. */
export const MOVES = 'moves:';
/** Action ids of buttons that ask about the board begin like this; their values are commands. */
export const ASK = 'ask:';
/** What a game has buttons for, besides its moves. */
export const ASKED = ['hint', 'share', 'review', 'hunt', 'reveal', 'solve', 'game', 'link'] as const;
export type Asked = (typeof ASKED)[number];

const TYPED = 'words';
/** Characters, before they are escaped. */
const LONGEST_TROUBLE = 500;
/** Characters: more than anybody types for one board. */
const LONGEST_WORDS = 500;
const MARKS = { left: '○', used: '●', notNext: '·' } as const;
const LEGEND = `${MARKS.left} not used yet   ${MARKS.used} used   ${MARKS.notNext} can’t come next`;
const WELL_DONE = 'Well done!';
const AROUND = { inThread: false };
const FIRST_SPOT = 'A'.charCodeAt(0);

export type GameModal = types.ModalView;

interface Said {
  /** Shown in place of the reason why a move was refused. */
  readonly said?: string;
  /** Left out once there is nothing to share. */
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
  const { solved, title } = card;
  const isShort = title.length <= LIMITS.modalTitle;
  return {
    ...modalFrame(metadata, isShort ? title : undefined),
    callback_id: GAME,
    blocks: [
      ...(isShort ? [] : [section(`*${literal(title)}*`)]),
      section(fenced(drawSpots(card.board, usedIn(card)), LIMITS.sectionText)),
      ...packLines(gameLines(rest), AROUND, LIMITS.sectionText).map(section),
      section(said === undefined ? (solved === undefined ? LEGEND : WELL_DONE) : `*${literal(said)}*`),
      ...(solved === undefined ? playBlocks(card, metadata.input ?? 0) : [solvedBlock(card, isShared)]),
    ],
    submit: solved === undefined ? plainTextObject('Play typed words', LIMITS.modalButton) : undefined,
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

/** The text that was typed into the modal. */
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
    // Above the letters, where no scrolling leads to it.
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
    ...sides.flatMap((side): types.KnownBlock[] => [
      ...(side.name in ARROWS ? [] : [note(literal(side.name))]),
      { type: 'actions', elements: side.spots.map((spot, at) => letterButton(side, spot, at === 0)) },
    ]),
    {
      type: 'input',
      // Slack keeps what somebody is typing as long as this number stays the same.
      block_id: `typed:${input}`,
      optional: true,
      label: plainTextObject('Type words', LIMITS.inputLabel),
      element: {
        type: 'plain_text_input',
        action_id: TYPED,
        max_length: LONGEST_WORDS,
        placeholder: plainTextObject('They go on from the words so far', LIMITS.inputPlaceholder),
      },
    },
  ];
}

const RESTART: types.ConfirmationDialog = {
  title: plainTextObject('Start again?', LIMITS.confirmTitle),
  text: plainTextObject('This takes your words away.', LIMITS.confirmText),
  confirm: plainTextObject('Start again', LIMITS.confirmButton),
  deny: plainTextObject('Go on', LIMITS.confirmButton),
};

/** The first of a row points to its side: a line for each name would push the last row off a phone. */
function letterButton(
  { name }: CardSide,
  { spot, letter, isNext, isUsed }: CardSpot,
  isFirst: boolean,
): types.Button {
  const shown = letter.toUpperCase();
  const mark = !isNext ? MARKS.notNext : isUsed ? MARKS.used : MARKS.left;
  const state = [...(isUsed ? ['used'] : []), ...(isNext ? [] : ["can't come next"])];
  return {
    ...moveButton(
      String(spot),
      present([isFirst && ARROWS[name], mark, shown]).join(' '),
      String.fromCharCode(FIRST_SPOT + spot),
    ),
    accessibility_label: [`${shown}, ${name.toLowerCase()}`, ...state].join(', '),
  };
}

function solvedBlock({ solved }: GameCard, isShared: boolean | undefined): types.KnownBlock {
  const counts = solved?.counts === true;
  return {
    type: 'actions',
    elements: [
      ...(counts && !isShared ? [{ ...askButton('share', 'Share'), style: 'primary' as const }] : []),
      askButton('review', HOW_YOU_DID),
      ...(counts ? [askButton('hunt', HUNT)] : []),
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
