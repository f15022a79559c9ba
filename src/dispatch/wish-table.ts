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
words starts:S ends:E uses:L length:K date:D sides:B = Words[ that start with S][ that end with E][ with L][ of K letters]
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
say games = That is another game. I know only Letter Boxed.
say thanks = You’re welcome!
say friendly = Any time! Type a word to play it.
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
primo; second 2nd; end ends ending endings finish finishing finishes enden endet finissent finissant terminan terminano terminam; many much cuantas cuantos
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

/** Further words that tell what somebody wishes. */
export const WISH_WORDS = `
idea throw bone weiter direction track further level number spoiler side opening opener join definition synonym connected go
dictionary try fit pangram coverage find total match spoil quit misery secret bet ready left continue pick choose enter guess
reset clear scratch redo once einmal vez back oops wrong bad ctrl gone away archive random generate practice beginner challenge
relay against own name rate grade compare optimal review better lose streak doing history rank average place participated beat
overall hall fame champion taken part flex copy took hunt unique else pair cancel leave peace spy gdpr collect read export
download account anonymous private invisible opt unhide visible instruction command menu same must learn explain type going
option permission access catch twice available example click uninstall source version human robot website official api uptime
dis chatgpt open default earlier status active enable unpause resume break skip step shut live closed vacation holiday mute hold
sat sun sound silence unmute preview house par public cost calculated cheat names proper noun swear write lexicon wordle mini
crossword connections sudoku spelling bee weather love bye sorry whatever sure hate happy birthday bless rigged joke prove suck
boring
`;

/** Words that carry no wish by themselves. */
export const FILLERS = `
instead whether na sharp sir lot has have had vielen muchas muito tante beaucoup been te ti nous zu um mal doch wieder nur sono sont esta este esto
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
