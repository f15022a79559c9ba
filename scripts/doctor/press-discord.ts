import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  Client,
  Events,
  type Interaction,
  InteractionResponseType,
  MessageFlags,
  type REST,
  Routes,
} from 'discord.js';
import { BOT_INTENTS } from '../../src/chat/discord/gateway.ts';
import { MESSAGE_COMMAND_NAME } from '../../src/chat/discord/register.ts';
import type { DiscordConfig } from '../../src/config/doors.ts';
import { Broken } from './examine.ts';

/** An interaction that was deferred for the person who pressed. */
export interface Press {
  readonly application: string;
  readonly token: string;
}

interface Parts {
  readonly config: DiscordConfig;
  readonly rest: REST;
  readonly say: (line: string) => void;
}

/** Milliseconds. */
const PATIENCE = 120_000;

/**
 * The id of the server that the gateway sends with this channel in it, to a client with the bot's own intent.
 *
 * @throws what the gateway says, such as that the intent is not allowed.
 */
export async function serverWith(
  channel: string,
  { token, apiUrl }: DiscordConfig,
): Promise<string | undefined> {
  const client = new Client({ intents: BOT_INTENTS, rest: apiUrl === undefined ? {} : { api: apiUrl } });
  try {
    const ready = once(client, Events.ClientReady, { signal: AbortSignal.timeout(PATIENCE) });
    await client.login(token);
    await ready;
    return client.guilds.cache.find(({ channels }) => channels.cache.has(channel))?.id;
  } finally {
    await client.destroy();
  }
}

/** Posts a button, waits until somebody presses it, and defers the answer. */
export function waitForPress(parts: Parts, post: (customId: string) => Promise<unknown>): Promise<Press> {
  const customId = `doctor:${randomUUID()}`;
  return waitFor(
    parts,
    () => post(customId),
    'Press the button "Press me" in the channel.',
    (interaction) => {
      if (!interaction.isButton() || interaction.customId !== customId) return undefined;
      return { application: interaction.applicationId, token: interaction.token };
    },
  );
}

/** Waits until somebody chooses the command on a message that they have written, and returns its text. */
export function waitForMessageCommand(parts: Parts): Promise<string> {
  const line = `Write a message in the channel, and choose Apps, "${MESSAGE_COMMAND_NAME}" in its menu.`;
  return waitFor(
    parts,
    async () => {},
    line,
    (interaction) =>
      interaction.isMessageContextMenuCommand() ? interaction.targetMessage.content : undefined,
  );
}

/** Connects, begins, and waits for an interaction of which something is read. Its answer is deferred, for one person. */
async function waitFor<Result>(
  { config: { token, apiUrl }, rest, say }: Parts,
  begin: () => Promise<unknown>,
  line: string,
  read: (interaction: Interaction) => Result | undefined,
): Promise<Result> {
  const client = new Client({ intents: [], rest: apiUrl === undefined ? {} : { api: apiUrl } });
  try {
    const ready = once(client, Events.ClientReady, { signal: AbortSignal.timeout(PATIENCE) });
    await client.login(token);
    await ready;
    const arrived = new Promise<Result>((resolve, reject) => {
      AbortSignal.timeout(PATIENCE).addEventListener('abort', () =>
        reject(new Broken('nothing arrived within two minutes')),
      );
      client.on(Events.InteractionCreate, (interaction) => {
        const found = read(interaction);
        if (found === undefined) return;
        const body = {
          type: InteractionResponseType.DeferredChannelMessageWithSource,
          data: { flags: MessageFlags.Ephemeral },
        };
        rest
          .post(Routes.interactionCallback(interaction.id, interaction.token), { body, auth: false })
          .then(() => resolve(found), reject);
      });
    });
    await begin();
    say(line);
    return await arrived;
  } finally {
    await client.destroy();
  }
}
