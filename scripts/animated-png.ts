import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = 8;

export interface Frame {
  readonly png: Buffer;
  readonly milliseconds: number;
}

/** An animated PNG: the frames' own data, each with how long it is shown. They are equally large. */
export function animated(frames: readonly Frame[]): Buffer {
  const parts = frames.map(({ png }) => chunksOf(png));
  const [, header] = parts[0]!.find(([name]) => name === 'IHDR')!;
  let number = 0;
  const out = [frames[0]!.png.subarray(0, SIGNATURE), chunk('IHDR', header)];
  out.push(chunk('acTL', numbers(frames.length, 0)));
  for (const [index, { milliseconds }] of frames.entries()) {
    const times = Buffer.from([milliseconds >> 8, milliseconds & 255, 1000 >> 8, 1000 & 255, 0, 0]);
    out.push(chunk('fcTL', Buffer.concat([numbers(number++), header.subarray(0, 8), numbers(0, 0), times])));
    const packed = parts[index]!.flatMap(([name, data]) => (name === 'IDAT' ? [data] : []));
    // Browsers compress for speed.
    const data = deflateSync(inflateSync(Buffer.concat(packed)), { level: 9 });
    out.push(index === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([numbers(number++), data])));
  }
  return Buffer.concat([...out, chunk('IEND', Buffer.alloc(0))]);
}

function chunksOf(png: Buffer): [name: string, data: Buffer][] {
  const chunks: [string, Buffer][] = [];
  for (let at = SIGNATURE; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push([png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length)]);
    at += 12 + length;
  }
  return chunks;
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  return Buffer.concat([numbers(data.length), body, numbers(crc32(body))]);
}

function numbers(...values: number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, 4 * index);
  return buffer;
}
