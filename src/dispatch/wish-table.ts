/**
 * What people wish for, and the words that carry each wish.
 *
 * A row is `COMMAND OPTIONS = LABEL: PATTERNS`. A pattern is a set of words, in any order, each of which stands for all that mean
 * the same. A capital letter is a value (`wishes.ts`): in a pattern it must be there, in options and between `[ ]` in a label it
 * fills its place if it is. What costs something, or changes something for others, has a `!` before it: it is offered as a button
 * with its label. A row without a command is answered with its label, if there is a `!` only where it explains nearly all.
 */
export const WISH_TABLE = `
hint date:D sides:B = Hint[ for D]: other one, other N, last letter, second word, hint, other hint, hard hint, easy hint, good
  hint, small hint, first hint, last hint, next hint, stuck, help stuck, help solve, help need, no know do, no idea, no solve,
  no find, no see, no get, push, direction, help D, level, no know hint, help, throw bone, no weiter, bad game, help hint,
  right direction, me clue, your move, your turn, valid track, no solution hint, no tell solution hint, no spoiler hint, no
  further, no go further, hard for me, too hard for me
hint number:N date:D = Hint N: hint N, hint level N, number hint N, step hint N
hint step:count date:D sides:B = Words needed: many word solve, one word solution, one word possible, many word, many word
  need, many word solution, word count, word need, possible N, N word solution, word N possible, can solve N, can solved N,
  fewest word, fewest, short solution, two word, two word solution, minimum word need, can solved N word, solved N possible,
  word N can, N word day, minimum solved, no solution many word, number word, only number word, no spoiler many word
hint step:start date:D sides:B = Start letters: first letter, letter start, letter begin, where start, where begin, no idea
  where start, how start, how begin, solution start, word start, side start, solution begin, second letter, begin letter
  solution, one letter, solution start with S, solution begin with S
hint step:first date:D sides:B = First word: first word, word start, word begin with, opening word, opener, starter, only
  first word, hint first word, you play, what you play, would you play
hint step:lengths date:D sides:B = Word lengths: how long word, how long first word, length, length word, many letter word,
  long solution how, hint length, length word hint, how long each, many letter solution contain, many letter solution, many
  letter contain word
hint step:joint date:D sides:B = The letter that joins the words: letter link, letter between, letter link N word, link, join
  letter, shared letter
hint step:meaning date:D sides:B = What the words mean: definition, mean word, what word mean, synonym, synonym first word,
  synonym word, meaning, define, definition word, definition first word
hint step:hardest date:D sides:B = Hardest letters: hard letter, hardest letter, hard letter which, letter minimum connected,
  connected letter, connected minimum, letter connect
next words:W date:D sides:B = Best word after W: after W, next word after W, play after W, next after W, word after W, have W
  next, got W next, what W next, go from W, best word after W, best after W, have W what, after W what, play W what, W what
  now, W how, contain W how, W go on, contain W go on, contain now W
check words:W date:D sides:B = Check W: word W, valid W, check W, use W, exist W, work W, dictionary W, list W, is W, does W,
  use word W, play word W, valid word W, can play W, try W, fit W, take W, know W, would W, word real W, why W valid, W
  possible, word W possible, check word W, check my word W, check W work, W reject, why W reject, W word list, could W, is a
  word W
words starts:S ends:E uses:L length:K date:D sides:B = Words[ that start with S][ that end with E][ with L][ of K
  letters]: word S, S start, S begin, word start S, word begin S, start with S, begin with S, letter word start S, word
  E, E end, word end E, end with E, end in E, letter word end E, word start S end E, word begin S end E, word with L,
  word contain L, word use L, contain L, word L, word all contain L, letter word contain L, word K, K, word with K, word
  S K, what word S, what word E, what word contain L
words sort:length date:D sides:B = The longest words: longest word, long word best, word long letter, word long, word long
  than, sort length, sort word, sort word length, what longest, longest
words sort:coverage date:D sides:B = Words with the most letters: word most letter, word most use letter, cover most,
  different letter word use, best word, pangram, coverage, sort coverage
words date:D sides:B = All words: all word, word list, possible word, word there, word make, word find, what word, word can,
  total word, many word there, many word possible, many word total, word what play, word B, all word B, word me, word match,
  word using
reveal date:D = The solution[ of D]: solution, solve, give up, give in, spoil, tell solution, show solution, solution D, solve
  D, solve it, how solve, surrender, quit, had enough, how do D, solution what, answer key, surrender me, spoiler, just show,
  just tell, misery, no take tell, what it D, what word D, win word, what win word, win word D, secret word, do it for me, do
  puzzle me, do puzzle for me, play for me, it for me
solve sides:B most:N = Solve B: B, newspaper B, newspaper board B, solve board B, solve puzzle B, D B, letter D B, board D B,
  puzzle D B, solve B, solution B, board B, puzzle B, letter B, do B, B N word, hint B solve, help solve B, solve B N, can
  solve B N, can solve B N word, solve B N word, B go, B max N word, B most N word, bet no solve B, no solve B, N word
  solution B
today date:D = The board[ of D]: board, puzzle, today, letter, D, board D, puzzle D, letter D, show board, show puzzle, where
  board, new puzzle today, morning puzzle, show D, puzzle what, missed D, easy hard, how hard, how difficulty, difficulty,
  what have D, no find puzzle, no find board, find puzzle, find board, what missed D, what did missed D, hard D one, new board
  come, is it hard, is it easy, is D hard, is D easy
play date:D sides:B = Play[ D]: play, start, begin, play D, play board, play puzzle, begin puzzle, start puzzle, ready, new
  puzzle, play B, start D, play puzzle D, play board D, go, letter left, letter missed, where was, continue, continue game,
  missed D do, missed D play, pick left off, left off, pick up, where was i
play words:W typed:yes = Play W: W, choose W, pick W, put W, enter W, play W, then W, next word W, my word W, try W, guess W,
  go with W, how about W, valid then W, can go W, go W, now W, opening W, opener W, last word W, make word W, i make W, make
  the word W
play start-over:yes date:D = Start over: start over, start again, begin again, restart, reset, clear, play again, scratch,
  start fresh, mess, mess start, redo, wipe board, clear board, reset puzzle, zero, start puzzle again, delete all word,
  restart puzzle, mess help, begin new, all new, start top, begin top, top again, noch again, again once, einmal, noch einmal,
  begin otra vez, vez, other begin, do again, from again, start from, begin from, from zero
play ask:back typed:yes = Take back: undo, delete move, delete last move, no mean word, word off, back, take back, back word,
  oops, delete word, delete last word, wrong word, mistake, back last word, mistype, delete last, undo word, go back, undo
  last, delete that, delete this, bad delete, delete W, change mind, wrong, wrong one, ctrl, delete my word, word gone, take
  away, gone, post my word, post my last word, post last word, post last, delete
archive = Past boards: old board, old puzzle, play old, archive, old, missed board, backlog, calendar, all board, list board
  old, history board, play last week, board last week, puzzle last week
generate = A new board: new board, other board, other puzzle, random, make board, generate, practice, extra board, random
  board, random puzzle, make random, more puzzle, more board, next puzzle, next board, got more, more, make new puzzle, make
  new board, do other one, play other one, can do other one, can play other, new puzzle, new one
generate difficulty:easy = An easy board: easy, easy board, easy puzzle, make easy, beginner, too hard, easy new board
generate difficulty:hard = A hard board: hard board, hard puzzle, hard, make hard, challenge me, too easy, generate hard
  board, random hard
!relay word:start sides:B date:D = Start a relay, one word each: relay, together, start relay, play with, team, puzzle with,
  with friend, play friend, us play, play together, solve together, start puzzle with, play people, puzzle together,
  multiplayer, cooperate, team puzzle, each add word, people add word, play team, against, turn people, can my play, play too,
  my play too, play with my, puzzle with my
!board do:make sides:B = Make a board for this channel: make board for, board friend, own board, own puzzle, make own puzzle,
  custom, make B, board make B, design, board for team, make board friend, custom puzzle, board from B, make puzzle for, set
  board B, make puzzle team, make board team, make board own, make one B, make from B, make my name, make with my name, board
  my name, record board for, record board, record puzzle
board do:list = Boards made here: people board, board made, people made board, friend board, board list made, board we
  contain, what board we contain, what board contain
review date:D = How you did[ on D]: how did D, review, rate, good solution, how good, better, how did, how did do, how did my,
  grade, evaluate, compare, my solution, how far off, could better, analyse, optimal, analyse my puzzle, best compare, review
  my, how score, how, how D, my best, best possible, what did missed, what missed, how could better, how could did better,
  could i solved, could solved, could i solved N, could i N, what i result, what did i result D, i result D, i result
stats = Your results: stats, lose streak, lost streak, streak, my score, how am doing, average, my history, my record, my
  number, how doing, my rank, days row, row play, my stats, my streak, streak long, my average, win rate, streak how long, my
  streak longest, streak longest, played many, result, my result all, many i solved, many i play, many puzzle i solved, many
  board i solved, am well, am doing well, how i doing, i ever win, ever win, many point, many point i contain, point total, my
  point, my average number word, average number
leaderboard = Leaderboard: leaderboard, better than me, leaderboard board, who first, win, who win, who best, best people,
  rank, top, who top, ahead, am win, people leaderboard, who place first, leaderboard team, who streak longest, who streak,
  who long streak, am best, i best, which place, place contain, my place
leaderboard period:day date:D = Who solved it[ on D]: who solved, people solved, people solved many, leaderboard D,
  leaderboard today, who win D, people did, people many D, D result, fastest, people result, solved D, who solved D, many
  solved, win D, leaderboard D today, people win D, did solve, how people, how people D, how people did, am first, am only,
  only did, who D, who first D, people solve, people did D, people first, how people doing, who solved minimum word, who
  solved minimum, who participated, who taken part, contain play D, contain W play D, people beat N, beat N word, who people
leaderboard period:week date:last = Last week: leaderboard last week, win last week, who last week, last week
leaderboard period:month date:last = Last month: leaderboard last month, win last month, who last month, last month
leaderboard period:month = This month: leaderboard month, who month, win month, best month, month
leaderboard period:week = This week: leaderboard week, win week, who week, week, best week
leaderboard period:all = All time: leaderboard all time, best ever, all time, ever, who best all, overall, leaderboard ever,
  all time people, all time best people, hall fame, champion
missing = Who is missing: missing, who missing, who no play, who no solved, who left, who no did, people no play, people no
  solved, who no participated, who no taken part, who no part, who yet play, who yet
!share date:D = Show everyone your result[ of D]: share, give paste, copy paste, share result, share D, share D result, post
  result, post my, show people how did, show people my, tell people, show people, show people result, brag, show off, my
  result channel, result friend, send my result, tell people got, flex, flex result, flex my result, copy result, copy my
  result, post solved, post i solved, tell i solved, people i solved
!record message:M = Add it to your results: put N, put me N, solved N, solved N word, did N, record N word, record solved N, N
  word, solved it, solved it in, did it, did N word, result D W, record my result, word N me, N word beat, took N, took N
  word, needed N word
hunt date:D = Other solutions: other solution, other way, hunt, many solution, many two word solution, all solution, solution
  left, solution total, number solution, solution number total, many solution left, solution unique, many other solution, N
  word solution many, many solution there, list solution, only one solution, only solution, way, many way, many way solve,
  else, what else, else work, what else work, list two word, solution use W, list solution use W, list N word solution, list N
  word, all pair, pair
remind at:T zone:Z = Remind you[ at T][ Z time]: remind T, remind every day T, remind every T, remind daily T, remind every
  morning T, ping T, ping me T, notification T, message me T, nudge me T, tell me T, alert T, wake T, move remind T, remind
  change T, remind T D, remind hour T, remind later T, ping every day T, message every day T, ping every morning T
remind = Your reminder: remind, set remind, remind me, no forget, ping me, alert, remind D, remind on, remind back on, remind
  show, message me every day
remind off:yes = No more reminders: no remind, remind off, cancel remind, no ping, no ping me, no message me, unsubscribe,
  leave me alone, delete remind, no more remind, no notification me, no send remind, turn off remind, leave peace, peace
privacy = What is stored about you: data, my data, know about, store, store about, privacy, track, spy, gdpr, keep about,
  collect, data save, save about, message store, read message, read, what save, private, secure, see message, see my message
privacy do:export = Your data as a file: export, export data, download data, copy data, get data, send my data, download
privacy do:delete = Erase your data: delete data, delete me, delete all know, forget me, delete know, delete account, delete
  about, delete my result, delete all about, delete stats, delete my stats, delete history, delete my history, delete score,
  all my data delete, delete my data, delete all, delete it all
privacy do:hide = Hide from leaderboards: hide, hide me, no leaderboard, no leaderboard me, no name, no show name, leaderboard
  off, delete leaderboard, anonymous, leaderboard off take, leaderboard out, no see score, private score, hide leaderboard,
  delete leaderboard me, no show leaderboard name, invisible, name off, no name board, take name off, opt out, opt, take me
  off
privacy do:unhide = Be on leaderboards again: unhide, leaderboard back, show me leaderboard again, leaderboard put,
  leaderboard put back, name leaderboard back, show name, join leaderboard, visible, opt in, put me back, put me back on
help = Help: help, how play, how play puzzle, how set up, what people do, what people can do, how work, how puzzle work, rule,
  what can do, what do, can do, instruction, how use, command, how to, twice, teach, new here, hello, hi, who are you,
  tutorial, reuse, menu, option, what this, same side, all letter must, use all letter, letter itself, double letter, same
  letter, learn, how do, explain, never played, explain rule, rule what, must, goal, how go puzzle, help rule, introduce, what
  type, help what, what can, what kannst, how going, what my option, my option, what work, permission, use letter again, use
  every letter, every letter, what command, command there, how win, how i win, access, who you, how do win, catch, use twice,
  word use twice, letter twice, command available, example, type word, type all word, click, click letter, tap, swipe,
  uninstall, look up word, how make word, comprends, no comprends, gray, grey, what letter mean, letter mean all, hello
  people, does what, no get it, no i get it
help command:C = What C does: what C do, how C work, explain C, help C, C mean, what is a C, what is the C, help for C, how
  use C, what C for
about = About this bot: who made, who made you, source, version, credit, about bot, who built, open source, license, human,
  robot are, creator, yourself, tell yourself, website, official, affiliated, how old, old you, how old you, api, uptime, who
  dis, chatgpt, ai, made newspaper
daily do:show = The settings: setting, setting daily, when thread, when hint, time post thread, hint later, hint earlier, hint
  time, time thread, when post, when open, show daily, hint come, time what, daily time, when solution, when board, when next,
  when next post, when new puzzle, schedule, show setting, zone, time zone, zone which, time zone which, change zone, zone
  wrong, daily setting reset, reset setting, default, solution back, solution back put, evening solution, hint thread, change
  setting, hour earlier, hour later, earlier, later, post later, post earlier, which channel, channel when, time post, setting
  daily post, who change, what time post, what time thread, what time open, status, daily status, status daily thread, is
  thread on, is daily on, is daily thread on, did thread, did daily, did thread D, why no thread, why no post, why no thread
  D, did post, which hint, what hint post, post solution morning, post solution next, post solution later, which hint D, open
  hour, opening hour, what opening hour, thread activate, is thread active, active, daily thread active, when new, when new
  come, did new board, did new puzzle, where post, where thread, source, other source, what daily thread, what daily thread
  change
!daily do:on opening:T zone:Z = Post a board here every day[ at T][ Z time]: daily on, on, every day post, every morning post,
  daily, daily post, post thread, post now, post every, start post, every day, board every day, puzzle every day, post
  automatic, sign channel, every day T, post every T, daily T, daily T Z, T every morning, T every, set up daily, set up,
  enable, enable daily, want daily, start daily, unpause, resume, resume daily, back on, we back, continue, daily again, start
  thread, on again, every morning, on every morning, here every morning, every morning puzzle, end pause, no pause, no more
  pause, setting channel T, setup T, on T, we back break, back break, back from
!daily do:steps = Choose the hints of the thread: hint N day, only N hint, delete hint, delete letter hint, fewer hint, more
  hint thread, change hint, which hint thread, record hint, record letter, record word length, skip hint, skip hint word
  length, hint word length record, all hint post, all hint post together, minimum hint thread, only hint thread, only first
  hint thread, delete step, record step, delete letter step, record step length, step, no letter hint thread
!daily do:off = Stop the daily thread: daily off, off, no post, no post every day, no daily, no thread, no daily thread, no
  more post, cancel daily, cancel, turn off, no every day, thread off, delete daily, spam, no spam, shut up, end daily, daily
  thread off, end thread, daily post off, post off, shut, shut down, shut off
!daily opening:T zone:Z = Open the thread at T[ Z time]: opening T, move daily T, move daily post T, change time T, time T,
  move T, thread T, open T, open thread T, earlier T, later T, post T, post board T, change daily T, instead T, T instead
  post, board T, puzzle T, come T, change T, daily time T, schedule daily T, schedule thread T, daily thread T, schedule T,
  open later T
!daily zone:Z = Set the zone to Z: zone Z, time zone Z, change zone Z, change time zone Z, we Z, move zone Z, set Z, switch Z,
  live Z, team Z, use Z time, were Z, use Z
!daily solution:T = Post the solution at T: solution T, post solution T, move solution T, solution later T, change solution T,
  solution come T, solution time T, solution open T, solution earlier T, post solution T change, spoiler T, spoiler time T
!daily solution:off = Never post the solution: no solution, no post solution, hide solution, solution off, no show solution,
  no give solution, delete solution, no solution evening, solution secret, skip solution, no post solution evening, no spoil,
  no spoil thread, no spoiler, no solution thread
!daily steps:none = Post no hints in the thread: no hint thread, thread hint off, no hint post, only board, no hint only
  board, no hint daily, hint off, no hint channel, no hint thread only board
!daily count:T = Post the words needed at T: hint T, first hint T, hint thread T, hint come T, post hint T, move hint T, hint
  later T
!daily do:pause until:U = Pause the daily thread[ U]: closed U, closed, pause, pause U, break, vacation, holiday, holiday us,
  pause daily, pause thread, skip, off U, no U, no post U, pause daily U, pause post U, mute, hold, take break U, away U,
  snooze, away, quiet U, no puzzle U, pause thread U, stop daily U, no thread U, no puzzle week, no post week, no thread week
!daily weekends:off = No thread on weekends: no weekend, weekday, only weekday, weekend off, skip weekend, no post weekend, no
  puzzle weekend, no thread weekend, weekday post, skip sat sun, no sat sun
!daily weekends:on = A thread on weekends, too: weekend, weekend too, weekend on, post weekend, weekend back, puzzle weekend,
  every day weekend
!daily quiet:on = Post without notifications: quiet, no notification, no notification all, no sound, mute notification, too
  loud, quiet post, no ping all, no ping people, notification off, no ping channel, less notification, mute ping, less ping,
  silence notification, silence, many ping, too many ping, no @here
!daily quiet:off = Post with notifications: unmute, notification on, notification back, notification back on, sound on, no
  quiet, ping back, ping on, ping back on
!daily do:test = See a whole day now, only you: test daily, test thread, preview, example day, test, daily look, try daily,
  test day, day look, how day look, look
!daily source:house = Post the house’s own boards: house board, house, daily own board, no newspaper, generated board daily,
  own board every day, own newspaper, own puzzle newspaper, use generate board, we generate board
!daily source:newspaper = Post the newspaper’s boards: newspaper, newspaper board, real board, official board
!daily do:here = Move the daily thread to this channel: channel instead, move channel, here instead, move here, post this
  channel, move thread here, move daily here, daily here, wrong channel, here from now, post here instead, move thread
  channel, move daily channel, want here instead, move it channel, move it
= Par is a good number of words for a board. Fewer is even better.: par, par mean, what par, explain par, how par, word par,
  par D, N word good, N good, word N good D
= Only you see your hints and the words that you play. Others see your result on the leaderboard.: people see, see my, people
  see hint, people see my, people see word, see my word, see my hint, people know, result public, public, what did W play,
  what W play, what did W solved, people word
= Each hint costs hint points, and the more it tells, the more it costs. Of two results with as many words and letters, the
  one with fewer points comes first.: hint point, point mean, point cost, cost hint, what point, penalty, price hint, lose
  point, hint free, good score, what good score, score calculated, how score work, score work, hint count, what count hint,
  letter count, look count, count me, cheat hint, cheat use hint, cheat
= A word has at least 3 letters, and the game’s list decides which count: no names, and few rare words.: why no word, name
  valid, plural valid, proper noun, why no valid, short word valid, why word reject, plural, why reject, reject, which word
  list, what list, swear, swear word, name, dictionary which, use dictionary, record word dictionary, word need K, why
  no write W, why no play W, why no use W, why no W, word contain be K, word least K, lexicon, which lexicon,
  why no work
= That is another game. I know only Letter Boxed.: wordle, mini solved, mini, crossword, connections, sudoku, quordle,
  strands, spelling bee, wordle N, chess, weather
= You’re welcome!: thank, thank for, thank bot, thank help, thank all
!= Any time! Type a word to play it.: friendly, good bot, good job, well done, love, love this, no problem, never mind, valid,
  yes, no, bye, good night, sorry, see you, no need, no worry, got you, good, good day, friendly one, whatever, lol whatever,
  friendly whatever say, morning good, no thank, sure, that easy, was easy, hate, hate this, was hard, that hard, see you D,
  happy, birthday, happy birthday, how you, bless, bless you, i win, yay i win, maybe, rigged, joke, no want help, friendly
  easy, good D, prove, youre wrong, you wrong, suck, boring, is thing on, thing on
`;

