/** Place, person and days: in characters, in code with the person after it, or with bars between the cells. */
const FORMS = [
  /^ *(?<rank>\d+) +(?<person>@\S+) +(?<days>\d+) /,
  /^`\u00a0*(?<rank>\d+)\u00a0+(?<days>\d+)\u00a0.*` (?<person>@\S+)/,
  /^(?<rank>\d+) \| (?<person>@\S+) \| (?<days>\d+) \| /,
];

/**
 * The rows of a leaderboard of several days as any door shows it.
 *
 * @example standingsRows('1  @ann     2    2.5') // ['1. @ann 2']
 */
export function standingsRows(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const { rank, person, days } = FORMS.map((form) => form.exec(line)?.groups).find(Boolean) ?? {};
    return rank === undefined ? [] : [`${rank}. ${person} ${days}`];
  });
}
