import { setTimeout } from 'node:timers/promises';
import { getCookie } from 'hono/cookie';
import { HTTPException } from 'hono/http-exception';
import { LRUCache } from 'lru-cache';
import { type LinkConfig, publicAddress } from '../config/config.ts';
import { channelKey } from '../core/channel-ref.ts';
import { MINUTE, SECOND } from '../core/clock.ts';
import { atMost, PerMinute } from '../core/turns.ts';
import { type App, type Asker, type Dispatcher, type Options, replyOf } from '../dispatch/contract.ts';
import type { Standing } from '../dispatch/poster.ts';
import { topicOf } from '../dispatch/topic.ts';
import type { HttpContext } from '../http/router.ts';
import type { Move } from '../play/game.ts';
import { SoloGames, shownGame } from '../players/solo-games.ts';
import { wordsOption } from '../reply/model/action.ts';
import { boardView, type GameView, gameView } from './game-view.ts';
import { type HelpRequest, type HelpView, viewOf } from './help-view.ts';
import { arrivalDocument, boardDocument } from './html.ts';
import { endedBy, endOlder, type Invitation, type LinkTrouble, PersonalLinks } from './personal-links.ts';

const COOKIE = 'letterboxed-play';
const AGAIN = 'Press Play on Discord or Slack again: your link is in the answer, which only you see.';
/** Why somebody can't play in a person's name, by what is wrong with their browser's session or their link. */
const TROUBLES = {
  notOpenHere: `This board is open in another browser. ${AGAIN}`,
  altered: `This link is not complete, or was changed. ${AGAIN}`,
  used: `This link was opened before, and works only once. ${AGAIN}`,
  over: `The day of this link is over. ${AGAIN}`,
  newer: `This board was opened by a newer link since, or you left its channel. ${AGAIN}`,
  gone: 'You are not in the channel of this link any more, so it has ended.',
  erased: `What was stored about you was erased since, and this link ended with it. ${AGAIN}`,
} as const;
/** Requests of one person in a minute. Visitors without a link or session that this bot has signed cost next to nothing. */
const MOST_REQUESTS = 240;
const DOOR_NAMES: Readonly<Record<string, string>> = { discord: 'Discord', slack: 'Slack' };

/**
 * Pages on which a person of a chat plays one board in their own name. Somebody who has the link of such a page
 * can do that once and until the day ends, and nothing else.
 */
export class PersonalPages {
  readonly #app: App;
  readonly #dispatcher: Dispatcher;
  readonly #links: PersonalLinks;
  readonly #games: SoloGames;
  readonly #standings: Standings;
  readonly #publicUrl: string;
  readonly #requests = new PerMinute(MOST_REQUESTS);

  constructor(app: App, dispatcher: Dispatcher, config: LinkConfig) {
    this.#app = app;
    this.#dispatcher = dispatcher;
    this.#links = new PersonalLinks(config);
    this.#games = new SoloGames(app);
    this.#standings = new Standings(app);
    this.#publicUrl = config.publicUrl;
  }

  /** The board as a page, or the page where a link arrives. */
  async page(context: HttpContext): Promise<string> {
    const session = await this.#session(context);
    if ('trouble' in session) return arrivalDocument('Your board', TROUBLES[session.trouble]);
    const { asker, options } = session.invitation;
    const { subject, puzzle } = await topicOf({ ...asker, command: 'play', options }, this.#app);
    return boardDocument({
      title: subject.name,
      par: puzzle?.par,
      about: `You play as yourself: what you solve counts for you on ${DOOR_NAMES[asker.door]}.`,
      board: subject.board,
      view: boardView(subject.board),
    });
  }

  /** Exchanges a token for a session, if nobody did before. */
  async open(context: HttpContext, token: string): Promise<void> {
    const { clock, store } = this.#app;
    const now = clock.now();
    const opened = this.#links.read('link', token, now);
    if ('trouble' in opened) throw refusal(opened.trouble);
    const { invitation } = opened;
    this.#count(invitation.asker, now);
    const id = this.#links.idOf(invitation);
    if (id !== context.req.param('id')) throw refusal('altered');
    const { nonce, until } = invitation;
    const ended = await this.#endedBy(id, invitation, now);
    if (ended !== undefined) throw refusal(ended);
    if (!(await store.events.mark(`link:${nonce}`, now, until))) throw refusal('used');
    await endOlder(store, id, invitation.madeAt);
    const { pathname, protocol } = publicAddress(this.#publicUrl, `/play/${id}`);
    const seconds = Math.ceil((until - now) / 1000);
    const secure = protocol === 'https:' ? '; Secure' : '';
    context.header(
      'set-cookie',
      `${COOKIE}=${this.#links.sessionOf(invitation)}; Path=${pathname}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`,
    );
  }

  async play(
    { asker, options }: Invitation,
    moves: readonly Move[],
    version: number | undefined,
  ): Promise<GameView> {
    const played = await this.#games.play(asker, {
      options,
      moves,
      version,
    });
    if (moves.length > 0) this.#app.followers.changed(shownGame(asker, played.subject));
    return gameView(played);
  }

