/** JSON as it stands in a column; nothing stays nothing. */
export function parseJson(text: string | null | undefined): unknown {
  return text === null || text === undefined ? undefined : JSON.parse(text);
}

export function jsonOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
