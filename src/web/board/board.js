import { announceError, button, copyText, element, folded, shape } from './dom.js';
import { renderEnding, ring } from './ending.js';
import { PlayedGame } from './game.js';
import { drawBox, drawWord, lookOf, ownersOf, replay } from './lines.js';
import { CORRECTION_AFTER_MS, nearestTo, REST_MS, readStroke } from './stroke.js';

/** @import { HintStep } from '../../reply/model/facts.ts' */
/** @import { Ask, GameChange, MakeMoves } from './game.js' */
/** @import { Field, Sample } from './stroke.js' */
/** @import { BoardButton, BoardView, EndingView, HelpView } from './view.ts' */

const HOW_TO_PLAY = 'Draw a line through the letters, tap them, or type. Enter plays the word.';
/** Milliseconds that a solved board stands still before its path is drawn once more. */
const HOLD_MS = 300;
/** Seconds for drawing each word of the path once more. */
const WORD_SECONDS = 0.5;
const MAX_REPLAY_SECONDS = 2;
/** How far from a letter or its dot a stroke begins, in `gap`s. */
const BEGIN_DISTANCE = 0.6;

/**
 * @typedef {object} BoardOptions
 * @property {Ask} ask
 * @property {boolean} [isVisitor] No server keeps a visitor's results, so only `EndingView.how` reviews them.
 * @property {number} [level] The level of the heading.
 * @property {HTMLElement[]} [more] Further controls.
 */

/** @typedef {{ id: number, samples: Sample[], field: Field, timer: number }} Stroke The stroke of a pointer that is still down. */

/**
 * A board to play, with its controls, help and ending. A set of spots is a number with the bit `1 << spot` for each of them;
 * moves, such as `.`, are those of `MakeMoves`.
 */
export class BoardPanel {
  game;
  #board;
  #options;
  #box = element('div', { class: 'box' });
  #done = shape('g', { class: 'done' });
  #trail = shape('path', { class: 'trail' });
  /** @type {Element[]} */
  #dots = [];
  /** @type {HTMLButtonElement[]} */
  #letters = [];
  #word = element('p', { class: 'word', 'aria-hidden': 'true', translate: 'no' });
  #title = element('span', { class: 'title', role: 'heading' });
  #rank = element('p', { class: 'rank' }, this.#title);
  #words = element('ol', { class: 'words', 'aria-label': 'Words so far', tabindex: '-1', translate: 'no' });
  #lettersLeft = element('p', { class: 'unseen' });
  /** What happened last; `#spoken` has the same for screen readers, which need more words. */
  #said = element('p', { class: 'said', 'aria-hidden': 'true' }, HOW_TO_PLAY);
  #spoken = element('p', { class: 'unseen', role: 'status' });
  #choices = element('div', { class: 'choices' });
  #solved = element('div', { class: 'solved' });
  #hint = button('Hint', (event) => this.#askPriced(event, 'hint'));
  #price = element('small', { 'aria-hidden': 'true' });
  #controls = element(
    'div',
    { class: 'buttons' },
    button('Enter', () => this.game.ask('.'), 'enter'),
    button('Back', () => this.game.back()),
    button('Restart', () => this.#askToRestart()),
    this.#hint,
  );
  #answer = element('section', { class: 'answer', 'aria-label': 'Help' });
  /** @type {Stroke | undefined} */
  #stroke;
  /** The spot that a pointer has used already, so that its click adds nothing. */
  #taken = -1;
  /** The paths that are drawn. With a letter that the board has twice, the same words can run over other spots. */
  #drawn = '';
  /**
   * A board that this page has shown unsolved (`#wasOpen`) and that is solved then (`#isEnded`) stands still, shows its path
   * once more, and then its ending: `#ending` is the timer of the next of these. Otherwise the ending is shown at once.
   */
  #wasOpen = false;
  #isEnded = false;
  #ending = 0;
  #isHinting = false;
  /** The moves that restore the game before a restart. */
  #undo = '';

