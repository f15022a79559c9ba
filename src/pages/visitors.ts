import { BlockList, isIP, isIPv6 } from 'node:net';
import { HTTPException } from 'hono/http-exception';
import type { Clock } from '../core/clock.ts';
import { counted } from '../core/text.ts';
import { type Cost, RateLimiter } from '../dispatch/rate-limit.ts';
import type { HttpContext } from '../http/router.ts';

/**
 * What pages may cost within half a minute: of one address or person, and of all together. Moves and files count
 * as half a request. Judging a word or making a hint takes a few milliseconds of the thread that answers everybody, and a picture
 * that is not cached about 40 of the worker that draws them.
 */
export const PAGE_LIMITS = {
  request: { commandsPerPerson: 240, commandsPerChannel: 2_400 },
  word: { commandsPerPerson: 60, commandsPerChannel: 600 },
  picture: { commandsPerPerson: 20, commandsPerChannel: 600 },
  drawing: { commandsPerPerson: 60, commandsPerChannel: 60 },
} as const;
type Kind = keyof typeof PAGE_LIMITS;

/** From these, a proxy forwards requests. */
const OWN_NETWORK = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  OWN_NETWORK.addSubnet(network, prefix);
for (const [network, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  OWN_NETWORK.addSubnet(network, prefix, 'ipv6');

/** Bounds what visitors of the pages can cause. */
export class Visitors {
  readonly #clock: Clock;
  readonly #limiters: Readonly<Record<Kind, RateLimiter>>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#limiters = {
      request: new RateLimiter(PAGE_LIMITS.request),
      word: new RateLimiter(PAGE_LIMITS.word),
      picture: new RateLimiter(PAGE_LIMITS.picture),
      drawing: new RateLimiter(PAGE_LIMITS.drawing),
    };
  }

  /** @param who an address, a person, or everybody @throws HTTPException that says how long to wait */
  take(kind: Kind, who: string, cost: Cost = 1): void {
    const rated = this.#limiters[kind].take(who, EVERYBODY, this.#clock.now(), cost);
    if (rated.ok) return;
    const seconds = Math.ceil(rated.wait / 1000);
    const message = `That was a lot at once. Go on in ${counted(seconds, 'second')}.`;
    const headers = { 'retry-after': String(seconds) };
    throw new HTTPException(429, { message, cause: headers });
  }
}

const EVERYBODY = { tenant: 'pages:visitors', channel: '' };

/**
 * Whom a request comes from. Behind a web server in the same network, it is the last address that this server
 * has added to `X-Forwarded-For`; what a client wrote there itself stands before that. People with IPv6 have a
 * whole network, so its first half counts.
 */
export function addressOf({ env, req }: HttpContext): string {
  const peer = (env?.incoming?.socket.remoteAddress ?? '').replace(/^::ffff:/i, '');
  const forwarded = req.header('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  const address = isOwnNetwork(peer) && isIP(forwarded) !== 0 ? forwarded : peer;
  return isIPv6(address) ? firstHalf(address) : address;
}

function isOwnNetwork(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && OWN_NETWORK.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** @example firstHalf('2001:db8::1') // '2001:db8:0:0' */
function firstHalf(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? 0 : tail.split(':').length;
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after);
  return [...groups, ...Array.from({ length: zeros }, () => '0')].slice(0, 4).join(':');
}
