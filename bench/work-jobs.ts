import { fileURLToPath } from 'node:url';
import { Resvg, type ResvgRenderOptions, renderAsync } from '@resvg/resvg-js';
import { encodePng } from '../src/reply/picture/pictures.ts';
import { FONT } from '../src/reply/picture/svg.ts';

const FONT_FILE = fileURLToPath(
  import.meta.resolve('@expo-google-fonts/nunito/800ExtraBold/Nunito_800ExtraBold.ttf'),
);
const OPTIONS = {
  font: { loadSystemFonts: false, fontFiles: [FONT_FILE], defaultFontFamily: FONT },
  logLevel: 'off',
} satisfies ResvgRenderOptions;

/** A picture drawn on the calling thread; only the compression of the file runs elsewhere. */
export function drawHere(svg: string): Promise<Buffer> {
  const { width, height, pixels } = new Resvg(svg, OPTIONS).render();
  return encodePng({ width, height, data: pixels });
}

/** Only what resvg's own thread does, without our encoding of the file. */
export async function drawOnly(svg: string): Promise<number> {
  return (await renderAsync(svg, OPTIONS)).pixels.length;
}

export const JOBS = {
  empty: () => undefined,
  drawHere,
  async drawAsync(svg: string): Promise<Buffer> {
    const { width, height, pixels } = await renderAsync(svg, OPTIONS);
    return encodePng({ width, height, data: pixels });
  },
};
