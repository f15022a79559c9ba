import { announce, announceError, button, element, post, Unreachable } from '../board/dom.js';

/** Milliseconds after which a lost answer is asked for again. */
const RETRY_MS = 3_000;

/**
 * The race in the channel of a page: who is in it, how far they are, and its board from the start on. The server counts down
 * and says when to ask again.
 */
export class RacePanel {
  #lines = element('div');
  #buttons = element('div', { class: 'buttons' });
  element = element('section', { 'aria-label': 'Race' }, this.#lines, this.#buttons);
  #page;
  #open;
  /** @type {{ race?: number, opened?: number }} The race that is shown, and the one whose board is open. */
  #known = {};
  /** The buttons that are shown, as JSON. */
  #shown = '';
  #timer = 0;

  /** @param {string} page its path, with a board's id last @param {(page: string, view: import('../board/view.ts').BoardView) => void} open */
  constructor(page, open) {
    this.#page = page;
    this.#open = open;
    void this.refresh();
  }

  /** Asks how the race stands, and shows it. A refusal ends the asking. @param {string} [press] the button that was pressed */
  async refresh(press) {
    try {
      const state = await post(`${this.#page}/race`, { ...this.#known, press });
      const { race, said, board, lines, buttons, next } = state;
      this.#known = { ...this.#known, race };
      this.#show(lines, buttons);
      if (said !== undefined) announce(said);
      if (press !== undefined) this.element.scrollIntoView({ block: 'nearest' });
      if (board !== undefined) {
        this.#known.opened = race;
        this.#open(this.#page.replace(/[^/]+$/, board.id), board.view);
        announce('The race has started.');
      }
      this.#askAgainAfter(next);
    } catch (error) {
      if (press !== undefined) announceError(error);
      if (error instanceof Unreachable && this.#known.race !== undefined) this.#askAgainAfter(RETRY_MS);
    }
  }

  /** A panel that another one has replaced asks no more. @param {number} wait milliseconds; 0 for never */
  #askAgainAfter(wait) {
    clearTimeout(this.#timer);
    if (wait > 0 && this.element.isConnected)
      this.#timer = window.setTimeout(() => void this.refresh(), wait);
  }

  /** @param {string[]} lines @param {{ label: string, press: string }[]} buttons */
  #show(lines, buttons) {
    const [title = '', ...more] = lines;
    this.#lines.replaceChildren(
      ...(title === '' ? [] : [element('p', {}, element('strong', {}, title))]),
      ...more.map((line) => element('p', {}, line)),
    );
    const shown = JSON.stringify(buttons);
    // A button keeps its focus while the lines change.
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#buttons.replaceChildren(
      ...buttons.map(({ label, press }) => {
        const look = ['join', 'start'].includes(press) ? 'primary' : 'plain';
        return button(label, () => void this.refresh(press), look);
      }),
    );
  }
}
