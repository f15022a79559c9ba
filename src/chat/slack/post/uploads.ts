import { createHash } from 'node:crypto';
import type { App } from '../../../dispatch/contract.ts';
import type { Picture } from '../../../reply/model/types.ts';
import type { Pictures } from '../../../reply/picture/pictures.ts';
import type { Workspaces } from '../install/workspaces.ts';
import { LIMITS, shorten } from '../render/limits.ts';
import type { SlackApi } from './api.ts';
import { readFailure } from './errors.ts';

/** Pictures as files on Slack, each uploaded once for a workspace. */
export interface Uploads {
  /** The file's id; undefined where the app may not upload, or it went wrong. */
  fileOf(team: string, picture: Picture, alt: string): Promise<string | undefined>;
  /** Slack would not show this file: it is gone, or never became a picture. */
  forget(team: string, file: string): Promise<void>;
}

const KEPT = 30 * 24 * 60 * 60_000;
const MOST_REMEMBERED = 1000;
export const UPLOAD_SCOPE = 'files:write';

export function makeUploads(
  { store, clock, log }: Pick<App, 'store' | 'clock' | 'log'>,
  api: SlackApi,
  workspaces: Workspaces,
  pictures: Pictures,
): Uploads {
  const known = new Map<string, Promise<string>>();

  async function upload(team: string, key: string, content: Buffer, alt: string): Promise<string> {
    const kept = await store.actions.get(key, clock.now());
    if (kept) return kept;
    const file = await api.upload(team, {
      name: 'letter-boxed.png',
      content,
      alt: shorten(alt, LIMITS.fileAltText),
    });
    await store.actions.put(key, file, clock.now() + KEPT);
    return file;
  }

  return {
    async fileOf(team, picture, alt) {
      const workspace = await workspaces.find(team);
      if (!workspace?.scopes.includes(UPLOAD_SCOPE)) return undefined;
      try {
        const content = await pictures.png(picture);
        const key = `slack-file:${team}:${createHash('sha256').update(content).digest('base64url')}`;
        const uploading = known.get(key) ?? upload(team, key, content, alt);
        known.set(key, uploading);
        uploading.catch(() => known.delete(key));
        if (known.size > MOST_REMEMBERED) known.delete(known.keys().next().value!);
        return await uploading;
      } catch (error) {
        log.warn({ door: 'slack', team, failure: readFailure(error) }, 'a picture could not be uploaded');
        return undefined;
      }
    },

    async forget(team, file) {
      for (const [key, uploading] of known) {
        if (!key.startsWith(`slack-file:${team}:`)) continue;
        if ((await uploading.catch(() => undefined)) !== file) continue;
        known.delete(key);
        await store.actions.put(key, '', clock.now());
      }
    },
  };
}
