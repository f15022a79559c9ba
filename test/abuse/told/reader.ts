/**
 * A reader that knows the game and our English, and nothing of the code: from the words of a message alone it says which
 * facts about a board they tell. What replies declare, and what the store has, is compared with it.
 */

/** The hints of docs/hints.md in their order, with what each counts as; the solution counts as all of them. */
const POINTS = {
  count: 1,
  hardest: 1,
  lengths: 2,
  start: 2,
  joint: 2,
  meaning: 3,
  letters: 3,
  masked: 4,
  first: 5,
} as const;
export type Step = keyof typeof POINTS;
export type Fact = Step | 'solution';
export const STEPS = Object.keys(POINTS) as Step[];

export const pointsOf = (steps: Iterable<Step>) => [...steps].reduce((sum, step) => sum + POINTS[step], 0);
/** What facts are charged as. */
export const chargedFor = (facts: ReadonlySet<Fact>) =>
  STEPS.filter((step) => facts.has(step) || facts.has('solution'));

/** All there is to know about a board of a few words. */
export interface Answers {
  readonly words: readonly string[];
  readonly letters: string;
  readonly shortest: readonly (readonly string[])[];
}

/** Tries all chains of at most three words. */
export function answersOf(sides: string, words: readonly string[]): Answers {
  const letters = sides.replaceAll(' ', '');
  const isDone = (chain: readonly string[]) =>
    [...letters].every((letter) => chain.join('').includes(letter));
  let chains: string[][] = words.map((word) => [word]);
  for (let length = 1; length < 4; length++) {
    const shortest = chains.filter(isDone);
    if (shortest.length > 0) return { words, letters, shortest };
    chains = chains.flatMap((chain) =>
      words.filter(([first]) => first === chain.at(-1)!.at(-1)).map((word) => [...chain, word]),
    );
  }
  throw new Error('the board has no solution of three words');
}

/** What the reader of a message did to see it. */
export interface Occasion {
  /** The line that they typed, or that led to the message whose button they pressed. */
  readonly line: string;
  /** All words that they have ever typed. */
  readonly typed: ReadonlySet<string>;
  /** The solutions that they have played. */
  readonly played: ReadonlySet<string>;
  /** What they have read so far. */
  readonly read: ReadonlySet<Fact>;
}

/** Sentences that tell a fact by themselves. */
const SENTENCES: readonly (readonly [Fact, RegExp])[] = [
  ['start', /\b[A-Z](?:, [A-Z])*\. (?:Not [A-Z]\b|No other letter starts a shortest)/],
  ['start', /(?:not found|solution) starts with [A-Z]\b/],
  ['start', /\(\d+ left\)/],
  ['start', /^They begin with: [A-Z]/m],
  ['joint', /^They end with: [A-Z]/m],
  ['count', /It takes \W*\d+( more)? words?/],
  ['count', /Fewest words\W+\d/],
  ['count', /\w+-word solutions\W+\d/],
  ['count', /Words still needed\W+\d/],
  ['count', /It can be done in \d|solve it in \d/],
  ['count', /Well-known words solve it in \d|all words, it takes \d|shortest solution I found has \d/],
  ['count', /solutions? in \d+ words?|better than yours|\d+ of 100\./],
  ['hardest', /\b[A-Z] in \d+ (?:well-known )?words?\b|hardest letters?:? [A-Z]\b/i],
  ['lengths', /In order: \d+, then \d+|One word of \d+ letters/],
  ['joint', /words join on [A-Z]\b|^Where the words join:?\s+Nowhere/m],
  [
    'meaning',
    /^Word 1: .|no short definition for this one|^What the words mean:?\n *(?!For our)\S[^\n]*\.$/m,
  ],
  ['letters', /(?<![A-Z])[A-Z]…[A-Z](?![A-Z])/],
  ['masked', /\b[A-Z]_[A-Z](?:_[A-Z])*_?(?![A-Z_])/],
  // The price of a hint that is as much as a solution.
  ['first', new RegExp(`\\bworth ${pointsOf(STEPS)} hint points\\.`, 'i')],
  ['first', /(?:[1-9]\d*) (?:better )?solutions?(?: in fewer words)? begins? with [A-Z]{3,}/],
  ['solution', /The best solution\W+[A-Z]{3,} – [A-Z]{3,}/],
  ['first', /The first word of one that you have not found: [A-Z]{3,}/],
];

