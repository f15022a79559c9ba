import { setTimeout as sleep } from 'node:timers/promises';
import type { GameInput } from '../../answers/play-moves.ts';
import { type App, type Asker, actionAskerOf, type Dispatcher } from '../../dispatch/contract.ts';
import { NO_MOVES, playerKey, type SoloGames, shownGame } from '../../players/solo/solo-games.ts';
import { gameCard } from '../../reply/model/game-card.ts';
import type { Action, GameCard } from '../../reply/model/types.ts';
import { gameReply, TOO_FAST } from '../../reply/replies/game.ts';
import type { Answer, Callback } from './callback.ts';
import { codeOf } from './errors.ts';
import { type RenderServices, renderReply } from './render.ts';

/** Presses of one person that wait while an earlier one is drawn: more than fingers can do. */
export const MOST_WAITING = 50;

export interface GamePressesTools {
  readonly app: Pick<App, 'followers' | 'log'>;
  readonly games: SoloGames;
  readonly dispatcher: Dispatcher;
  readonly services: RenderServices;
}

/** The presses of one person, oldest first. */
interface Line {
  readonly waiting: Press[];
  /** More came than can wait. */
  isOverfull: boolean;
}

/**
 * Plays what people press. A person has one drawing at a time: what they press meanwhile waits, is played in its
 * order, and is drawn once. The drawing goes out with the newest press, whose token is valid longest.
 */
export class GamePresses {
  readonly #tools: GamePressesTools;
  readonly #lines = new Map<string, Line>();

  constructor(tools: GamePressesTools) {
    this.#tools = tools;
  }

  /** The game as it is, for a form or a hint. */
  async open(asker: Asker, options: Action['options']): Promise<GameCard> {
    return gameCard(await this.#tools.games.open(asker, options));
  }

  /** Resolves when this press is answered: by a drawing, or acknowledged because a later press is drawn. */
  press(callback: Callback, pressed: PressedGame): Promise<void> {
    const press = new Press(callback, pressed);
    const person = playerKey(pressed.asker);
    const line = this.#lines.get(person);
    if (line === undefined) void this.#serve(person, (own) => this.#answer([press], own));
    else if (line.waiting.length < MOST_WAITING) line.waiting.push(press);
    else {
      line.isOverfull = true;
      void press.settle(press.acknowledge());
      return press.answered;
    }
    void press.acknowledgeSoon(this.#lines.size);
    return press.answered;
  }

  /**
   * From now on an answer with a game shows what its person plays elsewhere, while it can be changed.
   *
   * @param sent when the answer is there
   */
  follow(callback: Callback, asker: Asker, game: GameCard, sent: Promise<void>): void {
    if (callback.lasts <= 0) return;
    const { app } = this.#tools;
    app.followers.follow(shownGame(asker, game), {
      lasts: callback.lasts,
      show: () => sent.then(() => this.#showAgain(callback, asker, game.options)),
    });
  }

  /** False while presses of the person are drawn. What they press meanwhile waits. */
  async #showAgain(callback: Callback, asker: Asker, options: Action['options']): Promise<boolean> {
    const person = playerKey(asker);
    if (this.#lines.has(person)) return false;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    void this.#serve(person, (line) =>
      this.#draw({ asker, options, mayReplace: true }, NO_MOVES, line)
        .then((answer) => callback.change(answer))
        .then(resolve, reject),
    );
    await promise.catch((error: unknown) => {
      const { log } = this.#tools.app;
      // Such as a message that its person has dismissed.
      log.info({ door: 'discord', code: codeOf(error) }, 'a message with a game could not follow');
      throw error;
    });
    return true;
  }

  /** Does this and then, until nobody waits, answers the presses that came meanwhile. Never rejects. */
  async #serve(person: string, first: (line: Line) => Promise<void>): Promise<void> {
    const line: Line = { waiting: [], isOverfull: false };
    this.#lines.set(person, line);
    await first(line);
    while (line.waiting.length > 0) await this.#answer(takeBatch(line.waiting), line);
    this.#lines.delete(person);
  }

  async #answer(batch: readonly Press[], line: Line): Promise<void> {
    const newest = batch.at(-1)!;
    const drawing = this.#draw(newest.pressed, joinedMoves(batch), line);
    await Promise.all([
      newest.settle(
        drawing.then((answer) => {
          const shown = newest.show(answer);
          this.follow(newest.callback, newest.pressed.asker, answer.game, shown);
          return shown;
        }),
      ),
      ...batch.slice(0, -1).map((press) => press.settle(press.acknowledge())),
    ]);
  }

