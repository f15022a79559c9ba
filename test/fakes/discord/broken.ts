import type { DiscordAssumption } from '../../../scripts/doctor/discord.ts';
import type { Answer } from './routes.ts';
import type { Wire } from './rules.ts';
import { BITS } from './world.ts';

/** How the fake behaves when it has to break an assumption: on which route, and what is different. */
interface Breaking {
  readonly on: string;
  /** The body as Discord would understand it. */
  readonly request?: (body: Wire) => Wire;
  readonly answer?: (body: Wire) => unknown;
  readonly withoutHeaders?: true;
}

const without =
  (...names: readonly string[]) =>
  (body: Wire): Wire =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
const MESSAGES = '/channels/:channel/messages';

const BREAKINGS: Readonly<Record<DiscordAssumption, Breaking>> = {
  token: { on: 'GET /applications/@me', answer: without('id') },
  channel: { on: 'GET /channels/:channel', answer: without('guild_id') },
  installation: {
    on: 'GET /applications/@me',
    answer: (body) => ({ ...body, integration_types_config: { 1: {} } }),
  },
  permissions: {
    on: 'GET /guilds/:guild',
    answer: (body) => ({ ...body, roles: readOnly((body as Wire).roles) }),
  },
  commands: {
    on: 'GET /applications/:application/commands',
    answer: (body) => listOf(body).map((command) => ({ ...command, description: 'Another' })),
  },
  activity: { on: 'POST /oauth2/token', request: without('client_secret') },
  rateLimits: { on: `GET ${MESSAGES}`, withoutHeaders: true },
  nonce: { on: `POST ${MESSAGES}`, request: without('enforce_nonce') },
  readBack: { on: `GET ${MESSAGES}`, answer: (body) => listOf(body).map(without('components')) },
  spoilerPicture: {
    on: `GET ${MESSAGES}/:message`,
    answer: (body) => ({ ...body, components: [{ items: [{}] }] }),
  },
  thread: { on: `POST ${MESSAGES}/:message/threads`, answer: (body) => ({ ...body, id: '1' }) },
  forumPost: {
    on: 'POST /channels/:channel/threads',
    answer: (body) => ({ ...body, message: { ...(body.message as Wire), id: '1' } }),
  },
  names: { on: 'GET /guilds/:guild/members/:user', answer: without('user') },
  roleMention: { on: `POST ${MESSAGES}`, answer: without('mention_roles') },
};

/** The assumptions that a fake does not keep. */
export class BrokenAssumptions extends Set<DiscordAssumption> {
  request(route: string, body: unknown): unknown {
    return this.#on(route).reduce((read, { request }) => request?.(read as Wire) ?? read, body);
  }

  answer(route: string, given: Answer): Answer {
    return this.#on(route).reduce(
      ({ status, body }, { answer }) => ({
        status,
        body: answer === undefined ? body : answer(body as Wire),
      }),
      given,
    );
  }

  headers(route: string, given: Record<string, string>): Record<string, string> {
    return this.#on(route).some(({ withoutHeaders }) => withoutHeaders) ? {} : given;
  }

  #on(route: string): Breaking[] {
    return [...this].map((name) => BREAKINGS[name]).filter(({ on }) => on === route);
  }
}

function listOf(body: unknown): Wire[] {
  return body as Wire[];
}

/** Roles that may read, and no more. */
function readOnly(roles: unknown): Wire[] {
  const permissions = String(BITS.VIEW_CHANNEL | BITS.READ_MESSAGE_HISTORY);
  return listOf(roles).map((role) => ({ ...role, permissions }));
}
