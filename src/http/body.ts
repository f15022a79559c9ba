import { HTTPException } from 'hono/http-exception';
import type { HttpContext } from './router.ts';

/**
 * Bytes of all bodies that are being read. A signature is checked once its body is whole, so anybody can send the beginnings
 * of a thousand bodies. Those of the platforms have a few kilobytes and come whole within milliseconds.
 */
export const MAX_BYTES_BEING_READ = 8 * 1024 * 1024;

interface Reading {
  /** What is allocated for it. */
  bytes: Buffer;
  cancel(): Promise<void>;
}

/** The bodies that are being read, the oldest first. */
const readings = new Set<Reading>();
let bytesBeingRead = 0;

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
  const reader = req.raw.body?.getReader();
  if (reader === undefined) return Buffer.alloc(0);
  const reading: Reading = { bytes: Buffer.alloc(0), cancel: () => reader.cancel() };
  readings.add(reading);
  try {
    let length = 0;
    for (;;) {
      const { value: chunk, done } = await reader.read();
      if (!readings.has(reading)) throw new HTTPException(503, { message: 'That came too slowly.' });
      if (done) return reading.bytes.subarray(0, length);
      if (length + chunk.length > most) throw tooLarge();
      // Copied: a chunk of one byte may keep the packet that it came in, and is itself larger than what it holds.
      grow(reading, length + chunk.length, most);
      reading.bytes.set(chunk, length);
      length += chunk.length;
    }
  } finally {
    release(reading);
  }
}

/** Makes room for so many bytes in all, at the cost of the bodies that have come most slowly. */
function grow(reading: Reading, length: number, most: number): void {
  const { bytes } = reading;
  if (length <= bytes.length) return;
  reading.bytes = Buffer.alloc(Math.max(length, Math.min(2 * bytes.length, most)));
  reading.bytes.set(bytes);
  bytesBeingRead += reading.bytes.length - bytes.length;
  for (const oldest of readings) {
    if (bytesBeingRead <= MAX_BYTES_BEING_READ || oldest === reading) break;
    release(oldest);
    // Its connection may be broken.
    oldest.cancel().catch(() => {});
  }
}

function release(reading: Reading): void {
  if (readings.delete(reading)) bytesBeingRead -= reading.bytes.length;
}
