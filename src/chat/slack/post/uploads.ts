import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { DAY, MINUTE } from '../../../core/clock.ts';
import type { App } from '../../../dispatch/contract.ts';
import type { ActionAsker } from '../../../reply/model/action.ts';
import type { Picture } from '../../../reply/model/types.ts';
import type { Pictures } from '../../../reply/picture/pictures.ts';
import { readFailure } from '../api/errors.ts';
import type { SlackApi } from '../api/slack-api.ts';
import type { Workspaces } from '../install/workspaces.ts';
import { LIMITS, shorten } from '../render/limits.ts';

const UPLOAD_SCOPE = 'files:write';
/** How long the store knows the id of a file. */
const KEPT = 30 * DAY;
/** Milliseconds until a file can surely be shown. Slack takes seconds, and says of no file that it is ready. */
const READY_AFTER = MINUTE;
const MAX_CACHED = 1000;

interface File {
  readonly team: string;
  readonly content: Buffer;
  readonly alt: string;
}

export interface Shown {
  readonly picture: Picture;
  readonly alt: string;
  /** Who waits for it; nobody for what the bot posts by itself. */
  readonly asker: ActionAsker | undefined;
}

/** Pictures as files on Slack. Each is uploaded once for a workspace. */
export class Uploads {
  readonly #app: Pick<App, 'store' | 'clock' | 'log'>;
  readonly #api: SlackApi;
  readonly #workspaces: Workspaces;
  readonly #pictures: Pictures;
  /** File ids. Everybody who needs the same picture at the same time waits for one upload. */
  readonly #ids = new LRUCache<string, string, File>({
    max: MAX_CACHED,
    // A file that is pushed out of the cache during its upload is still wanted by those who wait for it.
    ignoreFetchAbort: true,
    fetchMethod: (key, _stale, { context }) => this.#upload(key, context),
  });
  /** When files were uploaded by this process, by their ids. */
  readonly #uploadedAt = new LRUCache<string, number>({ max: MAX_CACHED });

  constructor(
    app: Pick<App, 'store' | 'clock' | 'log'>,
    api: SlackApi,
    workspaces: Workspaces,
    pictures: Pictures,
  ) {
    this.#app = app;
    this.#api = api;
    this.#workspaces = workspaces;
    this.#pictures = pictures;
  }

  /** The file's id; undefined where the app may not upload files, or where the upload failed. */
  async fileOf(team: string, { picture, alt, asker }: Shown): Promise<string | undefined> {
    const workspace = await this.#workspaces.find(team);
    if (!workspace?.scopes.includes(UPLOAD_SCOPE)) return undefined;
    try {
      const content = await this.#pictures.png(picture, asker);
      const key = `${prefixOf(team)}${createHash('sha256').update(content).digest('base64url')}`;
      return await this.#ids.fetch(key, { context: { team, content, alt } });
    } catch (error) {
      this.#app.log.warn(
        { door: 'slack', team, failure: readFailure(error) },
        'a picture could not be uploaded',
      );
      return undefined;
    }
  }

  /**
   * Slack would not show this file. One that was uploaded just now is not ready yet, and stays; any other was deleted,
   * or could not be read as a picture, and is uploaded again the next time.
   */
  async refused(team: string, file: string): Promise<void> {
    const { store, clock } = this.#app;
    if (clock.now() - (this.#uploadedAt.get(file) ?? Number.NEGATIVE_INFINITY) < READY_AFTER) return;
    const keys = [...this.#ids.entries()]
      .filter(([key, id]) => key.startsWith(prefixOf(team)) && id === file)
      .map(([key]) => key);
    for (const key of keys) {
      this.#ids.delete(key);
      await store.actions.put(key, '', clock.now());
    }
  }

  async #upload(key: string, { team, content, alt }: File): Promise<string> {
    const { store, clock } = this.#app;
    const stored = await store.actions.get(key, clock.now());
    if (stored) return stored;
    const id = await this.#api.upload(team, {
      name: 'letter-boxed.png',
      content,
      alt: shorten(alt, LIMITS.fileAltText),
    });
    this.#uploadedAt.set(id, clock.now());
    await store.actions.put(key, id, clock.now() + KEPT);
    return id;
  }
}

function prefixOf(team: string): string {
  return `slack-file:${team}:`;
}
