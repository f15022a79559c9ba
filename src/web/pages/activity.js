import { announce, announceError, button, element, find, Unreachable } from '../board/dom.js';
import { DiscordClient } from './discord-client.js';
import { addRace, ask, ownBoard } from './own-board.js';

/** Milliseconds between updates of who plays and who has solved. */
const POLL_INTERVAL_MS = 20_000;

const place = find(document, '#board', HTMLElement);
const players = find(document, '#players', HTMLElement);
const friend = find(document, '#friend', HTMLElement);
const query = new URLSearchParams(location.search);
const application = place.dataset.application ?? '';
/** The address of the person's page. */
let page = '';
/** @type {import('./race.js').RacePanel | undefined} */
let race;
/** @type {Presence | undefined} */
let presence;

/** @param {DiscordClient} client @param {string[]} scope @returns {Promise<string>} A code, once the person has consented. */
async function codeFor(client, scope) {
  const consent = { client_id: application, response_type: 'code', state: '', prompt: 'none' };
  return (await client.send({ cmd: 'AUTHORIZE', args: { ...consent, scope } })).code;
}

/** Gets an authorization code from Discord, and the person's board from the server. @param {DiscordClient} client */
async function open(client) {
  announce('Opening your board.');
  try {
    await client.ready;
    const code = await codeFor(client, ['identify']);
    const link = query.get('custom_id');
    const opened = await ask('', 'open', {
      code,
      instance: query.get('instance_id'),
      ...(link !== null && { link }),
    });
    const own = `/play/${opened.id}`;
    page = own;
    document.title = `${opened.title} · Letter Boxed`;
    find(document, 'h1', HTMLElement).textContent = opened.title;
    find(document, '#par', HTMLElement).textContent = opened.par;
    presence ??= new Presence(client);
    presence.open(opened);
    // A late answer about an earlier board changes nothing on the profile.
    place.replaceChildren(ownBoard(own, opened.view, (game) => page === own && presence?.update(game)));
    friend.replaceChildren(
      button('Send this board to a friend', () => void send(client, opened)),
      presence.button,
    );
    race = addRace(own, place);
    void update(client);
  } catch (error) {
    announceError(error);
    place.replaceChildren(button('Try again', () => void open(client), 'primary'));
  }
}

/**
 * Lets Discord send a link that opens this board. It shares no picture: that would be the path, which tells how long the words
 * are while others play, and Discord on phones can't share one.
 *
 * @param {DiscordClient} client
 * @param {{ title: string, link: string }} board
 */
function send(client, { title, link }) {
  const args = { custom_id: link, message: `Letter Boxed: ${title}` };
  return client.send({ cmd: 'SHARE_LINK', args }).catch(announceError);
}

/** The line about the game on the person's profile, without a letter. It is off until they switch it on, then on for each board. */
class Presence {
  #client;
  #details = '';
  #state = '';
  #isOn = false;
  button = button('Show on my profile that I play', () => void this.#toggle().catch(announceError));

  /** @param {DiscordClient} client */
  constructor(client) {
    this.#client = client;
  }

  /** Names the board. Its name is sent with the next state of its game. @param {{ title: string, link: string }} board */
  open({ title, link }) {
    this.#state = '';
    // The link of a day's board begins with its date. Other titles may be the letters.
    this.#details = /^\d/.test(link) ? `Solving the board of ${title}` : 'Solving a board';
  }

  /** @param {import('../board/view.ts').GameView} game */
  update({ left, solved }) {
    const state = solved ? 'Solved' : `${left.length} ${left.length === 1 ? 'letter' : 'letters'} left`;
    if (state === this.#state) return;
    this.#state = state;
    if (this.#isOn) void this.#send().catch(announceError);
  }

  async #toggle() {
    if (!this.#isOn) {
      const code = await codeFor(this.#client, ['identify', 'rpc.activities.write']);
      const { token } = await ask(page, 'presence', { code });
      await this.#client.send({ cmd: 'AUTHENTICATE', args: { access_token: token } });
    }
    this.#isOn = !this.#isOn;
    await this.#send();
    this.button.textContent = this.#isOn ? 'Hide that I play' : 'Show on my profile that I play';
  }

  #send() {
    const activity = { type: 0, details: this.#details, ...(this.#state !== '' && { state: this.#state }) };
    return this.#client.send({ cmd: 'SET_ACTIVITY', args: { activity: this.#isOn ? activity : null } });
  }
}

/**
 * Shows who plays, and who has solved. If the server refuses, the session has ended, because its day is over or another
 * board was opened.
 *
 * @param {DiscordClient} client
 */
async function update(client) {
  const asked = page;
  if (asked === '' || document.hidden) return;
  void race?.refresh();
  try {
    const { lines } = await ask(asked, 'players', {});
    players.replaceChildren(
      ...lines.map((/** @type {string} */ line) => element('p', { class: 'rules' }, line)),
    );
  } catch (error) {
    // The next update may reach the server. If another page is open by now, the refusal is not about that one.
    if (error instanceof Unreachable || page !== asked) return;
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
