import type { Clock, Message } from './world.ts';

/** An answer of `ok: false`, with the code and the further fields Slack documents for it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: string;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(code: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.code = code;
    this.fields = fields;
  }
}

/** `invalid_arguments` and its kin list what was wrong, one line each. */
export function refuseFor(code: string, problems: readonly string[]): Refusal {
  const messages = problems.map((problem) => `[ERROR] ${problem}`);
  return new Refusal(code, { errors: problems, response_metadata: { messages } });
}

/** 429 with a Retry-After header, as every method may answer. */
export class TooFast extends Error {
  override readonly name = 'TooFast';
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('ratelimited');
    this.retryAfter = retryAfter;
  }
}

/** An app's token: what it may do, where, and until when. */
export interface Grant {
  readonly token: string;
  readonly kind: 'bot' | 'app';
  /** An organization for one of all its workspaces. Empty for the app-level token, which belongs to no workspace. */
  readonly workspace: string;
  readonly scopes: readonly string[];
  /** Set with token rotation. */
  readonly expiresAt?: number;
  readonly refreshToken?: string;
  /** The error a call with it gets from then on. */
  dead?: 'account_inactive' | 'token_revoked';
}

export const TWELVE_HOURS = 12 * 60 * 60 * 1000;

export class Tokens {
  readonly #clock: Clock;
  readonly #grants = new Map<string, Grant>();
  readonly #refreshable = new Map<string, Grant>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  grant(
    workspace: string,
    scopes: readonly string[],
    { rotates = false, token }: { rotates?: boolean; token?: string } = {},
  ): Grant {
    const count = this.#grants.size + 1;
    const made = token ?? `${rotates ? 'xoxe.xoxb-1' : 'xoxb'}-${workspace}-${count}`;
    const grant: Grant = { token: made, kind: 'bot', workspace, scopes };
    if (!rotates) return this.#add(grant);
    const refreshToken = `xoxe-1-${workspace}-${count}`;
    const rotating = { ...grant, expiresAt: this.#clock.now() + TWELVE_HOURS, refreshToken };
    this.#refreshable.set(refreshToken, rotating);
    return this.#add(rotating);
  }

  appToken(token: string): Grant {
    return this.#add({ token, kind: 'app', workspace: '', scopes: ['connections:write'] });
  }

  /** The grant a call may use, or a refusal. */
  check(token: string | undefined, kind: Grant['kind'] | 'any'): Grant {
    if (token === undefined || token === '') throw new Refusal('not_authed');
    const grant = this.#grants.get(token);
    if (grant === undefined) throw new Refusal('invalid_auth');
    if (grant.dead !== undefined) throw new Refusal(grant.dead);
    if (kind !== 'any' && grant.kind !== kind) throw new Refusal('not_allowed_token_type');
    if (grant.expiresAt !== undefined && grant.expiresAt <= this.#clock.now())
      throw new Refusal('token_expired');
    return grant;
  }

  /** Trades a refresh token for a new pair; it works once. */
  refresh(refreshToken: string): Grant {
    const old = this.#refreshable.get(refreshToken);
    if (old === undefined || old.dead !== undefined) throw new Refusal('invalid_refresh_token');
    this.#refreshable.delete(refreshToken);
    return this.grant(old.workspace, old.scopes, { rotates: true });
  }

  /** A bot's tokens die with its installation. */
  kill(workspace: string, as: NonNullable<Grant['dead']>): void {
    for (const grant of this.ofWorkspace(workspace)) grant.dead = as;
  }

  ofWorkspace(workspace: string): Grant[] {
    return [...this.#grants.values()].filter((grant) => grant.workspace === workspace);
  }

  scopesOf(token: string | undefined): readonly string[] | undefined {
    return this.#grants.get(token ?? '')?.scopes;
  }

  #add(grant: Grant): Grant {
    this.#grants.set(grant.token, grant);
    return grant;
  }
}

export interface Trigger {
  readonly id: string;
  readonly workspace: string;
  readonly user: string;
}

const THREE_SECONDS = 3000;

/** Each is good for one view within three seconds. */
export class Triggers {
  readonly #clock: Clock;
  readonly #issued = new Map<string, { trigger: Trigger; at: number; isUsed: boolean }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  issue(workspace: string, user: string): Trigger {
    const { size } = this.#issued;
    const id = `${1000 + size}.${2000 + size}.${(size * 7919).toString(16).padStart(12, 'a')}`;
    const trigger = { id, workspace, user };
    this.#issued.set(id, { trigger, at: this.#clock.now(), isUsed: false });
    return trigger;
  }

  use(id: string, workspace: string): Trigger {
    const entry = this.#issued.get(id);
    if (entry?.trigger.workspace !== workspace) throw new Refusal('invalid_trigger_id');
    if (entry.isUsed) throw new Refusal('exchanged_trigger_id');
    if (this.#clock.now() - entry.at > THREE_SECONDS) throw new Refusal('expired_trigger_id');
    entry.isUsed = true;
    return entry.trigger;
  }

  workspaceOf(id: string): string | undefined {
    return this.#issued.get(id)?.trigger.workspace;
  }
}

/** A permission to answer one person's action in the channel where it happened. */
export interface ResponseUrl {
  readonly key: string;
  readonly workspace: string;
  readonly channel: string;
  readonly user: string;
  /** The message whose button was pressed. */
  readonly original: Message | undefined;
}

const THIRTY_MINUTES = 30 * 60 * 1000;
const USES = 5;

/** Each is good for five answers within thirty minutes. */
export class ResponseUrls {
  readonly #clock: Clock;
  readonly #issued = new Map<string, { url: ResponseUrl; at: number; uses: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  issue(where: Omit<ResponseUrl, 'key'>): ResponseUrl {
    const { size } = this.#issued;
    const url = { key: `${where.workspace}/${size + 1}/${(size * 104_729).toString(36)}`, ...where };
    this.#issued.set(url.key, { url, at: this.#clock.now(), uses: 0 });
    return url;
  }

  use(key: string): ResponseUrl {
    const entry = this.#issued.get(key);
    if (entry === undefined) throw new Refusal('invalid_url');
    if (this.#clock.now() - entry.at > THIRTY_MINUTES) throw new Refusal('expired_url');
    if (entry.uses >= USES) throw new Refusal('used_url');
    entry.uses += 1;
    return entry.url;
  }
}
