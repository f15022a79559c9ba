import { REST, RESTEvents, type RESTOptions } from 'discord.js';
import type { DiscordConfig } from '../../config/doors.ts';
import { MINUTE } from '../../core/clock.ts';
import type { InvalidRequestGuard } from './posting/invalid-request-guard.ts';
import { OldEdits } from './posting/old-edits.ts';

/** Milliseconds between two sweeps of what the library keeps for each route and interaction. */
export const SWEEP = MINUTE;
/** Discord's limit for a bot; the largest bots have a higher one. */
const REQUESTS_PER_SECOND = 50;

/** Only the token is required. */
export type RestSettings = Pick<DiscordConfig, 'token'> &
  Partial<Pick<DiscordConfig, 'apiUrl' | 'requestsPerSecond'>>;

/** The options for the client of the gateway, which makes requests of its own. */
export function gatewayRestOptions({ apiUrl, requestsPerSecond }: RestSettings): Partial<RESTOptions> {
  return {
    handlerSweepInterval: SWEEP,
    globalRequestsPerSecond: requestsPerSecond ?? REQUESTS_PER_SECOND,
    ...(apiUrl !== undefined && { api: apiUrl }),
  };
}

/** For the daily thread: no retries, for a post whose outcome is unknown must be looked for before it is repeated. */
export function makePostingRest(settings: RestSettings, guard: InvalidRequestGuard): REST {
  const oldEdits = new OldEdits();
  const rest = new REST({
    ...gatewayRestOptions(settings),
    version: '10',
    retries: 0,
    rejectOnRateLimit: (limit) => oldEdits.giveUp(limit),
  });
  oldEdits.watch(rest);
  useToken(rest, settings.token, guard);
  return rest;
}

/** For answers to interactions, which Discord does not count among a bot's requests per second. */
export function makeAnsweringRest(settings: RestSettings, guard: InvalidRequestGuard): REST {
  const rest = new REST({
    ...gatewayRestOptions(settings),
    version: '10',
    globalRequestsPerSecond: Number.POSITIVE_INFINITY,
  });
  rest.on(RESTEvents.Response, (_, response) => guard.count(response));
  return rest;
}

/**
 * Sets a token that stays set. The library drops its token at the first 401 for as long as the process lives,
 * and one that came by mistake, from a proxy or in an outage, would silence the bot until its next start.
 */
export function useToken(rest: REST, token: string, guard: InvalidRequestGuard): void {
  rest.setToken(token);
  rest.setToken = () => rest;
  rest.on(RESTEvents.Response, (_, response) => guard.count(response));
}

/** Stops the library's timers, which would keep the process from ending. */
export function closeRest(rest: REST): void {
  rest.clearHashSweeper();
  rest.clearHandlerSweeper();
}
