import { BlockList, isIP, isIPv6 } from 'node:net';
import { HTTPException } from 'hono/http-exception';
import type { Limits } from '../config/settings.ts';
import type { Clock } from '../core/clock.ts';
import { counted } from '../core/text.ts';
import { type Cost, RateLimiter } from '../dispatch/rate-limit.ts';
import type { HttpContext } from '../http/router.ts';

/** For whom something is counted: an address with the network around it, or a person who plays in their own name. */
export type Visitor = Address | { readonly person: string };
export interface Address {
  readonly address: string;
  readonly network: string;
}

/**
 * What pages may cost: `page` a page, a file or moves; `word` a word that is judged or a hint, a few milliseconds of the thread
 * that answers everybody; `picture` one that may have to be drawn.
 */
type Kind = 'page' | 'word' | 'picture';

/** How many addresses' worth the network around an address has. */
const ADDRESSES_OF_NETWORK = 4;
/** Drawings for all visitors in half a minute, of about 40 ms each of the worker that draws. */
const DRAWINGS = 60;

/**
 * Bounds what visitors of the pages can cause. Only what is scarce has a pool that all share, words and drawings, and people
 * who play in their own name are not in it: nobody can be locked out of the pages by others.
 */
export class Visitors {
  readonly #clock: Clock;
  readonly #limiters: Readonly<Record<Kind, RateLimiter>>;
  /** Of all visitors together. */
  readonly #words: RateLimiter;
  readonly #drawings: RateLimiter;

  constructor(clock: Clock, limits: Limits) {
    this.#clock = clock;
    const each = (most: number) =>
      new RateLimiter({ commandsPerPerson: most, commandsPerChannel: most * ADDRESSES_OF_NETWORK });
    const pool = (most: number) => new RateLimiter({ commandsPerPerson: most, commandsPerChannel: most });
    this.#limiters = {
      page: each(limits.pagesPerVisitor),
      word: each(limits.wordsPerVisitor),
      picture: each(limits.picturesPerVisitor),
    };
    this.#words = pool(limits.wordsOfVisitors);
    this.#drawings = pool(DRAWINGS);
  }

  /** @throws HTTPException that says how long to wait */
  take(kind: Kind, visitor: Visitor, cost: Cost = 1): void {
    if ('person' in visitor) {
      this.#count(this.#limiters[kind], visitor.person, visitor.person, cost);
      return;
    }
    this.#count(this.#limiters[kind], visitor.address, visitor.network, cost);
    if (kind === 'word') this.#count(this.#words, 'anybody', 'visitors', cost);
  }

  /** A picture that was not drawn before. @throws HTTPException that says how long to wait */
  draw(): void {
    this.#count(this.#drawings, 'anybody', 'visitors', 1);
  }

  #count(limiter: RateLimiter, who: string, network: string, cost: Cost): void {
    const around = { tenant: 'pages:visitors', channel: network };
    const rated = limiter.take(who, around, this.#clock.now(), cost);
    if (rated.ok) return;
    const seconds = Math.ceil(rated.wait / 1000);
    const message = `That was a lot at once. Go on in ${counted(seconds, 'second')}.`;
    throw new HTTPException(429, { message, cause: { 'retry-after': String(seconds) } });
  }
}

/** @example proxyList(['127.0.0.0/8', '::1']) */
export function proxyList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const one of networks) {
    const [address = '', bits] = one.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/**
 * From where a request comes. Behind a trusted proxy it is the last address in `X-Forwarded-For`; what a client wrote there
 * itself stands before that. People with IPv6 have a whole network (/64), and easily the one around it (/48).
 */
export function visitorOf({ env, req }: HttpContext, trusted: BlockList): Address {
  const peer = plain(env?.incoming?.socket.remoteAddress ?? '');
  const forwarded = plain(req.header('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '');
  const isTrusted = isIP(peer) !== 0 && trusted.check(peer, isIPv6(peer) ? 'ipv6' : 'ipv4');
  const address = isTrusted && isIP(forwarded) !== 0 ? forwarded : peer;
  if (!isIPv6(address)) return { address, network: address };
  const groups = groupsOf(address);
  return { address: groups.slice(0, 4).join(':'), network: groups.slice(0, 3).join(':') };
}

/** An IPv4 address that is written as one of IPv6, as dotted or hexadecimal numbers, is that IPv4 address. */
function plain(address: string): string {
  const [, dotted, high, low] =
    /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i.exec(address) ?? [];
  if (dotted !== undefined) return dotted;
  if (high === undefined || low === undefined) return address;
  return [high, low]
    .flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255])
    .join('.');
}

/** @example groupsOf('2001:db8::1') // ['2001', 'db8', '0', '0', '0', '0', '0', '1'] */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('%')[0]!.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
}
