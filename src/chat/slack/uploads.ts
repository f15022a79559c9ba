import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { tenantKey } from '../../core/channel-ref.ts';
import { DAY, MINUTE } from '../../core/clock.ts';
import { expiring, KeyedQueue } from '../../core/concurrency.ts';
import type { App } from '../../dispatch/contract.ts';
import type { AskerRef } from '../../reply/model/action.ts';
import type { Picture } from '../../reply/model/types.ts';
import type { Pictures } from '../../reply/picture/pictures.ts';
import type { SlackApi } from './api.ts';
import { REFUSED_TOKEN_CODES, readFailure, refusalOf } from './errors.ts';
import { tenantOf } from './events.ts';

/** How long the id of a file is stored: under `actions`, which has any text that expires. */
const FILE_KEPT_MS = 30 * DAY;
/** Milliseconds until a file can surely be shown. Slack takes seconds, and says of no file that it is ready. */
const FILE_READY_AFTER_MS = MINUTE;
const MAX_FRESH_FILES = 1000;

/** A picture on Slack. */
export interface UploadedFile {
  readonly id: string;
  readonly key: string;
  /** Whether it was uploaded just now, so that Slack may not show it yet. */
  readonly isFresh: boolean;
}

/** Pictures as files on Slack. Each is uploaded once for a workspace. */
export function makeUploads(app: Pick<App, 'store' | 'clock' | 'log'>, api: SlackApi, pictures: Pictures) {
  const { store, clock, log } = app;
  const uploading = new KeyedQueue();
  const fresh = new LRUCache<string, true>(expiring(MAX_FRESH_FILES, FILE_READY_AFTER_MS, clock));

  /** Undefined where the app may not upload files, or where the upload failed. */
  async function fileOf(team: string, picture: Picture, asker?: AskerRef): Promise<UploadedFile | undefined> {
    try {
      if (!(await api.may(team, 'files:write'))) return undefined;
      const content = await pictures.png(picture, asker);
      const digest = createHash('sha256').update(content).digest('base64url');
      const key = tenantKey(tenantOf(team), `file ${digest}`);
      const stored = await store.actions.get(key, clock.now());
      // Everybody who needs the same picture at the same time waits for one upload.
      const id = stored ?? (await uploading.join(key, () => upload(key, team, content)));
      return { id, key, isFresh: fresh.has(id) };
    } catch (error) {
      // Refused tokens are logged once elsewhere, and a missing scope may be intended.
      const refusal = refusalOf(error);
      if (!REFUSED_TOKEN_CODES.has(refusal) && refusal !== 'missing_scope')
        log.warn({ door: 'slack', team, failure: readFailure(error) }, 'a picture could not be uploaded');
      return undefined;
    }
  }

  async function upload(key: string, team: string, content: Buffer): Promise<string> {
    const id = await api.upload(team, 'letter-boxed.png', content);
    fresh.set(id, true);
    await store.actions.put(key, id, clock.now() + FILE_KEPT_MS);
    return id;
  }

  /** Forgets a file that Slack does not show, as after its deletion, so that the picture is uploaded again the next time. */
  async function forget({ key }: UploadedFile): Promise<void> {
    await store.actions.put(key, '', clock.now()); // Expired at once.
  }

  return { fileOf, forget };
}

export type Uploads = ReturnType<typeof makeUploads>;
