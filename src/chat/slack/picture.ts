import { UserError } from '../../core/errors.ts';
import { downloadPicture } from '../download.ts';
import type { Files } from './events.ts';
import type { SlackTools } from './send.ts';

/**
 * The bytes of the first picture among the files of a message or a form. Slack gives a file to bots that may read files and are in its
 * channel; others are sent to a page to sign in.
 */
export async function readPicture(
  { api, workspaces, pictureOrigins }: Pick<SlackTools, 'api' | 'workspaces' | 'pictureOrigins'>,
  team: string,
  files: Files,
): Promise<Uint8Array> {
  if (!(await api.may(team, 'files:read')))
    throw new UserError(
      'slack.filesRead',
      'I may not read files in this workspace: whoever installs me can give me the permission files:read. Type the letters instead, such as `solve ozu nri lfa mbt`.',
    );
  // A file from elsewhere, or from another workspace, has an address that is not Slack's, or none.
  const own = files.find(
    ({ mimetype, url_private: url = '' }) =>
      mimetype.startsWith('image/') && pictureOrigins.includes(URL.parse(url)?.origin ?? ''),
  );
  const headers = { authorization: `Bearer ${await workspaces.token(team)}` };
  try {
    return await downloadPicture(own?.url_private ?? null, pictureOrigins, headers);
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'picture.fetch') throw error;
    throw new UserError(
      error.code,
      'I can’t load that picture: I see files only in channels that I am in. Type `/invite @letterboxed` there, and try again.',
    );
  }
}
