import { element, find } from '../../../pages/browser/element.js';

/** @import { Field, Form } from './server.js' */

const dialog = find(document, '#form', HTMLDialogElement);

/**
 * Asks for what a command still needs.
 *
 * @param {Form} form
 * @param {(fields: Record<string, string>) => void} submit
 */
export function showForm({ title, fields, submit: label, trouble }, submit) {
  const cancel = element('button', { type: 'button' }, 'Cancel');
  const send = element('button', { type: 'submit', class: 'primary' }, label);
  const body = element(
    'form',
    {},
    element('h2', { id: 'form-title' }, title),
    ...(trouble === undefined ? [] : [element('p', { class: 'trouble', role: 'alert' }, trouble)]),
    ...fields.map(renderField),
    element('div', { class: 'buttons' }, cancel, send),
  );
  cancel.addEventListener('click', () => dialog.close());
  body.addEventListener('submit', (event) => {
    event.preventDefault();
    const filled = [...new FormData(body)].filter(([, value]) => value !== '');
    dialog.close();
    submit(Object.fromEntries(filled.map(([name, value]) => [name, String(value)])));
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
