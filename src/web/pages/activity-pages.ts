import * as v from 'valibot';
import { counted, listed } from '../../core/text.ts';
import { isCountPublic } from '../../daily/day-thread.ts';
import type { App, Asker, Options } from '../../dispatch/contract.ts';
import { fileRoutes } from '../../http/files.ts';
import { type HttpContext, makeRoutes, type Router } from '../../http/router.ts';
import { inOrderOfTime, isCalm, listedDay, type RankedResult } from '../../players/results/stats.ts';
import { readDate } from '../../puzzle/calendar.ts';
import { marksText } from '../../reply/replies/result-line.ts';
import { activityDocument, contentSecurityPolicy, SOURCE, webFiles } from './html.ts';
import { onlyOwnPage, readFields, refusal } from './page-requests.ts';
import type { LinkClaims } from './personal-links.ts';

/**
 * What the bot asks Discord about an Activity, the board inside Discord, since it does not trust the claims of a browser.
 * An instance is one run of the Activity in a channel, which people join and which ends when all have left.
 */
export interface ActivityHost {
  readonly applicationId: () => Promise<string>;
  /** @throws UserError unless the code's person is in this instance now */
  readonly enter: (entry: ActivityEntry) => Promise<Admission>;
  /** Exchanges a code for a token, which only the person's client keeps. @throws UserError for a code of somebody else */
  readonly tokenOf: (code: string, instance: string, person: string) => Promise<string>;
  /** Identifies what the person opened last in this instance: it changes when they open another board. */
  readonly openingId: (instance: string, person: string) => Promise<string>;
  /** The people in an instance, at most half a minute old. */
  readonly peopleIn: (instance: string) => Promise<readonly string[]>;
  readonly names: (tenant: string, people: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/** A person, where they are, and the board that they opened there. */
export interface Admission {
  readonly asker: Asker;
  readonly options: Options;
  readonly instance: string;
  /** The value of `openingId` now. */
  readonly openingId: string;
}

/** The platform's authorization code, valid once. */
const CODE_FIELDS = v.object({ code: v.pipe(v.string(), v.regex(/^[\w-]{8,128}$/)) });
const ENTRY_FIELDS = v.object({
  ...CODE_FIELDS.entries,
  instance: v.pipe(v.string(), v.regex(/^[\w-]{8,128}$/)),
  /** The board of a link that somebody sent. Anything else is ignored. */
  link: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[\da-z|-]{3,64}$/))), undefined),
});
export type ActivityEntry = v.InferOutput<typeof ENTRY_FIELDS>;

/** A path below `PUBLIC_URL`: the target of the mapping of `/` in the developer portal. */
const ACTIVITY_PATH = '/activity';
/** Discord in a browser or as an app: nobody else may frame the page. Behind its proxy, Discord's own policy applies. */
const DISCORD_ORIGINS = [
  'https://discord.com',
  'https://*.discord.com',
  'https://discordapp.com',
  'https://*.discordapp.com',
];

interface ActivityParts {
  readonly app: App;
  readonly host: ActivityHost;
  /** The routes for moves and help, shared with personal pages. */
  readonly playing: Router;
  readonly claimsOf: (context: HttpContext) => Promise<LinkClaims>;
  /** Begins a session, and returns what the page shows. */
  readonly open: (context: HttpContext, admission: Admission) => Promise<object>;
}

/**
 * Adds the board inside Discord: a page in a frame of Discord, behind Discord's proxy. Its sessions are those of personal
 * pages.
 */
