import { skeletonOf } from './confusables.ts';
import { hasCrudePart, isCrude } from './offensive-words.ts';

/**
 * Slurs and crude words of many languages, and phrases, which are compared with whole words: a selection from the List of Dirty,
 * Naughty, Obscene, and Otherwise Bad Words (npm package naughty-words 1.2.0, CC BY 4.0; credit in NOTICE). It leaves out words
 * that are harmless in their language, or often part of harmless ones where words are written without spaces. The commonest
 * English ones are in offensive-words.ts, which knows them by their beginnings.
 */
export const LISTED = `
  شرموطة|عاهرة|عرص|قحبة|لوطي|متناك|متناكة|buzna|čurák|do piče|do prdele|hajzl|hovno|chcanky|chuj|jebat|kokot|kokotina|koňomrd|
  kurva|mamrd|mrdat|mrdka|mrdník|piča|píčus|píchat|pizda|prcat|prdel|sračka|srát|šoustat|vypíčenec|zkurvit|zkurvysyn|zmrd|
  bøsserøv|fisse|fissehår|hestepik|kussekryller|luder|pikhår|pikslugeri|piksutteri|røvhul|røvskæg|røvspræke|analritter|arsch|
  arschficker|arschlecker|arschloch|fick|ficken|flittchen|fotze|hackfresse|hure|hurensohn|kackbratze|kacke|kacken|kackwurst|
  kampflesbe|kanake|möse|neger|nutte|onanieren|pimmel|schlampe|scheiße|scheisser|schwanzlutscher|schwuchtel|tittchen|titten|
  wichse|wichsen|wichser|alabama hot pocket|bangbros|beaner|beaners|big tits|black cock|blow job|bukkake|bulldyke|
  carpet muncher|circlejerk|creampie|daterape|dirty sanchez|donkey punch|fingerbang|fudge packer|futanari|gang bang|goatse|
  gokkun|hand job|hentai|how to kill|how to murder|jail bait|jiggaboo|jiggerboo|jizz|nambla|nig nog|pedobear|poopchute|raghead|
  rimjob|shemale|slanteye|splooge|towelhead|tubgirl|two girls one cup|white power|bollera|cabrón|chupapollas|
  concha de tu madre|coño|culo|follador|follar|gilipichis|gilipollas|hija de puta|hijaputa|hijo de puta|hijoputa|jilipollas|
  kapullo|lameculos|marica|maricón|mariconazo|mierda|pendejo|puta|ramera|soplagaitas|soplapollas|tetas grandes|verga|
  vete a la mierda|جنده|چوچول|دودول|کسکش|کونکش|کونی|کیر|کیری|haista paska|haista vittu|hevonpaska|hevonperse|hevonvittu|
  huorata|kusipää|kyrpä|kyrpänaama|molopää|mulkku|mulkvisti|neekeri|nussia|nussija|nussinta|paska|paskainen|paskapää|
  paskiainen|perkele|perse|perseennuolija|persereikä|persläpi|pillu|runkata|runkkari|runkku|ryssä|vittu|vittuilla|vittuilu|
  vittumainen|vittuuntunut|vitun|vitusti|vituttaa|vitutus|anak ka ng puta|burat|jakol|kantot|puta ka|putang ina|tangina|ulol|
  branler|branlette|branleur|branleuse|chiasse|chier|connard|connasse|couilles|emmerder|emmerdeur|emmerdeuse|enculé|enculée|
  enculeur|enculeurs|enfoiré|enfoirée|fille de pute|fils de pute|foutre|gouine|grogniasse|nègre|nique ta mère|nique ta race|
  pédé|pouffiasse|putain|pute|sac à foutre|salaud|salope|tabarnak|tapette|trou du cul|turlute|viarge|behen chod|beti chod|
  bhangi|bhosad|bhosadi ke|chinki|chodu|choot|chootia|chootiya|chutia|chutiya|gaand|gandu|haramzade|jhant|lund choos|
  maa ki chut|madarchod|madhavchod|teri maa ka bhosada|teri maa ki chut|balfasz|balfaszok|baszik|bazmeg|fasz|faszfej|faszfejek|
  faszok|faszt|geci|gecik|kibaszott|kurafi|kurvák|kurvát|picsa|picsát|pöcs|pöcsök|punci|segg|seggfej|seggfejek|szar|szarok|
  szart|bagascia|baldracca|bocchinara|cazzo|cazzone|checca|ciucciami il cazzo|coglione|coglioni|culattone|figlio di puttana|
  fottere|fottersi|frocio|froscio|leccaculo|merda|merdata|merdoso|mignotta|minchia|minchione|porca madonna|porca puttana|
  puttana|recchione|sborra|sborrata|spompinare|stronza|stronzata|stronzo|terrone|testa di cazzo|vaffanculo|zoccola|オマンコ|
  クンニリングス|手コキ|フェラチオ|マザー・ファッカー|まんこ|やりまん|淫乱|強姦犯|獣姦|売春婦|輪姦|강간|개새끼|개자식|계집년|
  뙤놈|미친새끼|병신|빠구리|쌍놈|씨발|씨팔|씹물|씹빨|씹새끼|씹알|씹창|씹팔|잡년|종간나|좆|죽일년|짱깨|쪽바리|창녀|화냥년|
  후레아들|afzuigen|bagger schijten|befborstel|boerelul|botergeil|flikker|geilneef|godverdomme|gratenkut|hoer|hoerenbuurt|
  hoerenloper|hoerig|klootoog|klootzak|kontneuken|kuttelikkertje|lulhannes|matennaaier|neuken|neukstier|oetlul|opgeilen|
  ouwehoer|ouwehoeren|paardelul|pleurislaaier|portiekslet|reetridder|rothoer|schijt|schijten|slet|sletterig|snol|stoephoer|
  stront|teringlijer|trottoirteef|verneuken|voor jan lul|zakkenwasser|drittsekk|faen|fitte|føkk|føkka|føkkings|jævla|kukene|
  kuker|morraknuller|morrapuler|pakkis|pikk|ræva|sotrør|ståpikk|chujnia|ciota|cipa|do kurwy nędzy|dupek|dziwka|fiut|gówno|
  ja pierdolę|jebać|jebany|kurwa|kurwy|kutafon|kutas|pieprzyć|pierdolec|pierdolić|pierdolnąć|pierdolnięty|pojeb|pojebany|
  popierdolony|ruchać|skurwysyn|sraczka|srać|wkurwiać|zajebisty|boceta|bosta|cabrao|cacete|caralho|chochota|colhoes|esporra|
  filho da puta|foda|foda-se|foder|paneleiro|porra|puta que pariu|puta que te pariu|vai tomar no cu|vai-te foder|xochota|
  chernozhopyi|dolboy'eb|ebalnik|mudack|ot'ebis|otpizdit|pizdato|pizdetc|pizd'uk|po khuy|raspeezdeyi|sukin syn|yeb vas|za'ebat|
  zaebis|zalupa|zasranetc|бздёнок|блядки|блядовать|блядство|блядь|во пизду|выёбываться|гандон|говно|говнюк|дерьмо|дрочить|
  ёб твою мать|ёбарь|ебать|ебло|ебнуть|жопа|жополиз|измудохать|малофья|манда|мандавошка|мудило|мудозвон|на хуй|наебать|
  наебениться|наебнуться|нахуячиться|невебенный|ни хуя|опесдол|охуеть|охуительно|спиздить|срать|ссать|хохол|хуёво|хуёвый|
  хуеплет|хуило|хуиня|хуй|хуйнуть|arsle|discofitta|dra åt helvete|fitta|fittig|knulla|kuksås|rövhål|rövknulla|runka|
  skit ner dig|snedfitta|กระหรี่|ควย|แม่ง|เย็ด|หญิงชาติชั่ว|เหี้ย|ไอ้ควาย|amcığa|amcığı|amcığın|amcık|amcıklar|götveren|götverenler|
  kaltağı|kaltak|kaltaklar|orospu|orospular|orospunun|orospuyu|siker sikmez|sikmek|siktir|taşağı|taşak|taşaklar|yarağı|yarak|
  yaraklar|你老母|傻比|傻逼|冚家拎|冚家鏟|他妈的|她妈的|它妈的|你妈的|塞你娘|塞你母|妈逼|妓女|婊子|屄|干你妈|干你娘|干妳妈|
  干妳娘|干妳老母|强奸|懆您妈|懆您娘|操你|操妳|操逼|日你妈|杂种|淫妇|淫棍|淫水|淫荡|烂货|烂逼|王八蛋|肏|贱人|贱货|轮奸|阳具|
  雞巴|骚货|骚逼|鸡巴|龟儿子|仆街|閪`
  .trim()
  .split(/\|\s*/);

