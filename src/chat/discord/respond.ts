import { InteractionType } from 'discord-api-types/v10';
import type { GameInput } from '../../answers/play-moves.ts';
import { splitWords } from '../../core/text.ts';
import { Turns } from '../../core/turns.ts';
import { NO_MOVES, playerKey, type SoloGames, shownGame } from '../../players/solo-games.ts';
import { wordsOption } from '../../reply/model/subject.ts';
import type { Action, GameCard, Reply } from '../../reply/model/types.ts';
import { gameCard, gameReply, TOO_FAST, typeWordsForm } from '../../reply/replies/game.ts';
import { Conversation } from '../conversation.ts';
import type { Interaction } from './events.ts';
import { type Answering, InteractionExchange } from './exchange.ts';
import { type GameAction, makeGameAction, readGameAction } from './game-buttons.ts';
import { type Entry, entriesOf, readPath } from './layout.ts';
import { LIMITS } from './limits.ts';
import { codeOf } from './rest.ts';

const RESTARTING: Reply = {
  title: 'One moment, please',
  blocks: [{ kind: 'text', lines: ['I’m restarting. Try again in a minute.'] }],
  audience: 'asker',
};

/** Responds to Discord's interactions: commands, pressed buttons, submitted forms, and requests for suggestions. */
export class Responder {
  readonly #answering: Answering;
  readonly #entries: readonly Entry[];
  readonly #conversation: Conversation;
  readonly #games: GamePresses;
  #isStopping = false;

  constructor(answering: Answering, games: SoloGames) {
    const { app, dispatcher } = answering;
    this.#answering = answering;
    this.#entries = entriesOf(answering.dispatcher.commands);
    this.#conversation = new Conversation('discord', dispatcher, app.log);
    this.#games = new GamePresses(answering, games, this.#conversation);
  }

  /** Takes an interaction as the gateway delivers it. Never throws. */
  receive(interaction: Interaction): void {
    const exchange = new InteractionExchange(interaction, this.#answering, this.#games.follow);
    if (interaction.type === InteractionType.ApplicationCommandAutocomplete)
      this.#conversation.track(this.#suggest(interaction, exchange));
    else
      void this.#conversation.attempt(exchange, () =>
        this.#isStopping
          ? exchange.show(RESTARTING, { kind: 'refusal', reply: RESTARTING })
          : this.#respond(interaction, exchange),
      );
  }

  /** Refuses new interactions from now on, and resolves when all earlier ones are answered. */
  stop(): Promise<void> {
    this.#isStopping = true;
    return this.#conversation.done();
  }

  async #respond(interaction: Interaction, exchange: InteractionExchange): Promise<void> {
    const { data } = interaction;
    if (!('packed' in data))
      return this.#conversation.ask(exchange, () =>
        'message' in data
          ? { command: 'record', options: {} }
          : readPath(data.path, data.options, this.#entries),
      );
    const filled = 'filled' in data ? data.filled : undefined;
    const unpacking = this.#answering.dispatcher.unpackAction(data.packed);
    // Buttons of games are short, and so never wait for the store.
    const action = await Promise.race([unpacking, exchange.due()]);
    const game = action && readGameAction(action);
    if (game !== undefined) return this.#play(exchange, game, filled);
    return this.#conversation.ask(exchange, async () => {
      const { command, options } = await unpacking;
      return { command, options: { ...options, ...filled } };
    });
  }

  async #play(
    exchange: InteractionExchange,
    { options, act }: GameAction,
    filled?: Readonly<Record<string, string>>,
  ): Promise<void> {
    if (act.kind === 'hint')
      return this.#conversation.ask(exchange, async () => {
        const card = await this.#games.open(exchange, options);
        return { command: 'hint', options: { ...card.options, ...wordsOption(card.words) } };
      });
    if (act.kind === 'words' && filled === undefined) {
      const opening = this.#games.open(exchange, options);
      const card = await Promise.race([opening, exchange.tooLate()]);
      if (card === undefined) return exchange.showSlowness();
      return exchange.form(typeWordsForm(card, makeGameAction(card, act)));
    }
    const input = act.kind === 'moves' ? { moves: act.moves } : { words: splitWords(filled?.words ?? '') };
    return this.#games.press({ exchange, options, input });
  }

  async #suggest({ data }: Interaction, exchange: InteractionExchange): Promise<void> {
    const { dispatcher, app } = this.#answering;
    try {
      if (this.#isStopping || !('path' in data)) return await exchange.choices([]);
      const { path, options, focused } = data;
      const request = { ...exchange.asker(), ...readPath(path, options, this.#entries) };
      const completing = focused && dispatcher.complete(focused.name, focused.value, request);
      const values = (await Promise.race([completing, exchange.tooLate()])) ?? [];
      const valid = values.filter((value) => value !== '' && value.length <= LIMITS.choice);
      await exchange.choices([...new Set(valid)].slice(0, LIMITS.choices));
    } catch (error) {
      // Nothing else can be shown in their place, and the next key that is pressed asks again.
      app.log.warn({ door: 'discord', code: codeOf(error) }, 'suggestions could not be sent');
    }
  }
}

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
class GamePresses {
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

  /** The game as it is, for a form or a hint. */
  async open(exchange: InteractionExchange, options: Action['options']): Promise<GameCard> {
    return gameCard(await this.#games.open(exchange.asker(), options));
  }

  /** Resolves when this press is answered: by a drawing, or acknowledged because a later press is drawn. */
  async press(press: Press): Promise<void> {
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
