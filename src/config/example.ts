import type { Chapter, Setting } from './setting.ts';
import { CHAPTERS } from './settings.ts';

export const EXAMPLE_FILE = '.env.example';
const WIDTH = 100;
const OPENING = [
  '# Settings of the Letter Boxed bot. Copy this file to .env, which git ignores, and fill in what you need:',
  '# what is left empty counts as not set, and nothing at all gives the local chat. The environment itself',
  '# goes before .env. This file is made from the settings in src/config, by npm run env-example.',
];

/** The whole of `.env.example`. */
export function makeExample(chapters: readonly Chapter[] = CHAPTERS): string {
  const lines = [...OPENING];
  for (const { title, settings } of chapters) {
    lines.push('', `# ${title}`, `# ${'-'.repeat(title.length)}`);
    for (const setting of settings)
      lines.push('', ...wrap(setting.about), ...shownFor(setting), `${setting.name}=`);
  }
  return `${lines.join('\n')}\n`;
}

/** The line of a setting in `.env.example`, counted from 1. */
export function exampleLine(name: string): number {
  return makeExample().split('\n').indexOf(`${name}=`) + 1;
}

function shownFor(setting: Setting): string[] {
  const { example } = setting;
  if (setting.default !== undefined) return [`# Default: ${setting.default}`];
  return example === undefined ? [] : [`# Such as: ${example}`];
}

function wrap(about: string): string[] {
  const lines: string[] = [];
  let line = '#';
  for (const word of about.split(' ')) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = '#';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
