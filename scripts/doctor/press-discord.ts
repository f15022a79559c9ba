import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Client, Events, InteractionResponseType, MessageFlags, type REST, Routes } from 'discord.js';
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

/** Posts a button, waits until somebody presses it, and defers the answer. */
export async function waitForPress(
  { config: { token, apiUrl }, rest, say }: Parts,
  post: (customId: string) => Promise<unknown>,
): Promise<Press> {
  const customId = `doctor:${randomUUID()}`;
  const client = new Client({ intents: [], rest: apiUrl === undefined ? {} : { api: apiUrl } });
  try {
    const ready = once(client, Events.ClientReady, { signal: AbortSignal.timeout(PATIENCE) });
    await client.login(token);
    await ready;
    const pressed = new Promise<Press>((resolve, reject) => {
      AbortSignal.timeout(PATIENCE).addEventListener('abort', () =>
        reject(new Broken('no press arrived within two minutes')),
      );
      client.on(Events.InteractionCreate, (interaction) => {
        if (!interaction.isButton() || interaction.customId !== customId) return;
        const { applicationId: application, id, token: answerToken } = interaction;
        const body = {
          type: InteractionResponseType.DeferredChannelMessageWithSource,
          data: { flags: MessageFlags.Ephemeral },
        };
        rest
          .post(Routes.interactionCallback(id, answerToken), { body, auth: false })
          .then(() => resolve({ application, token: answerToken }), reject);
      });
    });
    await post(customId);
    say('Press the button "Press me" in the channel.');
    return await pressed;
  } finally {
    await client.destroy();
  }
}
