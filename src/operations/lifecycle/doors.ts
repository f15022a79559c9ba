import { hostname, networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Door } from '../../chat/door.ts';
import type { ChatClock } from '../../chat/web/routes.ts';
import type { Config, Role, SlackConfig } from '../../config/config.ts';
import { whereIs } from '../../config/read.ts';
import type { DoorName } from '../../core/channel-ref.ts';
import { type Backoff, doubling, MINUTE, pauseAfter, SECOND } from '../../core/clock.ts';
import { errorCode, networkTrouble, StartError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { App, Dispatcher } from '../../dispatch/contract.ts';
import type { Router } from '../../http/router.ts';
import type { Pictures } from '../../reply/picture/pictures.ts';
import type { ActivityHost } from '../../web/pages/activity-pages.ts';

export interface BuiltDoor {
  readonly door: Door;
  /** Whether this process opens it, or only posts through it. */
  readonly opens: boolean;
  /** The setting that it lacks for commands over HTTP, in a process that could take them. */
  readonly lacksForHttp?: string | undefined;
  /** The routes that it serves on this process's `PORT`. */
  readonly routes?: Router;
  /** HTML for the first page below `PUBLIC_URL`. */
  readonly landing?: string | undefined;
  /** What Discord tells about an Activity, which is the board inside Discord. This process's pages ask for it. */
  readonly activity?: ActivityHost | undefined;
  /** The address for a browser, once the door is open. */
  readonly url?: () => string;
}

export interface DoorTools {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  /** Called with how long a person waited for a first answer, in milliseconds. Only Discord's door measures it. */
  readonly onFirstAnswer: (door: string, milliseconds: number) => void;
  readonly chatClock: ChatClock;
  readonly pictures: Pictures;
}

/** Processes that keep a connection open to each platform, over which people's commands arrive. */
const KEEPS_CONNECTIONS: readonly Role[] = ['all', 'gateway'];
/** Processes to which platforms send people's commands over HTTP. */
const TAKES_INTERACTIONS: readonly Role[] = ['all', 'interactions', 'web'];
/** Processes in which people's commands from Slack arrive. A Slack app without a way for them only posts. */
const OPENS_SLACK: Readonly<Record<SlackConfig['mode']['kind'], readonly Role[]>> = {
  posts: [],
  socket: KEEPS_CONNECTIONS,
  http: TAKES_INTERACTIONS,
};
/** Processes that serve the site and personal pages. */
export const SERVES_PAGES: readonly Role[] = ['all', 'web'];

/** Makes the doors that the settings name; a platform's library is loaded only for its door. */
export async function makeDoors(config: Config, tools: DoorTools): Promise<BuiltDoor[]> {
  const makers: Readonly<Record<Exclude<DoorName, 'terminal'>, typeof webDoor>> = {
    discord: discordDoor,
    slack: slackDoor,
    web: webDoor,
  };
  const doors = await Promise.all(Object.values(makers).map((makeDoor) => makeDoor(config, tools)));
  return doors.filter((door) => door !== undefined);
}

async function discordDoor(
  { discord, role }: Config,
  { app, dispatcher, pictures, onFirstAnswer }: DoorTools,
): Promise<BuiltDoor | undefined> {
  if (discord === undefined) return undefined;
  const { DiscordDoor } = await import('../../chat/discord/door.ts');
  const connects = KEEPS_CONNECTIONS.includes(role);
  const door = new DiscordDoor({
    app,
    dispatcher,
    pictures,
    onFirstAnswer: (milliseconds) => onFirstAnswer('discord', milliseconds),
    connects,
    ...discord,
  });
  const { routes } = door;
  const takesRequests = routes !== undefined && TAKES_INTERACTIONS.includes(role);
  return {
    door,
    opens: connects || takesRequests,
    lacksForHttp: !connects && TAKES_INTERACTIONS.includes(role) ? 'DISCORD_PUBLIC_KEY' : undefined,
    routes: takesRequests ? routes : undefined,
    activity: door.activities,
  };
}

async function slackDoor(
  { slack, role }: Config,
  { app, dispatcher, pictures }: DoorTools,
): Promise<BuiltDoor | undefined> {
  if (slack === undefined) return undefined;
  const { makeSlackDoor } = await import('../../chat/slack/door.ts');
  const door = makeSlackDoor({ app, dispatcher, pictures, ...slack });
  const takesRequests = TAKES_INTERACTIONS.includes(role);
  return {
    door,
    opens: OPENS_SLACK[slack.mode.kind].includes(role),
    lacksForHttp: takesRequests && slack.mode.kind === 'posts' ? 'SLACK_SIGNING_SECRET' : undefined,
    routes: takesRequests ? door.routes : undefined,
    landing: door.landing,
  };
}

async function webDoor(
  { web, role }: Config,
  { app, dispatcher, pictures, chatClock }: DoorTools,
): Promise<BuiltDoor | undefined> {
  // The local chat is for one process that does everything.
  if (web === undefined || role !== 'all') return undefined;
  const { makeWebDoor } = await import('../../chat/web/door.ts');
  const door = makeWebDoor({
    app,
    dispatcher,
    clock: chatClock,
    pictures,
    port: web.port,
    outsideHosts: web.outside ? (web.hosts ?? ownHosts()) : undefined,
  });
  return { door, opens: true, url: () => door.url };
}

/** A service that may not open netlink sockets can't list its interfaces. */
function interfaces(): ReturnType<typeof networkInterfaces> {
  try {
    return networkInterfaces();
  } catch {
    return {};
  }
}

/** The name and the addresses of this machine, as browsers write them. */
function ownHosts(): string[] {
  const addresses = Object.values(interfaces()).flatMap((one) => one ?? []);
  const usable = addresses.filter(({ internal }) => !internal);
  return [hostname(), ...usable.map(({ address }) => (address.includes(':') ? `[${address}]` : address))];
}

/** Why a door could not be opened, as a sentence for the operator. */
export function explainDoor({ web }: Pick<Config, 'web'>, { name }: Door, error: unknown): string {
  const { message, cause } = error as Error;
  if (name === 'web' && errorCode(cause) === 'EADDRINUSE') {
    return `The local chat can't be opened: another program listens on port ${web?.port}. Set WEB_PORT to another one (${whereIs('WEB_PORT')}).`;
  }
  const trouble = networkTrouble(error) ?? message;
  return `The door ${name} can't be opened: ${trouble.replace(/[.\s]*$/, '')}.`;
}

const FIRST_RETRY_MS = 15_000;
/** After a `StartError`: somebody has to change something first, such as a token. */
const MAX_RETRY_MS = 10 * MINUTE;
const BACKOFF: Backoff = { pauses: doubling(FIRST_RETRY_MS, MAX_RETRY_MS), jitter: 0 };
/** After any other failure, such as of DNS: the door opens within a minute of its end. */
const MAX_OUTAGE_RETRY_MS = 40 * SECOND;
/** Milliseconds: a platform that takes longer to answer does not delay the rest of the bot. */
const OPEN_TIMEOUT_MS = 20_000;
/** Milliseconds that a stop waits for doors that are still opening. */
const STOP_TIMEOUT_MS = 2_000;

interface KeepOpenOptions {
  readonly log: Log;
  /** The log line for a door that could not be opened. */
  readonly explain: (door: Door, error: unknown) => string;
}

/**
 * Opens doors side by side. A door that fails is logged and tried again later, with growing pauses.
 *
 * @throws StartError with every reason, when all doors fail during the start.
 */
export async function keepOpen(doors: readonly Door[], options: KeepOpenOptions): Promise<OpenDoors> {
  const kept = new OpenDoors(options);
  await kept.open(doors);
  return kept;
}

class OpenDoors {
  readonly #options: KeepOpenOptions;
  readonly #open = new Set<Door>();
  readonly #attempts = new Set<Promise<void>>();
  /** The last error of each door that could not be opened, and how many attempts failed in a row. */
  readonly #failures = new Map<Door, { error: unknown; count: number }>();
  readonly #timers = new Map<Door, NodeJS.Timeout>();
  /** Failures are collected during the start; afterwards each of them schedules another attempt. */
  #isStarting = true;
  #isStopping = false;

  constructor(options: KeepOpenOptions) {
    this.#options = options;
  }

  isOpen(door: Door): boolean {
    return this.#open.has(door);
  }

  async open(doors: readonly Door[]): Promise<void> {
    const { log, explain } = this.#options;
    const opening = Promise.all(doors.map((door) => this.#attempt(door)));
    await Promise.race([opening, sleep(OPEN_TIMEOUT_MS, undefined, { ref: false })]);
    const failed = [...this.#failures];
    if (failed.length > 0 && failed.length === doors.length) {
      const reasons = failed.map(([door, { error }]) => explain(door, error));
      throw new StartError(reasons.join('\n'), { cause: failed[0]![1].error });
    }
    this.#isStarting = false;
    for (const [door] of failed) this.#retryLater(door);
    for (const door of doors) {
      if (this.#open.has(door) || this.#timers.has(door)) continue;
      log.warn({ door: door.name }, `${door.name}: still opening`);
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all([...this.#open].map((door) => door.stop()));
    await Promise.race([Promise.all(this.#attempts), sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  }

  #attempt(door: Door): Promise<void> {
    const attempt = this.#start(door).finally(() => this.#attempts.delete(attempt));
    this.#attempts.add(attempt);
    return attempt;
  }

  async #start(door: Door): Promise<void> {
    try {
      await door.start();
    } catch (error) {
      this.#failures.set(door, { error, count: (this.#failures.get(door)?.count ?? 0) + 1 });
      if (!this.#isStarting) this.#retryLater(door);
      return;
    }
    if (this.#isStopping) return door.stop();
    this.#open.add(door);
    this.#options.log.info({ door: door.name, isOpen: true }, `${door.name}: open`);
  }

  #retryLater(door: Door): void {
    const failure = this.#failures.get(door);
    if (this.#isStopping || failure === undefined) return;
    const { log, explain } = this.#options;
    const { error, count } = failure;
    const pause = pauseAfter({ failures: count, random: Math.random }, BACKOFF);
    const wait = error instanceof StartError ? pause : Math.min(pause, MAX_OUTAGE_RETRY_MS);
    const line = `${explain(door, error)} Next try in ${Math.round(wait / 1000)} s.`;
    // One error for a failure that stays: it is tried again often.
    log[count === 1 ? 'error' : 'info']({ door: door.name, err: error }, line);
    const timer = setTimeout(() => void this.#attempt(door), wait);
    this.#timers.set(door, timer);
  }
}
