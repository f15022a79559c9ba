import { randomUUID } from 'node:crypto';
import { SocketModeReceiver } from '@slack/bolt';
import * as v from 'valibot';
import { boltLogger } from '../../src/chat/slack/api.ts';
import { MessageShortcut } from '../../src/chat/slack/events.ts';
import { MESSAGE_SHORTCUT, SLASH_COMMAND } from '../../src/chat/slack/mrkdwn.ts';
import type { Log } from '../../src/core/log.ts';
import { Broken } from './examine.ts';

interface Parts {
  readonly appToken: string;
  readonly apiUrl: string | undefined;
  readonly log: Log;
  readonly say: (line: string) => void;
}

/** Milliseconds. */
const PRESS_TIMEOUT_MS = 120_000;

const PRESSED = v.object({
  response_url: v.string(),
  trigger_id: v.string(),
  actions: v.tuple([v.object({ action_id: v.string() })]),
});

export interface Press {
  readonly responseUrl: string;
  /** Opens a window, within three seconds. */
  readonly trigger: string;
}

/** Posts a button, and waits until somebody presses it. */
export function waitForPress(parts: Parts, post: (action: string) => Promise<unknown>): Promise<Press> {
  const action = `doctor:${randomUUID()}`;
  return waitFor(
    parts,
    () => post(action),
    'Press the button "Press me" in the channel.',
    (body) => {
      const press = v.safeParse(PRESSED, body);
      if (!press.success || press.output.actions[0].action_id !== action) return undefined;
      return { responseUrl: press.output.response_url, trigger: press.output.trigger_id };
    },
  );
}

/** Waits until somebody chooses the app's shortcut on a message that they have written, and returns its text. */
export function waitForShortcut(parts: Parts): Promise<string> {
  const line = `Write a message in the channel, and choose "${MESSAGE_SHORTCUT.name}" in its menu.`;
  return waitFor(
    parts,
    async () => {},
    line,
    (body) => {
      const chosen = v.safeParse(MessageShortcut, body);
      return chosen.success ? (chosen.output.message.text ?? '') : undefined;
    },
  );
}

/** Waits until somebody types the command with a person or a group in it, and returns the text that Slack made of it. */
export function waitForCommand(parts: Parts): Promise<string> {
  return waitFor(
    parts,
    async () => {},
    `Type in the channel: ${SLASH_COMMAND} doctor @ and your name`,
    (body) => {
      const typed = v.safeParse(v.object({ command: v.literal(SLASH_COMMAND), text: v.string() }), body);
      return typed.success ? typed.output.text : undefined;
    },
  );
}

/** Connects, calls `begin`, and waits for the first interaction from which `read` returns something. */
async function waitFor<Result>(
  { appToken, apiUrl, log, say }: Parts,
  begin: () => Promise<unknown>,
  line: string,
  read: (body: unknown) => Result | undefined,
): Promise<Result> {
  const { client } = new SocketModeReceiver({
    appToken,
    logger: boltLogger(log),
    ...(apiUrl !== undefined && { installerOptions: { clientOptions: { slackApiUrl: apiUrl } } }),
  });
  try {
    await client.start();
    const arrived = new Promise<Result>((resolve, reject) => {
      AbortSignal.timeout(PRESS_TIMEOUT_MS).addEventListener('abort', () =>
        reject(new Broken('nothing arrived within two minutes; end the bot that uses this app meanwhile')),
      );
      const onRequest = async ({ ack, body }: { ack: () => Promise<void>; body: unknown }) => {
        await ack();
        const found = read(body);
        if (found !== undefined) resolve(found);
      };
      client.on('interactive', onRequest);
      client.on('slash_commands', onRequest);
    });
    await begin();
    say(line);
    return await arrived;
  } finally {
    await client.disconnect();
  }
}
