/** Playing a board in a real browser. */
import type { CDPSession, Locator, Page } from 'playwright-core';
import { SIDES } from '../../fakes/small-board.ts';

export const letter = (board: Locator, name: string) =>
  board.getByRole('button', { name: new RegExp(`^${name}(, used)?$`, 'i') });
export const button = (board: Locator, name: string) => board.getByRole('button', { name, exact: true });
export const said = (board: Locator) => board.getByRole('status');
export const words = (board: Locator) =>
  board.getByRole('list', { name: 'Words so far' }).getByRole('listitem');
/** Where the line of a letter ends. */
export const dot = async (board: Locator, name: string) => {
  const spot = SIDES.replaceAll(' ', '').indexOf(name);
  const box = (await board.locator('.box > svg > circle').nth(spot).boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

export const xy = ({ x, y }: { x: number; y: number }): [number, number] => [x, y];

/** Where a letter is pressed. */
export const middle = async (of: Locator) => {
  const box = (await of.boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** A stroke as the browser gets it from the device, with the times at which the hand was there. */
export async function draw(
  client: CDPSession,
  pointer: 'finger' | 'mouse',
  points: readonly { x: number; y: number; time: number }[],
): Promise<void> {
  const last = points.length - 1;
  const began = Date.now();
  // The browser takes them in this order, many in a frame, as from a device that is quicker than the screen.
  const sent = points.flatMap(({ x, y, time }, index) => {
    const timestamp = (began + time) / 1000;
    if (pointer === 'mouse')
      return client.send('Input.dispatchMouseEvent', {
        type: index === 0 ? 'mousePressed' : index === last ? 'mouseReleased' : 'mouseMoved',
        x,
        y,
        button: 'left',
        buttons: 1,
        clickCount: 1,
        timestamp,
      });
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      client.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp });
    const here = touch(index === 0 ? 'touchStart' : 'touchMove', [{ x, y }]);
    return index === last ? [here, touch('touchEnd', [])] : here;
  });
  await Promise.all(sent);
}

/**
 * Plays with the keyboard alone, from the empty board to the solved one.
 *
 * @param shown is called in each state, when it is there
 */
export async function playFilm(page: Page, shown: (state: string) => Promise<void>): Promise<void> {
  const board = page.getByRole('region', { name: 'Board to play' });
  const { keyboard } = page;
  const enter = async (word: string) => {
    await keyboard.type(word);
    await keyboard.press('Enter');
  };
  const heard = (text: string) => said(board).filter({ hasText: text }).waitFor();
  const spells = (word: string) => board.locator('.word', { hasText: new RegExp(`^${word}$`) }).waitFor();
  const isPlayed = (word: string) => words(board).filter({ hasText: word }).waitFor();
  const focused = () =>
    page.evaluate<string>(
      '(document.activeElement.ariaLabel ?? document.activeElement.firstChild?.textContent ?? "")',
    );
  const press = async (name: string) => {
    await button(board, name).waitFor();
    for (let tabs = 0; (await focused()) !== name; tabs++) {
      if (tabs === 40) throw new Error(`${name} can't be reached by Tab.`);
      await keyboard.press('Tab');
    }
    await keyboard.press('Enter');
  };

  await board.locator('.letter[aria-disabled="false"]').nth(11).waitFor();
  await shown('empty');
  // Shortcuts of the browser are no letters.
  for (const modifier of ['Control', 'Alt', 'Meta']) await keyboard.press(`${modifier}+m`);
  await keyboard.type('bFj');
  await shown('three letters');
  await keyboard.press('Enter');
  await heard('BFJ is not in the word list.');
  await shown('refused');
  // The next letter begins a new word.
  await keyboard.type('nbx');
  await heard('X is not on this board.');
  await spells('NBX');
  await shown('a letter of another board');
  // What follows it stays as well, is no word, and goes first.
  await enter('f');
  await heard('X is not on this board.');
  await spells('NBXF');
  await keyboard.press('Backspace');
  await keyboard.press('Backspace');
  await spells('NB');
  await shown('without it');
  await keyboard.press('Escape');
  await enter('nbp');
  await heard('Nothing starts with P. Take NBP back?');
  await shown('a dead end');
  await press('Take NBP back');
  await spells('NBP');
  await shown('taken back');
  await keyboard.press('Escape');
  await enter('bfjmcg');
  await isPlayed('BFJMCG');
  await shown('one word');
  await press('Restart');
  await heard('Start again from the first word?');
  await shown('asked before it starts again');
  await keyboard.press('Escape');
  await heard('Go on from G: 6 letters left.');
  await shown('not asked any longer');
  await press('Restart');
  await heard('Start again from the first word?');
  await press('Start again');
  await heard('You started again.');
  if ((await focused()) !== 'Board to play') throw new Error('The focus is lost.');
  await shown('started again');
  await press('Undo');
  await isPlayed('BFJMCG');
  await press('Hint');
  const help = page.getByRole('region', { name: 'Help' });
  await help.getByRole('heading').waitFor();
  // The next one's price is on the card.
  await board.locator('.buttons small:empty').waitFor({ state: 'attached' });
  await shown('a hint');
  await press('Solution');
  await button(help, 'Show it').waitFor();
  if ((await focused()) !== 'Show it') throw new Error('The focus is not on what is asked.');
  await shown('the price of the solution');
  await press('Keep playing');
  await help.waitFor({ state: 'hidden' });
  if ((await focused()) !== 'Board to play') throw new Error('The focus is lost with the card.');
  // What was undone is not offered again.
  await keyboard.type('k');
  await keyboard.press('Escape');
  await heard('Go on from G: 6 letters left.');
  // In a word that is empty, Backspace takes back the one before.
  await keyboard.press('Backspace');
  await spells('BFJMCG');
  await keyboard.press('Enter');
  await isPlayed('BFJMCG');
  await enter('kdhlnbp');
  await board.locator('.rank').waitFor();
  await shown('solved');
  await board.getByText('More', { exact: true }).click();
  // It lies below the fold.
  await page.evaluate('scrollTo(0, 0)');
  await shown('more ways to share');
}

/** The elements of a part of the page, one a line, without what depends on the screen, on motion or on the time. */
export async function elementsOf(part: Locator): Promise<string[]> {
  const html = await part.evaluate((one) => (one as unknown as { outerHTML: string }).outerHTML);
  return html
    .replace(/ in \d+ h \d+ min</, ' in 15 h<')
    .replaceAll(/word-\d+/g, 'word-0')
    .replaceAll(/(?<=class="badge">bot<.span>)<time[^>]*>[^<]*/g, '<time>')
    .replaceAll(/<time [^>]* class="relative"/g, '<time class="relative"')
    .replaceAll(/[0-9a-f]{8}-\d+(?=["/])/g, 'message')
    .replaceAll(/-?[\d.]+px/g, '0px')
    .replaceAll(/ style="--at[^"]*"/g, '')
    .split(/(?<=>)(?=<[a-z])/);
}

/** The lines that a list lacks of a later one. */
export function addedTo(before: readonly string[], after: readonly string[]): string[] {
  const left = [...before];
  return after.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
