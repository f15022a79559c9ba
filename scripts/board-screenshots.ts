import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { PHONE, visit } from '../test/chat/web/browser.ts';

/** A board of ours that two words of ours solve, shown by `generate` from this seed. */
const SEED = 'generate easy seed:screenshots';

export type Shoot = (page: Page, name: string) => Promise<void>;

/** A game on a generated board, from its first letter to its end: each state, and how it looks elsewhere. */
export async function shootBoards(browser: Browser, url: string, shoot: Shoot): Promise<void> {
  const desk = { viewport: { width: 1280, height: 800 } };
  const words = await shootGame(browser, url, shoot, desk);
  const looks: [name: string, person: string, options: BrowserContextOptions][] = [
    ['board-phone', 'ben', { ...PHONE, viewport: { width: 390, height: 844 } }],
    ['board-dark', 'cleo', { ...desk, colorScheme: 'dark', reducedMotion: 'reduce' }],
    ['board-200-percent', 'ada', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
  ];
  for (const [name, person, options] of looks) {
    const { page } = await visit(browser, url, options);
    const board = generatedBoard(page);
    await become(page, board, person);
    await board.locator('.letter[aria-disabled]').first().waitFor();
    await board.focus();
    if (person === 'ada') await page.keyboard.type(words[0]!.slice(0, 4));
    if (person === 'ben') {
      await page.keyboard.type(words[0]!);
      await page.keyboard.press('Enter');
      await board.locator('.words li').first().waitFor();
      await page.keyboard.type(words[1]!.slice(1, 4));
    }
    await board.scrollIntoViewIfNeeded();
    await shoot(page, name);
    await page.context().close();
  }
}

async function shootGame(
  browser: Browser,
  url: string,
  shoot: Shoot,
  options: BrowserContextOptions,
): Promise<readonly string[]> {
  const { page } = await visit(browser, url, options);
  await page.getByLabel('You are').selectOption('cleo');
  const say = async (line: string) => {
    await page.getByRole('combobox', { name: 'in general' }).fill(line);
    await page.keyboard.press('Enter');
  };
  await say(SEED);
  const board = generatedBoard(page);
  await board.waitFor();
  const words = await solutionOf(page, board, say);
  await board.focus();
  await board.evaluate((panel) => panel.closest('li')?.scrollIntoView());
  await shoot(page, 'board-new');
  await page.keyboard.type(words[0]!.slice(0, 4));
  await shoot(page, 'board-word');
  await page.keyboard.press('Enter');
  await board.locator('.said.is-refused').waitFor();
  await page.waitForTimeout(500);
  await shoot(page, 'board-refused');
  await page.keyboard.type(words[0]!);
  await page.keyboard.press('Enter');
  await board.locator('.words li').first().waitFor();
  await page.keyboard.type(words[1]!.slice(1));
  await shoot(page, 'board-second-word');
  await page.keyboard.press('Enter');
  await board.locator('.title:not([hidden])').waitFor();
  await page.waitForTimeout(2_000);
  await shoot(page, 'board-solved');
  await page.context().close();
  return words;
}

/** Waits for the page to show everything as that person sees it: letters typed earlier go to a board that is replaced. */
async function become(page: Page, board: Locator, person: string): Promise<void> {
  const people = page.getByLabel('You are');
  if ((await people.inputValue()) === person) return;
  const before = await board.elementHandle();
  await people.selectOption(person);
  await before?.waitForElementState('hidden');
}

/** Found by its message, since the board of the day may be on the page as well. */
function generatedBoard(page: Page): Locator {
  return page.locator('#channel .message', { hasText: SEED }).last().locator('.board');
}

/** The shortest solution, as the bot gives it for a board on the page. */
async function solutionOf(
  page: Page,
  board: Locator,
  say: (line: string) => Promise<void>,
): Promise<readonly string[]> {
  const sides = await board
    .locator('.box li')
    .evaluateAll((items) =>
      items.map((item) =>
        [...item.querySelectorAll('button')].map(({ textContent }) => textContent).join(''),
      ),
    );
  const asked = `solve ${sides.join(' ')}`;
  await say(asked);
  const answer = page.locator('#channel .message', { hasText: asked }).last();
  await answer.getByRole('button', { name: 'Shortest' }).click();
  const line = await answer.locator('.hidden-lines:not([hidden]) p').first().innerText();
  return [...line.matchAll(/[A-Z]{3,}/g)].map(([word]) => word.toLowerCase());
}
