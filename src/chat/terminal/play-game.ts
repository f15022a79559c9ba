import { UserError } from '../../core/errors.ts';
import { PROGRAM_CALL } from '../../core/program.ts';
import { type App, type Asker, type Dispatcher, type Request, replyOf } from '../../dispatch/contract.ts';
import { MAX_MOVES, type Move } from '../../play/game.ts';
import { openSoloGame, type PlayedGame, playSoloGame } from '../../players/solo-games.ts';
import { actionOn } from '../../reply/model/named-board.ts';
import { bodyText, typeAction } from '../../reply/model/text.ts';
import type { Action, Button, Reply } from '../../reply/model/types.ts';
import { type GameShown, gameReply, isBegun } from '../../reply/replies/game.ts';
import { EXIT } from './contract.ts';
import { type GameScreenState, gameScreen, type Key, keysOf } from './game-screen.ts';
import { FullScreen, type Input, type Output, replyText, type Screen } from './screen.ts';

export interface GameTools {
  readonly app: App;
  /** Has the command `hint`. */
  readonly dispatcher: Dispatcher;
  readonly screen: Screen;
  readonly input: Input;
  readonly output: Output;
}

/**
 * Plays a board on the full screen, until the person leaves, and shows where they have got to.
 *
 * @returns the exit status
 */
export async function playGame(request: Request, tools: GameTools): Promise<number> {
  const { app, screen, input, output } = tools;
  // A mistake, such as an unreadable board, is reported before the screen switches.
  const played = await openSoloGame(request, app, request.options);
  const game = new ScreenGame(request, tools, played);
  const full = new FullScreen(input, output);
  await full.run(async () => {
    for (;;) {
      full.draw(gameScreen(game.shown, full.size, screen));
      const typed = await full.next();
      if (typed === undefined || !(await game.press(keysOf(typed)))) return;
    }
  });
  console.log(partingText(game.shown.game, screen));
  return EXIT.answered;
}

/** How the game stands, with the commands that are useful afterwards: those for a solved board, or for going on. */
function partingText(game: GameShown, screen: Screen): string {
  const reply = gameReply(game);
  const isUseful = ({ action }: Button) => game.solved !== undefined && action.command !== 'play';
  const blocks = reply.blocks.map((block) =>
    block.kind === 'buttons' ? { ...block, buttons: block.buttons.filter(isUseful) } : block,
  );
  const text = replyText({ ...reply, blocks }, { reveal: true, screen });
  if (game.solved !== undefined) return text;
  return `${text}\n\n→ Hint: ${callOn(game, 'hint')}\n\nYour game is kept. Go on with: ${callOn(game, 'play')}`;
}

/** A command on the board of a game, as it is typed. */
function callOn({ namedBoard }: GameShown, command: string): string {
  return `${PROGRAM_CALL} ${typeAction(actionOn(namedBoard, command))}`;
}

/** A game on the full screen: what its keys do, and what is shown around the board. */
class ScreenGame {
  readonly #asker: Asker;
  readonly #tools: GameTools;
  #played: PlayedGame;
  /** The hints so far: one card that grows. */
  #hints: Reply | undefined;
  #note: string | undefined;
  #isHelpOpen = false;
  /** Starting over and the first hint take two presses in a row: the key that was pressed once. */
  #pressedOnce: 'restart' | 'hint' | undefined;

  constructor(asker: Asker, tools: GameTools, played: PlayedGame) {
    this.#asker = asker;
    this.#tools = tools;
    this.#played = played;
  }

  get shown(): GameScreenState {
    return { game: this.#played, hints: this.#hints, note: this.#note, isHelpOpen: this.#isHelpOpen };
  }

  /**
   * Plays what was typed since the screen was drawn.
   *
   * @returns false if the person leaves
   */
  async press(keys: readonly Key[]): Promise<boolean> {
    this.#note = undefined;
    const moves: Move[] = [];
    for (const key of keys) {
      const pressedBefore = this.#pressedOnce;
      this.#pressedOnce = undefined;
      if (pressedBefore !== undefined) this.#note = undefined;
      // Whether to ask first depends on what was typed before.
      if (key.kind === 'restart') await this.#play(moves.splice(0));
      const move = this.#moveOf(key, pressedBefore === 'restart');
      if (move !== undefined) moves.push(move);
      if (move === undefined || moves.length === MAX_MOVES) await this.#play(moves.splice(0));
      if (key.kind === 'quit') return false;
      if (key.kind === 'hint') await this.#hint(pressedBefore === 'hint');
      if (key.kind === 'help') this.#isHelpOpen = !this.#isHelpOpen;
      if (key.kind === 'close') this.#isHelpOpen = false;
    }
    await this.#play(moves);
    return true;
  }

  #moveOf(key: Key, isSecondPress: boolean): Move | undefined {
    switch (key.kind) {
      case 'letter':
        return key;
      case 'enter':
      case 'back':
      case 'clear':
        return { kind: key.kind };
      case 'restart':
        // Before the first letter there is nothing to lose, so one press is enough.
        if (isSecondPress || !isBegun(this.#played.state)) return { kind: 'restart' };
        this.#pressedOnce = 'restart';
        this.#note = 'Press Ctrl-R once more to start over.';
        return undefined;
      default:
        return undefined;
    }
  }

  async #play(moves: readonly Move[]): Promise<void> {
    if (moves.length === 0) return;
    this.#isHelpOpen = false;
    const { version, namedBoard } = this.#played;
    const played = { options: namedBoard.options, moves, version };
    try {
      this.#played = await playSoloGame(this.#asker, this.#tools.app, played);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#note = error.message;
    }
  }

  async #hint(isSecondPress: boolean): Promise<void> {
    if (this.#played.solved !== undefined) return;
    this.#isHelpOpen = false;
    if (this.#hints === undefined && !isSecondPress) {
      this.#pressedOnce = 'hint';
      this.#note = 'Press Tab once more for a hint. It is counted with your result.';
      return;
    }
    const { options } = this.#played.namedBoard;
    const action = this.#hints === undefined ? { command: 'hint', options } : nextHint(this.#hints);
    if (action === undefined) {
      this.#note = `The solution: ${callOn(this.#played, 'reveal')}`;
      return;
    }
    const reply = await replyOf(this.#tools.dispatcher.prepare({ ...this.#asker, ...action }));
    // Without a hint, the reply says why there is none.
    if (reply.blocks.some(({ kind }) => kind === 'spoiler')) this.#hints = reply;
    else this.#note = bodyText(reply);
  }
}

/** What the button below the hints does. */
function nextHint({ blocks }: Reply): Action | undefined {
  return blocks
    .flatMap((block) => (block.kind === 'buttons' ? block.buttons : []))
    .map(({ action }) => action)
    .find(({ command, options }) => command === 'hint' && options.step !== undefined);
}
