import { announceError, button, copyText, element, folded, shape } from './dom.js';
import { renderEnding, ring } from './ending.js';
import { PlayedGame } from './game.js';
import { drawBox, drawWord, lookOf, ownersOf, replay } from './lines.js';
import { CORRECTION_AFTER_MS, nearestTo, REST_MS, readStroke } from './stroke.js';

/** @import { HintStep } from '../../reply/model/facts.ts' */
/** @import { Ask, MakeMoves } from './game.js' */
/** @import { Field, Sample } from './stroke.js' */
/** @import { BoardButton, BoardView, EndingView, HelpView } from './view.ts' */

const HOW_TO_PLAY = 'Draw a line through the letters, tap them, or type. Enter plays the word.';
const RESTARTED = 'You started again.';
/** Milliseconds that a solved board stands still before its path is drawn once more. */
const HOLD_MS = 300;
/** Seconds for drawing the path once more: for each word, and at most. */
const [WORD_SECONDS, MAX_REPLAY_SECONDS] = [0.5, 2];
/** How far from a letter or its dot a stroke may begin. */
const BEGIN_DISTANCE = 0.6;

/**
 * @typedef {{ ask: Ask, isVisitor?: boolean, level?: number, more?: HTMLElement[] }} BoardOptions `ask` answers what is asked
 * besides moves. No server keeps the results of a visitor, so there is no review of them. `level` is that of the heading, `more`
 * are further controls.
 * @typedef {{ id: number, samples: Sample[], field: Field, timer: number }} Stroke One under way.
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
  #word = element('p', { class: 'word', 'aria-hidden': 'true' });
  #title = element('span', { class: 'title', role: 'heading' });
  #rank = element('p', { class: 'rank' }, this.#title);
  #words = element('ol', { class: 'words', 'aria-label': 'Words so far', tabindex: '-1' });
  /** For screen readers alone. */
  #lettersLeft = element('p', { class: 'unseen' });
  /** What happened last, and the same for screen readers, which need more words. */
  #said = element('p', { class: 'said', 'aria-hidden': 'true' }, HOW_TO_PLAY);
  #spoken = element('p', { class: 'unseen', role: 'status' });
  #choices = element('div', { class: 'choices' });
  #solved = element('div', { class: 'solved' });
  #hint = button('Hint', () => void this.#ask('hint'));
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
  /** Whether this page has shown the board unsolved. */
  #wasOpen = false;
  #isEnded = false;
  /** Until the ending of a board that was just solved is shown. */
  #ending = 0;
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
    } else if (document.hidden) this.game.keep();
    else this.game.refresh();
  };

  #drawBox() {
    const { size, letterSize, gap, sides } = this.#board;
    const drawn = drawBox(this.#board, [this.#done, this.#trail]);
    this.#dots = [...drawn.querySelectorAll('circle')];
    this.#box.append(drawn);
    this.#box.style.setProperty('--letter', String((100 * letterSize) / size));
    this.#box.style.setProperty('--cell', String((100 * gap) / size));
    const list = element('ul', { 'aria-label': 'Sides of the board' });
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
    this.#say('Start again from the first word?', 'is-asking');
    this.#choose(
      button('Start again', () => this.#restart(), 'primary'),
      button('Keep playing', () => this.#changed({})),
    );
  }

  #restart() {
    this.#closeAnswer();
    const played = this.game.view.words.map((word) => `${word}.`).join('');
    this.game.ask('0');
    // A struck letter is shown as gone at once, which ends an undo.
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

  /** @param {BoardButton} what @param {HintStep} [step] */
  async #ask(what, step) {
    try {
      const answer = await this.#options.ask(what, this.game.view.words, step);
      if (answer !== undefined) this.#showAnswer(answer, what);
      // The next hint may have another price, or none.
      if (what === 'hint' || what === 'reveal') this.game.refresh();
    } catch (error) {
      announceError(error);
    }
  }

  /**
   * Shows an answer beside the board or, on a phone, above the box, where it is one line while somebody plays.
   *
   * @param {HelpView} answer @param {BoardButton} what
   */
  #showAnswer({ title, parts, next }, what) {
    const isHint = what === 'hint';
    const close = button('×', () => this.#closeAnswer(), 'close');
    close.setAttribute('aria-label', 'Close');
    const more = element('div', { class: 'buttons' });
    if (isHint) {
      if (next !== undefined) more.append(button(next.label, () => void this.#ask('hint', next.step)));
      more.append(button('Solution', () => this.#askToReveal(more)));
    }
    if (what === 'hunt' && this.game.view.solved)
      more.append(button('Find another', () => this.#restart(), 'primary'));
    const folds = parts.filter(({ label }) => label !== undefined);
    const newest = folds.at(-1);
    // The page's heading names the board of a hint already.
    const shown = parts.slice(isHint && newest && parts[0]?.label === undefined ? 1 : 0).map((part) => {
      const content = part.lines.map((line) => element('p', {}, line));
      // What was asked for is open at once: the newest hint, or the first of the solutions.
      return part.label === undefined
        ? element('div', { class: 'note' }, ...content)
        : folded(part.label, content, part === (isHint ? newest : what === 'reveal' && folds[0]));
    });
    const heading = element('h2', {}, title);
    const small = isHint && newest ? newest.lines.join(' ') : title;
    const line = button(small, () => this.#answer.classList.remove('is-small'), 'line');
    const hadFocus = this.#answer.contains(document.activeElement);
    this.#answer.replaceChildren(
      close,
      heading,
      ...shown,
      ...(more.childElementCount > 0 ? [more] : []),
      line,
    );
    this.#answer.classList.remove('is-small');
    // Its controls stay in the page or the pane, too.
    const pane = this.element.closest('.messages') ?? document.documentElement;
    const { top } = this.#box.getBoundingClientRect();
    const above = top - (pane.lastElementChild?.getBoundingClientRect().top ?? 0);
    const below = this.element.getBoundingClientRect().bottom - top;
    this.#answer.style.setProperty('--room', `${Math.min(above, pane.clientHeight - below)}px`);
    this.#answer.hidden = false;
    this.#answer.scrollIntoView({ block: 'nearest' });
    if (hadFocus) (more.querySelector('button') ?? close).focus({ preventScroll: true });
    // A new hint comes below those before it, under the heading that stays at the top.
    const opened = this.#answer.querySelector('details[open]');
    this.#answer.scrollTop = opened instanceof HTMLElement ? opened.offsetTop - heading.offsetHeight : 0;
    const heard = parts.flatMap(({ label, lines }) => (label && isHint ? [label, ...lines] : []));
    this.#spoken.textContent = [title.replace(/ [○●]+/, ''), ...heard]
      .map((sentence) => sentence.replace(/\.$/, ''))
      .join('. ');
  }

  /** @param {HTMLElement} place */
  #askToReveal(place) {
    const { solutionPrice } = this.game.view;
    const counts = solutionPrice ? ` In your result, it counts as all hints: ${solutionPrice}.` : '';
    const price = `It tells you every word of a solution.${counts}`;
    this.#spoken.textContent = price;
    place.replaceChildren(
      element('p', {}, price),
      button('Show it', () => void this.#ask('reveal'), 'primary'),
      button('Keep playing', () => this.#closeAnswer()),
    );
    place.querySelector('button')?.focus();
  }

  #closeAnswer() {
    const hadFocus = this.#answer.contains(document.activeElement);
    this.#answer.hidden = true;
    if (hadFocus) this.element.focus({ preventScroll: true });
  }

  /** Typing goes to the board, unless something else that takes text is focused. @param {KeyboardEvent} event */
  #onKey = (event) => {
    const { target } = event;
    if (!(target instanceof Element) || event.ctrlKey || event.metaKey || event.altKey) return;
    const isElsewhere =
      target.closest('input, textarea, select, dialog') !== null ||
      document.querySelectorAll('.board').length > 1;
    if (!this.element.contains(target) && (isElsewhere || !this.element.isConnected)) return;
    // A key that is held presses nothing more: the button that has the focus next may cost more.
    if (event.key === 'Enter' && event.repeat) return event.preventDefault();
    const letter = event.key.toLowerCase();
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
      // A letter that can't come next is refused, with its reason.
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
        if (end === 'pointerup') samples.push(this.#sampleOf(event));
        this.#endStroke(readStroke(samples, field, true).letters);
      });
    }
  }

  /** Shows the letters so far, and again when the stroke has come to rest. */
  #readStroke() {
    const stroke = this.#stroke;
    if (stroke === undefined) return;
    this.#showStroke(stroke);
    clearTimeout(stroke.timer);
    stroke.timer = window.setTimeout(() => this.#rest(stroke, REST_MS), REST_MS);
  }

  /** @param {Stroke} stroke @returns how many letters it has */
  #showStroke({ samples, field }) {
    const { letters, near } = readStroke(samples, field, false);
    this.game.showStroke(letters);
    const isTaken = near === this.game.trail.at(-1);
    const mayFollow = (this.game.next & (1 << near)) !== 0;
    for (const [spot, { classList }] of this.#letters.entries()) {
      const isNear = spot === near && !isTaken;
      classList.toggle('is-barred', isNear && !mayFollow);
      // Shown at once, though only a turn or a rest takes the letter.
      classList.toggle('is-near', isNear && mayFollow);
    }
    this.#drawTrail();
    return letters.length;
  }

  /** Browsers report nothing for a pointer that stays still. @param {Stroke} stroke @param {number} since */
  #rest(stroke, since) {
    const last = stroke.samples.at(-1);
    if (last === undefined) return;
    stroke.samples.push({ ...last, time: last.time + since });
    const count = this.#showStroke(stroke);
    const letter = count > 1 && this.game.word.at(-1);
    if (since === REST_MS)
      stroke.timer = window.setTimeout(() => this.#rest(stroke, CORRECTION_AFTER_MS), CORRECTION_AFTER_MS);
    else if (letter) this.#say(`Go back over the line to take ${letter.toUpperCase()} back.`);
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

  /** @param {{ entered?: string, refused?: string, isElsewhere?: boolean, isOnlyPriced?: boolean }} change */
  #changed({ entered, refused, isElsewhere, isOnlyPriced }) {
    const { words, left, solved, notice, deadEnd } = this.game.view;
    const { struck } = this.game;
    this.#draw();
    if (isOnlyPriced) return;
    this.#choose();
    const letters = [...this.game.word.toUpperCase()];
    const isBegun = letters.length > (words.length > 0 ? 1 : 0);
    if (isBegun) this.#answer.classList.add('is-small');
    if (words.length > 0 || isBegun) this.#undo &&= '';
    const needed = left.length === 1 ? '1 letter left' : `${left.length} letters left`;
    if (isElsewhere) this.#say('You went on elsewhere: this is where your game is now.');
    else if (refused !== undefined) {
      this.#say(refused, 'is-refused');
      // Restarts the animation, whose class was taken by drawing the word.
      void this.#word.offsetWidth;
      this.#word.classList.add('shakes');
    } else if (struck.reason) this.#say(struck.reason, 'is-refused');
    else if (solved !== undefined) {
      const [first = '', ...more] = solved.lines;
      this.#say(solved.lines.join(' '), '', '', `${solved.title.replace(/\.$/, '')}.`);
      // No line ends between a number and its noun.
      const worth = more.join(' ').replaceAll(/(?<=\d) | (?=\d+[.:])/g, '\u00a0');
      this.#said.replaceChildren(element('span', {}, element('strong', {}, first), ` ${worth}`));
    } else if (isBegun) this.#say('', '', `${letters.at(-1)}. ${letters.join(' ')}`);
    else if (deadEnd !== undefined) {
      this.#say(deadEnd, 'is-asking');
      this.#choose(
        button(`Take ${words.at(-1)?.toUpperCase()} back`, () => this.game.ask('<'), 'primary'),
        button('Keep it', () => this.#choose()),
      );
    } else if (entered !== undefined)
      this.#say(`${entered.toUpperCase()} is right. ${needed}.`, 'is-good', `Go on from ${letters[0]}.`);
    else if (this.#undo !== '') {
      const moves = this.#undo;
      this.#say(RESTARTED);
      this.#choose(
        button('Undo', () => this.game.ask(moves), 'primary'),
        button('Play', () => this.#choose()),
      );
    } else if (letters.length > 0) this.#say(`Go on from ${letters[0]}: ${needed}.`);
    else this.#say(notice ?? HOW_TO_PLAY, '', 'No letters.');
    // Last: the ending is brought into view with its sentences.
    this.#celebrate(solved);
  }

  /** @param {string} shown @param {string} look @param {string} after What is only heard. @param {string} before */
  #say(shown, look = '', after = '', before = '') {
    this.#said.textContent = shown;
    this.#said.className = `said ${look}`;
    this.#spoken.textContent = shown === HOW_TO_PLAY ? after : `${before} ${shown} ${after}`.trim();
  }

  #draw() {
    const { words, lines, used, left, solved, isRace = false, hintPrice = '' } = this.game.view;
    const { current, next, word, struck } = this.game;
    const inWord = current.reduce((all, set) => all | set, 0);
    const last = current.at(-1) ?? 0;
    const now = lookOf(words.length);
    const owners = ownersOf(lines);
    for (const [spot, button] of this.#letters.entries()) {
      const bit = 1 << spot;
      const isUsed = ((used | inWord) & bit) !== 0;
      const look = (inWord & bit) !== 0 && solved === undefined ? now : lookOf(owners.get(spot) ?? 0);
      const is = (last & bit) !== 0 && solved === undefined ? 'is-last' : isUsed ? 'is-used' : '';
      button.className = `letter ${is} ${look}`;
      button.setAttribute('aria-disabled', String((next & bit) === 0));
      // From a solved board, Tab goes on to Share.
      button.tabIndex = solved === undefined ? 0 : -1;
      button.setAttribute('aria-label', `${button.textContent}${isUsed ? ', used' : ''}`);
      this.#dots[spot]?.setAttribute('class', `${is} ${look}`);
    }
    const spelled = (/** @type {string} */ letters, /** @type {'span' | 's'} */ as) =>
      [...letters.toUpperCase()].map((letter) => element(as, {}, letter));
    this.#word.replaceChildren(...spelled(word, 'span'), ...spelled(struck.letters, 's'));
    this.#word.className = `word ${now}`;
    this.#word.style.setProperty('--letters', String(Math.max(10, word.length + struck.letters.length)));
    const paths = lines.map(({ path }) => path).join();
    if (paths !== this.#drawn) {
      this.#drawn = paths;
      this.#done.replaceChildren(...lines.map(drawWord));
      // No stop for Tab where there is nothing to scroll.
      this.#words.tabIndex = words.length > 0 ? 0 : -1;
      this.#words.replaceChildren(
        ...words.map((one, nth) => element('li', { class: lookOf(nth) }, one.toUpperCase())),
      );
      this.#words.scrollLeft = this.#words.scrollWidth;
    }
    this.#lettersLeft.textContent =
      left.length === 0 || words.length === 0 ? '' : `Left: ${left.join(' ').toUpperCase()}`;
    this.#hint.hidden = isRace;
    this.#price.textContent = hintPrice;
    this.#hint.setAttribute('aria-description', hintPrice);
    this.#trail.setAttribute('class', `trail ${now}`);
    this.#drawTrail();
  }

  /** @param {string} text */
  async #copy(text) {
    if (await copyText(text)) this.#say('Copied.', 'is-good');
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
    const isWon = isSolved && this.#wasOpen;
    this.#wasOpen ||= !isSolved && this.game.view.game !== '';
    if (isSolved === this.#isEnded) return;
    this.#isEnded = isSolved;
    clearTimeout(this.#ending);
    this.element.classList.toggle('is-ending', isSolved);
    // The focus stays on the board.
    if (this.#controls.contains(document.activeElement)) this.element.focus({ preventScroll: true });
    this.#controls.inert = isSolved;
    if (isSolved) this.#closeAnswer();
    if (solved === undefined || !isWon || matchMedia('(prefers-reduced-motion: reduce)').matches)
      return this.#showEnding(solved, isWon);
    // A player who has just solved it sees the path drawn once more.
    this.#ending = window.setTimeout(() => {
      const seconds = Math.min(MAX_REPLAY_SECONDS, WORD_SECONDS * this.#done.childElementCount);
      replay([...this.#done.children], seconds);
      const path = ownersOf(this.game.view.lines).keys();
      replay([...path.map((spot) => this.#dots[spot])], seconds);
      // Chromium warns about a page that vibrates before anybody touched it.
      if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(12);
      this.element.classList.add('is-won');
      this.#ending = window.setTimeout(() => this.#showEnding(solved, isWon), 1_000 * seconds);
    }, HOLD_MS);
  }

  /** @param {EndingView | undefined} solved @param {boolean} isWon */
  #showEnding(solved, isWon) {
    const isSolved = solved !== undefined;
    // Another board of the same game may be out of sight.
    const isHere = this.#wasOpen && this.element.contains(document.activeElement);
    const { classList } = this.element;
    classList.remove('is-ending');
    classList.toggle('is-won', isWon);
    classList.toggle('is-solved', isSolved);
    this.#word.hidden = isSolved;
    this.#rank.hidden = !isSolved;
    this.#controls.hidden = isSolved;
    this.#solved.hidden = !isSolved;
    if (solved === undefined) {
      this.#choices.before(this.#said);
      if (isHere) keepInView(this.#words.parentElement);
      return;
    }
    /** @param {string} label @param {BoardButton} what */
    const help = (label, what, look = 'plain') => button(label, () => void this.#ask(what), look);
    const { hunt, score } = solved;
    const found = hunt?.found ? `Hunt ${hunt.found} of ${hunt.of}` : 'Hunt';
    this.#title.textContent = solved.title;
    this.#rank.replaceChildren(...(score === undefined ? [] : [ring(score)]), this.#title);
    this.#solved.replaceChildren(
      this.#said,
      ...renderEnding(solved, {
        main: [
          // Of a board whose results nobody keeps, there is nothing to post.
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

/** The last part above all. @param {(Element | null)[]} parts */
function keepInView(...parts) {
  for (const part of parts) part?.scrollIntoView({ block: 'nearest' });
}
