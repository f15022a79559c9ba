/** A game that is begun in a chat's form and finished on a phone, on the person's own page. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { makeRouter } from '../../../src/http/router.ts';
import { HttpServer } from '../../../src/http/server.ts';
import { boardPages } from '../../../src/web/pages/board-pages.ts';
import { sample } from '../../fakes/sample.ts';
import { type World, world } from '../../fakes/world.ts';
import { letter, words } from '../../web/pages/playing.ts';
import { browserNeeded, closePages, leavePages, PHONE, sharedBrowser, visit } from '../web/browser.ts';

const DISCORD_TOKEN = `${'M'.repeat(24)}.GabcDe.${'x'.repeat(38)}`;
const NO_SITE = new URL('no-site/', import.meta.url);
const SLACK_BOT_TOKEN = 'xoxb-of-a-test';
const quiet = () => undefined;
const DOORS: readonly ('discord' | 'slack')[] = ['discord', 'slack'];
/** The page is the same for both. */
const TRIED = sample(DOORS, DOORS.slice(-1));

describe('a game begun in a form', browserNeeded, () => {
  let browser: Browser;
  let server: HttpServer;
  let opened: World;
  const router = makeRouter({ debug: quiet, info: quiet, warn: quiet, error: quiet });
  beforeAll(async () => {
    server = new HttpServer({ router, host: '127.0.0.1', port: 0 });
    [browser] = await Promise.all([sharedBrowser(), server.start()]);
    const publicUrl = `http://127.0.0.1:${server.port}`;
    opened = await world({
      doors: DOORS,
      settings: { PUBLIC_URL: publicUrl, DISCORD_TOKEN, SLACK_BOT_TOKEN, SLACK_APP_TOKEN: 'xapp-of-a-test' },
    });
    const dispatcher = makeDispatcher(opened.app, { commands: COMMANDS });
    router.route(
      '/',
      boardPages(
        opened.app,
        dispatcher,
        { publicUrl, linkSecrets: { discord: DISCORD_TOKEN, slack: SLACK_BOT_TOKEN } },
        { site: NO_SITE },
      ),
    );
  });
  afterAll(async () => {
    await closePages(browser);
    await server?.stop();
    await opened?.close();
  });
  afterEach(() => leavePages(browser));

  it.each(TRIED)('on %s goes on on the page of a phone, and counts in the chat', async (door) => {
    const place = opened.places[DOORS.indexOf(door)]!;
    const begun = await place.ask('ben', 'play');
    const form = await begun.press('ben', 'Type words');
    expect(form.where).toBe('form');
    const played = await form.submit({ words: 'bfjmcg' });
    expect(played.text).toContain('BFJMCG – G…\nLeft: D H K L N P');
    const own = `http://127.0.0.1:${server.port}/`;
    expect(played.link).toMatch(new RegExp(`^${own}play/`));
    const { page, troubles } = await visit(browser, played.link!, PHONE, { ready: '#board .board', own });
    const board = page.getByRole('region', { name: 'Board to play' });
    await expect.poll(() => words(board).allTextContents()).toEqual(['BFJMCG']);
    for (const name of 'kdhlnbp') await letter(board, name).tap();
    await board.getByRole('button', { name: 'Enter' }).tap();
    await board.getByRole('heading', { name: 'Legend' }).waitFor();
    expect(troubles).toEqual([]);
    // What the chat shows is brought up to date by the next press, and by asking again.
    expect(played.text).toContain('BFJMCG – G…');
    const again = await place.ask('ben', 'play');
    expect(again.text).toContain('Solved in 2 words');
    expect((await place.ask('ben', 'share')).text).toContain('2 words');
    const standings = await place.ask('cleo', 'leaderboard day');
    expect(standings.text).toContain(place.named('ben'));
  });
});
