import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

interface Key {
  readonly bytes: Buffer;
  /** The start of its hash, which is part of each text that it encrypted. */
  readonly name: string;
}

/**
 * Encrypts tokens for the store, so that a copy of the database gives access to no workspace. It uses
 * AES-256-GCM with the first key; the other keys still decrypt what they encrypted, while keys are changed.
 */
export class TokenEncryption {
  readonly #keys: readonly Key[];
  readonly #first: Key;

  /** @param keys 32 bytes each, as 64 hexadecimal digits or base64 */
  constructor(keys: readonly string[]) {
    this.#keys = keys.map(readKey);
    const [first] = this.#keys;
    if (first === undefined) throw new RangeError('at least one key is needed to encrypt tokens');
    this.#first = first;
  }

  /** @param owner binds the text to its row: moved to another row, it can't be decrypted. */
  encrypt(text: string, owner: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#first.bytes, nonce).setAAD(Buffer.from(owner));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const parts = [nonce, cipher.getAuthTag(), body].map((part) => part.toString('base64url'));
    return [VERSION, this.#first.name, ...parts].join('.');
  }

  /** Undefined when none of the keys fits, or when a byte was changed. */
  decrypt(encrypted: string, owner: string): string | undefined {
    const [version, name, ...parts] = encrypted.split('.');
    const key = this.#keys.find((one) => one.name === name);
    const [nonce, tag, body] = parts.map((part) => Buffer.from(part, 'base64url'));
    if (version !== VERSION || !key || !nonce || !tag || !body) return undefined;
    try {
      const decipher = createDecipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
      return decipher.update(body, undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }

  /** Whether it was encrypted with an older key, and should be encrypted again. */
  usesOldKey(encrypted: string): boolean {
    return encrypted.split('.')[1] !== this.#first.name;
  }
}

function readKey(text: string): Key {
  const bytes = /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (bytes.length !== KEY_BYTES)
    throw new RangeError(
      'a key to encrypt tokens is 32 random bytes, as 64 hexadecimal digits or base64; `openssl rand -hex 32` makes one',
    );
  return { bytes, name: createHash('sha256').update(bytes).digest('hex').slice(0, 8) };
}
