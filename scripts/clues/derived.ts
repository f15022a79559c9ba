import type { Kind } from './wordnet.ts';

/** A word that another one is made from, and how its clue becomes the other's. */
export interface Origin {
  readonly base: string;
  readonly kinds: readonly Kind[];
  readonly say: (clue: string) => string;
}

const after = (note: string) => (clue: string) => `${clue} (${note})`;
const before = (note: string) => (clue: string) => `${note}: ${clue}`;

/** An ending, what its base has instead, the kinds of the base, and how the clue is said. */
const ENDINGS: readonly (readonly [string, readonly string[], readonly Kind[], Origin['say']])[] = [
  ['ically', ['ic', 'ical'], ['adj'], after('adverb')],
  ['ily', ['y'], ['adj'], after('adverb')],
  ['ly', ['', 'le', 'l'], ['adj'], after('adverb')],
  ['iness', ['y'], ['adj'], after('noun')],
  ['ness', [''], ['adj'], after('noun')],
  ['ibility', ['ible'], ['adj'], after('noun')],
  ['ability', ['able'], ['adj'], after('noun')],
  ['ity', ['e', '', 'ous'], ['adj'], after('noun')],
  ['ship', [''], ['noun'], before('being or having')],
  ['hood', [''], ['noun'], before('being')],
  ['ism', ['e', '', 'y', 'ist'], ['adj', 'noun'], after('idea or way of doing it')],
  ['ment', ['', 'e'], ['verb'], after('noun')],
  ['ation', ['e', 'ate', ''], ['verb'], after('noun')],
  ['ition', ['e', 'ite', 'ish'], ['verb'], after('noun')],
  ['ion', ['e', ''], ['verb'], after('noun')],
  ['al', ['e', ''], ['noun', 'verb'], after('adjective')],
  ['ical', ['e', '', 'y', 'ic', 's'], ['noun', 'adj'], after('adjective')],
  ['ic', ['e', '', 'y', 'ics', 's'], ['noun'], after('adjective')],
  ['ous', ['e', '', 'y'], ['noun'], after('adjective')],
  ['ious', ['y', 'ion', ''], ['noun'], after('adjective')],
  ['able', ['e', ''], ['verb'], before('that can')],
  ['ible', ['e', ''], ['verb'], before('that can')],
  ['ive', ['e', '', 'ion'], ['verb', 'noun'], after('adjective')],
  ['ful', [''], ['noun', 'verb'], before('full of this')],
  ['iful', ['y'], ['noun'], before('full of this')],
  ['less', [''], ['noun', 'verb'], before('without this')],
  ['iless', ['y'], ['noun'], before('without this')],
  ['like', [''], ['noun'], before('as this')],
  ['ish', ['e', ''], ['noun', 'adj'], before('rather like this')],
  ['ized', ['ize'], ['verb'], after('past')],
  ['ed', ['e', ''], ['verb', 'noun'], after('past, or having it')],
  ['ing', ['e', ''], ['verb', 'noun'], after('-ing form')],
  ['iers', ['y'], ['verb'], before('those who do this')],
  ['ier', ['y'], ['verb'], before('one who does this')],
  ['ers', ['e', ''], ['verb', 'noun'], before('those who do this')],
  ['er', ['e', ''], ['verb', 'noun', 'adj'], before('one who does this, or more so')],
  ['ors', ['e', ''], ['verb'], before('those who do this')],
  ['or', ['e', ''], ['verb'], before('one who does this')],
  ['ist', ['e', '', 'y'], ['noun', 'verb'], before('somebody busy with this')],
  ['ists', ['e', '', 'y'], ['noun', 'verb'], before('people busy with this')],
  ['ian', ['', 'y', 's'], ['noun'], before('somebody busy with this')],
  ['ward', [''], ['noun', 'adv', 'adj'], before('towards this')],
  ['wards', [''], ['noun', 'adv', 'adj'], before('towards this')],
  ['y', ['e', ''], ['noun', 'verb'], before('of or like this')],
  ['ize', ['e', '', 'y'], ['noun', 'adj'], before('to make this')],
  ['en', ['e', ''], ['adj', 'noun'], before('to make or become this')],
];
const ANY: readonly Kind[] = ['adj', 'verb', 'noun', 'adv'];
const BEGINNINGS: readonly (readonly [beginnings: readonly string[], say: Origin['say']])[] = [
  [['un', 'dis'], before('not, or undoing this')],
  [['in', 'im', 'ir', 'il', 'non'], before('not this')],
  [['anti'], before('against this')],
  [['re'], before('this again')],
  [['pre'], before('this beforehand')],
  [['mis'], before('this, but wrongly')],
  [['over'], before('this, but too much')],
  [['under'], before('this, but too little, or below it')],
  [['out'], before('this, but better, or further')],
  [['super'], before('this, but more so')],
  [['inter'], before('between these')],
  [['multi'], before('many of these')],
  [['semi'], before('half of this')],
  [['self'], before('this, of oneself')],
  [['step'], before('this, but by a second marriage')],
];

/** The words that a word may be made from, whether they exist or not; the ones with the longest endings first. */
export function originsOf(word: string): Origin[] {
  const origins: Origin[] = [];
  const doubled = /([bdfgklmnprstvz])\1$/;
  for (const [ending, instead, kinds, say] of ENDINGS) {
    if (!word.endsWith(ending) || word.length - ending.length < 2) continue;
    const cut = word.slice(0, -ending.length);
    for (const end of instead) origins.push({ base: cut + end, kinds, say });
    if (doubled.test(cut)) origins.push({ base: cut.slice(0, -1), kinds, say });
  }
  for (const [beginnings, say] of BEGINNINGS)
    for (const beginning of beginnings.filter((one) => word.startsWith(one)))
      origins.push({ base: word.slice(beginning.length), kinds: ANY, say });
  return origins.filter(({ base }) => base !== word && base.length >= 3);
}
