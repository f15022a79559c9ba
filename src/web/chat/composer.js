import { button, element, find } from '../board/dom.js';
import { ask } from './messages.js';

/** @import { Field, Form, Suggestion } from './messages.js' */

/** Milliseconds without a key before suggestions are asked for. */
const SUGGESTION_DELAY_MS = 80;
/** Lines that ArrowUp brings back. */
const MAX_RECALLED_LINES = 50;
let made = 0;

/**
 * The input line, with completion as a combobox: arrows choose, Tab or Enter accepts, Escape closes. A line that `say` could
 * not send is restored.
 *
 * @param {HTMLElement} pane
 * @param {{ label: string, person: () => string, thread: () => string | undefined, say: (line: string) => Promise<boolean> }} options
 */
export function addComposer(pane, { label, person, thread, say }) {
  const template = find(document, '#composer', HTMLTemplateElement);
  const form = find(
    /** @type {DocumentFragment} */ (template.content.cloneNode(true)),
    'form',
    HTMLFormElement,
  );
  const input = find(form, 'input', HTMLInputElement);
  const list = find(form, '.suggestions', HTMLDivElement);
  list.id = `suggestions-${++made}`;
  input.setAttribute('aria-controls', list.id);
  input.setAttribute('aria-label', label);
  input.placeholder = 'today, hint, help …';

  /** @type {Suggestion[]} */
  let shown = [];
  let chosen = -1;
  let typing = 0;
  /** Sent lines, oldest first, and which of them is shown. @type {string[]} */
  const sent = [];
  let recalled = 0;

  /** Shows the line before or after; true if it used the key. @param {number} step */
  function recall(step) {
    const isUntouched = input.value === '' || input.value === sent[recalled];
    if (!isUntouched || sent.length === 0 || (step > 0 && recalled === sent.length)) return false;
    recalled = Math.min(sent.length, Math.max(0, recalled + step));
    input.value = sent[recalled] ?? '';
    return true;
  }

  function close() {
    [shown, chosen] = [[], -1];
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  }

  /** @param {number} index */
  function choose(index) {
    chosen = index;
    for (const [at, item] of [...list.children].entries()) {
      item.setAttribute('aria-selected', String(at === chosen));
      if (at === chosen) item.scrollIntoView({ block: 'nearest' });
    }
    if (chosen < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', `${list.id}-${chosen}`);
  }

  /** @param {Suggestion} suggestion */
  function take({ line }) {
    input.value = line;
    input.focus();
    void update();
  }

  async function update() {
    const line = input.value;
    const mine = ++typing;
    /** @type {Suggestion[]} */
    let suggestions = [];
    try {
      ({ suggestions = [] } = await ask('/suggest', { person: person(), thread: thread(), line }));
    } catch {
      // Typing continues without suggestions.
    }
    if (mine !== typing || document.activeElement !== input) return;
    list.replaceChildren(
      ...suggestions.map((suggestion, index) => {
        const item = element(
          'div',
          { role: 'option', id: `${list.id}-${index}`, 'aria-selected': 'false' },
          element('strong', {}, suggestion.label),
          element('span', {}, suggestion.about),
        );
        item.addEventListener('mousedown', (event) => {
          event.preventDefault();
          take(suggestion);
        });
        return item;
      }),
    );
    // Keeps a choice made while this answer was under way.
    const kept = shown[chosen]?.line;
    shown = suggestions;
    list.hidden = shown.length === 0;
    choose(kept === undefined ? -1 : shown.findIndex(({ line }) => line === kept));
    input.setAttribute('aria-expanded', String(shown.length > 0));
  }

  input.addEventListener('input', () => {
    const mine = ++typing;
    setTimeout(() => mine === typing && void update(), SUGGESTION_DELAY_MS);
  });
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (list.hidden) {
      if (step === 0) return;
      if (recall(step)) event.preventDefault();
      else void update();
      return;
    }
    if (step !== 0) {
      event.preventDefault();
      choose((chosen + step + shown.length + (chosen < 0 && step < 0 ? 1 : 0)) % shown.length);
    } else if (event.key === 'Escape') close();
    else if (
      (event.key === 'Tab' && !event.shiftKey && input.value !== '') ||
      (event.key === 'Enter' && chosen >= 0)
    ) {
      const suggestion = shown[Math.max(0, chosen)];
      if (suggestion === undefined || suggestion.line.trim() === input.value.trim()) return;
      event.preventDefault();
      take(suggestion);
    }
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const line = input.value.trim();
    if (line === '') return;
    input.value = '';
    typing++;
    close();
    if (sent.at(-1) !== line) sent.push(line);
    if (sent.length > MAX_RECALLED_LINES) sent.shift();
    recalled = sent.length;
    const isSent = await say(line);
    if (!isSent && input.value === '') input.value = line;
  });
  pane.append(form);
  return input;
}

const dialog = find(document, '#form', HTMLDialogElement);

/**
 * Asks for what a command still needs. The form stays open, with what was typed, until `submit` resolves without a trouble.
 *
 * @param {Form} form
 * @param {(fields: Record<string, string>) => Promise<string | undefined>} submit
 */
export function showForm({ title, fields, submit: label }, submit) {
  const cancel = button('Cancel', () => dialog.close());
  const send = element('button', { type: 'submit', class: 'primary' }, label);
  const trouble = element('p', { class: 'trouble', role: 'alert' });
  trouble.hidden = true;
  const body = element(
    'form',
    {},
    element('h2', { id: 'form-title' }, title),
    trouble,
    ...fields.map(renderField),
    element('div', { class: 'buttons' }, cancel, send),
  );
  body.addEventListener('submit', async (event) => {
    event.preventDefault();
    const filled = [...new FormData(body)].filter(([, value]) => value !== '');
    send.disabled = true;
    const refused = await submit(Object.fromEntries(filled.map(([name, value]) => [name, String(value)])));
    send.disabled = false;
    // The form was cancelled in the meantime, and another one may be open.
    if (!body.isConnected || !dialog.open) return;
    if (refused === undefined) return dialog.close();
    trouble.textContent = refused;
    trouble.hidden = false;
    const first = body.querySelector('input, textarea');
    if (first instanceof HTMLElement) first.focus();
  });
  // No command takes several lines.
  body.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing || !(event.target instanceof HTMLTextAreaElement)) return;
    event.preventDefault();
    body.requestSubmit();
  });
  dialog.replaceChildren(body);
  dialog.showModal();
}

/** @param {Field} field */
function renderField({ name, label, hint, placeholder = '', required, value = '', long }) {
  const attributes = { name, id: `field-${name}`, placeholder, autocomplete: 'off', spellcheck: 'false' };
  const input = long ? element('textarea', { ...attributes, rows: '3' }) : element('input', attributes);
  input.required = required;
  input.value = value;
  const about = hint === undefined ? [] : [element('small', { id: `about-${name}` }, hint)];
  if (hint !== undefined) input.setAttribute('aria-describedby', `about-${name}`);
  return element('p', { class: 'field' }, element('label', { for: `field-${name}` }, label), input, ...about);
}
