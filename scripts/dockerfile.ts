export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of a Dockerfile, one for each, however many lines they take. Comments are left out. */
export function parseDockerfile(text: string): Instruction[] {
  return text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', rest = ''] = line.split(/\s+(.*)/s);
      return { name: name.toUpperCase(), text: rest.trim() };
    });
}

/** The words of an instruction such as COPY, LABEL or ENV; quotes keep spaces together. */
export function words(text: string): string[] {
  return [...text.matchAll(/(?:"[^"]*"|[^\s"])+/g)].map(([word]) => word.replaceAll('"', ''));
}

/** Replaces `$NAME` by its value. */
export function substitute(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{?(\w+)\}?/g, (_, name: string) => values[name] ?? '');
}
