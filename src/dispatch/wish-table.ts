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
  hint, small hint, first hint, next hint, stuck, help stuck, help solve, help need, no know do, no idea, no see, push, no
  know hint, help, throw bone, no weiter, help hint, right direction, me clue, your move, your turn, valid track, no tell
  solution hint, no further
hint number:N date:D = Hint N: hint N, hint level N
hint step:count date:D sides:B = Words needed: many word solve, one word solution, one word possible, many word, many word
  need, many word solution, word count, word need, possible N, N word solution, word N possible, can solved N, fewest word,
  fewest, minimum word need, can solved N word, N word day, minimum solved, no solution many word, number word, only number
  word, no spoiler many word
hint step:start date:D sides:B = Start letters: first letter, letter start, letter begin, where start, where begin, no idea
  where start, how start, word start, side start, begin letter solution, one letter, solution start with S
hint step:first date:D sides:B = First word: first word, word start, word begin with, opening word, opener, only first word,
  hint first word, you play, what you play
hint step:lengths date:D sides:B = Word lengths: how long word, how long first word, length, length word, many letter word,
  length word hint, many letter solution contain, many letter contain word
hint step:joint date:D sides:B = The letter that joins the words: letter link, letter link N word, join letter, shared letter
hint step:meaning date:D sides:B = What the words mean: definition, mean word, what word mean, synonym first word, meaning
hint step:hardest date:D sides:B = Hardest letters: hardest letter, hard letter which, letter minimum connected
next words:W date:D sides:B = Best word after W: after W, next word after W, play after W, next after W, word after W, go from
  W, best word after W, best after W, have W what, after W what, play W what, W how, contain W how, contain W go on
check words:W date:D sides:B = Check W: word W, valid W, check W, use W, exist W, work W, dictionary W, list W, is W, does W,
  use word W, valid word W, can play W, try W, fit W, take W, know W, would W, word real W, word W possible, check word W,
  check my word W, check W work, why W reject, could W, is a word W
words starts:S ends:E uses:L length:K date:D sides:B = Words[ that start with S][ that end with E][ with L][ of K letters]: S
  begin, word start S, word begin S, start with S, begin with S, word end E, end in E, word start S end E, word with L, word
  contain L, contain L, word L, word K, K, what word contain L
words sort:length date:D sides:B = The longest words: longest word, word long, word long than, sort word length, what longest,
  longest
words sort:coverage date:D sides:B = Words with the most letters: word most letter, different letter word use, best word,
  pangram, coverage, sort coverage
words date:D sides:B = All words: all word, word list, possible word, word make, word find, what word, word can, total word,
  many word total, word B, word me, word match
reveal date:D = The solution[ of D]: solution, solve, give up, give in, spoil, tell solution, show solution, solve it, how
  solve, surrender, quit, solution what, surrender me, spoiler, just show, misery, no take tell, what it D, what word D, what
  win word, secret word, do it for me, do puzzle for me
solve sides:B most:N = Solve B: B, newspaper B, newspaper board B, solve board B, solve puzzle B, D B, letter D B, board D B,
  puzzle D B, solve B, solution B, board B, puzzle B, letter B, do B, B N word, hint B solve, help solve B, solve B N, can
  solve B N, can solve B N word, solve B N word, B go, B max N word, B most N word, bet no solve B, no solve B, N word
  solution B
today date:D = The board[ of D]: board, puzzle, letter, D, show board, show puzzle, where board, morning puzzle, show D,
  puzzle what, easy hard, how hard, difficulty, what have D, no find puzzle, find puzzle, find board, what did missed D, is it
  hard
play date:D sides:B = Play[ D]: play, start, begin, play board, play puzzle, begin puzzle, start puzzle, ready, new puzzle,
  go, letter left, continue, continue game, missed D do, pick left off, pick up, where was i
play words:W typed:yes = Play W: W, choose W, put W, enter W, play W, then W, next word W, my word W, try W, guess W, go with
  W, how about W, valid then W, can go W, go W, now W, opening W, opener W, make the word W
play start-over:yes date:D = Start over: start over, start again, begin again, restart, reset, clear, scratch, start fresh,
  mess start, redo, wipe board, reset puzzle, delete all word, restart puzzle, begin new, all new, start top, noch again,
  again once, noch einmal, begin otra vez, vez, do again, from again, start from
play ask:back typed:yes = Take back: undo, delete last move, no mean word, back, oops, delete word, delete last word, wrong
  word, back last word, delete last, undo word, go back, undo last, delete that, bad delete, delete W, change mind, wrong,
  wrong one, ctrl, delete my word, word gone, take away, post my last word, post last, delete
archive = Past boards: old board, old puzzle, play old, archive, old, missed board, all board, play last week
generate = A new board: new board, other board, other puzzle, random, generate, practice, random board, random puzzle, more
  puzzle, next puzzle, got more, more, make new puzzle, make new board, can do other one, new puzzle, new one