  async #draw(
    { asker, options, mayReplace }: Pick<PressedGame, 'asker' | 'options' | 'mayReplace'>,
    input: GameInput,
    line: Line,
  ): Promise<Answer & { readonly game: GameCard }> {
    const { games, dispatcher, services } = this.#tools;
    const card = gameCard(await games.play(asker, { options, ...input }));
    const reply = gameReply(line.isOverfull ? { ...card, refusal: TOO_FAST } : card);
    line.isOverfull = false;
    const drawnFor = actionAskerOf(asker);
    const pack = (action: Action) => dispatcher.packAction(action, drawnFor);
    const rendered = await renderReply(reply, { ...services, pack, asker: drawnFor });
    return { rendered, isPrivate: true, replaces: mayReplace, game: card };
  }
}

/** Takes the first presses that can be played and drawn together: moves in one message. */
function takeBatch(waiting: Press[]): Press[] {
  const [first] = waiting;
  const other = waiting.findIndex(({ pressed }) => !isTogether(first!.pressed, pressed));
  return waiting.splice(0, 'words' in first!.pressed.input ? 1 : other < 0 ? waiting.length : other);
}

function isTogether(first: PressedGame, { message, options, input }: PressedGame): boolean {
  return (
    'moves' in input && message === first.message && JSON.stringify(options) === JSON.stringify(first.options)
  );
}

function joinedMoves(batch: readonly Press[]): GameInput {
  const [first] = batch;
  if (first !== undefined && 'words' in first.pressed.input) return first.pressed.input;
  return { moves: batch.flatMap(({ pressed: { input } }) => ('moves' in input ? input.moves : [])) };
}

export interface PressedGame {
  readonly asker: Asker;
  /** The options that lead to the board. */
  readonly options: Action['options'];
  readonly input: GameInput;
  /** The message with the button. */
  readonly message: string;
  /** Whether that message is the person's own. */
  readonly mayReplace: boolean;
}

/** An interaction's age, in milliseconds, at which a press is acknowledged before it is drawn. */
const ACKNOWLEDGE_AT = 100;
/** Pictures take turns, and one takes about 30 ms: behind so many, no press is drawn before it is acknowledged. */
const MOST_IN_TIME = 3;

/** One press in a game, which Discord wants acknowledged within three seconds. */
class Press {
  readonly pressed: PressedGame;
  readonly callback: Callback;
  /** The first answer, once it is under way. */
  #answering: Promise<void> | undefined;
  readonly #settled = Promise.withResolvers<void>();

  constructor(callback: Callback, pressed: PressedGame) {
    this.callback = callback;
    this.pressed = pressed;
  }

  /** Resolves when this press is answered, and rejects when it could not be. */
  get answered(): Promise<void> {
    return this.#settled.promise;
  }

  /** What answers this press. Never rejects. */
  settle(answering: Promise<void>): Promise<void> {
    return answering.then(this.#settled.resolve, this.#settled.reject);
  }

  /** Tells Discord that this press has arrived, unless it is answered by now. */
  acknowledge(): Promise<void> {
    this.#answering ??= this.callback.defer(this.pressed.mayReplace ? 'update' : 'private');
    return this.#answering;
  }

  /**
   * Acknowledges this press if it isn't answered soon. A failure shows when it is answered.
   *
   * @param drawings how many people's games are being drawn, this one's included
   */
  async acknowledgeSoon(drawings: number): Promise<void> {
    const wait = drawings > MOST_IN_TIME ? 0 : ACKNOWLEDGE_AT - this.callback.age;
    if (wait > 0) await sleep(wait, undefined, { ref: false });
    await this.acknowledge().catch(() => undefined);
  }

  /** Changes the message with the button, or sends one where that message is not the person's own. */
  async show(answer: Answer): Promise<void> {
    if (this.#answering !== undefined) {
      await this.#answering;
      return this.callback.sendDeferred(answer);
    }
    this.#answering = answer.replaces ? this.callback.update(answer) : this.callback.message(answer);
    return this.#answering;
  }
}
