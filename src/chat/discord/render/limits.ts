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