/** The facts that a text tells to somebody. */
export function factsIn(text: string, answers: Answers, occasion: Occasion): Set<Fact> {
  const facts = new Set(SENTENCES.flatMap(([fact, pattern]) => (pattern.test(text) ? [fact] : [])));
  const isNarrowed = /^solve\b.*\b(?:exclude|require):/.test(occasion.line);
  if (isNarrowed && /Fewest words|-word solutions|They begin with/.test(text)) facts.add('solution');
  if (
    chainsIn(text, answers).some((chain) => isSolution(chain, answers) && !occasion.played.has(chain.join()))
  )
    facts.add('solution');
  for (const word of nextWordsIn(text, answers, occasion)) {
    facts.add('first');
    if (shortestWith(occasion.line, answers).some((chain) => chain.at(-1) === word)) facts.add('solution');
  }
  // Said without a price to somebody who knows how many words it takes.
  const isSaid = /says nothing new/.test(text) && /one (?:more )?word is enough/.test(text);
  if (isSaid && !occasion.read.has('lengths')) facts.add('count');
  if (namesWayOn(text, answers)) facts.add('first');
  const played = /^(?:hint|next)\b/.test(occasion.line) ? wordsIn(occasion.line, answers) : [];
  const needed = played.length === 0 ? undefined : neededIn(text);
  // Whoever reads it knows that their own words begin a shortest solution.
  if (needed !== undefined && played.length + needed === answers.shortest[0]!.length) facts.add('first');
  return facts;
}

/** How many words are still needed, as any of the hints says. */
function neededIn(text: string): number | undefined {
  const said = /It takes \W*(\d+) more words?|Words still needed\W+(\d+)/.exec(text);
  if (said !== null) return Number(said[1] ?? said[2]);
  const lengths = /In order: ([^.]*) letters/.exec(text);
  if (lengths !== null) return lengths[1]!.split(', then ').length;
  const joints = /words join on ([^.]*)\./.exec(text);
  if (joints !== null) return joints[1]!.split(', then on ').length + 1;
  const ends = /(?<![A-Z])[A-Z]…[A-Z](?:, then [A-Z]…[A-Z])*\./.exec(text);
  if (ends !== null) return ends[0].split(', then ').length;
  const masked = text.match(/^.*\b[A-Z]_[A-Z](?:_[A-Z])*_?(?![A-Z_]).*$/gm);
  if (masked !== null) return masked.length;
  const numbers = [...text.matchAll(/^Word (\d): ./gm)].map(([, number]) => Number(number));
  if (numbers.length > 0) return Math.max(...numbers);
  const isOne = /One word of \d+ letters|one more word is enough|^What the words mean:?$/m.test(text);
  return isOne ? 1 : undefined;
}

const NAMED_FIRST = /(?:Start with|Go on with|that you have not found:) ([A-Z]{3,})\b/;

export function namesFirst(text: string): boolean {
  return NAMED_FIRST.test(text);
}

/** Words that go on from those of the line, by name. */
export function nextWordsIn(text: string, answers: Answers, { line }: Occasion): string[] {
  const asked = wordsIn(line, answers);
  const named = /(?:Start|Go on) with ([A-Z]{3,})\b/.exec(text)?.[1]?.toLowerCase();
  const isListed = /Best next words?(?! *\])/.test(text) && /^After /m.test(text);
  const listed = isListed ? wordsIn(text, answers).filter((word) => !asked.includes(word)) : [];
  return [...(named === undefined ? [] : [named]), ...listed];
}

