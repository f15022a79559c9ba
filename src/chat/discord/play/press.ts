import { setTimeout as sleep } from 'node:timers/promises';
import type { GameInput } from '../../../answers/play-moves.ts';
import type { Asker } from '../../../dispatch/contract.ts';
import type { Action } from '../../../reply/model/types.ts';
import type { Answer, Callback } from '../interactions/callback.ts';

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
export class Press {
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
