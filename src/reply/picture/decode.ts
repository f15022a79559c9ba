import { createInflate } from 'node:zlib';
import { UserError } from '../../core/errors.ts';
import type { Pixels } from '../../vision/components.ts';

/** The most bytes and pixels of a picture that is decoded. */
export const PICTURE_LIMITS = { bytes: 8_000_000, pixels: 25_000_000 } as const;
/** Passes over all pixels in a JPEG file: cameras and programs make at most 10, and each takes as long as the first. */
const MAX_SCANS = 32;
/** The longest edge of a JPEG or GIF file. In a PNG file, one column of 25 million rows takes six times as long as a square. */
const MAX_EDGE = 65_535;
/** Pixels that are drawn at most: boards are looked for in about a quarter as many, so more would only take memory. */
const MAX_DRAWN = 5_000_000;

interface Header {
  readonly type: 'png' | 'jpeg' | 'gif';
  readonly width: number;
  readonly height: number;
}

/**
 * The pixels of a PNG, JPEG or GIF file. A large picture is made smaller, and an animation is its first frame. Everything that
 * makes a small file take long is refused before it is decoded. Runs on a worker: what the library has begun can't be ended.
 */
export async function decodePicture(bytes: Uint8Array): Promise<Pixels> {
  if (bytes.length > PICTURE_LIMITS.bytes)
    throw new UserError('picture.bytes', 'That picture is too large: I read files of up to 8 MB.');
  const unreadable = () =>
    new UserError('picture.type', 'I can’t read that file. Send the picture as a PNG, JPEG or GIF file.');
  const header = headerOf(bytes);
  if (header === undefined) throw unreadable();
  const { type, width, height } = header;
  if (width * height > PICTURE_LIMITS.pixels)
    throw new UserError(
      'picture.pixels',
      'That picture is too large: I read up to 25 million pixels. Crop it to the board.',
    );
  if (type === 'png' && (await isOverfull(bytes, header))) throw unreadable();
  const scale = Math.min(1, Math.sqrt(MAX_DRAWN / (width * height)));
  const [wide, high] = [width, height].map((length) => Math.max(1, Math.floor(length * scale)));
  const { Resvg } = await import('@resvg/resvg-js');
  const encoded = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}"><image width="${wide}" height="${high}" preserveAspectRatio="none" href="data:image/${type};base64,${encoded}"/></svg>`;
  const drawn = new Resvg(svg, { font: { loadSystemFonts: false }, logLevel: 'off' }).render();
  return { data: drawn.pixels, width: drawn.width, height: drawn.height };
}

/** The size of a picture as its file states it, before anything is decoded. Undefined for a file of another type, or a broken one. */
function headerOf(bytes: Uint8Array): Header | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return pngHeader(view) ?? gifHeader(view) ?? jpegHeader(view);
  } catch {
    // The file ends in its header.
    return undefined;
  }
}

function pngHeader(view: DataView): Header | undefined {
  // The eight bytes with which a PNG file begins, and the name of its first chunk, IHDR.
  const isSigned = view.getUint32(0) === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a;
  const isPng = isSigned && view.getUint32(12) === 0x49484452;
  return isPng ? sized('png', view.getUint32(16), view.getUint32(20)) : undefined;
}

/**
 * Whether a PNG file has data beyond its pixels, or may have, being broken: the library decompresses all of it, and eight
 * megabytes may stand for eight thousand.
 */
async function isOverfull(bytes: Uint8Array, { width, height }: Header): Promise<boolean> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Buffer[] = [];
  for (let at = 8; at + 8 <= file.length; at += 12 + file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
    // The library takes a frame of an animation for the picture where it comes first, which the format forbids.
    else if (type === 'fdAT' && parts.length === 0) return true;
  }
  // Eight bytes for each pixel at most, and one for each row, of which an interlaced picture has about twice as many.
  let room = (8 * width + 2) * (height + 8);
  try {
    for await (const { length } of createInflate({ chunkSize: 2 ** 20 }).end(Buffer.concat(parts))) {
      room -= length;
      if (room < 0) return true;
    }
    return false;
  } catch {
    // The library decompresses some data that zlib refuses.
    return true;
  }
}

/** The size of a GIF file, or that of its first frame, which may be larger: it comes after a table of colours and extensions. */
function gifHeader(view: DataView): Header | undefined {
  if (view.getUint32(0) !== 0x47494638) return undefined;
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + tableBytes(view.getUint8(10));
  while (view.getUint8(at) === 0x21) {
    at += 2;
    while (view.getUint8(at) !== 0) at += 1 + view.getUint8(at);
    at++;
  }
  if (view.getUint8(at) !== 0x2c) return undefined;
  const width = Math.max(view.getUint16(6, true), view.getUint16(at + 5, true));
  const height = Math.max(view.getUint16(8, true), view.getUint16(at + 7, true));
  return sized('gif', width, height);
}

function jpegHeader(view: DataView): Header | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  let at = 2;
  for (;;) {
    const marker = view.getUint16(at);
    // The first byte fills the space before a marker, and decoders skip it.
    if (marker === 0xffff) {
      at++;
      continue;
    }
    // A frame in a coding that is in use. One of more than 8 bits without losses (0xffc3) would end the process: the library does
    // not expect two bytes for a value.
    if (marker >= 0xffc0 && marker <= 0xffc2) break;
    if (!isSegment(marker)) return undefined;
    at += 2 + view.getUint16(at + 2);
  }
  let scans = 0;
  // Within coded data no 0xff is followed by the marker of a scan.
  for (let byte = at; byte < view.byteLength - 1; byte++)
    if (view.getUint8(byte) === 0xff && view.getUint8(byte + 1) === 0xda) scans++;
  if (scans > MAX_SCANS) return undefined;
  return sized('jpeg', view.getUint16(at + 7), view.getUint16(at + 5));
}

/** Whether it begins a table, a comment or data of a program. */
function isSegment(marker: number): boolean {
  return [0xffc4, 0xffdb, 0xffdd, 0xfffe].includes(marker) || (marker >= 0xffe0 && marker <= 0xffef);
}

function sized(type: Header['type'], width: number, height: number): Header | undefined {
  const isShown = Math.min(width, height) > 0 && Math.max(width, height) <= MAX_EDGE;
  return isShown ? { type, width, height } : undefined;
}
