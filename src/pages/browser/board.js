import { element, shape } from './element.js';
import { PlayedGame } from './game.js';

/** @import { Board, Point, Referee, Solved } from './game.js' */

const HOW = 'Tap the letters, drag across them, or type. Enter plays the word.';
/** A finger hits a letter within this share of the distance between two; while it draws, less: it passes others. */
const HIT = 0.55;
const HIT_DRAWING = 0.3;

/**
 * What can be done besides playing; buttons for anything else are left out.
 *
 * @typedef {(words: string[]) => Promise<unknown>} Ask With the words so far.
 * @typedef {{ hint?: Ask, reveal?: Ask, share?: Ask }} Help
 */

/** A board to be played where it is shown. */
export class BoardPanel {
  #board;
  #referee;
  #help;
  #game;
  #box = element('div', { class: 'box' });
  #done = shape('g', { class: 'done' });
  #trail = shape('path', { class: 'trail' });
  /** @type {Element[]} */
  #dots = [];
  /** @type {HTMLButtonElement[]} */
  #letters = [];
  #word = element('p', { class: 'word', 'aria-hidden': 'true' });
  #words = element('ol', { class: 'words', 'aria-label': 'Words so far' });
  #left = element('p', { class: 'left' });
  #said = element('p', { class: 'said', 'aria-hidden': 'true' }, HOW);
  #spoken = element('p', { class: 'unseen', role: 'status' });
  #solved = element('div', { class: 'solved' });
  #controls = element('div', { class: 'buttons' });
  /** Where a finger or the mouse is while it draws. @type {Point | undefined} */
  #finger;
  /** The spot that a pointer has taken already, so that its click adds nothing, nor its next move over it. */
  #taken = -1;

