/**
 * Slurs and crude words of many languages, which are compared with whole words: a selection from the List of Dirty, Naughty,
 * Obscene, and Otherwise Bad Words (npm package naughty-words 1.2.0, CC BY 4.0; credit in NOTICE). It leaves out words that
 * are harmless in their language, or often part of harmless ones where words are written without spaces. The commonest
 * English ones are in offensive-words.ts.
 */
const LIST = {
  ar: 'شرموطة|عاهرة|عرص|قحبة|لوطي|متناك|متناكة',
  cs:
    'buzna|čurák|do piče|do prdele|hajzl|hovno|chcanky|chuj|jebat|kokot|kokotina|koňomrd|kurva|mamrd|mrdat|' +
    'mrdka|mrdník|piča|píčus|píchat|pizda|prcat|prdel|sračka|srát|šoustat|vypíčenec|zkurvit|zkurvysyn|zmrd',
  da: 'bøsserøv|fisse|fissehår|hestepik|kussekryller|luder|pikhår|pikslugeri|piksutteri|røvhul|røvskæg|røvspræke',
  de:
    'analritter|arsch|arschficker|arschlecker|arschloch|fick|ficken|flittchen|fotze|hackfresse|hure|hurensohn|' +
    'kackbratze|kacke|kacken|kackwurst|kampflesbe|kanake|möse|neger|nutte|onanieren|pimmel|pissen|pisser|schlampe|' +
    'scheiße|scheisser|schwanzlutscher|schwuchtel|tittchen|titten|wichse|wichsen|wichser',
  en:
    'alabama hot pocket|bangbros|beaner|beaners|big tits|black cock|blow job|bukkake|bulldyke|camslut|' +
    'camwhore|carpet muncher|carpetmuncher|circlejerk|clusterfuck|creampie|cumshot|cumshots|date rape|daterape|' +
    'dirty sanchez|donkey punch|fingerbang|fudge packer|fudgepacker|futanari|gang bang|gangbang|goatse|gokkun|' +
    'hand job|handjob|hentai|how to kill|how to murder|jail bait|jailbait|jiggaboo|jiggerboo|jizz|milf|nambla|' +
    'neonazi|nig nog|pedobear|poopchute|raghead|rimjob|shemale|slanteye|splooge|towelhead|tubgirl|two girls one cup|' +
    'white power',
  es:
    'bollera|cabrón|chupapollas|concha de tu madre|coño|culo|follador|follar|gilipichis|gilipollas|hija de puta|' +
    'hijaputa|hijo de puta|hijoputa|jilipollas|kapullo|lameculos|marica|maricón|mariconazo|mierda|pendejo|puta|' +
    'ramera|soplagaitas|soplapollas|tetas grandes|verga|vete a la mierda',
  fa: 'جنده|چوچول|دودول|کسکش|کونکش|کونی|کیر|کیری',
  fi:
    'haista paska|haista vittu|hevonpaska|hevonperse|hevonvittu|huorata|kusipää|kyrpä|kyrpänaama|molopää|mulkku|' +
    'mulkvisti|neekeri|nussia|nussija|nussinta|paska|paskainen|paskapää|paskiainen|perkele|perse|perseennuolija|' +
    'persereikä|persläpi|pillu|runkata|runkkari|runkku|ryssä|vittu|vittuilla|vittuilu|vittumainen|vittuuntunut|vitun|' +
    'vitusti|vituttaa|vitutus',
  fil: 'anak ka ng puta|burat|jakol|kantot|puta ka|putang ina|tang ina|tangina|ulol',
  fr:
    'branler|branlette|branleur|branleuse|chiasse|chier|connard|connasse|couilles|emmerder|emmerdeur|emmerdeuse|' +
    'enculé|enculée|enculeur|enculeurs|enfoiré|enfoirée|fille de pute|fils de pute|foutre|gouine|grogniasse|merde|' +
    'merdeuse|merdeux|nègre|nique ta mère|nique ta race|pédé|pouffiasse|putain|pute|sac à foutre|sac à merde|salaud|' +
    'salope|tabarnak|tapette|trou du cul|turlute|viarge',
  hi:
    'behen chod|beti chod|bhangi|bhosad|bhosadi ke|chinki|chodu|choot|chootia|chootiya|chutia|chutiya|gaand|gandu|' +
    'haramzade|jhant|lund choos|maa ki chut|madar chod|madarchod|madhavchod|teri maa ka bhosada|teri maa ki chut',
  hu:
    'balfasz|balfaszok|baszik|bazmeg|fasz|faszfej|faszfejek|faszok|faszt|geci|gecik|kibaszott|kurafi|kurva|kurvák|' +
    'kurvát|picsa|picsát|pöcs|pöcsök|punci|segg|seggfej|seggfejek|szar|szarok|szart',
  it:
    'bagascia|baldracca|bocchinara|cazzo|cazzone|checca|ciucciami il cazzo|coglione|coglioni|culattone|culo|' +
    'figlio di puttana|fottere|fottersi|frocio|froscio|leccaculo|merda|merdata|merdoso|mignotta|minchia|minchione|' +
    'porca madonna|porca puttana|puttana|recchione|sborra|sborrata|spompinare|stronza|stronzata|stronzo|terrone|' +
    'testa di cazzo|vaffanculo|zoccola',
  ja: 'オマンコ|クンニリングス|手コキ|フェラチオ|マザー・ファッカー|まんこ|やりまん|淫乱|強姦犯|獣姦|売春婦|輪姦',
  ko: '강간|개새끼|개자식|개좆|계집년|뙤놈|미친새끼|병신|빠구리|쌍놈|씨발|씨팔|씹물|씹빨|씹새끼|씹알|씹창|씹팔|잡년|종간나|좆|죽일년|짱깨|쪽바리|창녀|화냥년|후레아들',
  nl:
    'afzuigen|bagger schijten|befborstel|boerelul|botergeil|flikker|geilneef|godverdomme|gratenkut|hoer|hoerenbuurt|' +
    'hoerenloper|hoerig|klootoog|klootzak|kontneuken|kuttelikkertje|lulhannes|matennaaier|neuken|neukstier|oetlul|' +
    'opgeilen|ouwehoer|ouwehoeren|paardelul|pleurislaaier|portiekslet|reetridder|rothoer|schijt|schijten|slet|' +
    'sletterig|snol|stoephoer|stront|teringlijer|trottoirteef|verneuken|voor jan lul|zakkenwasser',
  no:
    'drittsekk|faen|fitte|føkk|føkka|føkkings|jævla|kukene|kuker|morraknuller|morrapuler|pakkis|pikk|ræva|sotrør|' +
    'ståpikk',
  pl:
    'chuj|chujnia|ciota|cipa|do kurwy nędzy|dupek|dziwka|fiut|gówno|huj|ja pierdolę|jebać|jebany|kurwa|kurwy|kutafon|' +
    'kutas|pieprzyć|pierdolec|pierdolić|pierdolnąć|pierdolnięty|pizda|pojeb|pojebany|popierdolony|ruchać|skurwysyn|' +
    'sraczka|srać|wkurwiać|zajebisty',
  pt:
    'boceta|bosta|cabrao|cacete|caralho|chochota|colhoes|esporra|filho da puta|foda|foda-se|foder|merda|paneleiro|' +
    'porra|puta|puta que pariu|puta que te pariu|vai tomar no cu|vai-te foder|xochota',
  ru:
    "chernozhopyi|dolboy'eb|ebalnik|mudack|ot'ebis|otpizdit|pizda|pizdato|pizdetc|pizd'uk|po khuy|raspeezdeyi|" +
    "sukin syn|yeb vas|za'ebat|zaebis|zalupa|zasranetc|бздёнок|блядки|блядовать|блядство|блядь|во пизду|выёбываться|" +
    'гандон|говно|говнюк|дерьмо|дрочить|ёб твою мать|ёбарь|ебать|ебло|ебнуть|жопа|жополиз|измудохать|малофья|манда|' +
    'мандавошка|мудило|мудозвон|на хуй|наебать|наебениться|наебнуться|нахуячиться|невебенный|ни хуя|опесдол|охуеть|' +
    'охуительно|спиздить|срать|ссать|хохол|хуёво|хуёвый|хуеплет|хуило|хуиня|хуй|хуйнуть',
  sv: 'arsle|discofitta|dra åt helvete|fitta|fittig|knulla|kuksås|neger|rövhål|rövknulla|runka|skit ner dig|snedfitta',
  th: 'กระหรี่|ควย|แม่ง|เย็ด|หญิงชาติชั่ว|เหี้ย|ไอ้ควาย',
  tr:
    'amcığa|amcığı|amcığın|amcık|amcıklar|götveren|götverenler|kaltağı|kaltak|kaltaklar|orospu|orospular|orospunun|' +
    'orospuyu|siker sikmez|sikmek|siktir|taşağı|taşak|taşaklar|yarağı|yarak|yaraklar',
  zh:
    '你老母|傻比|傻逼|冚家拎|冚家鏟|他妈的|她妈的|它妈的|你妈的|塞你娘|塞你母|大鸡巴|妈逼|妓女|婊子|小鸡巴|屄|干你妈|干你娘|干你老母|干妳妈|干妳娘|干妳老母|强奸|懆您妈|懆您娘|操你|操妳|操逼|日你妈|' +
    '日你老母|杂种|淫妇|淫棍|淫水|淫荡|烂货|烂逼|王八蛋|肏|贱人|贱货|轮奸|阳具|雞巴|骚货|骚逼|鸡巴|龟儿子|仆街|閪',
};
type Language = keyof typeof LIST;

/** The listed words of a language, in lower case, some of them phrases. */
export function offensiveIn(language: Language): readonly string[] {
  return LIST[language].split('|');
}

export const OFFENSIVE_LANGUAGES = Object.keys(LIST) as Language[];
