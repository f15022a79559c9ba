/**
 * An element with attributes and children. Its maker adds event listeners.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name @param {Record<string, string>} attributes @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/** @param {string} label @param {(event: MouseEvent) => void} act @param {string} look */
export function button(label, act, look = 'plain') {
  const made = element('button', { type: 'button', class: look }, label);
  made.addEventListener('click', act);
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';

/** A shape of a drawing. @param {string} name @param {Record<string, string | number>} attributes @param {Node[]} children */
export function shape(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value));
  made.append(...children);
  return made;
}

/** Content that is folded under its label. @param {string} label @param {Node[]} content */
export function folded(label, content, isOpen = false) {
  return element('details', isOpen ? { open: '' } : {}, element('summary', {}, label), ...content);
}

/** Labels with their values. @param {readonly (readonly [label: string, value: Node | string])[]} facts */
export function factList(facts) {
  const rows = facts.map(([label, value]) =>
    element('div', {}, element('dt', {}, label), element('dd', {}, value)),
  );
  return element('dl', {}, ...rows);
}

/**
 * @template {Element} Kind
 * @param {ParentNode} within @param {string} selector @param {new () => Kind} kind @returns {Kind}
 */
export function find(within, selector, kind) {
  const found = within.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${selector}.`);
}

/** Tells the person something, including people who use a screen reader. @param {string} text */
export function announce(text, isTrouble = false) {
  const status = find(document, '#status', HTMLElement);
  status.textContent = text;
  status.className = isTrouble ? 'trouble' : '';
}

/** @param {unknown} error */
export function announceError(error) {
  announce(error instanceof Error ? error.message : String(error), true);
}

const WAITING = 'One moment …';

/** Says that an answer is on its way if it takes a second. @template Kind @param {Promise<Kind>} answer @returns {Promise<Kind>} */
export async function working(answer) {
  const timer = setTimeout(() => announce(WAITING), 1_000);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    // Keeps anything that was said since.
    if (find(document, '#status', HTMLElement).textContent === WAITING) announce('');
  }
}

/** Copies a text, and says whether the browser allowed it. @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The server did not answer. The request may be repeated. */
export class Unreachable extends Error {}

/**
 * Posts to the server. A refusal is thrown as an error with a sentence for people.
 *
 * @param {string} address @param {Record<string, unknown>} fields @param {string} [unreached] What is said where nothing answers.
 * @returns {Promise<any>}
 */
export function post(address, fields, unreached = 'There is no connection to the server. Try again.') {
  return send(address, 'application/json', JSON.stringify(fields), unreached);
}

/** Posts a body of any type. @param {string} address @param {string} type @param {BodyInit} body @param {string} unreached */
export async function send(address, type, body, unreached) {
  let response;
  try {
    // For letters that are saved as people leave the page. Browsers allow it for 64 KB.
    const keepalive = typeof body === 'string' && body.length < 16_000;
    response = await fetch(address, { method: 'POST', headers: { 'content-type': type }, body, keepalive });
  } catch {
    throw new Unreachable(unreached);
  }
  const answer = await response.json().catch(() => {
    throw new Unreachable('The server did not answer. Try again.');
  });
  if (!response.ok) throw new Error(answer.trouble);
  return answer;
}
