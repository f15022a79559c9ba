/** Slack's limits in characters and counts, from its reference. What is too long is shortened, never rejected. */
export const LIMITS = {
  messageBlocks: 50,
  viewBlocks: 100,
  sectionText: 3000,
  fields: 10,
  fieldText: 2000,
  headerText: 150,
  contextText: 3000,
  actionsButtons: 25,
  buttonText: 75,
  menuChoices: 100,
  menuText: 75,
  menuPlaceholder: 150,
  buttonValue: 2000,
  altText: 2000,
  fileAltText: 1000,
  modalTitle: 24,
  modalButton: 24,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  inputLabel: 2000,
  inputHint: 2000,
  inputPlaceholder: 150,
  /** Not documented: as long as it can be read below a field. */
  inputError: 300,
  inputValue: 3000,
  privateMetadata: 3000,
  /** With the heading. A data table takes 201. */
  tableRows: 100,
  tableCaption: 150,
  tableText: 200,
  /** Of the text besides the blocks, which notifications show. This is the limit of `chat.update`. */
  messageText: 4000,
} as const;

/**
 * Shortens a text to a number of characters. The last of them is an ellipsis when something was cut off.
 *
 * @example shorten('Next: joining letter', 10) // 'Next: joi…'
 */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

/** A plain text object, which must hold at least one character. */
export function plainTextObject(
  text: string,
  most: number,
): { type: 'plain_text'; text: string; emoji: false } {
  return { type: 'plain_text', text: shorten(text.trim() === '' ? '–' : text, most), emoji: false };
}
