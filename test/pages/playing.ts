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