  /** @param {Board} board @param {Referee} referee @param {Help} help */
  constructor(board, referee, help = {}) {
    this.#board = board;
    this.#referee = referee;
    this.#help = help;
    this.#game = new PlayedGame(board, referee, (change) => this.#changed(change));
    this.#solved.hidden = true;
    this.#drawBox();
    this.#addControls();
    this.panel = element(
      'section',
      // Most games that are shown are new ones: without the class, the box would stand beside its words until the game came.
      { class: 'board is-new', tabindex: '0', 'aria-label': 'Board to play', 'aria-description': HOW },
      this.#word,
      element(
        'div',
        { class: 'table' },
        this.#box,
        element('div', { class: 'beside' }, this.#words, this.#left),
      ),
      this.#said,
      this.#solved,
      this.#controls,
      this.#spoken,
    );
    this.panel.addEventListener('keydown', (event) => this.#key(event));
    this.#addPointer();
    void this.#game.load();
    document.addEventListener('visibilitychange', this.#onVisibility);
  }

  /** Who leaves the page finds the letters of an unfinished word again. A board that is no longer shown ends here. */
  #onVisibility = () => {
    if (!document.hidden) return;
    if (this.panel.isConnected) this.#game.keep();
    else {
      this.#game.leave();
      document.removeEventListener('visibilitychange', this.#onVisibility);
    }
  };

  /** Shows how the game stands by now, where it may have gone on elsewhere. */
  refresh() {
    this.#game.refresh();
  }

  #drawBox() {
    const { size, corners, radius, letterSize, gap, sides } = this.#board;
    const points = corners.map(({ x, y }) => `${x},${y}`).join(' ');
    const spots = sides.flatMap((side) => side.spots);
    this.#dots = spots.map(({ dot }) => shape('circle', { cx: dot.x, cy: dot.y, r: radius }));
    this.#box.append(
      shape(
        'svg',
        { viewBox: `0 0 ${size} ${size}`, 'aria-hidden': 'true' },
        shape('polygon', { class: 'inside', points }),
        this.#done,
        this.#trail,
        shape('polygon', { class: 'edge', points }),
        ...this.#dots,
      ),
    );
    this.#box.style.setProperty('--letter', String((100 * letterSize) / size));
    this.#box.style.setProperty('--cell', String((100 * gap) / size));
    const list = element('ul', { 'aria-label': 'Sides of the board' });
    for (const { name, spots: ofSide } of sides) {
      const item = element('li', {}, element('span', { class: 'unseen' }, `${name}: `));
      for (const { letter, at } of ofSide) {
        const spot = this.#letters.length;
        const button = element('button', { type: 'button', class: 'letter' }, letter.toUpperCase());
        button.style.left = `${(100 * at.x) / size}%`;
        button.style.top = `${(100 * at.y) / size}%`;
        button.addEventListener('click', ({ detail }) => {
          // 0 is a click without a pointer: of a key or an assistive technology.
          if (detail === 0 || this.#taken !== spot) this.#game.tap(spot);
        });
        this.#letters.push(button);
        item.append(button);
      }
      list.append(item);
    }
    this.#box.append(list);
  }

  #addControls() {
    /** @param {string} label @param {() => void} act @param {string} look */
    const add = (label, act, look = 'plain') => {
      const button = element('button', { type: 'button', class: look }, label);
      button.addEventListener('click', act);
      this.#controls.append(button);
    };
    add('Enter', () => this.#game.ask('.'), 'primary');
    add('Back', () => this.#game.back());
    add('Restart', () => this.#game.ask('0'));
    if (this.#help.hint) add('Hint', () => this.#ask('hint'));
    if (this.#help.reveal) add('Give up', () => this.#ask('reveal'));
  }

  /** @param {keyof Help} what */
  async #ask(what) {
    try {
      await this.#help[what]?.(this.#game.view.words);
    } catch (error) {
      this.#referee.tellTrouble(error);
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isOnButton = event.target !== this.panel;
    const letter = event.key.toLowerCase();
    if (/^[a-z]$/.test(letter)) {
      // Enter is to play the word that is being typed, not to press the button that had the focus.
      this.panel.focus({ preventScroll: true });
      this.#game.type(letter);
    } else if (event.key === 'Backspace') this.#game.back();
    else if (event.key === 'Enter' && !isOnButton) this.#game.ask('.');
    else return;
    event.preventDefault();
  }

  #addPointer() {
    const box = this.#box;
    box.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      const spot = this.#spotAt(event, HIT);
      this.#taken = spot;
      if (spot < 0) return;
      event.preventDefault();
      this.panel.focus({ preventScroll: true });
      box.setPointerCapture(event.pointerId);
      this.#finger = this.#pointOf(event);
      if (this.#game.trail.at(-1) !== spot) this.#game.tap(spot);
    });
    box.addEventListener('pointermove', (event) => {
      if (this.#finger === undefined) return;
      this.#finger = this.#pointOf(event);
      const spot = this.#spotAt(event, HIT_DRAWING);
      const isNext = spot >= 0 && spot !== this.#taken && (this.#game.view.next & (1 << spot)) !== 0;
      if (!isNext) return this.#drawTrail();
      this.#taken = spot;
      this.#game.tap(spot);
    });
    for (const end of ['pointerup', 'pointercancel']) {
      box.addEventListener(end, () => {
        this.#finger = undefined;
        this.#drawTrail();
      });
    }
  }

  /** @param {PointerEvent} event @returns {Point} */
  #pointOf(event) {
    const { left, top, width } = this.#box.getBoundingClientRect();
    const scale = this.#board.size / width;
    return { x: (event.clientX - left) * scale, y: (event.clientY - top) * scale };
  }

  /** The letter or the dot that a pointer is on; -1 for none. @param {PointerEvent} event @param {number} hit */
  #spotAt(event, hit) {
    const { x, y } = this.#pointOf(event);
    const far = (/** @type {Point} */ point) => Math.hypot(point.x - x, point.y - y);
    let [nearest, least] = [-1, this.#board.gap * hit];
    for (const [spot, { at, dot }] of this.#game.spots.entries()) {
      const distance = Math.min(far(at), far(dot));
      if (distance < least) [nearest, least] = [spot, distance];
    }
    return nearest;
  }

  /** @param {{ entered?: string, refused?: string, isElsewhere?: boolean }} change */
  #changed({ entered, refused, isElsewhere }) {
    const { word, words, left, solved } = this.#game.view;
    this.#draw();
    const letters = [...word.toUpperCase()];
    const needed =
      left.length === 0 ? '' : `${left.length === 1 ? '1 letter' : `${left.length} letters`} left`;
    if (isElsewhere) this.#say('You went on elsewhere: this is where your game is now.');
    else if (refused !== undefined) {
      this.#say(refused, 'is-refused');
      this.#word.classList.remove('shakes');
      // Reading the width starts the animation again.
      void this.#word.offsetWidth;
      this.#word.classList.add('shakes');
    } else if (solved !== undefined) this.#say('', 'is-good', `${solved.title}. ${solved.lines.join(' ')}`);
    else if (entered !== undefined)
      this.#say(`${entered.toUpperCase()} is right. ${needed}.`, 'is-good', `Go on from ${letters[0]}.`);
    else if (letters.length > (words.length > 0 ? 1 : 0))
      this.#say('', '', `${letters.at(-1)}. ${letters.join(' ')}`);
    else this.#say(HOW, '', word === '' ? 'No letters.' : `From ${letters[0]}.`);
  }

  /** @param {string} shown @param {string} look @param {string} spoken What is only heard. */
  #say(shown, look = '', spoken = '') {
    this.#said.textContent = shown;
    this.#said.className = `said ${look}`;
    this.#spoken.textContent = shown === HOW ? spoken : `${shown} ${spoken}`.trim();
  }

  #draw() {
    const { word, words, lines, next, used, left, solved } = this.#game.view;
    const current = this.#game.current;
    const inWord = current.reduce((all, set) => all | set, 0);
    const last = current.at(-1) ?? 0;
    for (const [spot, button] of this.#letters.entries()) {
      const bit = 1 << spot;
      const isUsed = ((used | inWord) & bit) !== 0;
      button.classList.toggle('is-used', isUsed);
      button.classList.toggle('is-last', (last & bit) !== 0);
      button.setAttribute('aria-disabled', String((next & bit) === 0));
      button.setAttribute('aria-label', `${button.textContent}${isUsed ? ', used' : ''}`);
      this.#dots[spot]?.setAttribute('class', last & bit ? 'is-last' : isUsed ? 'is-used' : '');
    }
    this.#word.replaceChildren(...[...word.toUpperCase()].map((letter) => element('span', {}, letter)));
    this.#words.replaceChildren(...words.map((one) => element('li', {}, one.toUpperCase())));
    this.#left.textContent =
      left.length === 0 || words.length === 0 ? '' : `Left: ${left.join(' ').toUpperCase()}`;
    this.#done.replaceChildren(...lines.map((d) => shape('path', { d })));
    this.#drawTrail();
    this.#celebrate(solved);
  }

  /** @param {string} text */
  async #copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.#say('Copied.', 'is-good');
    } catch {
      this.#say(`Your browser doesn’t let this page copy. Here it is: ${text}`);
    }
  }

  #drawTrail() {
    const points = this.#game.trail
      .map((spot) => this.#game.spots[spot]?.dot)
      .filter((dot) => dot !== undefined);
    if (this.#finger !== undefined && points.length > 0) points.push(this.#finger);
    this.#trail.setAttribute('d', points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join(''));
  }

  /** @param {Solved | undefined} solved */
  #celebrate(solved) {
    this.panel?.classList.toggle('is-solved', solved !== undefined);
    this.panel?.classList.toggle('is-new', this.#game.view.words.length === 0);
    this.#controls.hidden = solved !== undefined;
    this.#solved.hidden = solved === undefined;
    if (solved === undefined) return;
    /** @param {string} label @param {() => void} act @param {string} look */
    const button = (label, act, look = 'plain') => {
      const made = element('button', { type: 'button', class: look }, label);
      made.addEventListener('click', act);
      return made;
    };
    this.#solved.replaceChildren(
      element('h4', {}, solved.title),
      element('p', {}, solved.lines.join(' ')),
      element(
        'div',
        { class: 'buttons' },
        ...((solved.counts || solved.share !== undefined) && this.#help.share
          ? [button('Share', () => void this.#ask('share'), 'primary')]
          : []),
        button('Play again', () => this.#game.ask('0')),
        ...(this.#help.reveal ? [button('See other solutions', () => void this.#ask('reveal'))] : []),
      ),
      element(
        'div',
        { class: 'buttons' },
        ...solved.copies.map(({ label, text }) => button(label, () => void this.#copy(text))),
      ),
    );
  }
}