generate difficulty:easy = An easy board: easy, easy board, make easy, beginner, too hard
generate difficulty:hard = A hard board: hard board, hard puzzle, hard, make hard, challenge me
!relay word:start sides:B date:D = Start a relay, one word each: together, start relay, play with, team, puzzle with, with
  friend, play friend, play together, solve together, start puzzle with, play people, puzzle together, team puzzle, each add
  word, people add word, play team, against, can my play, play too, puzzle with my
!board do:make sides:B = Make a board for this channel: make board for, board friend, own board, own puzzle, make own puzzle,
  custom, board make B, make board friend, custom puzzle, make puzzle for, make puzzle team, make board team, make one B, make
  with my name, record board for, record puzzle
board do:list = Boards made here: people board, board made, what board we contain
review date:D = How you did[ on D]: rate, good solution, how did, how did do, grade, compare, my solution, optimal, analyse my
  puzzle, best compare, review my, how, my best, best possible, what did missed, how could better, could i solved, could
  solved, could i solved N, what did i result D, i result
stats = Your results: stats, lose streak, streak, my score, how am doing, my history, my record, my number, how doing, my
  rank, days row, my stats, my streak, my average, win rate, streak how long, my streak longest, result, my result all, many i
  solved, many puzzle i solved, am doing well, i ever win, many point i contain, my point, my average number word
leaderboard = Leaderboard: leaderboard, better than me, leaderboard board, who first, win, who win, who best, best people,
  rank, top, who top, am win, who place first, leaderboard team, who streak longest, who streak, am best, i best, place
  contain
leaderboard period:day date:D = Who solved it[ on D]: who solved, people solved, people solved many, leaderboard D, who win D,
  people did, D result, people result, solved D, many solved, win D, did solve, how people did, am first, only did, who D, who
  first D, how people doing, who solved minimum word, who participated, contain play D, contain W play D, people beat N, beat
  N word, who people
leaderboard period:week date:last = Last week: leaderboard last week, win last week, who last week, last week
leaderboard period:month date:last = Last month: leaderboard last month, win last month, last month
leaderboard period:month = This month: leaderboard month, who month, win month, best month, month
leaderboard period:week = This week: leaderboard week, win week, who week, week, best week
leaderboard period:all = All time: leaderboard all time, best ever, all time, ever, overall, all time best people, hall fame,
  champion
missing = Who is missing: missing, who missing, who no play, who no solved, who left, people no solved, who no taken part
!share date:D = Show everyone your result[ of D]: share, share result, show people how did, show people, my result channel,
  send my result, tell people got, flex my result, copy my result, post i solved, tell i solved, people i solved
!record message:M = Add it to your results: put me N, solved N, solved N word, did N, record N word, record solved N, N word,
  solved it, solved it in, did it, did N word, result D W, record my result, word N me, N word beat, took N word, needed N
  word
hunt date:D = Other solutions: other solution, other way, hunt, many solution, all solution, solution number total, many
  solution left, solution unique, many other solution, N word solution many, many solution there, list solution, only one
  solution, only solution, way, many way solve, else, what else, what else work, list solution use W, list N word solution,
  pair
remind at:T zone:Z = Remind you[ at T][ Z time]: remind T, remind every day T, remind every T, remind daily T, remind every
  morning T, ping me T, nudge me T, move remind T, remind change T, remind T D, ping every day T
remind = Your reminder: remind, set remind, remind me, no forget, remind D, remind on, remind back on
remind off:yes = No more reminders: no remind, remind off, cancel remind, no ping, no ping me, no message me, delete remind,
  no more remind, no notification me, no send remind, turn off remind, leave peace
privacy = What is stored about you: data, my data, know about, store about, track, spy, gdpr, collect, data save, message
  store, read message, read, what save, see my message
privacy do:export = Your data as a file: export, export data, download data
privacy do:delete = Erase your data: delete me, delete all know, forget me, delete account, delete my stats, delete score, all
  my data delete, delete my data, delete all
privacy do:hide = Hide from leaderboards: hide, no leaderboard, no name, leaderboard off, delete leaderboard, anonymous,
  leaderboard off take, leaderboard out, no see score, private score, hide leaderboard, delete leaderboard me, no show
  leaderboard name, invisible, no name board, take name off, opt out
privacy do:unhide = Be on leaderboards again: unhide, show me leaderboard again, leaderboard put back, show name, visible, opt
  in
help = Help: help, how play, how play puzzle, how set up, what people can do, how work, how puzzle work, rule, what can do,
  what do, can do, instruction, command, how to, hello, hi, who are you, menu, what this, same side, all letter must, same
  letter, learn, how do, explain, never played, explain rule, rule what, what type, what can, what kannst, how going, what my
  option, what work, permission, use every letter, every letter, what command, how i win, access, who you, catch, use twice,
  word use twice, command available, example, type all word, click, click letter, uninstall, how make word, comprends, no
  comprends, what letter mean, letter mean all, no i get it
help command:C = What C does: what C do, how C work, explain C, what is a C, what is the C, help for C, how use C, what C for
about = About this bot: who made, who made you, source, version, human, robot are, tell yourself, website, official, how old
  you, api, uptime, who dis, chatgpt, ai
