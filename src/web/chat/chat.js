import { announce, announceError, button, element, find, working } from '../board/dom.js';
import { ask, askWithPicture, people } from './ask.js';
import { Composer } from './composer.js';
import { botNow, renderMessage, renderThreadLink, renewMoments, setClock } from './messages.js';

/** @import { MessageView as Message, Thread } from './views.ts' */

const face = find(document, '#now', HTMLTimeElement);
const panes = {
  channel: find(document, '#channel', HTMLElement),
  thread: find(document, '#thread', HTMLElement),
};
const lists = {
  channel: find(panes.channel, 'ol', HTMLOListElement),
  thread: find(panes.thread, 'ol', HTMLOListElement),
};
/** On wide screens the thread is beside the channel, on narrow ones over it. */
const isNarrow = matchMedia('(max-width: 56rem)');
const closeThread = find(document, '#close-thread', HTMLButtonElement);

const RULES =
  'Connect letters to make words, never two in a row from one side. Each word starts where the last one ended. Use every letter, in few words.';
/** Messages exist only in the bot's memory. */
const RESTARTED_NOTE =
  'The bot was restarted, and its messages are gone. Games and results are kept if DATA_DIR is set.';
/** As long as browsers mostly wait. */
const RECONNECT_AFTER_MS = 3_000;
const CONTROLS = 'button, select, summary';
/** Pixels between the top of the pane and a message that begins there. */
const SCROLL_GAP = 12;

/** @type {Map<string, Message>} */
let messages = new Map();
/** @type {Map<string, Thread>} */
let threads = new Map();
/** @type {string | undefined} */
let openThread;
/** @type {EventSource | undefined} */
let events;

/** Where a pointer is down, such as for a stroke. @type {Element | undefined} */
let pressedOn;
/** A message that the page goes to as soon as it has arrived. @type {string | undefined} */
let toShow;
/** Messages that changed while the pointer was down, to be shown once it is up. @type {Set<string>} */
const changed = new Set();

/** @param {Message} message */
function press({ id, thread }, /** @type {string} */ value) {
  void act('/press', { message: id, value, thread });
}

/** Sends an action. @param {string} path @param {Record<string, unknown>} fields @returns whether the server accepted it */
async function act(path, fields) {
  announce('');
  try {
    const { form } = await working(ask(path, fields));
    if (form === undefined) return true;
    const { showForm } = await import('./form.js');
    showForm(form, (filled) =>
      working(ask('/submit', { value: form.value, fields: filled, thread: fields.thread })).then(
        ({ trouble }) => trouble,
        ({ message }) => message,
      ),
    );
    return true;
  } catch (error) {
    announceError(error);
    return false;
  }
}

/** @param {Message} message */
function show(message) {
  messages.set(message.id, message);
  const there = document.getElementById(message.id);
  if (there !== null && pressedOn !== undefined && there.contains(pressedOn)) {
    changed.add(message.id);
    return;
  }
  if (there !== null) replace(there, message);
  else if (message.thread === undefined) append(lists.channel, renderMessage(message, press));
  else if (message.thread === openThread) append(lists.thread, renderMessage(message, press));
  linkThread(
    message.thread ?? [...threads.values()].find(({ openingMessage }) => openingMessage === message.id)?.id,
  );
  showPosted();
}

/** Goes to the message that was posted: opens its thread, or closes a thread that covers the channel. */
function showPosted() {
  const message = messages.get(toShow ?? '');
  if (message === undefined) return;
  toShow = undefined;
  const thread = threads.get(message.thread ?? '');
  if (thread !== undefined && thread.id !== openThread) enterThread(thread);
  else if (thread === undefined && isNarrow.matches && openThread !== undefined) leaveThread();
  const item = document.getElementById(message.id);
  item?.scrollIntoView({ block: 'nearest' });
  item?.classList.add('is-new');
}

document.addEventListener('pointerdown', ({ target }) => {
  pressedOn = target instanceof Element ? target : undefined;
});
for (const end of ['pointerup', 'pointercancel']) {
  document.addEventListener(end, () => {
    pressedOn = undefined;
    // Delayed until after the click that may follow.
    setTimeout(showChanged);
  });
}

