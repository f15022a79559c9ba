/** developers/interactions/receiving-and-responding.mdx: an interaction and what was answered to it. */
import type { Component } from './components.ts';
import type { Message } from './message.ts';
import type { User } from './world.ts';

export const KIND = { command: 2, component: 3, autocomplete: 4, modal: 5 } as const;

export interface Modal {
  custom_id: string;
  title: string;
  components: Component[];
}

export interface Choice {
  name: string;
  value: string | number;
}

/** One interaction, from being asked to its last answer. */
export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly kind: number;
  readonly at: number;
  readonly user: User;
  readonly channelId: string;
  readonly guildId: string | undefined;
  /** The message whose button was pressed. */
  readonly source: Message | undefined;
  readonly onlyUserInstalled: boolean;
  /** Set by the first answer. */
  answeredBy?: number;
  answeredAt?: number;
  ephemeral: boolean;
  original?: Message;
  /** A deferred answer nobody has filled in yet. */
  loading: boolean;
  modal?: Modal;
  choices?: Choice[];
  readonly followUps: Message[];
  edits: number;
  deleted: boolean;
  /** An answer came when its time was over. */
  missed: boolean;
}
