import { announceError, Unreachable } from './dom.js';

/** @import { HintStep } from '../../reply/model/facts.ts' */
/** @import { BoardButton, BoardView, GameView, HelpView, SpotView } from './view.ts' */

/**
 * Makes moves where a game is kept and its words are judged; none to see how it stands. Each move is one character: `a` to `z`
 * for a typed letter, `A` for a tap on spot 0, `B` for spot 1 and so on, `<` for the last letter or word back, `-` for all
 * letters of the word back, `.` to enter the word, `0` to start again. What is refused is thrown as an error with a sentence
 * for people, and as an `Unreachable` where the server did not answer. The first `sent` of them may have arrived before.
 *
 * @typedef {(moves: string, version?: number, sent?: number) => Promise<GameView>} MakeMoves
 */

/**
 * Answers a button beside a board, for the words so far. Undefined if the answer is shown elsewhere. `step` names a hint.
 *
 * @typedef {(what: BoardButton, words: readonly string[], step?: HintStep) => Promise<HelpView | undefined>} Ask
 */

/**
 * @typedef {{ entered?: string, refused?: string, isElsewhere?: boolean, isOnlyPriced?: boolean }} GameChange The word that was
 * entered, or why a move was refused; whether the game went on elsewhere; whether only a hint's price changed.
 */

/** Milliseconds without a letter before an unfinished word is saved. */
const SAVE_AFTER_MS = 800;
const MAX_STRUCK_LETTERS = 24;
/** A shorter word can't be entered. */
const LEAST_LETTERS = 3;
/** The page's boards. Those of one game all follow its moves. @type {Set<PlayedGame>} */
const games = new Set();

/**
 * One game on the page. The page itself follows letters, by the server's list of what may come after each spot; the server
 * judges words and keeps the game. A set of spots is a number with the bit `1 << spot` for each of them.
 */
export class PlayedGame {
  /** @type {SpotView[]} */
  spots;
  /** Until it is loaded, its `game` is empty. @type {GameView} */
  view = {
    game: '',
    version: 0,
    words: [],
    lines: [],
    word: '',
    reached: [],
    next: ~0,
    used: 0,
    left: [],
    isElsewhere: false,
  };
  /** The spots of a stroke that is still drawn. @type {number[]} */
  #drawn = [];
  /** Whether the word was refused, so that the next letter begins a new one. A word that is too short goes on. */
  #isRefused = false;
  /** A typed letter that can't come next, with everything typed after it, and the reason. */
  struck = { letters: '', reason: '' };
  /** Moves that are shown already and that the server does not know yet. */
  #unsent = '';
  /** Whether a request is under way. */
  #isAsking = false;
  /** The moves of each request since the last answer. The server may have made them. @type {string[]} */
  #unanswered = [];
  /** Whether the next moves depend on the server's answer: the game is not loaded yet, or a word is being judged. */
  #isHolding = false;
  /** The moves that only the server can make, last of `#unsent` while they are being made. */
  #asked = '';
  /** The moves made meanwhile, which are not shown yet. @type {string[]} */
  #held = [];
  #saveTimer = 0;
  #makeMoves;
  #onChange;

  /** @param {BoardView} board @param {MakeMoves} makeMoves @param {(change: GameChange) => void} onChange */
  constructor(board, makeMoves, onChange) {
    this.spots = board.sides.flatMap((side) => side.spots);
    this.#makeMoves = makeMoves;
    this.#onChange = onChange;
  }

  async load() {
    games.add(this);
    this.#isHolding = true;
    await this.#send();
  }

  /** Stops following other boards of this game. */
  leave() {
    this.save();
    games.delete(this);
  }

  /** The letters of the current word, including those of a stroke. */
  get word() {
    const { word } = this.#base;
    return word + this.#drawn.map((spot) => this.spots[spot]?.letter).join('');
  }

  /** For each letter of the current word, the spots that the whole word allows. */
  get current() {
    return this.#walkBack((spots) => spots);
  }

