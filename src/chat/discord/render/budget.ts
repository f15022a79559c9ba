import { LIMITS } from './limits.ts';

/** What is still free in a message, which is counted over all of its parts together. */
export class Budget {
  #text: number = LIMITS.messageText;
  #components: number = LIMITS.components;

  get text(): number {
    return this.#text;
  }

  /** Takes so many components, or none of them. */
  takeComponents(count: number): boolean {
    if (count > this.#components) return false;
    this.#components -= count;
    return true;
  }

  takeText(length: number): void {
    this.#text -= length;
  }
}

const MORE = (left: number) => `… and ${left} more`;

/**
 * As many whole lines as there is room for, and a note of how many were left out. Lines are never cut in
 * the middle, for a spoiler that lost its end would show.
 */
export function fitLines(lines: readonly string[], budget: Budget, reserve: number): string {
  const room = budget.text - reserve;
  const kept: string[] = [];
  let length = 0;
  for (const [at, line] of lines.entries()) {
    const isLast = at === lines.length - 1;
    const tail = isLast ? 0 : MORE(lines.length).length + 1;
    if (length + line.length + 1 + tail > room) {
      if (room >= MORE(lines.length).length) kept.push(MORE(lines.length - at));
      break;
    }
    kept.push(line);
    length += line.length + 1;
  }
  const text = kept.join('\n');
  budget.takeText(text.length);
  return text;
}
