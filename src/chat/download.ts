import { SECOND } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { PICTURE_LIMITS } from '../reply/picture/decode.ts';

const TIMEOUT_MS = 10 * SECOND;

/**
 * The bytes of a picture that somebody has uploaded to a platform, as many as may be read. Nothing is fetched from elsewhere: not
 * by another address, and not by way of a redirect.
 *
 * @param address null if there is no picture where one was looked for
 * @param origins the platform's own hosts, such as `https://cdn.discordapp.com`
 */
export async function downloadPicture(
  address: string | null,
  origins: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Uint8Array> {
  if (address === null)
    throw new UserError(
      'picture.none',
      'I see no picture in that message. Choose a message with a screenshot of a board.',
    );
  const url = URL.parse(address);
  if (url === null || !origins.includes(url.origin)) throw new Error('the picture is not on the platform');
  const failed = () => new UserError('picture.fetch', 'I can’t load that picture. Upload it again.');
  let response: Response;
  try {
    response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    throw failed();
  }
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw failed();
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    // Leaving the loop ends the download.
    for await (const chunk of response.body) {
      chunks.push(chunk);
      length += chunk.length;
      // What is read beyond is refused as too large.
      if (length > PICTURE_LIMITS.bytes) break;
    }
  } catch {
    throw failed();
  }
  return Buffer.concat(chunks, length);
}
