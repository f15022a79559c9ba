import { announce, announceError, button, element, find, Unreachable } from '../board/dom.js';
import { DiscordClient } from './discord-client.js';
import { ask, ownBoard } from './own-board.js';

/** Milliseconds between updates of who plays and who has solved. */
const POLL_INTERVAL_MS = 20_000;

const place = find(document, '#board', HTMLElement);
const players = find(document, '#players', HTMLElement);
const friend = find(document, '#friend', HTMLElement);
const query = new URLSearchParams(location.search);
const application = place.dataset.application ?? '';
/** The address of the person's page. */
let page = '';

/** Gets an authorization code from Discord, and the person's board from the server. @param {DiscordClient} client */
async function open(client) {
  announce('Opening your board.');
  try {
    await client.ready;
    const consent = { client_id: application, response_type: 'code', state: '', prompt: 'none' };
    const { code } = await client.send({ cmd: 'AUTHORIZE', args: { ...consent, scope: ['identify'] } });
    // The person's page is not known yet: this goes to the root.
    const link = query.get('custom_id');
    const opened = await ask('', 'open', {
      code,
      instance: query.get('instance_id'),
      ...(link !== null && { link }),
    });
    page = `/play/${opened.id}`;
    document.title = `${opened.title} · Letter Boxed`;
    find(document, 'h1', HTMLElement).textContent = opened.title;
    find(document, '#par', HTMLElement).textContent = opened.par;
    place.replaceChildren(ownBoard(page, opened.view));
    friend.replaceChildren(button('Send this board to a friend', () => void send(client, opened)));
    void update(client);
  } catch (error) {
    announceError(error);
    place.replaceChildren(button('Try again', () => void open(client), 'primary'));
  }
}

/** Lets Discord send a link that opens this board. @param {DiscordClient} client @param {{ title: string, link: string }} board */
function send(client, { title, link }) {
  const args = { custom_id: link, message: `Letter Boxed: ${title}` };
  return client.send({ cmd: 'SHARE_LINK', args }).catch(announceError);
}

/**
 * Shows who plays, and who has solved. If the server refuses, the session has ended, because its day is over or another
 * board was opened.
 *
 * @param {DiscordClient} client
 */
async function update(client) {
  if (page === '' || document.hidden) return;
  try {
    const { lines } = await ask(page, 'players', {});
    players.replaceChildren(
      ...lines.map((/** @type {string} */ line) => element('p', { class: 'rules' }, line)),
    );
  } catch (error) {
    // The next update may reach it.
    if (error instanceof Unreachable) return;
    page = '';
    void open(client);
  }
}

const frame = query.get('frame_id');
if (frame === null) announce('This page is a part of Discord. Press Play there.');
else {
  document.documentElement.classList.add('is-framed');
  const client = new DiscordClient(application, frame);
  void open(client);
  void client.ready
    .then(() => client.subscribe('ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE', () => void update(client)))
    .catch(() => undefined);
  setInterval(() => void update(client), POLL_INTERVAL_MS);
  document.addEventListener('visibilitychange', () => void update(client));
}
