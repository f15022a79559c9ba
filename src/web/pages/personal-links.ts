import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { type LinkConfig, publicAddress } from '../../config/config.ts';
import { DOORS, doorOf } from '../../core/channel-ref.ts';
import type { Asker, Options } from '../../dispatch/contract.ts';
import { erasedLinksKey, LINKS_EXPIRED_AFTER_MS } from '../../players/privacy.ts';
import type { Store } from '../../store/store.ts';

/** Who may play which board, and until when. */
export interface LinkClaims {
  readonly asker: Asker;
  /** The options that select the board in a command. */
  readonly options: Options;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** When the link was made, in milliseconds since 1970: older ones end when a newer one is opened. */
  readonly madeAt: number;
  /** Different in every link, and in every opening of an Activity. */
  readonly nonce: string;
  /** The Activity that was opened instead of a link: its session is not ended by links. */
  readonly instance?: string;
}

/** `altered`: not what this bot has signed. */
export type LinkTrouble = 'altered' | 'over' | 'newer' | 'erased';
export type Opened = { readonly claims: LinkClaims } | { readonly trouble: LinkTrouble };

/** A link opens once; the session that it is exchanged for can be used as often as its browser likes. */
type Kind = 'link' | 'session';

/** The beginning of every token, by which logs recognize it. */
const TOKEN_PREFIX = 'lb1';
/** A date, or sides as `formatBoard` writes them. */
const BOARD_PATTERN = /^(?:\d{4}-\d\d-\d\d|[a-z|-]+)$/;
/**
 * The claims in a token, as `#seal` writes them: tenant, channel, whether it is a direct one, person, board, `until`, `madeAt`,
 * `nonce` and `instance`.
 */
const tokenFields = v.tuple([
  v.string(),
  v.string(),
  v.boolean(),
  v.string(),
  v.pipe(v.string(), v.regex(BOARD_PATTERN)),
  v.number(),
  v.number(),
  v.string(),
  v.optional(v.string()),
]);

/**
 * Personal links: signed tokens that let a browser play one board under one person's name until the day ends. The token is
 * in the fragment of the address, which browsers send to nobody and proxies do not log.
 *
 * @example new PersonalLinks(config).linkTo(asker, { date: '2026-11-20' }, { madeAt, until })
 */
export class PersonalLinks {
  readonly #publicUrl: string;
  /** Keyed by door. */
  readonly #keys = new Map<string, Buffer>();

  constructor({ publicUrl, linkSecrets }: LinkConfig) {
    this.#publicUrl = publicUrl;
    for (const [door, secret] of Object.entries(linkSecrets)) {
      if (secret === undefined) continue;
      const purpose = `letterboxed personal links of ${door}`;
      this.#keys.set(door, Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)));
    }
  }

  /** Whether people of this door get links. */
  areFor(door: string): boolean {
    return this.#keys.has(door);
  }

  /** A link that nobody but the asker may see. */
  linkTo(asker: Asker, options: Options, times: Pick<LinkClaims, 'madeAt' | 'until'>): string {
    const claims = { asker, options, ...times, nonce: randomBytes(9).toString('base64url') };
    const address = publicAddress(this.#publicUrl, `/play/${this.idOf(claims)}`);
    address.hash = this.#seal('link', claims);
    return address.href;
  }

  /** The value of the cookie that a link is exchanged for. */
  sessionOf(claims: LinkClaims): string {
    return this.#seal('session', claims);
  }

  /** The part of the address that identifies this person's game of this board, without revealing either. */
  idOf({ asker, options, instance }: Pick<LinkClaims, 'asker' | 'options' | 'instance'>): string {
    const { tenant, channel } = asker.where;
    const kind = instance === undefined ? 'page' : 'activity';
    const name = JSON.stringify([kind, tenant, channel, asker.who.id, boardInLink(options)]);
    return this.#sign(asker.door, name).slice(0, 16);
  }

  /** The claims of a token, if this bot has signed it for this use and its day is not over. */
  read(kind: Kind, token: string, now: number): Opened {
    const [prefix, body = '', signature = ''] = token.split('.');
    if (prefix !== TOKEN_PREFIX) return { trouble: 'altered' };
    const doors = [...this.#keys.keys()];
    const signer = doors.find((door) => isSame(signature, this.#sign(door, `${kind}.${body}`)));
    const claims = signer === undefined ? undefined : parseClaims(body);
    // Each platform's secret is valid only for its own people.
    if (claims === undefined || claims.asker.door !== signer) return { trouble: 'altered' };
    return now < claims.until ? { claims } : { trouble: 'over' };
  }

  #seal(kind: Kind, { asker, options, until, madeAt, nonce, instance }: LinkClaims): string {
    const { tenant, channel, direct } = asker.where;
    const text = JSON.stringify([
      tenant,
      channel,
      direct,
      asker.who.id,
      boardInLink(options),
      until,
      madeAt,
      nonce,
      ...(instance === undefined ? [] : [instance]),
    ]);
    const body = Buffer.from(text).toString('base64url');
    return `${TOKEN_PREFIX}.${body}.${this.#sign(asker.door, `${kind}.${body}`)}`;
  }

  #sign(door: string, text: string): string {
    return createHmac('sha256', this.#keys.get(door)!).update(text).digest('base64url');
  }
}

/** Ends the links and sessions of a person's page that were made before `madeAt`. */
export async function endOlder({ events }: Pick<Store, 'events'>, id: string, madeAt: number): Promise<void> {
  // The mark lasts until the links that it ends have expired. From its end, `momentOf` calculates `madeAt`.
  await events.extend(`page ${id}`, madeAt + LINKS_EXPIRED_AFTER_MS);
}

/** The moment for which a mark about links was made, by its end. Without a mark, it is before all links. */
function momentOf(markedUntil = 0): number {
  return markedUntil - LINKS_EXPIRED_AFTER_MS;
}

/** Why a correctly signed link or session has ended early. */
export async function endedBy(
  { events }: Pick<Store, 'events'>,
  id: string,
  { asker, madeAt }: LinkClaims,
  now: number,
): Promise<'newer' | 'erased' | undefined> {
  const erasedAt = momentOf(await events.markedUntil(await erasedLinksKey(asker), now));
  // A link that was made in the millisecond of the erasure ends with it.
  if (madeAt <= erasedAt) return 'erased';
  const newestMadeAt = momentOf(await events.markedUntil(`page ${id}`, now));
  return madeAt < newestMadeAt ? 'newer' : undefined;
}

/** A board in a link: its date or its sides, never more than the 64 characters that Discord keeps of a `custom_id`. */
export function boardInLink({ date, sides }: Options): string {
  return String(date ?? sides);
}

/** The options that select the board of a link. */
export function boardOfLink(link: string): Options {
  return /^\d/.test(link) ? { date: link } : { sides: link };
}

/** Only called for tokens that this bot has signed. */
function parseClaims(body: string): LinkClaims | undefined {
  const json = v.pipe(v.string(), v.parseJson(), tokenFields);
  const parsed = v.safeParse(json, Buffer.from(body, 'base64url').toString());
  if (!parsed.success) return undefined;
  const [tenant, channel, direct, person, board, until, madeAt, nonce, instance] = parsed.output;
  const door = DOORS.find((name) => name === doorOf(tenant));
  if (door === undefined) return undefined;
  return {
    // A browser gets no actions that need a role.
    asker: {
      door,
      who: { id: person, mayManage: false },
      where: { tenant, channel, direct },
    },
    options: boardOfLink(board),
    until,
    madeAt,
    nonce,
    instance,
  };
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
