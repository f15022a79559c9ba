/**
 * Talks to the Discord client that shows an Activity: the part of the protocol of `@discord/embedded-app-sdk` 2.5 that a
 * board needs. The SDK has 44 KB and sends all that is logged to Discord.
 */

/** Origins of the client's messages, as in the SDK. On phones, messages come from the page's own window. */
const CLIENT_ORIGIN = /^(https:\/\/((ptb|canary)\.)?discord(app)?\.com|null)$/;
const HANDSHAKE = 0;
const FRAME = 1;
const CLOSE = 2;

/** @typedef {{ cmd?: string, evt?: string | null, nonce?: string | null, data?: any, code?: number }} Frame */

export class DiscordClient {
  /** In a separate window, the client is the opener. */
  #window = window.parent.opener ?? window.parent;
  /** @type {Map<string, { resolve: (data: any) => void, reject: (error: Error) => void }>} */
  #waiting = new Map();
  /** @type {Map<string, (data?: any) => void>} */
  #listeners = new Map();
  #nonce = 0;
  /** @type {(error: Error) => void} */
  #endWith = () => undefined;
  /** Rejected when Discord ends the connection: what waits, or is asked later, fails. @type {Promise<never>} */
  #end = new Promise((_, reject) => {
    this.#endWith = reject;
  });

  /** Resolves when the client answers. @type {Promise<void>} */
  ready;

  /** @param {string} application @param {string} frame As the client names it in the page's address. */
  constructor(application, frame) {
    addEventListener('message', this.#receive);
    this.ready = this.#unlessEnded((resolve) => this.#listeners.set('READY', resolve));
    this.#post(HANDSHAKE, { v: 1, encoding: 'json', client_id: application, frame_id: frame });
  }

  /** @param {string} evt @param {() => void} listener */
  async subscribe(evt, listener) {
    this.#listeners.set(evt, listener);
    await this.send({ cmd: 'SUBSCRIBE', evt });
  }

  /** @param {{ cmd: string, args?: Record<string, unknown>, evt?: string }} command @returns {Promise<any>} */
  send(command) {
    this.#nonce += 1;
    const nonce = String(this.#nonce);
    return this.#unlessEnded((resolve, reject) => {
      this.#waiting.set(nonce, { resolve, reject });
      this.#post(FRAME, { ...command, nonce });
    });
  }

  /** @param {(resolve: (data: any) => void, reject: (error: Error) => void) => void} begin @returns {Promise<any>} */
  #unlessEnded(begin) {
    return Promise.race([this.#end, new Promise(begin)]);
  }

  /** @param {number} opcode @param {object} data */
  #post(opcode, data) {
    this.#window.postMessage([opcode, data], document.referrer || '*');
  }

  /** @param {MessageEvent} event */
  #receive = ({ origin, data }) => {
    const isClient = origin === location.origin || CLIENT_ORIGIN.test(origin);
    if (!isClient || !Array.isArray(data)) return;
    const [opcode, frame] = /** @type {[unknown, Frame]} */ (data);
    if (opcode === FRAME) this.#take(frame);
    else if (opcode === CLOSE)
      this.#endWith(new Error(`Discord ended this (${frame.code}). Press Play there again.`));
  };

  /** @param {Frame} frame */
  #take({ cmd, evt, nonce, data }) {
    if (cmd === 'DISPATCH') return this.#listeners.get(evt ?? '')?.();
    // If the client is in this window, the page receives its own messages too, which have no such `evt`.
    const isAnswer = evt === null || evt === 'ERROR';
    const waiting = isAnswer && this.#waiting.get(nonce ?? '');
    if (!waiting) return;
    if (evt === null) waiting.resolve(data);
    else waiting.reject(new Error(`Discord refused: ${data?.message}`));
  }
}
