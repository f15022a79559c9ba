import { HTTPException } from 'hono/http-exception';
import type { HttpContext } from './router.ts';

/**
 * Bytes of all bodies that are being read. A signature is checked once its body is whole, so anybody can send the beginnings
 * of a thousand bodies. Those of the platforms have a few kilobytes and come whole within milliseconds.
 */
export const MAX_BYTES_BEING_READ = 8 * 1024 * 1024;

/** What a chunk costs beside its bytes: a body may come one byte at a time. */
const CHUNK_COST = 256;

interface Reading {
  readonly chunks: Uint8Array[];
  /** Bytes of memory. */
  cost: number;
  cancel(): Promise<void>;
}

/** The bodies that are being read, the oldest first. */
const readings = new Set<Reading>();
let costOfAll = 0;

/**
 * The body as it came over the wire, which a signature check needs. One that is longer than `most` bytes is refused: by its
 * announced length before any of it is read, otherwise as soon as it is too long. Hono's own `bodyLimit` can't do
 * this here: for a body without a length it makes a Request of its own, which is not the server's.
 *
 * @throws HTTPException with status 413, or 503 if it comes so slowly that others need its place
 */
export async function readBody(
  { req }: HttpContext,
  most: number,
  message = 'That is too large.',
): Promise<Buffer> {
  const tooLarge = () => new HTTPException(413, { message });
  if (Number(req.header('content-length')) > most) throw tooLarge();
  // Only GET and HEAD have no body.
  const reader = req.raw.body!.getReader();
  const reading: Reading = { chunks: [], cost: 0, cancel: () => reader.cancel() };
  readings.add(reading);
  try {
    let length = 0;
    for (;;) {
      const { value: chunk, done } = await reader.read();
      if (!readings.has(reading)) throw new HTTPException(503, { message: 'That came too slowly.' });
      if (done) return Buffer.concat(reading.chunks, length);
      length += chunk.length;
      if (length > most) throw tooLarge();
      keep(reading, chunk);
    }
  } finally {
    release(reading);
  }
}

/** Keeps a chunk, if need be at the cost of the bodies that were begun first. */
function keep(reading: Reading, chunk: Uint8Array): void {
  const cost = chunk.length + CHUNK_COST;
  // A copy, because a small part of a packet would keep all of it in memory.
  reading.chunks.push(Buffer.from(chunk));
  reading.cost += cost;
  costOfAll += cost;
  for (const oldest of readings) {
    if (costOfAll <= MAX_BYTES_BEING_READ) break;
    release(oldest);
    // Its connection may be broken.
    oldest.cancel().catch(() => {});
  }
}

function release(reading: Reading): void {
  if (readings.delete(reading)) costOfAll -= reading.cost;
}
