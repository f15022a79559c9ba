/** docs/slack.md, followed literally. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../fakes/slack/manifest.ts';
import { type OpenedSlack, openSlack, read } from './open-slack.ts';

const DOCS = readFileSync(new URL('../../../docs/slack.md', import.meta.url), 'utf8');
const MANIFEST = JSON.parse(readFileSync(new URL('../../../manifest.json', import.meta.url), 'utf8'));
const typed = [...DOCS.matchAll(/`(\/letterboxed [^`]+)`/g)].map(([, line]) => line!);
const mentioned = [...DOCS.matchAll(/`@letterboxed ([^`]+)`/g)].map(([, line]) => line!);

let slack: OpenedSlack;
beforeAll(async () => {
  slack = await openSlack({ fake: { manifest: MANIFEST } });
});
afterAll(() => slack.close());

describe('docs/slack.md', () => {
  it('creates the app from manifest.json, with the two tokens that it names', () => {
    const app = createApp(MANIFEST);
    expect(app.usesSocket).toBe(true);
    expect(app.appToken).toMatch(/^xapp-/);
    expect(slack.fake.tokens.ofWorkspace(slack.workspace.id)[0]!.token).toMatch(/^xoxb-/);
  });

  it('names commands to type', () => {
    expect(typed.length).toBeGreaterThanOrEqual(4);
    expect(mentioned.length).toBeGreaterThanOrEqual(1);
  });

  it.each(typed)('%s works', async (line) => {
    slack.test.clock.time += 60_000;
    const { message, view } = await slack.ann.slash(slack.channel, line).shown;
    expect(read((message ?? view)!)).not.toMatch(/didn’t work|went wrong/);
  });

  it.each(mentioned)('@letterboxed %s works', async (line) => {
    slack.test.clock.time += 60_000;
    const { message } = await slack.ann.mention(slack.channel, line).shown;
    expect(read(message!)).not.toMatch(/didn’t work|went wrong/);
  });
});
