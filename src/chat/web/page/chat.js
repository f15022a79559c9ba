import { element, find } from '../../../pages/browser/element.js';
import { showClock, startClock } from './clock.js';
import { addComposer } from './composer.js';
import { showForm } from './form.js';
import { renderMessage, renderThreadLink } from './messages.js';
import { ask, tell, tellTrouble } from './server.js';

/** @import { Form, Message, Thread } from './server.js' */

const people = find(document, '#person', HTMLSelectElement);
const panes = {
  channel: find(document, '#channel', HTMLElement),
  thread: find(document, '#thread', HTMLElement),
};
const lists = {
  channel: find(panes.channel, 'ol', HTMLOListElement),
  thread: find(panes.thread, 'ol', HTMLOListElement),
};
/** The thread is beside the channel on wide screens, and over it and the header on narrow ones. */
const isNarrow = matchMedia('(max-width: 56rem)');
const header = find(document, 'header', HTMLElement);
const closeThread = find(document, '#close-thread', HTMLButtonElement);

/** Between the top of the pane and a message that begins there, in pixels. */
const GAP = 12;

/** @type {Map<string, Message>} */
let messages = new Map();
/** @type {Map<string, Thread>} */
let threads = new Map();
/** @type {string | undefined} */
let openThread;
/** @type {EventSource | undefined} */
let events;

const person = () => people.value;
const hands = { person, press, openThread: enterThread };

/** @param {Message} message */
function press({ id, thread }, /** @type {string} */ value) {
  void act('/press', { message: id, value, thread });
}

/** Whether the server took it. @param {string} path @param {Record<string, unknown>} fields @returns {Promise<boolean>} */
async function act(path, fields) {
  tell('');
  try {
    const { form } = await ask(path, { person: person(), ...fields });
    if (form !== undefined)
      showForm(
        form,
        (filled) => void act('/submit', { value: form.value, fields: filled, thread: fields.thread }),
      );
    return true;
  } catch (error) {
    tellTrouble(error);
    return false;
  }
}

/** @param {Message} message */
function show(message) {
  messages.set(message.id, message);
  const rendered = renderMessage(message, hands);
  const there = document.getElementById(message.id);
  if (there !== null) replace(there, rendered);
  else if (message.thread === undefined) append(lists.channel, rendered);
  else if (message.thread === openThread) append(lists.thread, rendered);
  linkThread(message.thread ?? [...threads.values()].find(({ opener }) => opener === message.id)?.id);
}

/** Who turns pages by keyboard stays at the button they pressed. @param {HTMLElement} there @param {HTMLLIElement} rendered */
function replace(there, rendered) {
  const focused = document.activeElement;
  const wasInside = there.contains(focused);
  there.replaceWith(rendered);
  if (!wasInside) return;
  const same = [...rendered.querySelectorAll('button')].find(
    ({ textContent }) => textContent === focused?.textContent,
  );
  if (same === undefined) rendered.tabIndex = -1;
  (same ?? rendered).focus();
}

/** @param {HTMLOListElement} list @param {HTMLLIElement} item */
function append(list, item) {
  list.querySelector('.welcome')?.remove();
  list.append(item);
  for (const image of item.querySelectorAll('img')) image.addEventListener('load', () => scrollDown(list));
  scrollDown(list);
}

/** To the end, but of a message that is higher than the pane to where it begins. @param {HTMLElement} list */
function scrollDown({ parentElement, lastElementChild }) {
  if (parentElement === null || !(lastElementChild instanceof HTMLElement)) return;
  parentElement.scrollTop = lastElementChild.offsetTop - parentElement.offsetTop - GAP;
}

/** @param {string | undefined} id */
function linkThread(id) {
  const thread = id === undefined ? undefined : threads.get(id);
  const opener = thread && document.getElementById(thread.opener);
  if (!thread || !opener) return;
  const count = [...messages.values()].filter((message) => message.thread === thread.id).length;
  opener.querySelector('.thread-link')?.remove();
  opener.querySelector('article')?.append(renderThreadLink(thread, count, hands));
}

