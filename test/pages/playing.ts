/** Playing a board in a real browser. */
import type { CDPSession, Locator } from 'playwright-core';
import { SIDES } from '../fakes/small-board.ts';

export const letter = (board: Locator, name: string) =>
  board.getByRole('button', { name: new RegExp(`^${name}(, used)?$`, 'i') });
export const button = (board: Locator, name: string) => board.getByRole('button', { name, exact: true });
export const said = (board: Locator) => board.getByRole('status');
export const words = (board: Locator) =>
  board.getByRole('list', { name: 'Words so far' }).getByRole('listitem');
/** Where the line of a letter ends. */
export const dot = async (board: Locator, name: string) => {
  const spot = SIDES.replaceAll(' ', '').indexOf(name);
  const box = (await board.locator('circle').nth(spot).boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

export const xy = ({ x, y }: { x: number; y: number }): [number, number] => [x, y];

/** One finger, from point to point. */
export async function stroke(client: CDPSession, points: readonly { x: number; y: number }[]): Promise<void> {
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints });
  const [first, ...rest] = points;
  await touch('touchStart', [first!]);
  let from = first!;
  for (const to of rest) {
    await touch('touchMove', [{ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }]);
    await touch('touchMove', [to]);
    from = to;
  }
  await touch('touchEnd', []);
}

/** Where a letter is pressed. */
export const middle = async (of: Locator) => {
  const box = (await of.boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** A stroke as the browser gets it from the device. */
export async function draw(
  client: CDPSession,
  pointer: 'finger' | 'mouse',
  points: readonly { x: number; y: number }[],
): Promise<void> {
  const last = points.length - 1;
  for (const [index, { x, y }] of points.entries()) {
    if (pointer === 'finger')
      await client.send('Input.dispatchTouchEvent', {
        type: index === 0 ? 'touchStart' : 'touchMove',
        touchPoints: [{ x, y }],
      });
    else
      await client.send('Input.dispatchMouseEvent', {
        type: index === 0 ? 'mousePressed' : index === last ? 'mouseReleased' : 'mouseMoved',
        x,
        y,
        button: 'left',
        buttons: 1,
        clickCount: 1,
      });
  }
  if (pointer === 'finger')
    await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
