import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { makeManifest, OPTIONAL_SCOPES, SCOPES } from '../../../src/chat/slack/install.ts';
import { manifestProblems } from '../../fakes/slack/manifest.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

describe('the manifest', () => {
  it('in the repository matches the commands; after a change, run `npx node scripts/manifest.ts`', () => {
    expect(JSON.parse(read('manifest.json'))).toEqual(makeManifest({ commands: COMMANDS }));
  });

  it('is accepted by Slack, for Socket Mode and for HTTP', () => {
    expect(manifestProblems(makeManifest({ commands: COMMANDS }))).toEqual([]);
    const http = makeManifest({ commands: COMMANDS, publicUrl: 'https://bot.example.org', rotation: true });
    expect(manifestProblems(http)).toEqual([]);
    expect(http).toMatchObject({
      oauth_config: { redirect_urls: ['https://bot.example.org/slack/oauth_redirect'] },
      settings: {
        socket_mode_enabled: false,
        token_rotation_enabled: true,
        event_subscriptions: { request_url: 'https://bot.example.org/slack/events' },
      },
    });
  });

  it('names every command that fits into the usage hint', () => {
    const [slash] = makeManifest({ commands: COMMANDS }).features.slash_commands;
    for (const { name } of COMMANDS) expect(slash?.usage_hint).toContain(name);
    const many = Array.from({ length: 300 }, (_, index) => ({ name: `command${index}` }));
    expect(makeManifest({ commands: many }).features.slash_commands[0]?.usage_hint).toBe('[help]');
  });

  it('gives a reason for each permission, which docs/slack.md repeats', () => {
    const docs = read('docs/slack.md');
    for (const [scope, reason] of Object.entries({ ...SCOPES, ...OPTIONAL_SCOPES })) {
      expect(docs).toContain(`| \`${scope}\` | ${reason} |`);
    }
  });
});
