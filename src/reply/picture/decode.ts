import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../core/errors.ts';
import type { Pixels } from '../../vision/components.ts';

/** The most bytes and pixels of a picture that is decoded. */
export const PICTURE_LIMITS = { bytes: 8_000_000, pixels: 25_000_000 } as const;
/** Pixels that are drawn at most: boards are looked for in about a quarter as many, so more would only take memory. */
const MAX_DRAWN = 5_000_000;

/** The first bytes of files. */
const TYPES = [
  { name: 'png', signature: '\x89PNG' },
  { name: 'jpeg', signature: '\xff\xd8\xff' },
  { name: 'gif', signature: 'GIF8' },
] as const;

/** The orientation among a photo's metadata, up to its value, in both orders of bytes. */
const ORIENTATION_TAGS = ['011200030000000100', '1201030001000000'].map((tag) => Buffer.from(tag, 'hex'));
/** Metadata is at the beginning of a file. */
const METADATA_BYTES = 65_536;
/** The quarter turns, clockwise, that orientations ask for. Mirrored ones are left out: no camera writes them. */
const QUARTERS: Readonly<Record<number, number>> = { 3: 2, 6: 1, 8: 3 };

/**
 * The pixels of a PNG, JPEG or GIF file. A photo is turned upright, a large picture is made smaller, and an animation is its first
 * frame. A file may take the library long, or end it with an error, after which its thread can't use it again.
 *
 * @param library from `compileResvg` of another thread
 */
export async function decodePicture(bytes: Uint8Array, library?: WebAssembly.Module): Promise<Pixels> {
  if (bytes.length > PICTURE_LIMITS.bytes)
    throw new UserError('picture.bytes', 'That picture is too large: I read files of up to 8 MB.');
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = TYPES.find(({ signature }) => file.toString('latin1', 0, 4).startsWith(signature));
  if (type === undefined) throw unreadable();
  const { Resvg } = await loadResvg(library);
  const address = `data:image/${type.name};base64,${file.toString('base64')}`;
  const svgOf = (size: string, image = size) =>
    new Resvg(
      `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${image} preserveAspectRatio="none" image-rendering="optimizeSpeed" href="${address}"/></svg>`,
    );
  try {
    // Without a size, it has that of the picture.
    const whole = svgOf('');
    const { width, height } = whole;
    if (width * height > PICTURE_LIMITS.pixels)
      throw new UserError(
        'picture.pixels',
        'That picture is too large: I read up to 25 million pixels. Crop it to the board.',
      );
    const scale = Math.min(1, Math.sqrt(MAX_DRAWN / (width * height)));
    const [wide, high] = [width, height].map((length) => Math.max(1, Math.floor(length * scale)));
    const quarters = quartersOf(file);
    const turn = `translate(${[0, high, wide, 0][quarters]} ${[0, 0, high, wide][quarters]}) rotate(${90 * quarters})`;
    const size = `width="${wide}" height="${high}"`;
    const turned = quarters % 2 === 0 ? size : `width="${high}" height="${wide}"`;
    const isAsIs = scale === 1 && quarters === 0;
    const drawn = (isAsIs ? whole : svgOf(turned, `${size} transform="${turn}"`)).render();
    const pixels = { data: drawn.pixels, width: drawn.width, height: drawn.height };
    // What it can't decode, it leaves out.
    if (pixels.data.every((value) => value === 0)) throw unreadable();
    return pixels;
  } catch (error) {
    throw error instanceof UserError ? error : unreadable();
  }
}

/** The quarter turns of a photo, which a phone saves as its sensor lies. */
function quartersOf(file: Buffer): number {
  const metadata = file.subarray(0, METADATA_BYTES);
  const tag = ORIENTATION_TAGS.find((bytes) => metadata.includes(bytes));
  return tag === undefined ? 0 : (QUARTERS[metadata[metadata.indexOf(tag) + tag.length]!] ?? 0);
}

function unreadable(): UserError {
  return new UserError(
    'picture.type',
    'I can’t read that file. Send the picture as a PNG, JPEG or GIF file.',
  );
}

let compiled: Promise<WebAssembly.Module> | undefined;
let loaded: Promise<typeof import('@resvg/resvg-wasm')> | undefined;

/** The library that draws and decodes pictures, for `loadResvg` of another thread, which need not read and compile it again. */
export function compileResvg(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compile(
    readFileSync(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))),
  );
  return compiled;
}

/** The library, with one memory for each thread, which never shrinks: what it has made has to be freed. */
export function loadResvg(module?: WebAssembly.Module): Promise<typeof import('@resvg/resvg-wasm')> {
  loaded ??= load(module);
  return loaded;
}

async function load(module?: WebAssembly.Module) {
  const library = await import('@resvg/resvg-wasm');
  await library.initWasm(module ?? compileResvg());
  return library;
}
