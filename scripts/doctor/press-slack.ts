import { randomUUID } from 'node:crypto';
import { SocketModeReceiver } from '@slack/bolt';
import * as v from 'valibot';
import { boltLogger } from '../../src/chat/slack/api/bolt-logger.ts';
import type { Log } from '../../src/core/log.ts';
import { Broken } from './examine.ts';

interface Parts {
  readonly appToken: string;
  readonly apiUrl: string | undefined;
  readonly log: Log;
  readonly say: (line: string) => void;
}

/** Milliseconds. */
const PATIENCE = 120_000;

const PRESSED = v.object({
  response_url: v.string(),
  actions: v.tuple([v.object({ action_id: v.string() })]),
});

/** Posts a button, waits until somebody presses it, and returns the response URL of that press. */
export async function waitForPress(
  { appToken, apiUrl, log, say }: Parts,
  post: (action: string) => Promise<unknown>,
): Promise<string> {
  const action = `doctor:${randomUUID()}`;
  const { client } = new SocketModeReceiver({
    appToken,
    logger: boltLogger(log),
    ...(apiUrl !== undefined && { installerOptions: { clientOptions: { slackApiUrl: apiUrl } } }),
  });
  try {
    await client.start();
    const pressed = new Promise<string>((resolve, reject) => {
      AbortSignal.timeout(PATIENCE).addEventListener('abort', () =>
        reject(new Broken('no press arrived within two minutes; end the bot that uses this app meanwhile')),
      );
      client.on('interactive', async ({ ack, body }: { ack: () => Promise<void>; body: unknown }) => {
        await ack();
        const press = v.safeParse(PRESSED, body);
        if (press.success && press.output.actions[0].action_id === action) resolve(press.output.response_url);
      });
    });
    await post(action);
    say('Press the button "Press me" in the channel.');
    return await pressed;
  } finally {
    await client.disconnect();
  }
}