export function addActivity(routes: Router, { app, host, playing, claimsOf, open }: ActivityParts): void {
  routes.use(
    `${ACTIVITY_PATH}/*`,
    onlyOwnPage(async () => `https://${await host.applicationId()}.discordsays.com`),
  );
  for (const path of [ACTIVITY_PATH, `${ACTIVITY_PATH}/`])
    routes.get(path, async (context) => {
      context.header('content-security-policy', contentSecurityPolicy(DISCORD_ORIGINS));
      return context.html(activityDocument(await host.applicationId()));
    });
  const pages = makeRoutes();
  pages.route('/', fileRoutes(SOURCE, webFiles('board', 'pages')));
  pages.post('/open', async (context) =>
    context.json(await open(context, await host.enter(await readFields(context, ENTRY_FIELDS)))),
  );
  pages.post('/play/:id/players', async (context) => {
    const claims = await claimsOf(context);
    const { asker, instance, nonce } = claims;
    if (instance === undefined) return context.json({ lines: [] });
    // The nonce of an Activity's session is the `openingId` with which it began.
    if ((await host.openingId(instance, asker.who.id)) !== nonce) throw refusal('newer');
    return context.json({ lines: await playersFor(claims, instance, app, host) });
  });
  pages.post('/play/:id/presence', async (context) => {
    const { asker, instance } = await claimsOf(context);
    const { code } = await readFields(context, CODE_FIELDS);
    if (instance === undefined) throw refusal('notOpenHere');
    return context.json({ token: await host.tokenOf(code, instance, asker.who.id) });
  });
  pages.route('/', playing);
  routes.route(ACTIVITY_PATH, pages);
}

const MAX_NAMES = 20;

/** Who plays in an instance, and who has solved its board in its channel, for people in it: names and numbers, no letters. */
async function playersFor(
  { asker, options: { date } }: LinkClaims,
  instance: string,
  { store, clock }: App,
  host: ActivityHost,
): Promise<readonly string[]> {
  const { who, where } = asker;
  const { tenant, channel } = where;
  const here = await host.peopleIn(instance);
  if (!here.includes(who.id)) return [];
  const now = clock.now();
  const day = date === undefined || where.direct ? undefined : readDate(String(date), now);
  const [ranked, calm] = await Promise.all([
    day === undefined ? [] : listedDay({ store }, { tenant, channel }, day),
    day === undefined ? [] : store.tenant(tenant).channelResults.calmSolvers(channel, day),
  ]);
  // A calm person is shown no comparison, and nobody numbers of words that the channel may not know yet.
  const hidesWords =
    day !== undefined &&
    ranked.length > 0 &&
    ((await isCalm(asker, { store })) || !(await isCountPublic(store, where, { date: day, now })));
  const shown = hidesWords ? inOrderOfTime(ranked) : ranked;
  const all: readonly SolvedHere[] = [...shown, ...calm.map((person) => ({ person }))];
  const playing = here.filter((person) => !all.some((one) => one.person === person));
  const solved = all.slice(0, MAX_NAMES);
  const people = [...solved.map(({ person }) => person), ...playing.slice(0, MAX_NAMES)];
  const names = new Map(await host.names(tenant, people)).set(who.id, 'you');
  return playerLines(playing, solved, names, hidesWords);
}

/** Somebody who solved a board in a channel; calm people are named without numbers. */
type SolvedHere = Pick<RankedResult, 'person'> & Partial<RankedResult>;

/** @example playerLines(['1', '2'], [], new Map([['1', 'you']]), false) // ['Playing: you and 1 other.'] */
function playerLines(
  playing: readonly string[],
  solved: readonly SolvedHere[],
  names: ReadonlyMap<string, string>,
  hidesWords: boolean,
): string[] {
  const named = playing.flatMap((person) => names.get(person) ?? []);
  const others = playing.length - named.length;
  const all = [...named, ...(others > 0 ? [counted(others, 'other')] : [])];
  const finished = solved.flatMap(({ person, words, ...marks }) => {
    const name = names.get(person);
    if (name === undefined || hidesWords || words === undefined) return name ?? [];
    const marked = marksText(marks);
    return `${name} in ${counted(words, 'word')}${marked === '' ? '' : ` (${marked})`}`;
  });
  return [
    ...(all.length > 0 ? [`Playing: ${listed(all)}.`] : []),
    ...(finished.length > 0 ? [`Solved: ${listed(finished)}.`] : []),
  ];
}
