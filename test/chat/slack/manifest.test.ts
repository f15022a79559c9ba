import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { main } from '../../../scripts/manifest.ts';
import { ALL_SCOPES, makeManifest } from '../../../src/chat/slack/manifest.ts';
import { runHere } from '../terminal/run.ts';

const file = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const DOCS = file('docs/slack.md');
const MANIFEST = JSON.parse(file('manifest.json'));

describe('the manifest', () => {
  it('in the repository matches the commands; after a change, run `npm run manifest`', () => {
    expect(MANIFEST).toEqual(makeManifest({ commands: COMMANDS }));
  });

  it('asks for the permissions for which docs/slack.md gives a reason', () => {
    const documented = Array.from(DOCS.matchAll(/^\| `([\w:]+)` \| \w/gm), ([, scope]) => scope);
    expect(documented).toEqual(ALL_SCOPES);
  });
});

describe('scripts/manifest.ts', () => {
  it.each([
    [['--url', 'bot'], /^--url "bot" should be an https:\/\/ address/],
    [['--url', 'http://bot.example.org'], /^--url .* should be an https:\/\/ address/],
    [['--help'], /^npm run manifest /],
    [['--urk', 'https://bot.example.org'], /^npm run manifest /],
    [['--url'], /^npm run manifest /],
  ])('%j writes nothing, and says what to type', async (typed, message) => {
    expect(await runHere(() => main(typed))).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(message),
    });
  });

  it('prints the one for an address, and for tokens that change', async () => {
    const { out } = await runHere(() => main(['--url', 'https://bot.example.org', '--rotation']));
    const { settings } = JSON.parse(out);
    expect(settings).toMatchObject({ socket_mode_enabled: false, token_rotation_enabled: true });
  });
});
