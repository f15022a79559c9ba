import type { Kind } from './wordnet.ts';

/** A word that another one is a form of. */
export interface BaseForm {
  readonly base: string;
  readonly kind: Kind;
  /** What the form is called in a clue. */
  readonly form: string;
}

const PLURAL = 'plural';
const PAST_FORM = 'past';
const COMPARATIVE = 'comparative';
const SUPERLATIVE = 'superlative';

/** WordNet's rules, each as `ending:ending of the base`. */
const RULES: readonly (readonly [Kind, form: string, endings: string])[] = [
  ['noun', PLURAL, 's: ses:s xes:x zes:z ches:ch shes:sh oes:o ies:y men:man ves:f ves:fe'],
  ['verb', 'he, she or it', 's: ies:y es:'],
  ['verb', PAST_FORM, 'ed:e ed: ied:y'],
  ['verb', '-ing form', 'ing:e ing: ying:ie'],
  ['adj', COMPARATIVE, 'er: er:e ier:y'],
  ['adj', SUPERLATIVE, 'est: est:e iest:y'],
];
const ENDINGS = RULES.flatMap(([kind, form, endings]) =>
  endings.split(' ').map((rule) => {
    const [ending = '', instead = ''] = rule.split(':');
    return { kind, form, ending, instead };
  }),
);
/** Endings before which a last consonant is doubled, as in `planned`. */
const DOUBLING = /([bdfgklmnprstvz])\1(ed|ing|er|est)$/;
/** Words of one syllable whose last consonant is always doubled before them. */
const ALWAYS_DOUBLES = /^(?:qu|[^aeiouy])*[aeiou][bdfgklmnprtvz]$/;
/** Words that take -es, and those of them that never take -s, as stomachs and photos do. */
const TAKES_ES = /(?:s|x|z|ch|sh|o)$/;
const NEVER_S = /(?:s|x|z|sh)$/;

/** The package has none of WordNet's lists of exceptions. Each line: the base, then its past forms. */
const IRREGULAR_VERBS = `arise arose arisen; awake awoke awoken; bear bore borne born; beat beaten; become became;
  begin began begun; bend bent; bet betted; bind bound; bite bit bitten; bleed bled; blow blew blown; break broke broken;
  breed bred; bring brought; build built; burn burnt; buy bought; catch caught; choose chose chosen; cling clung; come came;
  creep crept; deal dealt; dig dug; dive dove; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven;
  dwell dwelt; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fling flung;
  fly flew flown; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen;
  get got gotten; give gave given; grind ground; grow grew grown; hang hung; have had; hear heard; hide hid hidden;
  hold held; keep kept; kneel knelt; know knew known; lay laid; lead led; lean leant; leap leapt; learn learnt; leave left;
  lend lent; lie lay lain; light lit; lose lost; make made; mean meant; meet met; mistake mistook mistaken; mow mown;
  overcome overcame; pay paid; prove proven; ride rode ridden; ring rang rung; rise rose risen; run ran; say said; see saw seen;
  seek sought; sell sold; send sent; sew sewn; shake shook shaken; shear shorn; shine shone; shoot shot; show shown;
  shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; sling slung; smell smelt;
  sneak snuck; sow sown; speak spoke spoken; speed sped; spell spelt; spend spent; spill spilt; spin spun; spoil spoilt;
  spring sprang sprung; stand stood; steal stole stolen; stick stuck; sting stung; stink stank stunk; stride strode stridden;
  strike struck stricken; string strung; strive strove striven; swear swore sworn; sweep swept; swell swollen; swim swam swum;
  swing swung; take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown; tread trod trodden;
  understand understood; undertake undertook undertaken; undergo underwent undergone; undo undid undone; wake woke woken;
  wear wore worn; weave wove woven; weep wept; win won; wind wound; withdraw withdrew withdrawn; withhold withheld;
  withstand withstood; wring wrung; write wrote written; do did done; be was were been; go went gone;
  behold beheld; beget begot begotten; bereave bereft; foresee foresaw foreseen; forego forewent foregone; forsake forsook
  forsaken; mislead misled; misunderstand misunderstood; outdo outdid outdone; outgrow outgrew outgrown; overdo overdid
  overdone; oversee oversaw overseen; oversleep overslept; overtake overtook overtaken; overthrow overthrew overthrown;
  partake partook partaken; rebuild rebuilt; redo redid redone; repay repaid; retell retold; rewrite rewrote rewritten;
  slay slew slain; slink slunk; smite smote smitten; uphold upheld; unwind unwound; bestride bestrode; cleave cleft cloven;
  gild gilt; hew hewn; rend rent; rive riven; saw sawn; strew strewn; thrive throve thriven; input inputted`;
