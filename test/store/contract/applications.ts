import { expect, test } from 'vitest';
import type { Ground } from './ground.ts';

export function applicationContract({ store, door }: Ground): void {
  test('the store belongs to the first application that claims it, until an operator gives it to another', async () => {
    const { applications } = store();
    const [mine, other] = [door(), door()];
    expect(await applications.get(mine)).toBeUndefined();
    const claims = await Promise.all(['1', '2', '3'].map((id) => applications.claim(mine, id)));
    expect(new Set(claims).size).toBe(1);
    expect(await applications.get(mine)).toBe(claims[0]);
    await applications.put(mine, '4');
    expect(await applications.claim(mine, '1')).toBe('4');
    await applications.put(other, '5');
    expect([await applications.get(mine), await applications.get(other)]).toEqual(['4', '5']);
  });
}
