import { Refusal } from './refusal.ts';
import type { Clock, Message } from './world.ts';

/** A permission to answer one person's action in the channel where it happened. */
export interface ResponseUrl {
  readonly key: string;
  readonly workspace: string;
  readonly channel: string;
  readonly user: string;
  /** The message whose button was pressed. */
  readonly original: Message | undefined;
}

export interface ResponseUrls {
  issue(where: Omit<ResponseUrl, 'key'>): ResponseUrl;
  /** Good for five answers within thirty minutes. */
  use(key: string): ResponseUrl;
}

const THIRTY_MINUTES = 30 * 60 * 1000;
const USES = 5;

export function makeResponseUrls(clock: Clock): ResponseUrls {
  const issued = new Map<string, { url: ResponseUrl; at: number; uses: number }>();
  return {
    issue(where) {
      const key = `${where.workspace}/${issued.size + 1}/${(issued.size * 104_729).toString(36)}`;
      const url = { key, ...where };
      issued.set(key, { url, at: clock.now(), uses: 0 });
      return url;
    },
    use(key) {
      const entry = issued.get(key);
      if (entry === undefined) throw new Refusal('invalid_url');
      if (clock.now() - entry.at > THIRTY_MINUTES) throw new Refusal('expired_url');
      if (entry.uses >= USES) throw new Refusal('used_url');
      entry.uses += 1;
      return entry.url;
    },
  };
}
