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
