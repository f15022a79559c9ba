import type { IncomingMessage } from 'node:http';

/** Anything a person types fits in; the commands have limits of their own. */
const MOST_BYTES = 64 * 1024;

export class BadRequest extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The fields of a posted JSON object; refuses what is too long without reading it whole. */
export async function readFields(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES)
      throw new BadRequest(413, 'That is too long. Type at most a few hundred words at once.');
    chunks.push(chunk);
  }
  try {
    const fields: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields))
      return fields as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new BadRequest(400, 'The page sent something that can not be read. Reload it.');
}

export function textField(fields: Record<string, unknown>, name: string): string {
  const value = fields[name];
  if (typeof value === 'string') return value;
  throw new BadRequest(400, `The page left out "${name}". Reload it.`);
}
