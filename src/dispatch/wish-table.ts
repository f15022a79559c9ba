/**
 * What people wish for: `COMMAND OPTIONS = LABEL`. A capital letter is a value of the line (`Values`), which fills its place in an
 * option and in the label; where the label has it outside of `[ ]`, the wish needs it. What costs something, or changes something for
 * others, has a `!` before it: it is only offered, as a button with its label. What begins with `say` is answered with its label.
 * Which lines mean a row is learned from examples (`likely.ts`).
 */
export const WISH_TABLE = `
hint date:D sides:B = Hint[ for D]
hint number:N date:D = Hint N
hint step:count date:D sides:B = Words needed
hint step:start date:D sides:B = Start letters
hint step:first date:D sides:B = First word
hint step:lengths date:D sides:B = Word lengths
hint step:joint date:D sides:B = The letter that joins the words
hint step:meaning date:D sides:B = What the words mean
hint step:hardest date:D sides:B = Hardest letters
next words:W date:D sides:B = Best word after W
check words:W date:D sides:B = Check W
words starts:S ends:E uses:L pattern:X length:K date:D sides:B = Words[ that start with S][ that end with E][ with L][ without X][ of K letters]
words sort:length date:D sides:B = The longest words
words sort:coverage date:D sides:B = Words with the most letters
words date:D sides:B = All words
reveal date:D = The solution[ of D]
solve sides:B most:N = Solve B
today date:D = The board[ of D]
play date:D sides:B = Play[ D]
play words:W typed:yes = Play W
play start-over:yes date:D = Start over
play ask:back typed:yes = Take back
archive = Past boards
generate = A new board
generate difficulty:easy = An easy board
generate difficulty:hard = A hard board
!relay word:start sides:B date:D = Start a relay, one word each
!race = Race on a new board
!board do:make sides:B = Make a board for this channel
board do:list = Boards made here
review date:D = How you did[ on D]
stats = Your results
leaderboard = Leaderboard
leaderboard period:day date:D = Who solved it[ on D]
leaderboard period:week date:last = Last week
leaderboard period:month date:last = Last month
leaderboard period:month = This month
leaderboard period:week = This week
leaderboard period:all = All time
leaderboard games:yes = Other games
missing = Who is missing
!share date:D = Show everyone your result[ of D]
!record message:M = Add it to your results
hunt date:D = Other solutions
remind at:T zone:Z = Remind you[ at T][ Z time]
remind = Your reminder
remind off:yes = No more reminders
!calm do:on = No streaks, ranks or reminders for you
!calm do:off = Streaks and ranks again
privacy = What is stored about you
privacy do:export = Your data as a file
privacy do:delete = Erase your data
privacy do:hide = Hide from leaderboards
privacy do:unhide = Be on leaderboards again
help = Help
help command:C = What C does
about = About this bot
daily do:show = The settings
!daily do:on opening:T zone:Z = Post a board here every day[ at T][ Z time]
!daily do:steps = Choose the hints of the thread
!daily do:off = Stop the daily thread
!daily opening:T zone:Z = Open the thread at T[ Z time]
!daily zone:Z = Set the zone to Z
!daily solution:T = Post the solution at T
!daily solution:off = Never post the solution
!daily steps:none = Post no hints in the thread
!daily count:T = Post the words needed at T
!daily do:pause until:U = Pause the daily thread[ U]
!daily weekends:off = No thread on weekends
!daily weekends:on = A thread on weekends, too
!daily quiet:on = Post without notifications
!daily quiet:off = Post with notifications
!daily do:test = See a whole day now, only you
!daily source:house = Post the house’s own boards
!daily source:newspaper = Post the newspaper’s boards
!daily do:here = Move the daily thread to this channel
say par = Par is a good number of words for a board. Fewer is even better.
say seen = Only you see your hints and the words that you play. Others see your result on the leaderboard.
say points = Each hint costs hint points, and the more it tells, the more it costs. Of two results with as many words and letters, the one with fewer points comes first.
say list = A word has at least 3 letters, and the game’s list decides which count: no names.
say games = I play only Letter Boxed. To rank your result of another daily game, type record and paste it.
say thanks = You’re welcome!
say friendly = Any time! Type a word to play it.
`;

/** Words beside which values stand, in rows whose first word stands for all of them. Some are five other languages. */
export const CLASS_TABLE = `
hint hints clue clues tip tips nudge nudges pista pistas indice indizio tipp tipps hinweis dica suggerimento hnt
word words wort worter palabra palabras mot mots parola parole palavra palavras wrd wrds wd wds
board boards sides grid puzzle puzzles solve solves solving make makes making create creating build game games
letter letters buchstabe buchstaben letra letras lettre lettres lettera lettere ltr ltrs
length lengths long longer lang larga lunga longa largo
start starts starting started begin begins beginning anfangen fangt anfangt anfang empezar empiezan empieza commence commencent comecar comecam iniziano iniziare beginnen
end ends ending endings finish finishing finishes enden endet finissent finissant terminan terminano terminam
use uses using used contain contains containing include includes including has have having
with w/ mit con avec com
without w/o no not dont avoid avoiding exclude excluding except lacking ohne sans sin sem senza
evening evenings tonight
after follows follow nach apres despues dopo depois
valid valable ok okay legit legal allowed acceptable accepted accept accepts permitted fine playable correct check checking
play played playing plays spielen jugar jouer giocare jogar
zone timezone tz timezones time times change changing set
`;
