/** developers/events/gateway.mdx: sessions over WebSocket, with identifying, resuming, sharding and heartbeats. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { GatewayCloseCodes as CODE, GatewayOpcodes as OP } from 'discord.js';
import { WebSocket, WebSocketServer } from 'ws';
import type { Wire } from './rules.ts';
import { type Guild, isThread, randomToken, type World } from './world.ts';

export const INTENT = { guilds: 1 << 0, guildMessages: 1 << 9, directMessages: 1 << 12 } as const;
/** GUILD_MEMBERS, GUILD_PRESENCES and MESSAGE_CONTENT need to be switched on for an application. */
const PRIVILEGED = (1 << 1) | (1 << 8) | (1 << 15);
const KNOWN = [...Array(17).keys(), 20, 21, 24, 25].reduce((sum, bit) => sum | (1 << bit), 0);

export interface GatewaySettings {
  readonly token: string;
  /** Milliseconds within which MAX_CONCURRENCY shards may identify. */
  readonly identifyWindow: number;
  /** The number of shards that `/gateway/bot` recommends. */
  readonly shards: number;
}

export interface Session {
  readonly id: string;
  readonly shard: readonly [number, number];
  readonly intents: number;
  seq: number;
  readonly log: { seq: number; frame: string }[];
  socket: WebSocket | undefined;
}

const HEARTBEAT_MS = 41_250;
export const MAX_CONCURRENCY = 16;
const COMMANDS_A_MINUTE = 120;
const GUILDS_A_SHARD = 2_500;

export class Gateway {
  readonly sessions = new Map<string, Session>();
  readonly #world: World;
  readonly #settings: GatewaySettings;
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #identified = new Map<number, number[]>();
  /** Where clients reach it; known once the HTTP server listens. */
  url = '';
  /** False lets heartbeats go unanswered, as a dead link does. */
  alive = true;
  /** False closes each new connection at once, so that a client resumes its session; after a refused one it would not. */
  isOpen = true;
  /** The code with which it does. */
  refusal: number = CODE.UnknownError;
  /** Connections that are never upgraded, while this is an array. */
  held: Duplex[] | undefined;
  /** False answers each IDENTIFY and RESUME with INVALID SESSION. */
  givesSessions = true;
  /** False leaves each IDENTIFY without an answer. */
  answersIdentify = true;
  /** Why connections were closed, in order. */
  readonly closed: number[] = [];
  identifies = 0;
  resumes = 0;

  constructor(world: World, settings: GatewaySettings) {
    this.#world = world;
    this.#settings = settings;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.held !== undefined) this.held.push(socket);
    else this.#server.handleUpgrade(request, socket, head, (opened) => this.#open(opened, request));
  }

