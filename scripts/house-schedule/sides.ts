import { spellsCrude } from '../../src/wordlists/offensive-words.ts';

/** What a side may not spell, from either end: abbreviations of illness, drugs, insults, parties and police. */
const UNWELCOME = new Set(
  `wtf hiv lsd std pcp thc ghb cia fbi kgb nsa irs nra kkk ira plo isis sob pos pms stfu mdma ied emp wmd dui dwi owi
  lol omg ffs fml smh afk nsf nsfw tnt kia mia dob dna rip ptsd ocd adhd add tb ms als ibs utd uti hpv hsv nda jfk
  die ded sin sex gun war cum tit fat gay lez fag hoe ho pee poo wee pus rat gut gag rot rib sob hag nag mob mug bum
  ass fuc fuk fck fuq sht shi pis pim dic dik cok cun cnt kok vag jiz jap wop kik nig nga spi chi gyp mic abo coo
  kys rap rpe pdo ped hel dam dmn god jew nun pot kil ill ail dna bra bod anu anl sux suk kkk ss ku naz btc usa ussr
  gop dem maga bnp ukip ndp nzi dyk lsb hmo aid hit hot oap bj dp tna dtf mlf cok nob git twt tw bon cia`.split(
    /\s+/,
  ),
);

/** Whether people who read a side, or around the box, find a word there that nobody wants to read. */
export function spellsUnwelcome(sides: readonly string[]): boolean {
  return (
    spellsCrude(sides.join('')) ||
    sides.some((side) => UNWELCOME.has(side) || UNWELCOME.has([...side].reverse().join('')))
  );
}
