/**
 * The address of a path below `PUBLIC_URL`, which may have a path of its own.
 *
 * @example publicAddress('https://example.org/games', '/slack/install').href // 'https://example.org/games/slack/install'
 */
export function publicAddress(publicUrl: string, path = '/'): URL {
  return new URL(`${publicUrl.replace(/\/+$/, '')}${path}`);
}