  #open(socket: WebSocket, request: IncomingMessage): undefined {
    const { searchParams } = new URL(request.url ?? '/', 'ws://127.0.0.1');
    const close = (code: number): undefined => {
      this.closed.push(code);
      socket.close(code);
    };
    if (!this.isOpen) return close(this.refusal);
    if (searchParams.get('v') !== '10') return close(CODE.InvalidAPIVersion);
    if (searchParams.get('encoding') !== 'json' || searchParams.has('compress'))
      return close(CODE.DecodeError);
    let session: Session | undefined;
    let sent: number[] = [];
    let beat = performance.now();
    const pulse = setInterval(() => {
      if (performance.now() - beat > HEARTBEAT_MS * 2) close(CODE.SessionTimedOut);
    }, HEARTBEAT_MS);
    socket.on('close', () => {
      clearInterval(pulse);
      if (session?.socket === socket) session.socket = undefined;
    });
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      const now = performance.now();
      sent = [...sent.filter((at) => now - at < 60_000), now];
      if (sent.length > COMMANDS_A_MINUTE) return close(CODE.RateLimited);
      let packet: { op?: unknown; d?: unknown };
      try {
        packet = JSON.parse(String(data));
      } catch {
        return close(CODE.DecodeError);
      }
      if (data.length > 4_096) return close(CODE.DecodeError);
      const body = (packet.d ?? {}) as Wire;
      if (packet.op === OP.Heartbeat) {
        beat = now;
        if (this.alive) socket.send(JSON.stringify({ op: OP.HeartbeatAck }));
      } else if (packet.op === OP.Identify) {
        if (session) return close(CODE.AlreadyAuthenticated);
        session = this.#identify(socket, body, close);
      } else if (packet.op === OP.Resume) {
        if (session) return close(CODE.AlreadyAuthenticated);
        session = this.#resume(socket, body, close);
      } else if (![OP.PresenceUpdate, OP.VoiceStateUpdate, OP.RequestGuildMembers].includes(packet.op as 3))
        close(CODE.UnknownOpcode);
      else if (!session) close(CODE.NotAuthenticated);
    });
    socket.send(JSON.stringify({ op: OP.Hello, d: { heartbeat_interval: HEARTBEAT_MS } }));
  }

  #identify(socket: WebSocket, body: Wire, close: (code: number) => undefined): Session | undefined {
    const { token, intents, properties, shard = [0, 1] } = body;
    const [index, count] = shard as [number, number];
    this.identifies += 1;
    if (!this.answersIdentify) return undefined;
    if (token !== this.#settings.token) return close(CODE.AuthenticationFailed);
    const { os, browser, device } = (properties ?? {}) as Wire;
    if (!os || !browser || !device) return close(CODE.DecodeError);
    if (!Number.isInteger(intents) || (intents as number) & ~KNOWN) return close(CODE.InvalidIntents);
    if ((intents as number) & PRIVILEGED) return close(CODE.DisallowedIntents);
    if (!Number.isInteger(index) || !Number.isInteger(count) || index < 0 || index >= count)
      return close(CODE.InvalidShard);
    const guilds = [...this.#world.guilds.values()].filter(
      (guild) => guild.members.has(this.#world.bot.id) && shardOf(guild.id, count) === index,
    );
    if (guilds.length > GUILDS_A_SHARD) return close(CODE.ShardingRequired);
    if (!this.#mayIdentify(index) || !this.givesSessions) {
      socket.send(JSON.stringify({ op: OP.InvalidSession, d: false }));
      return undefined;
    }
    const session: Session = {
      id: randomToken(),
      shard: [index, count],
      intents: intents as number,
      seq: 0,
      log: [],
      socket,
    };
    this.sessions.set(session.id, session);
    this.#send(session, 'READY', {
      v: 10,
      user: this.#world.bot,
      guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: this.url,
      shard: [index, count],
      application: { id: this.#world.application.id, flags: 0 },
    });
    if (session.intents & INTENT.guilds) {
      for (const guild of guilds) {
        if (guild.available) this.#send(session, 'GUILD_CREATE', describeGuild(this.#world, guild));
        else this.#send(session, 'GUILD_DELETE', { id: guild.id, unavailable: true });
      }
    }
    return session;
  }

  /** "max_concurrency" shards may start in five seconds, by the key shard % max_concurrency. */
  #mayIdentify(shard: number): boolean {
    const key = shard % MAX_CONCURRENCY;
    const now = performance.now();
    const { identifyWindow } = this.#settings;
    const recent = (this.#identified.get(key) ?? []).filter((at) => now - at < identifyWindow);
    const free = recent.length === 0;
    this.#identified.set(key, free ? [now] : recent);
    return free;
  }

  #resume(socket: WebSocket, body: Wire, close: (code: number) => undefined): Session | undefined {
    this.resumes += 1;
    if (body.token !== this.#settings.token) return close(CODE.AuthenticationFailed);
    const session = this.sessions.get(String(body.session_id));
    if (session === undefined || !this.givesSessions) {
      socket.send(JSON.stringify({ op: OP.InvalidSession, d: false }));
      return undefined;
    }
    const seq = body.seq as number;
    if (!Number.isInteger(seq) || seq > session.seq) return close(CODE.InvalidSeq);
    session.socket = socket;
    for (const missed of session.log) if (missed.seq > seq) socket.send(missed.frame);
    this.#send(session, 'RESUMED', {});
    return session;
  }

  #send(session: Session, event: string, body: unknown): void {
    session.seq += 1;
    const frame = JSON.stringify({ op: OP.Dispatch, t: event, s: session.seq, d: body });
    session.log.push({ seq: session.seq, frame });
    // Enough for what is missed in a short break; an endless log would be the fake's own leak.
    if (session.log.length > 500) session.log.splice(0, 250);
    if (session.socket?.readyState === WebSocket.OPEN) session.socket.send(frame);
  }

  /** An event to the shard of a guild; without a guild to shard 0, where direct messages go. */
  dispatch(event: string, body: unknown, guildId: string | undefined, intent = 0): void {
    for (const session of this.sessions.values()) {
      const shard = guildId === undefined ? 0 : shardOf(guildId, session.shard[1]);
      if (session.shard[0] === shard && (session.intents & intent) === intent)
        this.#send(session, event, body);
    }
  }

  get connected(): Session[] {
    return [...this.sessions.values()].filter((one) => one.socket?.readyState === WebSocket.OPEN);
  }

  /** Cuts every connection: without a code as a broken line does, with one as Discord does. */
  drop(code?: number): void {
    for (const { socket } of this.connected) {
      if (code === undefined) socket?.terminate();
      else socket?.close(code);
    }
  }

  /** Opcode 7: "you should reconnect and resume". */
  askReconnect(): void {
    for (const { socket } of this.connected) socket?.send(JSON.stringify({ op: OP.Reconnect, d: null }));
  }

  /** Opcode 9, with or without leave to resume. */
  invalidate(resumable: boolean): void {
    for (const { id, socket } of this.connected) {
      if (!resumable) this.sessions.delete(id);
      socket?.send(JSON.stringify({ op: OP.InvalidSession, d: resumable }));
    }
  }

  close(): void {
    for (const client of this.#server.clients) client.terminate();
    this.#server.close();
  }
}

/** "shard_id = (guild_id >> 22) % num_shards" */
const shardOf = (guildId: string, count: number): number => Number((BigInt(guildId) >> 22n) % BigInt(count));

export function describeGuild(world: World, guild: Guild): Wire {
  const channels = world.channelsOf(guild.id);
  const me = guild.members.get(world.bot.id);
  return {
    id: guild.id,
    name: guild.name,
    owner_id: guild.owner_id,
    roles: guild.roles,
    unavailable: false,
    member_count: guild.members.size,
    // Without the members intent a guild comes with the bot's own member and no others.
    members: me ? [me] : [],
    channels: channels.filter((one) => !isThread(one)),
    threads: channels.filter((one) => one.thread_metadata?.archived === false),
  };
}