  /** @param {BoardView} board @param {MakeMoves} makeMoves @param {BoardOptions} options */
  constructor(board, makeMoves, options) {
    this.#board = board;
    this.#options = options;
    this.game = new PlayedGame(board, makeMoves, (change) => this.#changed(change));
    this.#controls.append(...(options.more ?? []));
    this.#hint.append(this.#price);
    for (const later of [this.#rank, this.#solved, this.#answer]) later.hidden = true;
    this.#title.setAttribute('aria-level', String(options.level ?? 3));
    this.#drawBox();
    this.element = element(
      'section',
      { class: 'board', tabindex: '0', 'aria-label': 'Board to play', 'aria-description': HOW_TO_PLAY },
      element(
        'div',
        { class: 'table' },
        element('div', { class: 'top' }, this.#word, this.#rank, this.#words),
        this.#box,
        element('div', { class: 'below' }, this.#said, this.#choices, this.#controls),
        element('div', { class: 'side' }, this.#solved, this.#answer),
      ),
      this.#lettersLeft,
      this.#spoken,
    );
    document.addEventListener('keydown', this.#onKey);
    this.#addPointer();
    void this.game.load();
    document.addEventListener('visibilitychange', this.#onVisibility);
  }

  /**
   * Saves an unfinished word when people leave the page, and loads what they have played elsewhere when they return. A board
   * that is no longer shown ends here.
   */
  #onVisibility = () => {
    if (!this.element.isConnected) {
      this.game.leave();
      document.removeEventListener('visibilitychange', this.#onVisibility);
      document.removeEventListener('keydown', this.#onKey);
    } else if (document.hidden) this.game.save();
    else this.game.refresh();
  };

  #drawBox() {
    const { size, letterSize, gap, sides } = this.#board;
    const drawn = drawBox(this.#board, [this.#done, this.#trail]);
    this.#dots = [...drawn.querySelectorAll('circle')];
    this.#box.append(drawn);
    this.#box.style.setProperty('--letter', String((100 * letterSize) / size));
    this.#box.style.setProperty('--cell', String((100 * gap) / size));
    const list = element('ul', { 'aria-label': 'Sides of the board', translate: 'no' });
    for (const { name, spots: ofSide } of sides) {
      const item = element('li', {}, element('span', { class: 'unseen' }, `${name}: `));
      for (const { letter, at } of ofSide) {
        const spot = this.#letters.length;
        const made = element('button', { type: 'button', class: 'letter' }, letter.toUpperCase());
        made.style.left = `${(100 * at.x) / size}%`;
        made.style.top = `${(100 * at.y) / size}%`;
        made.addEventListener('click', ({ detail }) => {
          // `detail` is 0 for a click without a pointer: a key press, or an assistive technology.
          if (detail === 0 || this.#taken !== spot) this.game.tap(spot);
        });
        this.#letters.push(made);
        item.append(made);
      }
      list.append(item);
    }
    this.#box.append(list);
  }

  #askToRestart() {
    const { words } = this.game.view;
    if (words.length === 0) return this.game.clear();
    this.#say('Start again from the first word?', { look: 'is-asking' });
    this.#choose(
      button('Start again', () => this.#restart(), 'primary'),
      button('Keep playing', () => this.#changed({})),
    );
  }

  #restart() {
    this.#closeAnswer();
    const played = this.game.view.words.map((word) => `${word}.`).join('');
    this.game.ask('0');
    // Set last: `ask` may call `#changed`, which clears it.
    this.#undo = played;
  }

  /** Replaces the controls by a choice of buttons. @param {HTMLButtonElement[]} buttons */
  #choose(...buttons) {
    const hadFocus = this.#controls.contains(document.activeElement);
    const wasChosen = this.#choices.contains(document.activeElement);
    this.#choices.replaceChildren(...buttons);
    this.element.classList.toggle('is-choosing', buttons.length > 0);
    if (hadFocus) buttons[0]?.focus();
    if (wasChosen) this.element.focus({ preventScroll: true });
  }

  /**
   * The second click of a double one would cost the hint after it, or show the solution.
   *
   * @param {MouseEvent} event @param {'hint' | 'reveal'} what @param {HintStep} [step]
   */
  #askPriced({ detail }, what, step) {
    if (detail < 2) void this.#ask(what, step);
  }

  /** @param {BoardButton} what @param {HintStep} [step] */
  async #ask(what, step) {
    // A press before the answer would cost the hint after it, too.
    if (what === 'hint' && this.#isHinting) return;
    this.#isHinting ||= what === 'hint';
    try {
      const answer = await this.#options.ask(what, this.game.view.words, step);
      if (answer !== undefined) this.#showAnswer(answer, what);
      // The next hint may have another price, or none.
      if (what === 'hint' || what === 'reveal') this.game.refresh();
    } catch (error) {
      announceError(error);
    } finally {
      if (what === 'hint') this.#isHinting = false;
    }
  }

  /**
   * Shows an answer beside the board or, on a phone, above the box, where it is one line while somebody plays.
   *
   * @param {HelpView} answer @param {BoardButton} what
   */
  #showAnswer(answer, what) {
    const { title, parts } = answer;
    const close = button('×', () => this.#closeAnswer(), 'close');
    close.setAttribute('aria-label', 'Close');
    const heading = element('h2', {}, title);
    const more = this.#furtherHelp(answer, what);
    const folds = parts.filter(({ label }) => label !== undefined);
    // What was asked for is open at once: the newest hint, or the first of the solutions.
    const opened = what === 'hint' ? folds.at(-1) : what === 'reveal' ? folds[0] : undefined;
    const small = (what === 'hint' && opened?.lines.join(' ')) || title;
    const line = button(small, () => this.#answer.classList.remove('is-small'), 'line');
    const hadFocus = this.#answer.contains(document.activeElement);
    this.#answer.replaceChildren(close, heading, ...renderParts(parts, opened), ...more, line);
    this.#answer.classList.remove('is-small');
    this.#limitAnswerHeight();
    this.#answer.hidden = false;
    this.#answer.scrollIntoView({ block: 'nearest' });
    if (hadFocus) (more[0]?.querySelector('button') ?? close).focus({ preventScroll: true });
    // Scrolls to the newest hint, the last one, below the heading, which stays at the top.
    const details = this.#answer.querySelector('details[open]');
    this.#answer.scrollTop = details instanceof HTMLElement ? details.offsetTop - heading.offsetHeight : 0;
    // Without the earlier hints, which were heard before, and without the dots of hints.
    const heard = parts.filter((part) => what === 'hint' && (part === opened || !part.label));
    const sentences = heard.flatMap(({ label = [], lines }) => [label, lines].flat());
    this.#spoken.textContent = [title.replace(/ [○●]+/, ''), ...sentences]
      .map((sentence) => sentence.replace(/\.$/, ''))
      .join('. ');
  }

  /** @param {HelpView} answer @param {BoardButton} what */
  #furtherHelp({ next }, what) {
    const row = element('div', { class: 'buttons' });
    if (what === 'hint') {
      if (next !== undefined)
        row.append(button(next.label, (event) => this.#askPriced(event, 'hint', next.step)));
      row.append(button('Solution', () => this.#askToReveal(row)));
    }
    if (what === 'hunt' && this.game.view.solved)
      row.append(button('Find another', () => this.#restart(), 'primary'));
    return row.childElementCount > 0 ? [row] : [];
  }

  /** On a phone, the answer is no higher than what is above the box, and leaves room for the box and all below it. */
  #limitAnswerHeight() {
    // Either scrolls, and has all that it scrolls in its last child.
    const scroller = this.element.closest('.messages') ?? document.documentElement;
    const content = scroller.lastElementChild;
    const { top } = this.#box.getBoundingClientRect();
    const above = top - (content?.getBoundingClientRect().top ?? 0);
    const below = this.element.getBoundingClientRect().bottom - top;
    this.#answer.style.setProperty('--room', `${Math.min(above, scroller.clientHeight - below)}px`);
  }

  /** @param {HTMLElement} place The buttons that the question replaces. */
  #askToReveal(place) {
    const { solutionPrice } = this.game.view;
    const counts = solutionPrice ? ` In your result, it counts as all hints: ${solutionPrice}.` : '';
    const price = `It tells you every word of a solution.${counts}`;
    this.#spoken.textContent = price;
    place.replaceChildren(
      element('p', {}, price),
      button('Show it', (event) => this.#askPriced(event, 'reveal'), 'primary'),
      button('Keep playing', () => this.#closeAnswer()),
    );
    place.querySelector('button')?.focus();
  }

  #closeAnswer() {
    const hadFocus = this.#answer.contains(document.activeElement);
    this.#answer.hidden = true;
    if (hadFocus) this.element.focus({ preventScroll: true });
  }

  /**
   * Typing goes to the board, unless something else that takes text is focused. Of several boards, only one with the focus
   * takes it.
   *
   * @param {KeyboardEvent} event
   */
  #onKey = (event) => {
    const { target } = event;
    if (!(target instanceof Element) || event.ctrlKey || event.metaKey || event.altKey) return;
    // A held key presses nothing again, on the whole page: the button that has the focus by then may cost more.
    if (event.key === 'Enter' && event.repeat) return event.preventDefault();
    const isElsewhere =
      target.closest('input, textarea, select, dialog') !== null ||
      document.querySelectorAll('.board').length > 1;
    if (!this.element.contains(target) && (isElsewhere || !this.element.isConnected)) return;
    // A key of another script, such as Cyrillic, stands for the Latin letter at its place.
    const key = /[^ -~]/.test(event.key) ? event.code.replace('Key', '') : event.key;
    const letter = key.toLowerCase();
    if (/^[a-z]$/.test(letter)) {
      // Enter plays the word, and presses no focused button.
      this.element.focus({ preventScroll: true });
      this.game.type(letter);
    } else if (event.key === 'Backspace') this.game.back();
    else if (event.key === 'Escape') this.#escape();
    else if (event.key === 'Enter' && target.closest('a, button, summary') === null) this.game.ask('.');
    else return;
    event.preventDefault();
  };

  #escape() {
    if (!this.#answer.hidden) this.#closeAnswer();
    else if (this.#stroke !== undefined) this.#endStroke([]);
    else if (this.#choices.childElementCount > 0) this.#changed({});
    else this.game.clear();
  }

  #addPointer() {
    const box = this.#box;
    box.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || this.#stroke !== undefined) return;
      event.preventDefault();
      this.element.focus({ preventScroll: true });
      box.setPointerCapture(event.pointerId);
      const { open, joined } = this.game.beginning;
      const field = { targets: this.game.spots, gap: this.#board.gap, open, joined };
      const sample = this.#sampleOf(event);
      const spot = nearestTo(sample, field, BEGIN_DISTANCE);
      this.#taken = spot;
      // The letter can't come next, and isn't the word's last letter: `tap` says why.
      if (spot >= 0 && ((open | joined) & (1 << spot)) === 0) return this.game.tap(spot);
      this.#stroke = { id: event.pointerId, samples: [sample], field, timer: 0 };
      this.#readStroke();
    });
    box.addEventListener('pointermove', (event) => {
      if (this.#stroke?.id !== event.pointerId) return;
      const events = event.getCoalescedEvents?.() ?? [];
      this.#stroke.samples.push(...(events.length > 0 ? events : [event]).map((one) => this.#sampleOf(one)));
      this.#readStroke();
    });
    for (const end of /** @type {const} */ (['pointerup', 'pointercancel'])) {
      box.addEventListener(end, (event) => {
        if (this.#stroke?.id !== event.pointerId) return;
        const { samples, field } = this.#stroke;
        // Letters of a cancelled stroke stay.
        if (end === 'pointerup') samples.push(this.#sampleOf(event));
        this.#endStroke(readStroke(samples, field, { isOver: true }).letters);
      });
    }
  }

  /** Shows the letters of the stroke now, and once more when the pointer has rested: browsers report nothing while it stays. */
  #readStroke() {
    const stroke = this.#stroke;
    if (stroke === undefined) return;
    this.#showStroke(stroke);
    clearTimeout(stroke.timer);
    stroke.timer = window.setTimeout(() => this.#rest(stroke, REST_MS), REST_MS);
  }

  /** @param {Stroke} stroke @returns the number of its letters */
  #showStroke({ samples, field }) {
    const { letters, near } = readStroke(samples, field, { isOver: false });
    this.game.showStroke(letters);
    const isTaken = near === this.game.trail.at(-1);
    const mayFollow = (this.game.next & (1 << near)) !== 0;
    for (const [spot, { classList }] of this.#letters.entries()) {
      const isNear = spot === near && !isTaken;
      classList.toggle('is-barred', isNear && !mayFollow);
      // Lights up at once, although only a turn or a rest adds the letter.
      classList.toggle('is-near', isNear && mayFollow);
    }
    this.#drawTrail();
    return letters.length;
  }

  /** Reads the stroke again after a rest, first a short and then a long one. @param {Stroke} stroke @param {number} rested */
  #rest(stroke, rested) {
    const last = stroke.samples.at(-1);
    if (last === undefined) return;
    stroke.samples.push({ ...last, time: last.time + rested });
    const count = this.#showStroke(stroke);
    if (rested === REST_MS)
      stroke.timer = window.setTimeout(() => this.#rest(stroke, CORRECTION_AFTER_MS), CORRECTION_AFTER_MS);
    else if (count > 1) {
      const letter = this.game.word.slice(-1).toUpperCase();
      this.#say(`Go back over the line to take ${letter} back.`);
    }
  }

  /** @param {number[]} letters */
  #endStroke(letters) {
    clearTimeout(this.#stroke?.timer);
    this.#stroke = undefined;
    this.game.addStroke(letters);
    this.#draw();
  }

  /** @param {PointerEvent} event @returns {Sample} */
  #sampleOf(event) {
    const { left, top, width } = this.#box.getBoundingClientRect();
    const scale = this.#board.size / width;
    return { x: (event.clientX - left) * scale, y: (event.clientY - top) * scale, time: event.timeStamp };
  }

  /** @param {GameChange} change */
  #changed(change) {
    const { words, solved } = this.game.view;
    this.#draw();
    if (change.isOnlyPriced) return;
    this.#choose();
    const isBegun = this.game.word.length > (words.length > 0 ? 1 : 0);
    if (isBegun) this.#answer.classList.add('is-small');
    if (words.length > 0 || isBegun) this.#undo = '';
    this.#sayChange(change, isBegun);
    // Last: the ending is brought into view with its sentences.
    this.#celebrate(solved);
  }

  /** Says the first of these that holds. @param {GameChange} change @param {boolean} isBegun whether the word has letters */
  #sayChange({ entered, refused, isElsewhere }, isBegun) {
    const { words, left, solved, notice, deadEnd } = this.game.view;
    const { struck } = this.game;
    const letters = [...this.game.word.toUpperCase()];
    const needed = left.length === 1 ? '1 letter left' : `${left.length} letters left`;
    if (isElsewhere) this.#say('You went on elsewhere: this is where your game is now.');
    else if (refused !== undefined) {
      this.#say(refused, { look: 'is-refused' });
      // Drawing has removed the class of the animation; reading a size lets it begin again.
      void this.#word.offsetWidth;
      this.#word.classList.add('shakes');
    } else if (struck.reason) this.#say(struck.reason, { look: 'is-refused' });
    else if (solved !== undefined) this.#saySolved(solved);
    else if (isBegun) this.#say('', { heardAfter: `${letters.at(-1)}. ${letters.join(' ')}` });
    else if (deadEnd !== undefined) {
      this.#say(deadEnd, { look: 'is-asking' });
      this.#choose(
        button(`Take ${words.at(-1)?.toUpperCase()} back`, () => this.game.ask('<'), 'primary'),
        button('Keep it', () => this.#choose()),
      );
    } else if (entered !== undefined) {
      const said = `${entered.toUpperCase()} is right. ${needed}.`;
      this.#say(said, { look: 'is-good', heardAfter: `Go on from ${letters[0]}.` });
    } else if (this.#undo !== '') {
      const moves = this.#undo;
      this.#say('You started again.');
      this.#choose(
        button('Undo', () => this.game.ask(moves), 'primary'),
        button('Play', () => this.#choose()),
      );
    } else if (letters.length > 0) this.#say(`Go on from ${letters[0]}: ${needed}.`);
    else this.#say(notice ?? HOW_TO_PLAY, { heardAfter: 'No letters.' });
  }

  /** @param {EndingView} solved */
  #saySolved({ title, lines }) {
    this.#say(lines.join(' '), { heardBefore: `${title.replace(/\.$/, '')}.` });
    const [first = '', ...more] = lines;
    // No line ends between a number and its noun.
    const worth = more.join(' ').replaceAll(/(?<=\d) | (?=\d+[.:])/g, '\u00a0');
    this.#said.replaceChildren(element('span', {}, element('strong', {}, first), ` ${worth}`));
  }

  /** @param {string} shown @param {{ look?: string, heardBefore?: string, heardAfter?: string }} options */
  #say(shown, { look = '', heardBefore = '', heardAfter = '' } = {}) {
    this.#said.textContent = shown;
    this.#said.className = `said ${look}`;
    // The board's description says already how to play.
    const heard = shown === HOW_TO_PLAY ? '' : shown;
    this.#spoken.textContent = `${heardBefore} ${heard} ${heardAfter}`.trim();
  }

  #draw() {
    const { words, left, isRace = false, hintPrice = '' } = this.game.view;
    const look = lookOf(words.length);
    this.#drawLetters();
    this.#drawWord(look);
    this.#drawLines();
    this.#lettersLeft.textContent =
      left.length === 0 || words.length === 0 ? '' : `Left: ${left.join(' ').toUpperCase()}`;
    this.#hint.hidden = isRace;
    this.#price.textContent = hintPrice;
    this.#hint.setAttribute('aria-description', hintPrice);
    this.#trail.setAttribute('class', `trail ${look}`);
    this.#drawTrail();
  }

  #drawLetters() {
    const { words, lines, used, solved } = this.game.view;
    const { current, next } = this.game;
    const isSolved = solved !== undefined;
    const inWord = current.reduce((all, set) => all | set, 0);
    const last = current.at(-1) ?? 0;
    const owners = ownersOf(lines);
    for (const [spot, button] of this.#letters.entries()) {
      const bit = 1 << spot;
      const isUsed = ((used | inWord) & bit) !== 0;
      const isInWord = !isSolved && (inWord & bit) !== 0;
      const isLast = !isSolved && (last & bit) !== 0;
      const look = lookOf(isInWord ? words.length : (owners.get(spot) ?? 0));
      const is = isLast ? 'is-last' : isUsed ? 'is-used' : '';
      button.className = `letter ${is} ${look}`;
      button.setAttribute('aria-disabled', String((next & bit) === 0));
      // From a solved board, Tab goes on to Share.
      button.tabIndex = isSolved ? -1 : 0;
      button.setAttribute('aria-label', `${button.textContent}${isUsed ? ', used' : ''}`);
      this.#dots[spot]?.setAttribute('class', `${is} ${look}`);
    }
  }

  /** @param {string} look */
  #drawWord(look) {
    const { word, struck } = this.game;
    const spelled = (/** @type {string} */ letters, /** @type {'span' | 's'} */ as) =>
      [...letters.toUpperCase()].map((letter) => element(as, {}, letter));
    this.#word.replaceChildren(...spelled(word, 'span'), ...spelled(struck.letters, 's'));
    this.#word.className = `word ${look}`;
    this.#word.style.setProperty('--letters', String(Math.max(10, word.length + struck.letters.length)));
  }

  #drawLines() {
    const { words, lines } = this.game.view;
    const paths = lines.map(({ path }) => path).join();
    if (paths === this.#drawn) return;
    this.#drawn = paths;
    this.#done.replaceChildren(...lines.map(drawWord));
    // No stop for Tab where there is nothing to scroll.
    this.#words.tabIndex = words.length > 0 ? 0 : -1;
    this.#words.replaceChildren(
      ...words.map((one, nth) => element('li', { class: lookOf(nth) }, one.toUpperCase())),
    );
    this.#words.scrollLeft = this.#words.scrollWidth;
  }

  /** @param {string} text */
  async #copy(text) {
    if (await copyText(text)) this.#say('Copied.', { look: 'is-good' });
    else this.#say(`Your browser doesn’t let this page copy. Here it is: ${text}`);
  }

  #drawTrail() {
    const points = this.game.trail.flatMap((spot) => this.game.spots[spot]?.dot ?? []);
    const finger = this.#stroke?.samples.at(-1);
    if (finger !== undefined && points.length > 0) points.push(finger);
    this.#trail.setAttribute('d', points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join(''));
  }

  /** @param {EndingView | undefined} solved */
  #celebrate(solved) {
    const isSolved = solved !== undefined;
    const isLoaded = this.game.view.game !== '';
    if (isLoaded && !isSolved) this.#wasOpen = true;
    if (isSolved === this.#isEnded) return;
    this.#isEnded = isSolved;
    clearTimeout(this.#ending);
    this.element.classList.toggle('is-ending', isSolved);
    if (this.#controls.contains(document.activeElement)) this.element.focus({ preventScroll: true });
    this.#controls.inert = isSolved;
    if (isSolved) this.#closeAnswer();
    const isWon = isSolved && this.#wasOpen;
    if (!isWon || matchMedia('(prefers-reduced-motion: reduce)').matches) this.#showEnding(solved, { isWon });
    else this.#ending = window.setTimeout(() => this.#replayPath(solved), HOLD_MS);
  }

  /** @param {EndingView} solved */
  #replayPath(solved) {
    const seconds = Math.min(MAX_REPLAY_SECONDS, WORD_SECONDS * this.#done.childElementCount);
    replay([...this.#done.children], seconds);
    const path = [...ownersOf(this.game.view.lines).keys()].map((spot) => this.#dots[spot]);
    replay(path, seconds);
    // Chromium warns about a page that vibrates before anybody touched it.
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(12);
    this.element.classList.add('is-won');
    this.#ending = window.setTimeout(() => this.#showEnding(solved, { isWon: true }), 1_000 * seconds);
  }

  /** @param {EndingView | undefined} solved @param {{ isWon: boolean }} how */
  #showEnding(solved, { isWon }) {
    // Only the board that is played scrolls: another of the same game may be out of sight.
    const isHere = this.#wasOpen && this.element.contains(document.activeElement);
    const { classList } = this.element;
    classList.remove('is-ending');
    classList.toggle('is-won', isWon);
    classList.toggle('is-solved', solved !== undefined);
    for (const part of [this.#word, this.#controls]) part.hidden = solved !== undefined;
    for (const part of [this.#rank, this.#solved]) part.hidden = solved === undefined;
    if (solved === undefined) {
      this.#choices.before(this.#said);
      if (isHere) keepInView(this.#words.parentElement);
      return;
    }
    /** @param {string} label @param {BoardButton} what */
    const help = (label, what, look = 'plain') => button(label, () => void this.#ask(what), look);
    const { hunt, points } = solved;
    const found = hunt?.found ? `Hunt ${hunt.found} of ${hunt.of}` : 'Hunt';
    this.#title.textContent = solved.title;
    this.#rank.replaceChildren(...(points === undefined ? [] : [ring(points)]), this.#title);
    this.#solved.replaceChildren(
      this.#said,
      ...renderEnding(solved, {
        main: [
          // Where no result counts, and the page shares none itself, it copies the second text: squares.
          solved.counts || solved.share !== undefined
            ? help('Share', 'share', 'primary')
            : button('Share', () => void this.#copy(solved.copies[1]?.text ?? ''), 'primary'),
          ...(!this.#options.isVisitor || solved.how !== undefined ? [help('How you did', 'review')] : []),
          ...(solved.counts || hunt !== undefined ? [help(found, 'hunt')] : []),
        ],
        more: [
          ...solved.copies.map(({ label, text }) => button(label, () => void this.#copy(text))),
          button('Play again', () => this.#restart()),
          help('See other solutions', 'reveal'),
        ],
      }),
    );
    if (isHere) keepInView(this.#solved, this.#solved.querySelector('.primary'), this.#rank);
  }
}

/** @param {HelpView['parts']} parts @param {HelpView['parts'][number]} [opened] the one that is not folded */
function renderParts(parts, opened) {
  return parts.map((part) => {
    // A line of words, such as a solution, has no small letter. Translated, it could not be played.
    const content = part.lines.map((line) =>
      element('p', /[a-z]/.test(line) ? {} : { translate: 'no' }, line),
    );
    return part.label === undefined
      ? element('div', { class: 'note' }, ...content)
      : folded(part.label, content, part === opened);
  });
}

/** Scrolls each part into view, the last one above all. @param {(Element | null)[]} parts */
function keepInView(...parts) {
  for (const part of parts) part?.scrollIntoView({ block: 'nearest' });
}
