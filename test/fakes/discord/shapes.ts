/** Users, servers and channels in the shapes they have on the wire. */

export interface User {
  id: string;
  username: string;
  discriminator: '0';
  global_name: string | null;
  avatar: null;
  bot?: boolean;
}

export interface Role {
  id: string;
  name: string;
  permissions: string;
  position: number;
  mentionable: boolean;
  managed: boolean;
  hoist: boolean;
  color: number;
  flags: number;
}

export interface Member {
  user: User;
  roles: string[];
  joined_at: string;
  deaf: boolean;
  mute: boolean;
  flags: number;
  /** The end of a timeout. */
  communication_disabled_until?: string | null;
}

export interface Overwrite {
  id: string;
  /** 0 for a role, 1 for a member. */
  type: 0 | 1;
  allow: string;
  deny: string;
}

export interface Tag {
  id: string;
  name: string;
  moderated: boolean;
  emoji_id: null;
  emoji_name: null;
}

export interface Channel {
  id: string;
  type: number;
  guild_id?: string;
  name?: string;
  topic?: string | null;
  position?: number;
  nsfw?: boolean;
  flags: number;
  parent_id?: string | null;
  last_message_id: string | null;
  permission_overwrites?: Overwrite[];
  available_tags?: Tag[];
  recipients?: User[];
  owner_id?: string;
  applied_tags?: string[];
  message_count?: number;
  member_count?: number;
  rate_limit_per_user?: number;
  thread_metadata?: {
    archived: boolean;
    locked: boolean;
    auto_archive_duration: number;
    archive_timestamp: string;
    create_timestamp: string;
  };
}

export interface Guild {
  id: string;
  name: string;
  owner_id: string;
  roles: Role[];
  members: Map<string, Member>;
  available: boolean;
}

export const CHANNEL = {
  text: 0,
  dm: 1,
  voice: 2,
  category: 4,
  announcement: 5,
  forum: 15,
  media: 16,
} as const;
export const THREAD = { announcement: 10, public: 11, private: 12 } as const;
const THREAD_TYPES: readonly number[] = Object.values(THREAD);
export const isThread = (channel: Channel): boolean => THREAD_TYPES.includes(channel.type);
