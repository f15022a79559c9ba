import { fileURLToPath } from 'node:url';
import { renderAsync } from '@resvg/resvg-js';
import { encodePng } from './palette-png.ts';
import { FONT } from './svg.ts';

/** Nunito by the Nunito Project Authors, under the SIL Open Font License 1.1. */
const FONT_FILE = fileURLToPath(
  import.meta.resolve('@expo-google-fonts/nunito/800ExtraBold/Nunito_800ExtraBold.ttf'),
);

/** Draws an SVG picture, off the main thread. The machine's own fonts are left alone: it looks the same everywhere. */
export async function renderPng(svg: string): Promise<Buffer> {
  const { width, height, pixels } = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles: [FONT_FILE], defaultFontFamily: FONT },
    logLevel: 'off',
  });
  return encodePng({ width, height, data: pixels });
}
