/** Requests to the fake Discord as written by hand, good and bad. */
import type { FakeDiscord } from './discord/index.ts';
import type { Wire } from './discord/rules.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came.
  readonly body: any;
}

export interface File {
  readonly name: string;
  readonly content?: string;
}

export async function ask(
  discord: FakeDiscord,
  method: string,
  path: string,
  body?: unknown,
  more: { files?: readonly File[]; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const headers: Record<string, string> = {
    'user-agent': 'DiscordBot (https://example.org, 1.0)',
    authorization: `Bot ${discord.token}`,
    ...more.headers,
  };
  let payload: FormData | string | undefined;
  if (more.files) {
    payload = new FormData();
    payload.append('payload_json', JSON.stringify(body));
    for (const [index, file] of more.files.entries()) {
      payload.append(`files[${index}]`, new Blob([file.content ?? 'x'], { type: 'image/png' }), file.name);
    }
  } else if (body !== undefined) {
    payload = JSON.stringify(body);
    headers['content-type'] ??= 'application/json';
  }
  const response = await fetch(`${discord.url}/v10${path}`, {
    method,
    headers,
    ...(payload === undefined ? {} : { body: payload }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
}

export const text = (content = 'Hello'): Wire => ({ type: 10, content });
export const button = (customId = 'a', more: Wire = {}): Wire => ({
  type: 2,
  style: 1,
  label: 'Press',
  custom_id: customId,
  ...more,
});
export const row = (...components: Wire[]): Wire => ({ type: 1, components });
export const container = (...components: Wire[]): Wire => ({ type: 17, components });
export const V2 = 1 << 15;
export const v2 = (...components: Wire[]): Wire => ({ flags: V2, components });
