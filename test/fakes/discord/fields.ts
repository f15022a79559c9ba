/** The fields of a command as the guides write them for Discord: a value goes on to the next `name:`. */
export function fieldsOf(text: string): Record<string, string> {
  const fields = text.matchAll(/(?<=^|\s)([a-z]+):(.*?)(?=\s+[a-z]+:(?!\d)|\s*$)/g);
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
}
