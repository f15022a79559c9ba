/** A binary heap: the item with the smallest key first. */
export class Heap<Item> {
  readonly #items: Item[] = [];
  readonly #key: (item: Item) => number;

  constructor(key: (item: Item) => number) {
    this.#key = key;
  }

  peek(): Item | undefined {
    return this.#items[0];
  }

  push(item: Item): void {
    const items = this.#items;
    const key = this.#key(item);
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#key(items[parent]!) <= key) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  pop(): Item | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return top;
    const key = this.#key(last);
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#key(items[child + 1]!) < this.#key(items[child]!)) child++;
      if (this.#key(items[child]!) >= key) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = last;
    return top;
  }
}