/** Words that mean the same here, parted by `
`: the first stands for all of them. Some are five other languages. */ export const CLASS_TABLE = ` hint hints hinting clue
clues tip tips nudge nudges pista pistas indice indices indizio indizi tipp tipps hinweis hinweise dica dicas suggerimento
pointer hnt; stuck stucked struggling struggle blocked lost hopeless desperate stumped helpless bloque festgefahren atascado
bloccato; help hilf helps helping hilfe ayuda ayudame aide aider aiuto ajuda assist assistance hlp helfen hlep hepl; word
words wort worter wörter palabra palabras mot mots parola parole palavra palavras wrd wrds wd wds; solution solutions answer
answers anser answr awnser losung lösung losungen lösungen solucion soluciones reponse reponses soluzione soluzioni risposta
solucao solucoes respuesta resposta soln solns sol sols ans; solve solvable solves solving solver losen lösen löse loese
resolver resuelve resous resoudre risolvere risolvi resolva; board boards sides grid tablero grille plateau tabuleiro brett
tabellone brd brds; puzzle partida partie round rounds puzzles game games puzzel puzle ratsel rätsel rompecabezas jeu enigme
gioco quebra-cabeca juego jogo spiel riddle riddles; letter letters buchstabe buchstaben letra letras lettre lettres lettera
lettere ltr ltrs; play played playing plays replay spielen spielt spiele jugar juega jouer joue giocare gioca jogar joga;
start starts starting started; begin anfangen fangt anfangt anfang comecar empezar begins beginning starten beginnen empiezan
empieza commence commencent comecam iniziano iniziare; first erste ersten 1st premier primera prima frst 1er primeira premiere
primo; second 2nd; end ends ending enden endet finissent finissant terminan terminano terminam; many much cuantas cuantos
quantas quantos combien quante quanti wieviele viele viel; how hows wie como comment come; what wtf whats wat wot which was
welche welches que quel quelle quelles qual quale cual; who whos whose whod wer quien qui chi quem; when whens wann cuando
quand quando; why warum; show see display zeig zeige view pull muestra montre mostra mir; give gimme giving gives gib dame
donne dammi; people members ppl folks players player person persons anyone anybody everyone everybody others; need needed
needs require required necesito preciso brauche besoin necesita serve servono falta; valid valable ok okay legit legal allowed
aloud acceptable accepted accept accepts permitted fine playable correct right count counts erlaubt gultig vale valida
accepte; exist exists real echt; check checking chekc verify test testing validate chk; use uses using used; contain contains
containing include includes including has have having w/ w; long lang longer lenght lengthy larga lunga longa largo; length
lengths; longest langstes largest biggest; hard harder tough tougher difficult schwer tricky challenging; hardest trickiest
toughest worst rarest nasty nastiest; easy easier simpler simple easiest facile facil einfach ez; small little tiny; good bon
buena gut big bigger strong stronger gute buona bonne boa guten; next following nxt; last dernier derniere ultimo ultima
latest letzte final; all entire whole everything alle tutte todas todos toutes alles; every evry each cada jeden chaque ogni;
list lists listing; again anew nochmal encore vuelve; old older previous past prior prev; other another different additional
noch otra otro autre altra altro outra outro; make makes making create creating build; made invented created wrote invent
makers; post posts posting posted publish drop drops send; daily dailies taglich; day days everyday tag dia; morning mornings;
evening evenings; thread threads; turn switch flip; on activate; off deactivate disable aus; no shouldnt wouldnt never nie not
dont dnt without nicht kein keine stop stopping cease cant wont isnt doesnt didnt hasnt havent nobody nope kill non nao pas
exclude except excluding; remind alarm reminded reminds reminding reminder reminders remember erinnere erinnerung recuerdame
recordatorio rappelle rappel lembra lembre lembrete ricordami promemoria rmd avisame avisa; notification notifications notify
notifies notified push pushes; ping pings pinging dm dms ring; pause paused pausing suspend freeze; zone timezone tz
timezones; change changing set adjust update edit; move shift reschedule; time times hour clock; setting configure configuring
settings config configuration preferences setup; weekend weekends saturday sunday saturdays sundays; weekday weekdays workdays
workday; leaderboard leaderbord leader leaders scoreboard ranking rankings standings highscores scores highscore classement
classifica clasificacion rangliste lb ldrboard bestenliste; win gewonnen fuhrt winning won winner wins winners leading lead
leads gewinnt gewinne gana ganando gagne gagnant vince vincendo ganha ganhando vinto ganhou ganador vinceva; best optimum; top
tops; solved finished done completed got cracked dun managed manage resolvio resolu resolveu risolto; did; record log add;
result results score; my mine meine mein mes meu minha mio mia mi; share shares sharing teilen teile compartir comparte
partager partage compartilhar compartilha condividi condividere shre; together zusammen co-op cooperatively coop collaborate
jointly juntos ensemble insieme giochiamo; friend friends buddy coworkers colleagues brother sister grandchildren kids family;
team teams group; delete wipe efface effacer apaga loeschen losche scrap retract withdraw quitar quita enlever deletes
deleting erase remove removing borrar supprimer cancella apagar rmv rm rub; forget; data info information daten datos dados
donnees dati; know knows; hide hides hiding hidden; rule rules regel regeln reglas regles regole regras rulez; work
funktioniert works working geht functions function; thank thanks thx ty thankyou thanx tnx gracias danke dank merci grazie
obrigado obrigada cheers tysm appreciated appreciate thankful; friendly gg glhf gl brb tschuss adios nice great awesome
amazing neat sweet lol lmao rofl haha hahaha hehe yay woo woohoo cool wow k kk yep yup nah fun cute lovely brilliant fantastic
excellent legend perfect nvm gtg meh jaja jajaja dumb; hello hey hiya hola hallo bonjour ciao ola howdy; two deux zwei dos due
dois; week weeks weekly semaine woche semana wk; month months monthly mese mois monat; quiet silent silently quietly; undo
zuruck zurucknehmen revert deshacer annuler annulla ruckgangig desfazer undoo annule zurueck; tell say; after follows follow
nach apres despues dopo depois; point points; mean means meaning bedeutet; link links linking joint connects; new noob newbie
neu fresh afresh neues neue nuevo nueva nouveau nouvelle nuovo nuova novo nova; stats statistiques statistik serie sequencia
racha statistics statistic stat; minimum min mins minimo fewest least fewer less; possible possibly doable feasible; store
stores stored storing; save saves saved; analyse analyze analysis; hopefully hope; later; row consecutive; custom customized;
mess messed messy; mistake mistakes mistyped; schedule scheduled; can kann puede peut puo pode; restart ricomincia recommence
recommencer recomecar ricominciare vorne neustart rstart; surrender jabandonne aufgebe gebe rindo abandonne desisto arrendo
capitulate; with mit con avec com; newspaper newspapers nyt; missed miss; reject rejected; plural plurals; difficulty;
missing; hint hitn suggest suggestion; message messages; understand entiendo comprends capisco entendo verstehe; night nacht
notte nuit noche noite
`;