daily do:show = The settings: setting, when hint, time post thread, hint later, hint time, when open, time what, when
  solution, when next, when next post, schedule, show setting, zone which, time zone which, change zone, daily setting reset,
  default, solution back put, hint thread, change setting, hour earlier, earlier, later, post later, which channel, setting
  daily post, who change, what time post, daily status, status daily thread, is daily thread on, did thread D, why no thread
  D, did post, which hint, what hint post, post solution morning, which hint D, what opening hour, thread activate, is thread
  active, daily thread active, when new come, did new board, where post, source, other source
!daily do:on opening:T zone:Z = Post a board here every day[ at T][ Z time]: daily on, on, every day post, every morning post,
  daily, daily post, post thread, post now, start post, every day, board every day, puzzle every day, set up daily, set up,
  enable daily, want daily, start daily, unpause, resume, resume daily, back on, continue, every morning, on every morning,
  end pause, setting channel T, back break
!daily do:steps = Choose the hints of the thread: hint N day, delete hint, fewer hint, more hint thread, change hint, which
  hint thread, skip hint, skip hint word length, hint word length record, all hint post together, only first hint thread,
  delete letter step, record step length, step
!daily do:off = Stop the daily thread: daily off, off, no post, no post every day, no daily, no thread, no daily thread, no
  more post, cancel, turn off, thread off, delete daily, shut up, end daily, daily thread off, daily post off, post off, shut
  down
!daily opening:T zone:Z = Open the thread at T[ Z time]: opening T, move daily post T, change time T, time T, move T, thread
  T, open T, open thread T, post T, change daily T, board T, come T, daily time T, schedule daily T, daily thread T
!daily zone:Z = Set the zone to Z: zone Z, time zone Z, change zone Z, change time zone Z, we Z, set Z, switch Z, live Z, use
  Z time, were Z, use Z
!daily solution:T = Post the solution at T: solution T, post solution T, move solution T, solution later T, solution come T,
  solution time T
!daily solution:off = Never post the solution: no solution, no post solution, hide solution, no show solution, no give
  solution, no solution evening, no post solution evening, no spoil, no spoil thread, no spoiler
!daily steps:none = Post no hints in the thread: no hint thread, thread hint off, no hint post, only board, no hint daily,
  hint off, no hint channel, no hint thread only board
!daily count:T = Post the words needed at T: hint T, first hint T, hint thread T, move hint T
!daily do:pause until:U = Pause the daily thread[ U]: closed, pause, vacation, holiday, pause daily, pause thread, skip, off
  U, no U, no post U, mute, hold, away, no puzzle U, stop daily U, no puzzle week
!daily weekends:off = No thread on weekends: no weekend, only weekday, weekend off, skip weekend, no post weekend, no sat sun
!daily weekends:on = A thread on weekends, too: weekend, weekend too, post weekend, weekend back, puzzle weekend
!daily quiet:on = Post without notifications: quiet, no notification, no sound, quiet post, no ping people, less notification,
  mute ping, silence notification, too many ping
!daily quiet:off = Post with notifications: unmute, notification on, notification back, notification back on, ping back on
!daily do:test = See a whole day now, only you: test daily, preview, test, look
!daily source:house = Post the house’s own boards: house board, house, no newspaper, own puzzle newspaper
!daily source:newspaper = Post the newspaper’s boards: newspaper, newspaper board
!daily do:here = Move the daily thread to this channel: move channel, post this channel, move daily here, daily here, wrong
  channel, want here instead, move it
= Par is a good number of words for a board. Fewer is even better.: par, par mean, what par, explain par, how par, word par,
  par D, N word good, N good
= Only you see your hints and the words that you play. Others see your result on the leaderboard.: people see, see my, people
  see hint, people see word, see my word, result public, public, what W play, people word
= Each hint costs hint points, and the more it tells, the more it costs. Of two results with as many words and letters, the
  one with fewer points comes first.: hint point, point cost, cost hint, what point, lose point, what good score, score
  calculated, hint count, what count hint, letter count, cheat use hint, cheat
= A word has at least 3 letters, and the game’s list decides which count: no names, plural valid, proper noun, why no valid,
  which word list, swear word, name, use dictionary, record word dictionary, why no write W, why no W, word contain be K,
  which lexicon, why no work
= That is another game. I know only Letter Boxed.: wordle, mini solved, crossword, connections, sudoku, spelling bee, wordle
  N, weather
= You’re welcome!: thank, thank bot
!= Any time! Type a word to play it.: friendly, good bot, well done, love, love this, never mind, valid, yes, no, bye, good
  night, sorry, no need, got you, good, friendly one, friendly whatever say, morning good, sure, that easy, was easy, hate
  this, was hard, see you D, happy, happy birthday, how you, bless you, i win, yay i win, maybe, rigged, joke, no want help,
  friendly easy, good D, prove, youre wrong, suck, boring, is thing on
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
