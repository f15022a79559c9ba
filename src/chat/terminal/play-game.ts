import { UserError } from '../../core/errors.ts';
import { type App, type Asker, type Dispatcher, type Request, replyOf } from '../../dispatch/contract.ts';
import { MOST_MOVES, type Move } from '../../play/game.ts';
import { type PlayedGame, SoloGames } from '../../players/solo/solo-games.ts';
import type { Action, GameCard, Reply } from '../../reply/model/types.ts';
import { gameCard, gameReply } from '../../reply/replies/game.ts';
import { CALL } from './arguments.ts';
import { FullScreen, type Input, type Key, keysOf, type Output } from './full-screen.ts';
import { gameScreen } from './game-screen.ts';
import { replyText, type Screen } from './screen.ts';
import { EXIT } from './world.ts';

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
  const { app, dispatcher, screen, input, output } = tools;
  const asker: Asker = request;
  const games = new SoloGames(app);
  // A mistake, such as a board that can't be read, is shown before the screen is taken.
  const opened = await games.open(asker, boardOf(request.options));
  const game = new GameOnScreen(asker, games, dispatcher, opened);
  const full = new FullScreen(input, output);
  await full.run(async () => {
    for (;;) {
      full.draw(gameScreen(game, full.size, screen));
      const typed = await full.next();
      if (typed === undefined || !(await game.press(keysOf(typed)))) return;
    }
  });
  console.log(partingText(game.card, screen));
  return EXIT.answered;
}

/** Without words, and in the options that lead back to the same board tomorrow. */
function boardOf({ words: _, ...options }: Action['options']): Action['options'] {
  return options;
}

function partingText(card: GameCard, screen: Screen): string {
  const text = replyText(gameReply(card), { reveal: true, screen });
  return card.solved === undefined ? `${text}\n\nYour game is kept. Go on with: ${CALL} play` : text;
}

/** A game, with what is shown around it. */
class GameOnScreen {
  readonly #asker: Asker;
  readonly #games: SoloGames;
  readonly #dispatcher: Dispatcher;
  #played: PlayedGame;
  hints?: Reply;
  note?: string;
  isHelpOpen = false;
  #isRestartAsked = false;

  constructor(asker: Asker, games: SoloGames, dispatcher: Dispatcher, played: PlayedGame) {
    this.#asker = asker;
    this.#games = games;
    this.#dispatcher = dispatcher;
    this.#played = played;
  }

  get card(): GameCard {
    return gameCard(this.#played);
  }

  /** What was typed since the last answer. @returns false if the person leaves */
  async press(keys: readonly Key[]): Promise<boolean> {
    delete this.note;
    let moves: Move[] = [];
    const flush = async () => {
      const made = moves;
      moves = [];
      if (made.length > 0) await this.#play(made);
    };
    for (const key of keys) {
      const move = this.#moveOf(key);
      if (move !== undefined) {
        moves.push(move);
        if (moves.length === MOST_MOVES) await flush();
        continue;
      }
      await flush();
      if (key.kind === 'quit') return false;
      if (key.kind === 'hint') await this.#hint();
      if (key.kind === 'help') this.isHelpOpen = !this.isHelpOpen;
      if (key.kind === 'close') this.isHelpOpen = false;
    }
    await flush();
    return true;
  }

  #moveOf(key: Key): Move | undefined {
    const isAskedAgain = this.#isRestartAsked;
    this.#isRestartAsked = false;
    switch (key.kind) {
      case 'letter':
        return key;
      case 'enter':
      case 'back':
      case 'clear':
        return { kind: key.kind };
      case 'restart':
        if (isAskedAgain || !this.card.can.restart) return { kind: 'restart' };
        this.#isRestartAsked = true;
        this.note = 'Press Ctrl-R once more to start over.';
        return undefined;
      default:
        return undefined;
    }
  }

  async #play(moves: readonly Move[]): Promise<void> {
    this.isHelpOpen = false;
    const { version } = this.#played;
    const { options } = this.#played.subject;
    try {
      this.#played = await this.#games.play(this.#asker, { options, moves, version });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.note = error.message;
    }
  }

  /** The card of hints grows by one. */
  async #hint(): Promise<void> {
    if (!this.card.can.hint) return;
    this.isHelpOpen = false;
    const action = this.hints === undefined ? this.#firstHint() : nextHint(this.hints);
    if (action === undefined) {
      this.note = `These are all hints. The solution: ${CALL} reveal`;
      return;
    }
    const reply = await replyOf(this.#dispatcher.prepare({ ...this.#asker, ...action }));
    if (reply === undefined) return;
    if (reply.blocks.some(({ kind }) => kind === 'spoiler')) this.hints = reply;
    else this.note = [reply.title, ...textOf(reply)].join(' ');
  }

  #firstHint(): Action {
    return { command: 'hint', options: this.#played.subject.options };
  }
}

/** What the button below the hints does. */
function nextHint({ blocks }: Reply): Action | undefined {
  return blocks
    .flatMap((block) => (block.kind === 'buttons' ? block.buttons : []))
    .map(({ action }) => action)
    .find(({ command, options }) => command === 'hint' && options.step !== undefined);
}

function textOf({ blocks }: Reply): string[] {
  return blocks.flatMap((block) =>
    block.kind === 'text' ? block.lines.filter((line) => typeof line === 'string') : [],
  );
}
