import { splitWords } from '../../core/text.ts';
import { Turns } from '../../core/turns.ts';
import type { GameInput } from '../../jobs/play-moves.ts';
import { NO_MOVES, playerKey, type SoloGames, shownGame } from '../../players/solo-games.ts';
import { wordsOption } from '../../reply/model/action.ts';
import type { Action, GameCard } from '../../reply/model/types.ts';
import { gameCard, gameReply, TOO_FAST, typeWordsForm } from '../../reply/replies/game.ts';
import type { Conversation } from '../conversation.ts';
import { codeOf } from './errors.ts';
import type { Answering, InteractionExchange } from './exchange.ts';
import { type GameAction, makeGameAction } from './render.ts';

/** Presses of one person that may wait while an earlier one is drawn: more than fingers can make. */
export const MOST_WAITING = 50;
/** An interaction's age, in milliseconds, at which a press is acknowledged before it is drawn. */
const ACKNOWLEDGE_AT = 100;
/** Pictures take turns, and one takes about 30 ms: behind this many, no press is drawn before it is acknowledged. */
const MOST_IN_TIME = 3;

interface Press {
  readonly exchange: InteractionExchange;
  /** The options that lead to the board. */
  readonly options: Action['options'];
  readonly input: GameInput;
}

/**
 * Plays what people press. A person has one drawing at a time: later presses wait, are played in their order, and are drawn
 * once. The drawing goes out with the newest press, whose token is valid longest.
 */
export class GamePresses {
  readonly #answering: Answering;
  readonly #games: SoloGames;
  readonly #conversation: Conversation;
  readonly #turns = new Turns();
  /** The presses that wait, oldest first, by person. */
  readonly #waiting = new Map<string, Press[]>();
  /** People with more presses than can wait. */
  readonly #tooFast = new Set<string>();

  constructor(answering: Answering, games: SoloGames, conversation: Conversation) {
    this.#answering = answering;
    this.#games = games;
    this.#conversation = conversation;
  }

  /**
   * Does what a button of a game says. Resolves when it is answered.
   *
   * @param typed what was filled into the form for words
   */
  async play(
    exchange: InteractionExchange,
    { options, act }: GameAction,
    typed: string | undefined,
  ): Promise<void> {
    const open = async () => gameCard(await this.#games.open(exchange.asker(), options));
    if (act.kind === 'hint')
      return this.#conversation.ask(exchange, async () => {
        const card = await open();
        return { command: 'hint', options: { ...card.options, ...wordsOption(card.words) } };
      });
    if (act.kind === 'words' && typed === undefined) {
      const card = await Promise.race([open(), exchange.tooLate()]);
      if (card === undefined) return exchange.showSlowness();
      return exchange.form(typeWordsForm(card, makeGameAction(card, act)));
    }
    const input = act.kind === 'moves' ? { moves: act.moves } : { words: splitWords(typed ?? '') };
    return this.#press({ exchange, options, input });
  }

  /** Resolves when this press is answered: by a drawing, or acknowledged because a later press is drawn. */
  async #press(press: Press): Promise<void> {
    const { exchange } = press;
    const person = playerKey(exchange.asker());
    const waiting = this.#waiting.get(person) ?? [];
    if (waiting.length >= MOST_WAITING) {
      this.#tooFast.add(person);
      return exchange.deferInPlace();
    }
    waiting.push(press);
    this.#waiting.set(person, waiting);
    const isSoon = this.#waiting.size <= MOST_IN_TIME;
    // A failure shows when the press is answered.
    void (isSoon ? exchange.until(ACKNOWLEDGE_AT) : Promise.resolve())
      .then(() => exchange.deferInPlace())
      .catch(() => undefined);
    return this.#turns.run(person, () => this.#answer(takeBatch(waiting), person));
  }

  /**
   * From now on an answer with a game shows what its person plays elsewhere, while it can be changed.
   *
   * @param sent when the answer is there
   */
  readonly follow = (exchange: InteractionExchange, game: GameCard, sent: Promise<void>): void => {
    if (exchange.lasts <= 0) return;
    const { app } = this.#answering;
    const asker = exchange.asker();
    const person = playerKey(asker);
    const show = () => this.#draw({ exchange, options: game.options, input: NO_MOVES }, person);
    app.followers.follow(shownGame(asker, game), {
      lasts: exchange.lasts,
      show: async () => {
        await sent;
        try {
          await this.#turns.run(person, async () => exchange.change((await show()).rendered));
        } catch (error) {
          // Such as a message that its person has dismissed.
          app.log.info({ door: 'discord', code: codeOf(error) }, 'a message with a game could not follow');
          throw error;
        }
        return true;
      },
    });
  };

  /** Never rejects. */
  async #answer(batch: readonly Press[], person: string): Promise<void> {
    const newest = batch.at(-1);
    if (newest === undefined) return;
    const { exchange } = newest;
    const show = async () => {
      const { rendered, card } = await this.#draw({ ...newest, input: joinedMoves(batch) }, person);
      const sent = exchange.send({ rendered, isPrivate: true, replaces: true });
      this.follow(exchange, card, sent);
      return sent;
    };
    await Promise.all([
      this.#conversation.attempt(exchange, show),
      ...batch.slice(0, -1).map((press) => {
        return this.#conversation.attempt(press.exchange, () => press.exchange.deferInPlace());
      }),
    ]);
    if (this.#waiting.get(person)?.length === 0) this.#waiting.delete(person);
  }

  async #draw({ exchange, options, input }: Press, person: string) {
    const card = gameCard(await this.#games.play(exchange.asker(), { options, ...input }));
    const reply = gameReply(this.#tooFast.delete(person) ? { ...card, refusal: TOO_FAST } : card);
    return { rendered: await exchange.render(reply), card };
  }
}

/** Takes the first presses that can be played and drawn together: moves in one message. */
function takeBatch(waiting: Press[]): Press[] {
  const [first] = waiting;
  const other = waiting.findIndex((press) => !isTogether(first!, press));
  const count = first !== undefined && 'words' in first.input ? 1 : other < 0 ? waiting.length : other;
  return waiting.splice(0, count);
}

function isTogether(first: Press, { exchange, options, input }: Press): boolean {
  return (
    'moves' in input &&
    exchange.message === first.exchange.message &&
    JSON.stringify(options) === JSON.stringify(first.options)
  );
}

function joinedMoves(batch: readonly Press[]): GameInput {
  const [first] = batch;
  if (first !== undefined && 'words' in first.input) return first.input;
  return { moves: batch.flatMap(({ input }) => ('moves' in input ? input.moves : [])) };
}
