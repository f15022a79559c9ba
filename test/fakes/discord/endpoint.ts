import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Wire } from './rules.ts';

/** Milliseconds; Discord waits for three seconds, on a machine that has time. */
const PATIENCE = 30_000;

/** How Discord sends interactions to the "Interactions Endpoint URL" of an application instead of its gateway. */
export class Endpoint {
  /** The key that the developer portal shows. */
  readonly publicKey: string;
  readonly #key: KeyObject;
  readonly #now: () => number;
  /** The addresses of the processes behind it, which get interactions in turn. */
  #urls: readonly string[] = [];
  #delivered = 0;
  /** The interaction that was delivered last. */
  sent: { readonly body: string; readonly headers: Readonly<Record<string, string>> } | undefined;

  constructor(now: () => number) {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    this.#key = privateKey;
    this.#now = now;
    this.publicKey = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex');
  }

  /** Whether an address was set; interactions no longer come over the gateway then. */
  get isSet(): boolean {
    return this.#urls.length > 0;
  }

  /** Somebody saves the address in the portal, which tries it first. Throws what the portal says. */
  async set(url: string, ...others: readonly string[]): Promise<void> {
    const ping = JSON.stringify({ id: '1', application_id: '1', type: 1, token: 't', version: 1 });
    const pong = await this.post(url, ping, this.headers(ping));
    if (pong.status !== 200 || ((await pong.json()) as Wire).type !== 1)
      throw new Error(
        'interactions_endpoint_url: The specified interactions endpoint url could not be verified.',
      );
    const forged = await this.post(url, ping, {
      ...this.headers(ping),
      'x-signature-ed25519': '0'.repeat(128),
    });
    if (forged.status !== 401)
      throw new Error('interactions_endpoint_url: Validation of signatures is missing.');
    this.#urls = [url, ...others];
  }

  /** Rejects where people would read that the application did not respond. */
  async deliver(event: Wire): Promise<void> {
    const body = JSON.stringify(event);
    const headers = this.headers(body);
    this.sent = { body, headers };
    const { status } = await this.post(this.#urls[this.#delivered++ % this.#urls.length]!, body, headers);
    if (status !== 202) throw new Error(`The application did not respond: status ${status}.`);
  }

  headers(body: string, at = this.#now()): Record<string, string> {
    const timestamp = String(Math.floor(at / 1000));
    const signature = sign(null, Buffer.from(timestamp + body), this.#key).toString('hex');
    return { 'x-signature-timestamp': timestamp, 'x-signature-ed25519': signature };
  }

  post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<Response> {
    return fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'user-agent': 'Discord-Interactions/1.0', ...headers },
      signal: AbortSignal.timeout(PATIENCE),
    });
  }
}