/** Names of people, places, animals and books that a list of words would refuse. */
const NAMES = `
  ashita atwater bitche clitheroe cockburn ignazia ignazio karpenisi kinoshita lesbos lightwater lynchburg matsushita
  middelfart miyashita montenegro morishita nazim nazira penistone peniscola scunthorpe slutsk supaporn takeshita wankel
  yamashita yoshito yoshitomi dick.tracy dick.van.dyke maine.coons? moby.dick rio.?negro`;
const NAME = new RegExp(`(?<!\\p{L})(?:${NAMES.trim().split(/\s+/).join('|')})(?!\\p{L})`, 'gu');

/** English words of two letters. Word lists of the game begin with three. */
const SHORT_WORDS =
  /^(?:a|i|ad|am|an|as|at|be|by|do|go|ha|he|hi|ho|if|in|is|it|me|my|no|of|oh|ok|on|or|ox|pi|so|to|up|us|we)$/;
/** Digits and signs that are written in place of letters. */
const SIGNS: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '!': 'i' };
/** Languages that are written without spaces. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;

/** The listed words as people read them, without what separates the words of a phrase. */
const joined = (words: readonly string[]) => new Set(words.map((word) => wordsOf(skeletonOf(word)).join('')));
const listedOnce = () => ({
  words: joined(LISTED),
  phrases: joined(LISTED.filter((word) => word.includes(' '))),
  unspaced: [...joined(LISTED.filter((word) => UNSPACED.test(word)))],
});
let listed: ReturnType<typeof listedOnce> | undefined;

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{M}]+/u).filter((word) => word !== '');
}

