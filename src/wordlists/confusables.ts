/**
 * Letters of the Latin alphabet, each with those that look like it: from confusables.txt of Unicode 13 (Unicode Technical Standard 39),
 * except what NFKD decomposes, with small capitals and a few others.
 */
const LOOKALIKES = `
  a ɑαаᗅꓮ𖽀𐊠ꭺᴀ|ae æӕ|b ƄЬᏏᖯꞴΒᗷꓐ𐊂𐊡𐌁ɓƃБƀҍѣвᏼʙ|c ƈᴄⲥсꮯ𐐽𑣲𑣩ꓚ𐊢𐌂𐔜ȼҫ|d ԁᏧᑯꓒᗞᗪꓓɗɖƌđÐꭰᴅ|e ɛεꬲеҽΕⴹꓰ𑢦𑢮𐊆ɇҿꭼᴇ|f ꬵꞙẝքϜᖴꓝ𑣂𐊇𐊥𐔥ƒᵮꜰ|
  g ɡᶃƍցꓖɠǥԍꮐᏻɢ|h һհᏂΗⲎᕼꓧ𐋏ɦꚕᏲⱧħћнꮋңӊӈʜ|i ıɪɩιіꙇӏꭵ𑣃ɨᵻᵼΙІӀⲒ|j ϳјꞲᒍꓙɉꭻᴊ|k ᛕꓗ𐔘ƙⱩꝀᴋκⲕкꮶқҟĸ|l 𐌠𞣇Ɩǀߊⵏᛁꓲ𖼨𐊊𐌉ᒪꓡ𖼖𑢣𑢲𐔦łɭƗƚɫⳑꮮ𐑃ʟ|
  m ΜϺⲘᗰᛖꓟ𐊰𐌑𑣣𑜀ɱᵯᴍмꮇӎʍ|n ոռΝⲚꓠ𐔓ɳƞηƝᵰɴ|o ०੦૦௦౦೦൦๐໐၀ᴏᴑꬽοσⲟоჿօഠဝ𐓪𑣈𑣗𐐬߀০୦〇𑓐𑣠ⵔዐଠꓳ𑢵𐊒𐊫𐔖øꬾⵁɵꝋөѳꮎꮻθⴱꭴ|oe œɶ|p ρⲣрᑭꓑ𐊕ƥᵽᴩꮲᴘ|q ԛգզⵕʠꞯ|
  r ꭇꭈᴦⲅгꮁ𐒴ᖇꓣ𖼵ɽɼɍғᵲꭱꮢʀ|s ꜱƽѕꮪ𑣁𐑈ՏᏕꓢ𖼺𐊖ʂᵴ|ss ß|t Ⲧꓔ𖼊𑢼𐊗𐊱𐌕ƭȾƮŧᵵτтꭲҭᴛ|u ꞟᴜꭎꭒʋυս𐓶𑣘ሀᑌꓴ𖽂ᵾꮜɄ|v ᴠνѵ𑜆ꮩ𑣀ⴸᐯꛟꓦ𖼈𐔝|w ɯᴡѡԝա𑜊𑜎𑜏ꮃ𑣯𑣦Ꮤꓪ𑓅ꝡ|
  x хᕁᕽ𐌢𑣬ꞳΧⲬⵝᚷꓫ𐊐𐊴𐌗𐔧Ҳ|y ɣᶌʏỿꭚγуүყ𑣜ΥⲨᎩᎽꓬ𖽃𑢤𐊲ƴɏұ|z ᴢꮓ𑣄𐋵𑣥Ζꓜ𑢩ʐƶȥᵶ`;
const PLAIN: ReadonlyMap<string, string> = new Map(
  LOOKALIKES.split('|').flatMap((row) => {
    const [plain = '', letters = ''] = row.trim().split(' ');
    return Array.from(letters, (letter) => [letter, plain] as const);
  }),
);

/** The marks of Latin, Greek and Cyrillic letters. Marks of other scripts are vowels, or form other letters. */
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]/g;

/**
 * How a text looks to people, in lower case and without accents: texts that look alike have the same skeleton.
 *
 * @example skeletonOf('ΤЕА ｔíme') // 'tea time'
 */
export function skeletonOf(text: string): string {
  const letters = Array.from(text.normalize('NFKD').replace(ACCENTS, ''), plainLetter);
  return letters
    .join('')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFC');
}

function plainLetter(letter: string): string {
  const lower = letter.toLowerCase();
  // A capital may look like another letter than its small one.
  return PLAIN.get(letter) ?? PLAIN.get(lower) ?? lower;
}