function showChanged() {
  // A copy, because `show` adds a message again if a pointer is down on it again.
  const ids = [...changed];
  changed.clear();
  for (const id of ids) {
    const message = messages.get(id);
    if (message !== undefined) show(message);
  }
}

/**
 * Keeps the keyboard focus on the button that was pressed or, if its label has changed, on the one at the same position.
 *
 * @param {HTMLElement} there @param {Message} message
 */
function replace(there, message) {
  const focused = document.activeElement;
  const wasInside = there.contains(focused);
  const place = [...there.querySelectorAll(CONTROLS)].indexOf(focused ?? there);
  // A board is moved as it is, with the letters of a word under way.
  const rendered = renderMessage(message, press, (block) =>
    there.querySelector(`.board[data-block="${block}"]`),
  );
  there.replaceWith(rendered);
  if (!wasInside) return;
  if (focused instanceof HTMLElement && rendered.contains(focused)) {
    focused.focus();
    return;
  }
  const controls = [...rendered.querySelectorAll(CONTROLS)];
  const same = controls.find(({ textContent }) => textContent === focused?.textContent) ?? controls[place];
  if (same instanceof HTMLElement) return same.focus();
  rendered.tabIndex = -1;
  rendered.focus();
}

/** @param {HTMLOListElement} list @param {HTMLLIElement} item */
function append(list, item) {
  list.append(item);
  for (const image of item.querySelectorAll('img'))
    image.addEventListener('load', () => scrollDown(list), { once: true });
  scrollDown(list);
}

/**
 * Scrolls to the beginning of the last message or, if that is not far enough, until the button Enter of its board is seen.
 *
 * @param {HTMLElement} list
 */
function scrollDown(list) {
  const { parentElement, lastElementChild } = list;
  if (parentElement === null || !(lastElementChild instanceof HTMLElement)) return;
  // A board that somebody plays stays where it is: it shows the answers to its buttons.
  if (document.activeElement?.closest('.board') && list.contains(document.activeElement)) return;
  // offsetTop would depend on which surrounding element is positioned.
  const below = lastElementChild.getBoundingClientRect().top - parentElement.getBoundingClientRect().top;
  // The welcome stays above the first board.
  const isFirst = list.firstElementChild?.matches('.welcome') && list.childElementCount === 2;
  if (!isFirst) parentElement.scrollTop += below - SCROLL_GAP;
  lastElementChild.querySelector('.enter')?.scrollIntoView({ block: 'nearest' });
}

/** @param {string | undefined} id */
function linkThread(id) {
  const thread = id === undefined ? undefined : threads.get(id);
  const opener = thread && document.getElementById(thread.openingMessage);
  if (!thread || !opener) return;
  const count = [...messages.values()].filter((message) => message.thread === thread.id).length;
  opener.querySelector('.thread-link')?.remove();
  opener.querySelector('article')?.append(renderThreadLink(thread, count, () => enterThread(thread)));
}

/** @param {Thread} thread */
function showThread(thread) {
  openThread = thread.id;
  panes.thread.hidden = false;
  cover();
  find(panes.thread, '#thread-title', HTMLElement).textContent = thread.title;
  const said = [...messages.values()].filter((message) => message.thread === thread.id);
  lists.thread.replaceChildren(...said.map((message) => renderMessage(message, press)));
  scrollDown(lists.thread);
}

addEventListener('hashchange', () => {
  const thread = threads.get(location.hash.slice(1));
  // Removes the hash, so that the same link works again.
  history.replaceState(thread && { thread: thread.id }, '', location.pathname);
  if (thread !== undefined) showThread(thread);
});

function hideThread() {
  openThread = undefined;
  panes.thread.hidden = true;
  cover();
  lists.thread.replaceChildren();
}

/** Takes the channel out of the reach of the keyboard while the thread covers it. */
function cover() {
  const isCovered = openThread !== undefined && isNarrow.matches;
  if (isCovered && panes.channel.contains(document.activeElement)) closeThread.focus();
  panes.channel.inert = isCovered;
}

/** @param {Thread} thread */
function enterThread(thread) {
  showThread(thread);
  if (!isNarrow.matches) return;
  closeThread.focus();
  // A phone's Back closes what covers the page, and does not leave the page.
  history.pushState({ thread: thread.id }, '');
}

addEventListener('popstate', () => {
  if (openThread !== undefined && isNarrow.matches) leaveThread();
});

