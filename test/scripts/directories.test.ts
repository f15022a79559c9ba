import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { OPTIONAL_SCOPES, REQUIRED_SCOPE_NAMES } from '../../src/chat/slack/manifest.ts';

const page = readFileSync('docs/directories.md', 'utf8');
const manifest = JSON.parse(readFileSync('manifest.json', 'utf8'));

function text(name: string): string {
  return new RegExp(`^\`\`\`${name}\\n(.*?)\\n\`\`\`$`, 'ms').exec(page)![1]!;
}

describe('the texts for the directories', () => {
  it.each([
    ['the summary on Discord', text('summary'), 200],
    ['the description on Discord', text('description'), 400],
    ['the short description on Slack', text('short'), 140],
    ['the description in the manifest', manifest.display_information.description, 140],
    ['the long description in the manifest', manifest.display_information.long_description, 4_000],
  ])('%s fits', (_, written, most) => {
    expect(written.length).toBeGreaterThan(40);
    expect(written.length).toBeLessThanOrEqual(most);
  });

  it('is as long as Slack asks for at least', () => {
    expect(manifest.display_information.long_description.length).toBeGreaterThanOrEqual(174);
  });

  it('name commands that are there', () => {
    const named = [...page.matchAll(/\/letterboxed (\w+)/g)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => !COMMANDS.some((command) => command.name === name))).toEqual([]);
  });

  it('leave people the choice of the optional scopes', () => {
    const { bot, bot_optional: optional } = manifest.oauth_config.scopes;
    expect(optional).toEqual(Object.keys(OPTIONAL_SCOPES));
    expect(bot).toEqual([...REQUIRED_SCOPE_NAMES, ...optional]);
  });

  it('name pictures that are there', () => {
    const named = [...page.matchAll(/`(?:docs\/screenshots\/)?([\w-]+\.png)`/g)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !existsSync(`docs/screenshots/${name}`))).toEqual([]);
  });
});