const IRREGULAR_NOUNS = `child children; foot feet; goose geese; louse lice; mouse mice; ox oxen; person people; tooth teeth;
  dormouse dormice; alumnus alumni; analysis analyses; appendix appendices; axis axes; bacterium bacteria; basis bases;
  cactus cacti; crisis crises; criterion criteria; curriculum curricula; datum data; diagnosis diagnoses; focus foci;
  formula formulae; fungus fungi; hypothesis hypotheses; index indices; larva larvae; matrix matrices; medium media;
  memorandum memoranda; nucleus nuclei; oasis oases; parenthesis parentheses; phenomenon phenomena; radius radii;
  stimulus stimuli; stratum strata; syllabus syllabi; synopsis synopses; thesis theses; vertebra vertebrae; vertex vertices;
  vortex vortices; penny pence; die dice; brother brethren; antenna antennae; alga algae; nebula nebulae; ovum ova;
  spectrum spectra; millennium millennia; symposium symposia; automaton automata; polyhedron polyhedra; beau beaux;
  bureau bureaux; plateau plateaux; tableau tableaux; chateau chateaux; virtuoso virtuosi; libretto libretti; concerto concerti;
  graffito graffiti; paparazzo paparazzi; emphasis emphases; ellipsis ellipses; metamorphosis metamorphoses; neurosis neuroses`;
const IRREGULAR: ReadonlyMap<string, readonly BaseForm[]> = new Map([
  ...irregular(IRREGULAR_VERBS, 'verb', PAST_FORM),
  ...irregular(IRREGULAR_NOUNS, 'noun', PLURAL),
  ...irregular('good better; bad worse', 'adj', COMPARATIVE),
  ...irregular('good best; bad worst', 'adj', SUPERLATIVE),
]);

/** The words that a word may be a form of, whether they exist or not. */
export function basesOf(word: string): BaseForm[] {
  const bases: BaseForm[] = [...(IRREGULAR.get(word) ?? [])];
  const single = word.replace(DOUBLING, '$1$2');
  for (const spelling of single === word ? [word] : [word, single]) {
    for (const { kind, form, ending, instead } of ENDINGS) {
      if (!spelling.endsWith(ending)) continue;
      const base = spelling.slice(0, spelling.length - ending.length) + instead;
      if (base.length < 2 || base === word) continue;
      if (instead === '' && isMisspelled(base, ending, spelling !== word)) continue;
      bases.push({ base, kind, form });
    }
  }
  return bases;
}

/** Locales is no form of local, saltiness none of saltines, and wining none of win: that is winning. */
function isMisspelled(base: string, ending: string, isDoubled: boolean): boolean {
  if (ending === 'es') return !TAKES_ES.test(base);
  if (ending === 's') return NEVER_S.test(base);
  return /^(?:ed|ing|er|est)$/.test(ending) && ALWAYS_DOUBLES.test(base) && !isDoubled;
}

function irregular(lines: string, kind: Kind, form: string): [string, BaseForm[]][] {
  return lines.split(';').flatMap((line) => {
    const [base = '', ...forms] = line.trim().split(/\s+/);
    return forms.map((one): [string, BaseForm[]] => [one, [{ base, kind, form }]]);
  });
}
