import { element, find } from '../board/dom.js';
import { ask } from './ask.js';

/** @import { ComposerOptions, Suggestion } from './views.ts' */

/** Milliseconds without a key before suggestions are asked for. */
const SUGGESTION_DELAY_MS = 80;

/**
 * The input line of a pane, with completion as a combobox: arrows choose, Enter accepts the choice, Tab the choice or
 * else the first, Escape closes. A line that could not be sent is restored.
 */
export class Composer {
  #options;
  #input;
  #list;
  /** @type {Suggestion[]} */
  #shown = [];
  #chosen = -1;
  /** The number of the latest change or close, so that suggestions for what was before are ignored. */
  #change = 0;
  /** Sent lines, oldest first. @type {string[]} */
  #sent = [];
  /** The index of the sent line that is shown again; the number of lines while none is. */
  #recalled = 0;

  /** @param {HTMLElement} pane @param {ComposerOptions} options */
  constructor(pane, options) {
    this.#options = options;
    const template = find(document, '#composer', HTMLTemplateElement);
    const content = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
    const form = find(content, 'form', HTMLFormElement);
    this.#input = find(form, 'input', HTMLInputElement);
    this.#list = find(form, '.suggestions', HTMLDivElement);
    this.#list.id = `suggestions-${pane.id}`;
    this.#input.setAttribute('aria-controls', this.#list.id);
    this.#input.setAttribute('aria-label', options.label);
    this.#input.placeholder = 'a word, hint, help …';
    this.#input.addEventListener('input', () => {
      const change = ++this.#change;
      setTimeout(() => this.#update(change), SUGGESTION_DELAY_MS);
    });
    this.#input.addEventListener('blur', () => this.#close());
    this.#input.addEventListener('keydown', (event) => this.#onKey(event));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#send();
    });
    find(form, '.choose', HTMLButtonElement).addEventListener('click', options.choosePicture);
    pane.append(form);
  }

  focus() {
    this.#input.focus();
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.key === 'Escape') return this.#close();
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (this.#list.hidden) {
      if (step === 0) return;
      if (this.#recall(step)) event.preventDefault();
      else void this.#update();
      return;
    }
    const count = this.#shown.length;
    const accepts =
      (event.key === 'Tab' && !event.shiftKey && this.#input.value !== '') ||
      (event.key === 'Enter' && this.#chosen >= 0);
    if (step !== 0) {
      event.preventDefault();
      // Without a choice (-1), up leads to the last.
      const from = step < 0 ? Math.max(0, this.#chosen) : this.#chosen;
      this.#choose((from + step + count) % count);
    } else if (accepts) {
      const suggestion = this.#shown[Math.max(0, this.#chosen)];
      if (suggestion === undefined || suggestion.line.trim() === this.#input.value.trim()) return;
      event.preventDefault();
      this.#accept(suggestion);
    }
  }

  async #send() {
    const line = this.#input.value.trim();
    if (line === '') return;
    this.#input.value = '';
    this.#close();
    if (this.#sent.at(-1) !== line) this.#sent.push(line);
    this.#recalled = this.#sent.length;
    const isSent = await this.#options.say(line);
    if (!isSent && this.#input.value === '') this.#input.value = line;
  }

  /** Shows the line sent before or after the one that is shown. @param {number} step @returns whether the key was for this */
  #recall(step) {
    const { value } = this.#input;
    const isUntouched = value === '' || value === this.#sent[this.#recalled];
    const { length } = this.#sent;
    if (!isUntouched || length === 0 || (step > 0 && this.#recalled === length)) return false;
    this.#recalled = Math.min(length, Math.max(0, this.#recalled + step));
    this.#input.value = this.#sent[this.#recalled] ?? '';
    return true;
  }

  #close() {
    this.#change += 1;
    this.#shown = [];
    this.#chosen = -1;
    this.#list.hidden = true;
    this.#input.setAttribute('aria-expanded', 'false');
    this.#input.removeAttribute('aria-activedescendant');
  }

  /** @param {number} index */
  #choose(index) {
    this.#chosen = index;
    for (const [at, item] of [...this.#list.children].entries()) {
      item.setAttribute('aria-selected', String(at === index));
      if (at === index) item.scrollIntoView({ block: 'nearest' });
    }
    if (index < 0) this.#input.removeAttribute('aria-activedescendant');
    else this.#input.setAttribute('aria-activedescendant', `${this.#list.id}-${index}`);
  }

  /** @param {Suggestion} suggestion */
  #accept({ line }) {
    this.#input.value = line;
    this.#input.focus();
    void this.#update();
  }

  async #update(change = ++this.#change) {
    if (change !== this.#change) return;
    const fields = { thread: this.#options.thread(), line: this.#input.value };
    // Without an answer, typing continues without suggestions.
    const { suggestions = [] } = await ask('/suggest', fields).catch(() => ({ suggestions: [] }));
    if (change !== this.#change) return;
    this.#list.replaceChildren(...suggestions.map((suggestion, index) => this.#option(suggestion, index)));
    // Keeps a choice made while this answer was under way.
    const kept = this.#shown[this.#chosen]?.line;
    this.#shown = suggestions;
    this.#list.hidden = suggestions.length === 0;
    this.#choose(kept === undefined ? -1 : suggestions.findIndex(({ line }) => line === kept));
    this.#input.setAttribute('aria-expanded', String(suggestions.length > 0));
  }

  /** @param {Suggestion} suggestion @param {number} index */
  #option(suggestion, index) {
    const item = element(
      'div',
      { role: 'option', id: `${this.#list.id}-${index}`, 'aria-selected': 'false' },
      element('strong', {}, suggestion.label),
      element('span', {}, suggestion.about),
    );
    item.addEventListener('mousedown', (event) => {
      // The line keeps the focus.
      event.preventDefault();
      this.#accept(suggestion);
    });
    return item;
  }
}
