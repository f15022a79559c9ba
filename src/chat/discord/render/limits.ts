/** Discord's limits, in characters and counts, as its documentation states them. What is too long is cut, not refused. */
export const LIMITS = {
  /** Of all text displays of a message together. */
  messageText: 4000,
  components: 40,
  buttonsInRow: 5,
  buttonLabel: 80,
  customId: 100,
  altText: 1024,
  files: 10,
  modalTitle: 45,
  modalFields: 5,
  fieldLabel: 45,
  fieldDescription: 100,
  fieldPlaceholder: 100,
  fieldValue: 4000,
  choices: 25,
  choice: 100,
  commandName: 32,
  description: 100,
  options: 25,
  optionText: 6000,
  threadName: 100,
  nonce: 25,
} as const;

/**
 * Cut to a number of characters, the last of them an ellipsis if something is missing.
 *
 * @example shorten('Next: joining letter', 10) // 'Next: joi…'
 */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length > most - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

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