/** @param {Thread} thread */
function showThread(thread) {
  openThread = thread.id;
  panes.thread.hidden = false;
  cover();
  find(panes.thread, '#thread-title', HTMLElement).textContent = thread.title;
  const said = [...messages.values()].filter((message) => message.thread === thread.id);
  lists.thread.replaceChildren(...said.map((message) => renderMessage(message, hands)));
  scrollDown(lists.thread);
}

function hideThread() {
  openThread = undefined;
  panes.thread.hidden = true;
  cover();
  lists.thread.replaceChildren();
}

/** What lies under the thread can't be reached by keyboard either. */
function cover() {
  const isCovered = openThread !== undefined && isNarrow.matches;
  header.inert = isCovered;
  panes.channel.inert = isCovered;
}

/** @param {Thread} thread */
function enterThread(thread) {
  showThread(thread);
  if (isNarrow.matches) closeThread.focus();
}

/** Back to where it was opened from. */
function leaveThread() {
  const opener = threads.get(openThread ?? '')?.opener;
  hideThread();
  const link = document.getElementById(opener ?? '')?.querySelector('.thread-link');
  if (link instanceof HTMLElement) link.focus();
}

/** @param {{ now: number, messages: Message[], threads: Thread[] }} state */
function begin(state) {
  showClock(state.now);
  messages = new Map();
  threads = new Map(state.threads.map((thread) => [thread.id, thread]));
  // Who switches person, or comes back after a restart, goes on reading the same thread.
  const reading = openThread === undefined ? undefined : threads.get(openThread);
  lists.channel.replaceChildren(welcome());
  hideThread();
  for (const message of state.messages) show(message);
  const shown = reading ?? (isNarrow.matches ? undefined : state.threads.at(-1));
  if (shown !== undefined) showThread(shown);
}

function welcome() {
  const tries = ['today', 'hint', 'daily on', 'solve ozu nri lfa mbt', 'generate easy', 'help'].map(
    (line) => {
      const button = element('button', { type: 'button' }, line);
      button.addEventListener('click', () => void act('/say', { line }));
      return button;
    },
  );
  return element(
    'li',
    { class: 'message welcome' },
    element('h3', {}, 'This is the bot, without Discord or Slack'),
    element(
      'p',
      {},
      'Type a command below, as people would in a channel, or press one of these. After daily on, Next post above moves the clock to each post of the daily thread; switch who you are to see what others see.',
    ),
    element('div', { class: 'buttons' }, ...tries),
  );
}

function connect() {
  events?.close();
  events = new EventSource(`/events?person=${encodeURIComponent(person())}`);
  /** @param {string} name @param {(data: any) => void} take */
  const on = (name, take) =>
    events?.addEventListener(name, (event) => take(JSON.parse(/** @type {MessageEvent} */ (event).data)));
  on('state', begin);
  on('message', show);
  on('change', show);
  on('clock', ({ now }) => showClock(now));
  on('thread', (/** @type {Thread} */ thread) => {
    const isNew = !threads.has(thread.id);
    threads.set(thread.id, thread);
    linkThread(thread.id);
    if (isNew && !isNarrow.matches) showThread(thread);
  });
  events.addEventListener('open', () => {
    if (document.body.classList.contains('is-lost')) tell('');
    document.body.classList.remove('is-lost');
  });
  events.addEventListener('error', () => {
    document.body.classList.add('is-lost');
    tell('The bot is not running, or restarting. This page comes back by itself.');
  });
}

addComposer(panes.channel, {
  label: 'Command for the bot, in general',
  person,
  thread: () => undefined,
  say: (line) => act('/say', { line }),
}).focus();
addComposer(panes.thread, {
  label: 'Command for the bot, in the thread',
  person,
  thread: () => openThread,
  say: (line) => act('/say', { line, thread: openThread }),
});
closeThread.addEventListener('click', leaveThread);
isNarrow.addEventListener('change', cover);
people.addEventListener('change', connect);
startClock(person);
connect();
