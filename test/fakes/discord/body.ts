/** The body of a request: JSON, or JSON with files beside it. */
import type { IncomingMessage } from 'node:http';
import type { Upload } from './message.ts';
import { Refusal } from './refusal.ts';

export async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The JSON body, or `payload_json` and `files[n]` of a multipart one. */
export async function parseBody(
  request: IncomingMessage,
  raw: Buffer,
): Promise<{ body: unknown; uploads: Upload[]; problem: Refusal | undefined }> {
  const nothing = { body: undefined, uploads: [], problem: undefined };
  if (raw.length === 0) return nothing;
  const type = request.headers['content-type'] ?? '';
  try {
    if (type.startsWith('application/json')) return { ...nothing, body: JSON.parse(raw.toString('utf8')) };
    if (type.startsWith('multipart/form-data'))
      return { ...(await multipart(type, raw)), problem: undefined };
    return { ...nothing, problem: new Refusal(50035) };
  } catch (error) {
    return { ...nothing, problem: error instanceof Refusal ? error : new Refusal(50109) };
  }
}

async function multipart(type: string, raw: Buffer): Promise<{ body: unknown; uploads: Upload[] }> {
  const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': type } }).formData();
  let body: unknown = {};
  const uploads: Upload[] = [];
  for (const [name, value] of form) {
    const index = /^files\[(\d+)\]$/.exec(name)?.[1];
    if (name === 'payload_json' && typeof value === 'string') body = JSON.parse(value);
    else if (index !== undefined && typeof value !== 'string' && value.name !== '') {
      const content = Buffer.from(await value.arrayBuffer());
      uploads.push({ index: Number(index), filename: value.name, type: value.type, content });
    } else
      throw new Refusal(50035, {
        [name]: { _errors: [{ code: 'UNKNOWN_PART', message: 'Not a known part.' }] },
      });
  }
  return { body, uploads };
}