/** No listed phrase has more letters, and nobody would read a word in more parts. */
const MAX_TOGETHER = 32;

/**
 * Whether people would read a slur or a crude word in a short text, including look-alike letters, digits for letters,
 * repeated or separated letters, words in parts, and words inside a word that no list has. Harmless words that contain one,
 * such as "classic", don't count.
 *
 * @param isWord whether a dictionary has a word: those that it has are harmless unless they are crude
 * @example hasOffensiveWord('Classic cocktails', isWord) // false
 */
export function hasOffensiveWord(text: string, isWord: (word: string) => boolean): boolean {
  listed ??= listedOnce();
  const { words: whole, phrases, unspaced } = listed;
  const plain = skeletonOf(text).replace(/[013457]|!(?=\p{L})/gu, (sign) => SIGNS[sign]!);
  const words = wordsOf(plain.replace(NAME, ' '));
  const all = words.join('');
  if (unspaced.some((word) => all.includes(word))) return true;
  const isHarmless = words.map((word) => isWord(word) || SHORT_WORDS.test(word));
  // Each word, and each run of neighbours.
  for (let start = 0; start < words.length; start++) {
    let together = '';
    let areHarmless = true;
    for (let end = start; end < Math.min(words.length, start + MAX_TOGETHER); end++) {
      together += words[end]!;
      areHarmless &&= isHarmless[end]!;
      const single = together.replace(/(.)\1+/gu, '$1');
      if (end > start && single.length > MAX_TOGETHER) break;
      if (end === start ? isCrude(together) : phrases.has(together)) return true;
      // Separated parts make a crude word only if one of them is no word itself: "fu ck", but not "pen is".
      if (areHarmless) continue;
      if (isCrude(together) || isCrude(single)) return true;
      if (end === start && (hasCrudePart(together) || hasCrudePart(single))) return true;
      // Of letters that people stretch, as in "shiiit", three or more stand for one or two.
      const forms = [together, ...['$1', '$1$1'].map((letters) => together.replace(/(.)\1{2,}/gu, letters))];
      if (forms.some((form) => whole.has(form) || isCrude(form)) && !isWord(together)) return true;
    }
  }
  return false;
}