  /** One way to walk the current word: for each letter, the first of the spots that it may stand on. */
  get trail() {
    return this.#walkBack((spots) => spots & -spots).map((spot) => 31 - Math.clz32(spot));
  }

  /**
   * `#reached` has the spots that the letters before allow. From the last letter back, this keeps those within reach of the
   * chosen spots of the next letter: reach goes both ways.
   *
   * @param {(spots: number) => number} choose
   */
  #walkBack(choose) {
    let open = ~0;
    return this.#reached
      .toReversed()
      .map((set) => {
        const spots = choose(set & open);
        open = this.#reach(spots);
        return spots;
      })
      .reverse();
  }

  get next() {
    return this.#nextAfter(this.#reached.at(-1));
  }

  /** The spots where a stroke may begin: `open` may come next, and the word ends on `joined`. */
  get beginning() {
    const last = (this.#isRefused ? this.#cleared : this.view).reached.at(-1);
    return { open: this.#nextAfter(last), joined: last ?? 0 };
  }

  get #reached() {
    return [...this.#base.reached, ...this.#drawn.map((spot) => 1 << spot)];
  }

  /** The state that a stroke starts from. */
  get #base() {
    return this.#isRefused && this.#drawn.length > 0 ? this.#cleared : this.view;
  }

  /** The word without its letters, except the one that the previous word ended on. */
  get #cleared() {
    const { words, word, reached } = this.view;
    const joined = words.length > 0 ? 1 : 0;
    return { word: word.slice(0, joined), reached: reached.slice(0, joined) };
  }

  /** Shows the letters of a stroke under way. @param {number[]} spots */
  showStroke(spots) {
    if (spots.join() === this.#drawn.join()) return;
    this.#drawn = spots;
    this.#onChange({});
  }

  /** @param {number[]} spots */
  addStroke(spots) {
    this.#drawn = [];
    for (const spot of spots) this.tap(spot);
  }

  /** @param {string} letter */
  type(letter) {
    if (this.#holdBack(letter)) return;
    const spots = this.#bits((spot) => spot.letter === letter);
    const refused = this.struck.reason || this.#add(letter, spots, letter);
    if (refused) this.#strike(this.struck.letters + letter, refused);
  }

  /** @param {number} spot */
  tap(spot) {
    const move = String.fromCharCode(65 + spot);
    if (this.#holdBack(move)) return;
    this.#strike('');
    const refused = this.#add(move, 1 << spot, this.spots[spot]?.letter ?? '');
    if (refused) this.#onChange({ refused });
  }

  /** Changes the struck letters; without any, nothing is struck. @param {string} letters @param {string} reason */
  #strike(letters, reason = '') {
    if (letters === this.struck.letters || letters.length > MAX_STRUCK_LETTERS) return;
    this.struck = { letters, reason: letters && reason };
    this.#onChange({});
  }

  /** Takes back the last letter or, without one, opens the last word again. */
  back() {
    const { word, reached } = this.view;
    const { letters, reason } = this.struck;
    if (letters !== '') return this.#strike(letters.slice(0, -1), reason);
    if (word === this.#cleared.word) return this.ask('<');
    if (this.#holdBack('<')) return;
    this.#isRefused = false;
    this.#show({ word: word.slice(0, -1), reached: reached.slice(0, -1) }, '<');
  }

  clear() {
    this.#isRefused = false;
    this.#strike('');
    if (this.#holdBack('-') || this.view.word === this.#cleared.word) return;
    this.#show(this.#cleared, '-');
  }

  /** Makes moves that only the server can make: `.` enters, `<` opens a word again, `0` starts again. @param {string} move */
  ask(move) {
    if (this.#holdBack(move)) return;
    if (move === '.' && this.struck.reason) return this.#onChange({ refused: this.struck.reason });
    this.#strike('');
    this.#isHolding = true;
    this.#asked = move;
    this.#unsent += move;
    void this.#send();
  }

  /**
   * @param {string} move @param {number} wanted the spots of the letter @param {string} letter
   * @returns {string | void} why it can't come next
   */
  #add(move, wanted, letter) {
    if (this.#isRefused) this.clear();
    const { next, word, words, reached, solved } = this.view;
    const taken = wanted & next;
    if (taken !== 0) return this.#show({ word: word + letter, reached: [...reached, taken] }, move);
    // Somebody who types the whole next word begins with the letter that is there already.
    if (words.length > 0 && word === letter) return;
    if (solved !== undefined) return this.#onChange({ refused: 'This board is solved.' });
    const shown = letter.toUpperCase();
    const before = word.slice(-1).toUpperCase();
    if (wanted === 0) return `${shown} is not on this board.`;
    return shown === before ? `${shown} can’t follow itself.` : `${shown} is on the same side as ${before}.`;
  }

  /** Shows a move at once, before the server knows it. @param {Partial<GameView>} change @param {string} move */
  #show(change, move) {
    const changed = { ...this.view, ...change };
    this.view = { ...changed, next: this.#nextAfter(changed.reached.at(-1)) };
    this.#unsent += move;
    this.#saveAfterPause();
    this.#onChange({});
  }

  /** Holds back a move that depends on the server's next answer. @param {string} move @returns whether it does */
  #holdBack(move) {
    const isLoaded = this.view.game !== '';
    // Loading has failed before: it is tried again.
    if (!isLoaded && !this.#isHolding) void this.load();
    if (this.#isHolding) this.#held.push(move);
    return this.#isHolding;
  }

  /** Loads the state of the game, which may have continued elsewhere. */
  refresh() {
    void this.#send();
  }

  /**
   * Sends unsent moves at once, instead of after a pause: people may be leaving. Those made during a request go with its moves,
   * as nobody knows whether these arrive. If people stay, they are sent once more after its answer, which changes nothing then.
   */
  save() {
    const sent = this.#maybeArrived;
    if (this.#isAsking && sent !== undefined && sent < this.#unsent.length) {
      this.#unanswered.push(this.#unsent);
      this.#makeMoves(this.#unsent, this.view.version, sent).catch(() => undefined);
    } else this.#sendUnsent();
  }

  /** How many of the unsent moves may have arrived, with one request that was not answered. */
  get #maybeArrived() {
    const [sent, ...more] = this.#unanswered;
    return sent && more.length === 0 && this.#unsent.startsWith(sent) ? sent.length : undefined;
  }

  #drop() {
    this.#unsent = '';
    this.#unanswered = [];
  }

  #sendUnsent() {
    if (this.#unsent !== '') void this.#send();
  }

  #saveAfterPause() {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = window.setTimeout(() => this.#sendUnsent(), SAVE_AFTER_MS);
  }

  /**
   * Sends the unsent moves, and then those that were made meanwhile: first the ones added to `#unsent`, then `#held`.
   *
   * @returns {Promise<void>}
   */
  async #send() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const moves = this.#unsent;
    const sent = this.#maybeArrived;
    this.#unanswered.push(moves);
    const wordsBefore = this.view.words.length;
    const isLoading = this.view.game === '';
    try {
      const game = await this.#makeMoves(moves, isLoading ? undefined : this.view.version, sent);
      // What `save` has sent meanwhile.
      const later = this.#unanswered.at(-1)?.slice(moves.length);
      this.#unanswered = later ? [later] : [];
      this.#unsent = this.#unsent.slice(moves.length);
      this.#receive(game, { moves, wordsBefore, isLoading });
    } catch (error) {
      this.#held = [];
      // Refused moves are dropped; the server still has the others.
      if (!(error instanceof Unreachable)) this.#drop();
      // What only the server can make was not made: the letters before it stay.
      else if (this.#isHolding) this.#unsent = this.#unsent.slice(0, -this.#asked.length);
      announceError(error);
      this.#isHolding = false;
      return;
    } finally {
      this.#isAsking = false;
    }
    if (this.#unsent === '') this.#isHolding = false;
    else if (this.#isHolding) return this.#send();
    else this.#saveAfterPause();
    const held = this.#held.splice(0);
    if (this.view.refused === undefined) for (const move of held) this.#make(move);
  }

  /** @param {GameView} game @param {{ moves: string, wordsBefore: number, isLoading: boolean }} sent what it answers */
  #receive(game, { moves, wordsBefore, isLoading }) {
    if (this.#unsent !== '' && !game.isElsewhere) {
      // The page shows later letters than the answer.
      this.view = { ...this.view, version: game.version };
    } else if (moves !== '' || isLoading || game.version !== this.view.version) {
      this.#drop();
      const areOnlyLetters = moves !== '' && !this.#isHolding;
      const { word, words } = this.view;
      // Letters that were sent twice: see `save`.
      const isShown = areOnlyLetters && game.word === word && game.words.join() === words.join();
      this.#take(isShown ? { ...game, isElsewhere: false } : game, wordsBefore, areOnlyLetters);
    } else {
      this.view = game;
      this.#onChange({ isOnlyPriced: true });
    }
  }

  /**
   * Takes the server's state of the game, for all boards of this game.
   *
   * @param {GameView} game @param {number} wordsBefore the number of words before
   * @param {boolean} areOnlyLetters Whether only letters were saved, which are shown already: what the board says stays, except
   * for a price.
   */
  #take(game, wordsBefore, areOnlyLetters) {
    const isRepriced = game.hintPrice !== this.view.hintPrice;
    this.view = game;
    if (game.isElsewhere) this.struck = { letters: '', reason: '' };
    const { refused, isElsewhere } = game;
    this.#isRefused = refused !== undefined && !areOnlyLetters && game.word.length >= LEAST_LETTERS;
    for (const other of games) {
      const { view } = other;
      // A board with the same state may have letters that the server does not know yet.
      if (other === this || view.game !== game.game || view.version === game.version) continue;
      // Another board has a later state: this answer came late.
      if (view.version > game.version) this.view = view;
      else {
        other.view = game;
        other.#drop();
        other.#onChange({});
      }
    }
    const entered = game.words.length > wordsBefore ? game.words.at(-1) : undefined;
    if (!areOnlyLetters || refused !== undefined || isElsewhere)
      this.#onChange({ entered, refused, isElsewhere });
    else if (isRepriced) this.#onChange({ isOnlyPriced: true });
  }

  /** @param {string} move */
  #make(move) {
    if (/^[a-z]$/.test(move)) this.type(move);
    else if (/^[A-Z]$/.test(move)) this.tap(move.charCodeAt(0) - 65);
    else if (move === '<') this.back();
    else if (move === '-') this.clear();
    else this.ask(move);
  }

  /** @param {number | undefined} last */
  #nextAfter(last) {
    if (this.view.game === '' || this.view.solved !== undefined) return this.view.next;
    return last === undefined ? this.#bits(() => true) : this.#reach(last);
  }

  /** All spots that may follow a spot of the set. @param {number} set */
  #reach(set) {
    return this.spots.reduce((all, { reach }, spot) => (set & (1 << spot) ? all | reach : all), 0);
  }

  /** @param {(spot: SpotView) => boolean} fits */
  #bits(fits) {
    return this.spots.reduce((all, spot, index) => (fits(spot) ? all | (1 << index) : all), 0);
  }
}

/**
 * Asks for help with a board, naming the hints that are shown already for these words, and those shown for any words.
 *
 * @param {(what: 'help', fields: Record<string, unknown>) => Promise<any>} ask
 * @param {Set<string>} shownEver The hints shown for any words, to which new ones are added.
 * @returns {Ask}
 */
export function helper(ask, shownEver = new Set()) {
  let shown = { words: '', hints: '' };
  return async (what, words, step) => {
    const hints = shown.words === words.join() ? shown.hints : '';
    const all = [...shownEver].join();
    const answer = await ask('help', {
      ask: what,
      words,
      step,
      shown: hints || undefined,
      taken: all || undefined,
    });
    if (what !== 'hint') return answer;
    shown = { words: words.join(), hints: answer.shown ?? '' };
    for (const step of shown.hints.split(',')) if (step !== '') shownEver.add(step);
    return answer;
  };
}
