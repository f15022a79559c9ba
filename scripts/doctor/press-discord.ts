import { randomUUID } from 'node:crypto';
import {
  Client,
  Events,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  type REST,
  Routes,
} from 'discord.js';
import * as v from 'valibot';
import { MESSAGE_COMMAND_NAME } from '../../src/chat/discord/commands.ts';
import { makeModal } from '../../src/chat/discord/context.ts';
import { BOT_INTENTS } from '../../src/chat/discord/gateway.ts';
import { Interaction } from '../../src/chat/discord/interaction.ts';
import type { DiscordConfig } from '../../src/config/config.ts';
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
const PRESS_TIMEOUT_MS = 120_000;

/** Connects to the gateway, calls `begin`, and waits for the first event from which `read` returns something. */
async function hear<Result>(
  { token, apiUrl }: DiscordConfig,
  intents: number,
  read: (event: GatewayDispatchPayload, fail: (error: unknown) => void) => Result | undefined,
  begin: () => Promise<void> = async () => {},
): Promise<Result> {
  const client = new Client({ intents, rest: apiUrl === undefined ? {} : { api: apiUrl } });
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  promise.catch(() => undefined);
  const patience = setTimeout(
    () => reject(new Broken('nothing arrived within two minutes')),
    PRESS_TIMEOUT_MS,
  );
  client.on(Events.ShardError, reject);
  client.on('raw', (event: GatewayDispatchPayload) => {
    const found = read(event, reject);
    if (found !== undefined) resolve(found);
  });
  try {
    await Promise.race([client.login(token), promise]);
    await begin();
    return await promise;
  } finally {
    clearTimeout(patience);
    await client.destroy();
  }
}

/**
 * The id of the server that the gateway sends with this channel in it, with the bot's own intent.
 *
 * @throws what the gateway says, such as that the intent is not allowed.
 */
export async function serverWith(channel: string, config: DiscordConfig): Promise<string | undefined> {
  const awaited = new Set<string>();
  const { server } = await hear<{ server?: string }>(config, BOT_INTENTS, (event) => {
    if (event.t === GatewayDispatchEvents.Ready) for (const { id } of event.d.guilds) awaited.add(id);
    else if (event.t === GatewayDispatchEvents.GuildCreate || event.t === GatewayDispatchEvents.GuildDelete) {
      const channels = 'channels' in event.d ? event.d.channels : [];
      if (channels.some(({ id }) => id === channel)) return { server: event.d.id };
      awaited.delete(event.d.id);
    } else return undefined;
    return awaited.size === 0 ? {} : undefined;
  });
  return server;
}

/** Posts a button, waits until somebody presses it, and defers the answer. */
export function waitForPress(parts: Parts, post: (customId: string) => Promise<unknown>): Promise<Press> {
  const customId = `doctor:${randomUUID()}`;
  return waitFor(
    parts,
    () => post(customId),
    'Press the button "Press me" in the channel.',
    ({ type, data, application_id: application, token }) =>
      type === InteractionType.MessageComponent && data.packed === customId
        ? { application, token }
        : undefined,
  );
}

/** Opens a form for the person who presses a button, and returns what they typed. */
export async function waitForForm(
  { config, rest, say }: Parts,
  post: (customId: string) => Promise<unknown>,
): Promise<string> {
  const customId = `doctor:${randomUUID()}`;
  const fields = [{ name: 'word', label: 'Any word', required: true }];
  const form = { title: 'Trying: a form', fields, submit: 'Send', action: { command: 'help', options: {} } };
  const answer = (to: Interaction, type: InteractionResponseType, data: object) =>
    rest.post(Routes.interactionCallback(to.id, to.token), { body: { type, data }, auth: false });
  const sent = await hear(
    config,
    0,
    (event, fail) => {
      const to = interactionOf(event);
      if (to === undefined || !('packed' in to.data) || to.data.packed !== customId) return undefined;
      if ('filled' in to.data) return { to, word: to.data.filled.word ?? '' };
      answer(to, InteractionResponseType.Modal, makeModal(form, customId)).catch(fail);
      return undefined;
    },
    async () => {
      await post(customId);
      say('Press the button "Open me" in the channel, and fill in the form.');
    },
  );
  const thanks = { content: 'Trying: sent', flags: MessageFlags.Ephemeral };
  await answer(sent.to, InteractionResponseType.ChannelMessageWithSource, thanks);
  return sent.word;
}

/** Waits until somebody chooses the command on a message that they have written, and returns its text. */
export function waitForMessageCommand(parts: Parts): Promise<string> {
  const line = `Write a message in the channel, and choose Apps, "${MESSAGE_COMMAND_NAME}" in its menu.`;
  return waitFor(
    parts,
    async () => {},
    line,
    ({ data }) => ('message' in data ? data.message?.text : undefined),
  );
}

function interactionOf({ t, d }: GatewayDispatchPayload): Interaction | undefined {
  if (t !== GatewayDispatchEvents.InteractionCreate) return undefined;
  const read = v.safeParse(Interaction, d);
  return read.success ? read.output : undefined;
}

/** Waits for the first interaction from which `read` returns something, and defers its answer, for one person. */
async function waitFor<Result>(
  { config, rest, say }: Parts,
  begin: () => Promise<unknown>,
  line: string,
  read: (interaction: Interaction) => Result | undefined,
): Promise<Result> {
  const { found, interaction } = await hear(
    config,
    0,
    (event) => {
      const interaction = interactionOf(event);
      if (interaction === undefined) return undefined;
      const found = read(interaction);
      return found === undefined ? undefined : { found, interaction };
    },
    async () => {
      await begin();
      say(line);
    },
  );
  const body = {
    type: InteractionResponseType.DeferredChannelMessageWithSource,
    data: { flags: MessageFlags.Ephemeral },
  };
  await rest.post(Routes.interactionCallback(interaction.id, interaction.token), { body, auth: false });
  return found;
}
