/**
 * developers/activities and developers/topics/oauth2.mdx: instances of the application's Activity, and codes that stand for
 * people. What the proxy does is in test/web/pages/activity-host.ts.
 */
import type { Answer } from './routes.ts';
import { asWire } from './rules.ts';
import { type Channel, randomToken, type User, type World } from './world.ts';

export interface Instance {
  readonly id: string;
  readonly launchId: string;
  readonly channel: Channel;
  readonly users: Set<string>;
}

/** "EMBEDDED", of `flags` of an application. */
const EMBEDDED = 1 << 17;

export class Activities {
  readonly #world: World;
  /** "When all the users of an application in a channel leave", an instance is over. */
  readonly #instances = new Map<string, Instance>();
  /** The person and the application of each code that was not used yet. */
  readonly #codes = new Map<string, { readonly user: string; readonly application: string }>();
  readonly #tokens = new Map<string, string>();
  readonly clientSecret = randomToken();

  constructor(world: World) {
    this.#world = world;
  }

  get instances(): readonly Instance[] {
    return [...this.#instances.values()];
  }

  get isEnabled(): boolean {
    return (Number(this.#world.application.flags) & EMBEDDED) !== 0;
  }

  /** What ticking "Enable Activities" does: "an Entry Point command (named "Launch") is automatically created". */
  enable(): void {
    const { application, commands } = this.#world;
    application.flags = Number(application.flags) | EMBEDDED;
    const entryPoint = {
      ...{ id: this.#world.snowflake(), application_id: application.id, version: this.#world.snowflake() },
      ...{ type: 4, name: 'launch', description: '', handler: 2, nsfw: false },
      ...{ integration_types: [0, 1], contexts: [0, 1, 2], default_member_permissions: null },
      ...{ name_localizations: null, description_localizations: null },
    };
    commands.push(entryPoint);
  }

  /** Launches the Activity for somebody in a channel, or joins it there. */
  launch(user: User, channel: Channel): Instance {
    const there = this.instances.find((one) => one.channel === channel && one.users.size > 0);
    const instance = there ?? this.#begin(channel);
    instance.users.add(user.id);
    return instance;
  }

  #begin(channel: Channel): Instance {
    const launchId = this.#world.snowflake();
    const place = channel.guild_id === undefined ? 'pc' : `gc-${channel.guild_id}`;
    const instance = {
      id: `i-${launchId}-${place}-${channel.id}`,
      launchId,
      channel,
      users: new Set<string>(),
    };
    this.#instances.set(instance.id, instance);
    return instance;
  }

  /** Somebody closes the Activity. */
  leave({ users }: Instance, { id }: User): void {
    users.delete(id);
  }

  /** Somebody consents that an application knows who they are: ours, unless it is another one. */
  authorize({ id }: User, application = this.#world.application.id): string {
    const code = randomToken().slice(0, 30);
    this.#codes.set(code, { user: id, application });
    return code;
  }

  /** POST /oauth2/token */
  exchange(body: unknown): Answer {
    const { client_id: client, client_secret: secret, grant_type: grant, code } = asWire(body);
    if (client !== this.#world.application.id || secret !== this.clientSecret)
      return { status: 401, body: { error: 'invalid_client' } };
    const known = this.#codes.get(String(code));
    this.#codes.delete(String(code));
    const isGranted = grant === 'client_credentials' || known?.application === client;
    if (!isGranted)
      return {
        status: 400,
        body: { error: 'invalid_grant', error_description: 'Invalid "code" in request.' },
      };
    const token = randomToken();
    if (known !== undefined) this.#tokens.set(token, known.user);
    return {
      status: 200,
      body: { access_token: token, token_type: 'Bearer', expires_in: 604_800, scope: 'identify' },
    };
  }

  /** GET /users/@me with a person's token. */
  userOf(token: string): User | undefined {
    return this.#world.users.get(this.#tokens.get(token) ?? '');
  }

  /** GET /applications/{application}/activity-instances/{instance} */
  describe(id: string): object | undefined {
    const instance = this.#instances.get(id);
    if (instance === undefined || instance.users.size === 0) return undefined;
    const { launchId, channel, users } = instance;
    const { guild_id: guild } = channel;
    const kind = guild === undefined ? 'pc' : 'gc';
    return {
      application_id: this.#world.application.id,
      instance_id: id,
      launch_id: launchId,
      location: {
        id: `${kind}-${guild === undefined ? '' : `${guild}-`}${channel.id}`,
        ...{ kind, channel_id: channel.id, ...(guild !== undefined && { guild_id: guild }) },
      },
      users: [...users],
    };
  }
}