/** Closes the thread, and returns to the link that opened it. */
function leaveThread() {
  const opener = threads.get(openThread ?? '')?.openingMessage;
  hideThread();
  const link = document.getElementById(opener ?? '')?.querySelector('.thread-link');
  if (link instanceof HTMLElement) link.focus();
}

/** @param {{ now: number, messages: Message[], threads: Thread[] }} state */
function begin(state) {
  showClock(state.now);
  const isRestarted = messages.size > 0 && state.messages.length === 0;
  messages = new Map();
  threads = new Map(state.threads.map((thread) => [thread.id, thread]));
  // An open thread stays open after a switch of person, a restart, or a reload.
  const wasOpen = threads.get(openThread ?? history.state?.thread);
  lists.channel.replaceChildren(welcome(isRestarted));
  hideThread();
  for (const message of state.messages) show(message);
  // Shows a board to play before anybody has typed anything.
  if (state.messages.length === 0) void act('/say', { line: 'today' });
  const shown = wasOpen ?? (isNarrow.matches ? undefined : state.threads.at(-1));
  if (shown !== undefined) showThread(shown);
}

/** @param {boolean} isRestarted */
function welcome(isRestarted) {
  const tries = ['hint', 'daily on', 'generate easy', 'help'].map((line) =>
    button(line, () => void act('/say', { line })),
  );
  return element(
    'li',
    { class: 'message welcome' },
    isRestarted ? element('p', {}, RESTARTED_NOTE) : element('p', { class: 'rules' }, RULES),
    element('div', { class: 'buttons' }, ...tries),
  );
}

function connect() {
  events?.close();
  const source = new EventSource(`/events?person=${encodeURIComponent(people.value)}`);
  events = source;
  /** @param {string} name @param {(data: any) => void} take */
  const on = (name, take) =>
    source.addEventListener(name, (event) => take(JSON.parse(/** @type {MessageEvent} */ (event).data)));
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
  source.addEventListener('open', () => {
    if (document.body.classList.contains('is-lost')) announce('');
    document.body.classList.remove('is-lost');
  });
  source.addEventListener('error', () => {
    document.body.classList.add('is-lost');
    announce('The bot is not running, or restarting. This page comes back by itself.');
    // The browser connects again by itself unless something else has answered, such as a proxy.
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => events === source && connect(), RECONNECT_AFTER_MS);
  });
}

/** @param {number} now */
function showClock(now) {
  setClock(now);
  tick();
}

function tick() {
  const now = new Date(botNow());
  const text = now.toLocaleString([], {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  });
  renewMoments();
  if (face.textContent === text) return;
  face.textContent = text;
  face.dateTime = now.toISOString();
}

for (const button of document.querySelectorAll('[data-clock]')) {
  button.addEventListener('click', async () => {
    try {
      const to = button.getAttribute('data-clock');
      const { moved, now = botNow(), posted } = await ask('/clock', { to });
      showClock(now);
      toShow = posted;
      showPosted();
      announce(moved ? `The clock now says ${face.textContent}.` : 'Nothing scheduled. Type daily on first.');
    } catch (error) {
      announceError(error);
    }
  });
}

// Loaded after the page, which shows a board first.
const taking = import('../board/picture.js').then(({ takePictures }) =>
  takePictures((picture) => {
    announce('');
    const thread = panes.thread.contains(document.activeElement) ? openThread : undefined;
    working(askWithPicture(picture, thread)).catch(announceError);
  }, announceError),
);
const choosePicture = () => void taking.then((choose) => choose(), announceError);

/** @param {HTMLElement} pane @param {string} where @param {() => string | undefined} thread */
function addComposer(pane, where, thread) {
  const label = `Command for the bot, in ${where}`;
  const say = (/** @type {string} */ line) => act('/say', { line, thread: thread() });
  return new Composer(pane, { label, thread, say, choosePicture });
}
addComposer(panes.channel, 'general', () => undefined).focus();
addComposer(panes.thread, 'the thread', () => openThread);
closeThread.addEventListener('click', () => {
  leaveThread();
  if (history.state?.thread !== undefined) history.back();
});
isNarrow.addEventListener('change', cover);
people.addEventListener('change', connect);
setInterval(tick, 1000);
connect();
