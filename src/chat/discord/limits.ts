/** Discord's documented limits, in characters and counts. Texts that are too long are shortened before they are sent. */
export const LIMITS = {
  /** All text displays of a message together. */
  messageText: 4000,
  components: 40,
  buttonsInRow: 5,
  buttonLabel: 80,
  menuChoices: 25,
  menuText: 100,
  menuPlaceholder: 150,
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
  description: 100,
  options: 25,
  threadName: 100,
  nonce: 25,
} as const;

/** The room that is left within a message's limits, which count for all of its parts together. */
export class Budget {
  #text: number = LIMITS.messageText;
  #components: number = LIMITS.components;

  get text(): number {
    return this.#text;
  }

  /** Takes this many components, or none if there is no room for all of them. */
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
 * As many whole lines as there is room for, and a note of how many were left out. No line is cut, since a spoiler without
 * its end would be readable.
 *
 * @param reserve characters to leave free for what follows
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