/** The shortest solutions that begin with the words of a line and one more. */
function shortestWith(line: string, { words, shortest }: Answers): readonly (readonly string[])[] {
  const played = wordsIn(line, { words });
  return shortest.filter((chain) => chain.slice(0, -1).join() === played.join());
}

/** Words of the board in a text that its reader has never typed. */
export function strangeWordsIn(text: string, answers: Answers, { typed }: Occasion): string[] {
  return [...new Set(wordsIn(text, answers))].filter((word) => !typed.has(word));
}

export function wordsIn(text: string, { words }: Pick<Answers, 'words'>): string[] {
  return (text.toLowerCase().match(/[a-z]+/g) ?? []).filter((word) => words.includes(word));
}

function chainsIn(text: string, { words }: Answers): string[][] {
  const chains = text.match(/\b[A-Z]{3,}(?: – [A-Z]{3,})+/g) ?? [];
  return chains
    .map((chain) => chain.toLowerCase().split(' – '))
    .filter((chain) => chain.every((word) => words.includes(word)));
}

export function isSolution(chain: readonly string[], { letters }: Answers): boolean {
  return [...letters].every((letter) => chain.join('').includes(letter));
}

/** In a review, a word of a solution after which the rest of a shortest one would have finished. */
function namesWayOn(text: string, { words, shortest }: Answers): boolean {
  const lines = [
    ...text.matchAll(
      /^([A-Z]{3,}): .*?(?:After it, (?:any of )?([\d,]+) (?:chains? of (\d+) )?words? would have finished.*)?$/gm,
    ),
  ];
  const own = lines.filter(([, word = '']) => words.includes(word.toLowerCase()));
  const fewest = shortest[0]!.length;
  const isLonger = own.length > fewest || text.includes('How it could have gone');
  return own.some(
    ([, , ways, more = '1'], index) => ways !== undefined && isLonger && index + 1 + Number(more) === fewest,
  );
}

export interface CardTitle {
  readonly number: number;
  readonly dots: number;
}

/** The number on a card of hints. */
export function cardTitleIn(text: string): CardTitle | undefined {
  const [, number, dots = ''] = /Hint (\d+) of \d+ ([●○]+)/.exec(text) ?? [];
  return number === undefined ? undefined : { number: Number(number), dots: dots.replaceAll('○', '').length };
}

/** All that is in a message's data: texts, alt texts, labels, values, titles, completions. A line is one text. */
export function textsIn(data: unknown, key = ''): string[] {
  if (typeof data === 'string') return HANDLES.has(key) ? [] : [data];
  if (Array.isArray(data)) {
    const isLine = key !== 'lines' && key !== 'on' && data.some((piece) => typeof piece === 'string');
    if (isLine) return [data.flatMap((piece) => textsIn(piece)).join('')];
    return data.flatMap((part) =>
      key === 'lines' && Array.isArray(part)
        ? [part.flatMap((piece) => textsIn(piece)).join('')]
        : textsIn(part, key),
    );
  }
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([name, value]) => textsIn(value, name));
}

/** Random ids of platforms, in which letters may stand together by chance. */
const HANDLES = new Set([
  'id',
  'block_id',
  'action_id',
  'ts',
  'token',
  'hash',
  'url',
  'proxy_url',
  'source',
  'slack_file',
  'team_id',
  'bot_id',
  'app_id',
  'external_id',
  'root_view_id',
  'timestamp',
  'edited_timestamp',
]);

/** Texts as they read, one a line: without the signs of bold and code, escapes and links of pictures. */
export function readable(texts: readonly string[]): string {
  return (
    texts
      .join('\n')
      .replace(/\\(.)/g, '$1')
      .replace(/^(?:### |-# )/gm, '')
      .replace(/<\/[^:>]+:\d+>/g, '')
      // Slack needs a character between a bold end and a letter, which nobody sees.
      .replace(/\u200b/g, ' ')
      .replace(/[*`]/g, '')
  );
}