/** Words that carry no wish by themselves. */
export const FILLERS = `
instead lot has have had vielen muchas muito tante beaucoup been te ti nous zu um mal doch wieder nur sono sont esta este esto
questo questa ce cette cet kommt gibt hay há tem ho hai ai as alle las às a an the some any this that these those it its is
are am was were be being do does having i im ive id ill me you u r ur your youre we us our ours they them their he she his her
can could would will may might should shall let lets lemme please pls plz plss stp svp kindly just really so very too also and
or but if then than to of for in at by with from into onto out up down over off on here there now still already want wanna
wants like gonna one ones thing stuff bit kind sort uh hmm er ah oh ohh well maybe perhaps actually quick quickly dear bot
letterboxed letter-boxed letterbox boxed channel server workspace bitte por favor per favore sil plait der die das den dem ein
eine einen la le les el los un una une uno il lo de del des du di da d l von para pour mir ich ist es e et y und o os em eu
quiero veux voglio quero mochte möchte kann kannst man puedes peux puoi pode auf ha si se yo right something someone somebody
about only even ever yet while because cause since before what when who which how why where my myself yourself yes yeah think
look know say tell show give take put come comes way time today’s such much many more most soon tdy ok okay hey hi hello fine
honestly anyway both e.g eg using couldve shouldve wouldve couldnt wouldnt max maximum est-ce plus omg ugh argh far tout
though fast btw hacen für pl pleas anew mas piu mais eso get gets gotten getting
`;
