import { button, element, find } from '../board/dom.js';

/** @import { FormField } from '../../reply/model/types.ts' */
/** @import { FormView as Form } from './views.ts' */

const dialog = find(document, '#form', HTMLDialogElement);

/**
 * Asks for what a command still needs. The form stays open, with what was typed, until `submit`, which never
 * rejects, resolves to undefined.
 *
 * @param {Form} form @param {(fields: Record<string, string>) => Promise<string | undefined>} submit
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
  // No command takes several lines. The button is disabled while the form is sent.
  body.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing || !(event.target instanceof HTMLTextAreaElement)) return;
    event.preventDefault();
    send.click();
  });
  dialog.replaceChildren(body);
  dialog.showModal();
}

/** @param {FormField} field */
function renderField({ name, label, hint, placeholder = '', value = '', required, long }) {
  const attributes = {
    name,
    id: `field-${name}`,
    'aria-describedby': `about-${name}`,
    placeholder,
    autocomplete: 'off',
    autocorrect: 'off',
    spellcheck: 'false',
  };
  const input = long ? element('textarea', { ...attributes, rows: '3' }) : element('input', attributes);
  input.required = required;
  input.value = value;
  const about = element('small', { id: `about-${name}` }, hint);
  return element('p', { class: 'field' }, element('label', { for: `field-${name}` }, label), input, about);
}
