import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { InteractionResponseType, InteractionType } from 'discord-api-types/v10';
import * as v from 'valibot';
import { type Clock, MINUTE } from '../../core/clock.ts';
import { type HttpContext, makeRoutes, type Router, readBody } from '../../http/router.ts';
import type { DropEvent, SeenOnce } from '../door.ts';
import { type Interaction, readEvent } from './events.ts';

export const ENDPOINT_PATH = '/discord/interactions';
/** A command on a message comes with that message and its embeds. */
const MAX_BODY = 256 * 1024;
/** Milliseconds that a signature is valid, before and after its timestamp. */
const VALID = 5 * MINUTE;

const Body = v.pipe(v.string(), v.parseJson());
const Ping = v.object({ type: v.literal(InteractionType.Ping) });

interface EndpointOptions {
  /** 64 hexadecimal digits, as the page "General Information" of the application shows them. */
  readonly publicKey: string;
  readonly clock: Clock;
  readonly seen: SeenOnce;
  readonly drop: DropEvent;
  /** Undefined while the door is not open. */
  readonly onInteraction: () => ((interaction: Interaction) => void) | undefined;
}

/**
 * Receives interactions over HTTP instead of the gateway. They are answered as the gateway's are, by a request of our own:
 * Discord then asks for status 202 and an empty body.
 */
export function endpointRoutes({ publicKey, clock, seen, drop, onInteraction }: EndpointOptions): Router {
  const key = keyFrom(publicKey);
  const routes = makeRoutes();
  routes.post(ENDPOINT_PATH, async (context) => {
    const receive = onInteraction();
    if (receive === undefined) return context.body(null, 503);
    const raw = await readBody(context, MAX_BODY);
    const signed = readSignature(context);
    const isValid =
      signed !== undefined &&
      Math.abs(clock.now() - signed.at) <= VALID &&
      verify(null, Buffer.concat([Buffer.from(signed.timestamp), raw]), key, signed.signature);
    if (!isValid) {
      // Anybody may send such requests, and Discord itself does, to see whether they are refused.
      drop('request that Discord did not sign');
      return context.body(null, 401);
    }
    const { output } = v.safeParse(Body, raw.toString());
    if (v.is(Ping, output)) return context.json({ type: InteractionResponseType.Pong });
    const event = readEvent('INTERACTION_CREATE', output);
    if (event === 'malformed' || event === 'unused' || event.name !== 'INTERACTION_CREATE') {
      drop('INTERACTION_CREATE');
      return context.body(null, 400);
    }
    if (await seen.isRepeat(event.data.id, signed.at + VALID + 1)) return context.body(null, 401);
    receive(event.data);
    return context.body(null, 202);
  });
  return routes;
}

/** An Ed25519 key from its 32 bytes. */
function keyFrom(hex: string): KeyObject {
  const x = Buffer.from(hex, 'hex').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

function readSignature({ req }: HttpContext) {
  const timestamp = req.header('x-signature-timestamp') ?? '';
  const signature = req.header('x-signature-ed25519') ?? '';
  if (!/^\d{1,12}$/.test(timestamp) || !/^[0-9a-f]{128}$/i.test(signature)) return undefined;
  return { timestamp, at: Number(timestamp) * 1000, signature: Buffer.from(signature, 'hex') };
}
