import { setTimeout as wait } from 'node:timers/promises';
import { type App as BoltApp, type Receiver, SocketModeReceiver } from '@slack/bolt';
import type { Log } from '../../../core/log.ts';
import { readFailure } from '../post/errors.ts';
import { boltLogger } from './logger.ts';

export interface SocketOptions {
  readonly appToken: string;
  readonly apiUrl: string | undefined;
  readonly log: Log;
}

export interface SocketReceiver extends Receiver {
  trouble(): string | undefined;
}

/** Slack renews each connection every few hours: the other one takes the requests meanwhile. */
const CONNECTIONS = 2;
/** Opened together, they would be renewed together: one is, early, so that they never are again. */
const APART = 25 * 60_000;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 30_000;
/** A deaf peer answers no farewell. */
const FAREWELL = 2000;
/** Errors of `apps.connections.open` that no further try will mend. */
const HOPELESS = new Set([
  'not_authed',
  'invalid_auth',
  'account_inactive',
  'token_revoked',
  'not_allowed_token_type',
  'missing_scope',
]);

/**
 * Socket Mode over Bolt's receiver, with our own way of coming back: the library waits five seconds before
 * it tries, and takes the process down when a try fails for good.
 */
export function makeSocketReceiver({ appToken, apiUrl, log }: SocketOptions): SocketReceiver {
  const stopping = new AbortController();
  const up = new Set<SocketModeReceiver>();
  const receivers = Array.from(
    { length: CONNECTIONS },
    () =>
      new SocketModeReceiver({
        appToken,
        autoReconnectEnabled: false,
        logger: boltLogger(log),
        installerOptions: {
          clientOptions: {
            retryConfig: { retries: 0 },
            rejectRateLimitedCalls: true,
            timeout: LONGEST_WAIT,
            ...(apiUrl !== undefined && { slackApiUrl: apiUrl }),
          },
        },
      }),
  );
  let running: Promise<void>[] = [];
  let apart: NodeJS.Timeout | undefined;

  /** Connected again and again until told to stop; `onFirst` is told how the first try went. */
  async function keep(receiver: SocketModeReceiver, onFirst: (error?: unknown) => void): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      try {
        await receiver.start();
        const gone = new Promise<void>((resolve) => receiver.client.once('disconnected', () => resolve()));
        failures = 0;
        up.add(receiver);
        onFirst();
        await gone;
        if (!stopping.signal.aborted) log.info({ door: 'slack' }, 'socket closed, connecting again');
      } catch (error) {
        const failure = readFailure(error);
        if (failure.kind === 'refused' && HOPELESS.has(failure.code)) onFirst(error);
        log.warn({ door: 'slack', failure }, 'socket could not be opened');
        failures += 1;
      }
      up.delete(receiver);
      const pause = failures === 0 ? 0 : Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures);
      await wait(pause, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  return {
    init(app: BoltApp) {
      for (const receiver of receivers) receiver.init(app);
    },

    /** Resolves with the first connection; rejects when Slack does not know the token. */
    start() {
      return new Promise<void>((resolve, reject) => {
        const onFirst = (error?: unknown) => (error === undefined ? resolve() : reject(error));
        running = receivers.map((receiver) => keep(receiver, onFirst));
        apart = setTimeout(() => void receivers.at(-1)?.client.disconnect(), APART);
        apart.unref();
      });
    },

    async stop() {
      stopping.abort();
      clearTimeout(apart);
      for (const receiver of receivers) void receiver.client.disconnect();
      await Promise.race([Promise.all(running), wait(FAREWELL, undefined, { ref: false })]);
      up.clear();
    },

    trouble: () => (up.size === 0 ? 'no connection to Slack' : undefined),
  };
}