  /** Posts for others to see are made only for a person who may write there now, by the platform's answer. */
  async help(invitation: Invitation, asked: HelpRequest): Promise<HelpView> {
    const { asker, options } = invitation;
    if (asked.ask !== 'share') return helpPerson(this.#dispatcher, asker, options, asked);
    const standing = await this.#standing(invitation, POSTING);
    if (standing === 'gone') throw refusal('gone');
    const who = { ...asker.who, mayPostInThreads: standing === 'member' };
    const view = await helpPerson(this.#dispatcher, { ...asker, who }, options, asked);
    return standing === undefined ? { ...view, parts: [...view.parts, { lines: [UNKNOWN] }] } : view;
  }

  /** The person who plays on this page. Throws a refusal where this browser has no session for it. */
  async player(context: HttpContext): Promise<Invitation> {
    // The cookie is SameSite=Lax, so other sites can't send it along with a post anyway.
    const { origin } = context.req.header();
    if (origin !== undefined && origin !== publicAddress(this.#publicUrl).origin)
      throw refusal('notOpenHere');
    const session = await this.#session(context);
    if ('trouble' in session) throw refusal(session.trouble);
    return session.invitation;
  }

  async #session(
    context: HttpContext,
  ): Promise<{ invitation: Invitation } | { trouble: keyof typeof TROUBLES }> {
    const cookie = getCookie(context, COOKIE);
    if (cookie === undefined) return { trouble: 'notOpenHere' };
    const now = this.#app.clock.now();
    const opened = this.#links.read('session', cookie, now);
    if ('trouble' in opened) return opened;
    this.#count(opened.invitation.asker, now);
    const id = this.#links.idOf(opened.invitation);
    if (id !== context.req.param('id')) return { trouble: 'notOpenHere' };
    const ended = await this.#endedBy(id, opened.invitation, now);
    return ended === undefined ? opened : { trouble: ended };
  }

  #count({ door, who }: Asker, now: number): void {
    this.#requests.take(`${door}:${who.id}`, now);
  }

  /** Where their platform can't say, people play on: the game is theirs alone, and an outage keeps nobody out. */
  async #endedBy(id: string, invitation: Invitation, now: number): Promise<LinkTrouble | 'gone' | undefined> {
    const ended = await endedBy(this.#app.store, id, invitation, now);
    if (ended !== undefined) return ended;
    return (await this.#standing(invitation, PLAYING)) === 'gone' ? 'gone' : undefined;
  }

  /** Ends the links and sessions of a person who left the channel of this page or was banned. */
  async #standing(invitation: Invitation, age: number): Promise<Standing | undefined> {
    const standing = await this.#standings.of(invitation.asker, age);
    if (standing === 'gone')
      await endOlder(this.#app.store, this.#links.idOf(invitation), this.#app.clock.now() + 1);
    return standing;
  }
}

/** Milliseconds for which an answer about a person counts: for actions that are theirs alone, and for posts that others see. */
const PLAYING = MINUTE;
const POSTING = 5 * SECOND;
/** Milliseconds that a move waits for an answer at most, which may still come and count for the next one. */
const LONGEST_LOOK_UP = 3_000;
const MOST_STANDINGS = 10_000;

/**
 * The rights of people in the channels of their links. A failure counts as an answer, too, so that each person costs one
 * request at a time.
 */
class Standings {
  readonly #app: Pick<App, 'posterOf' | 'clock'>;
  readonly #known = new LRUCache<string, { at: number; standing: Promise<Standing | undefined> }>(
    atMost(MOST_STANDINGS),
  );

  constructor(app: Pick<App, 'posterOf' | 'clock'>) {
    this.#app = app;
  }

  /** Undefined where nobody can say now. */
  of({ door, who, where }: Asker, age: number): Promise<Standing | undefined> {
    const { tenant, channel } = where;
    const key = channelKey({ tenant, channel }, who.id);
    const now = this.#app.clock.now();
    const known = this.#known.get(key);
    if (known !== undefined && now >= known.at && now - known.at < age) return within(known.standing);
    const asking = this.#app.posterOf(door)?.standingOf({ tenant, channel }, who.id);
    const standing = asking ?? Promise.resolve(undefined);
    this.#known.set(key, { at: now, standing });
    return within(standing);
  }
}

function within(standing: Promise<Standing | undefined>): Promise<Standing | undefined> {
  return Promise.race([standing, setTimeout(LONGEST_LOOK_UP, undefined, { ref: false })]);
}

function refusal(trouble: keyof typeof TROUBLES): HTTPException {
  return new HTTPException(403, { message: TROUBLES[trouble] });
}

const UNKNOWN =
  'I can’t find out now whether you may write there, so nothing was posted. Copy it, or type share in the chat.';
const NO_THREAD = 'There is no thread of this day to post it in. Copy it, or type share in the chat.';

/** For a person of a chat, as if they had asked there: it counts as seen. */
async function helpPerson(
  dispatcher: Dispatcher,
  asker: Asker,
  board: Options,
  { ask, words, shown }: HelpRequest,
): Promise<HelpView> {
  const more = {
    ...(ask === 'hint' && { ...wordsOption(words), ...(shown !== undefined && { shown }) }),
    // The page has said the price.
    ...(ask === 'reveal' && { open: true }),
  };
  const reply = await replyOf(dispatcher.prepare({ ...asker, command: ask, options: { ...board, ...more } }));
  if (reply === undefined) throw new Error(`${ask} needs no form`);
  const view = viewOf(reply);
  // A public answer of the chat can't be shown from here.
  return ask === 'share' && reply.audience === 'everyone'
    ? { ...view, parts: [...view.parts, { lines: [NO_THREAD] }] }
    : view;
}
