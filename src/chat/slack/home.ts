import { counted } from '../../core/text.ts';
import { spokenTime, spokenZone } from '../../daily/settings/local-time.ts';
import { parseStored } from '../../daily/settings/settings.ts';
import { type App, replyOf } from '../../dispatch/contract.ts';
import { bestOfEachDay } from '../../players/results/score.ts';
import type { Block, Reply } from '../../reply/model/types.ts';
import { RULES } from '../../reply/replies/board.ts';
import { HINT_STEPS, HINTS } from '../../reply/replies/hint-steps.ts';
import type { Subscription } from '../../store/tables/subscriptions.ts';
import { LIMITS } from './mrkdwn.ts';
import { actionAskerIn, askerOf, metadataOf, type Origin, tenantOf } from './origin.ts';
import { note, type Rendered, section } from './render.ts';
import { type SendTools, sendWithFallback } from './send.ts';

const MAX_CHANNELS = 10;
/** What a channel's line says where the thread does not come. */
const STATES: Readonly<Partial<Record<Subscription['state'], string>>> = {
  suspended: 'stopped, because I can’t post there',
  off: 'off',
  paused: 'paused',
};

/** One person's home page: the day's board, their own progress, and the channels with a daily thread. */
export async function publishHome(tools: SendTools, origin: Origin): Promise<void> {
  const { app, dispatcher, api } = tools;
  const { team, user } = origin;
  const today = dispatcher.prepare({ ...askerOf(origin), command: 'today', options: {} });
  const reply = (await replyOf(today)) ?? { title: 'Letter Boxed', blocks: [] };
  const progress = await progressOf(app, origin);
  const whole: Reply = {
    ...reply,
    blocks: [...reply.blocks, { kind: 'text', lines: RULES }, progress],
    audience: 'asker',
  };
  const channels = await channelBlocks(app, origin);
  const options = { surface: 'view', inThread: false } as const;
  await sendWithFallback(tools, { team, reply: whole, options, asker: actionAskerIn(origin) }, ({ blocks }) =>
    api.call(team, 'views.publish', {
      user_id: user,
      view: {
        type: 'home',
        private_metadata: JSON.stringify(metadataOf(origin)),
        blocks: [...blocks.slice(0, LIMITS.viewBlocks - channels.length), ...channels],
      },
    }),
  );
}

async function progressOf({ store, puzzles, clock }: App, { team, user }: Origin): Promise<Block> {
  const tenant = store.tenant(tenantOf(team));
  const date = puzzles.dateAt(clock.now());
  const seen = new Set(await tenant.hints.seen(user, date));
  const names = HINT_STEPS.filter((step) => seen.has(step)).map((step) => HINTS[step].name.toLowerCase());
  const [best] = bestOfEachDay(await tenant.results.ofDay(user, date));
  const facts = [
    { label: 'Hints you’ve seen today', value: names.length === 0 ? 'none' : names.join(', ') },
    {
      label: 'Your result today',
      value: best === undefined ? 'not solved yet' : counted(best.words, 'word'),
    },
    { label: 'Boards you’ve solved here', value: String(await tenant.results.days(user)) },
  ];
  return { kind: 'facts', facts };
}

/** Slack fills in the names of channels, and shows those of private channels only to their members. */
async function channelBlocks({ store }: App, { team }: Origin): Promise<Rendered['blocks']> {
  const subscriptions = await store.tenant(tenantOf(team)).subscriptions.list();
  const lines = subscriptions.slice(0, MAX_CHANNELS).map(({ channel, settings, state }) => {
    const { opening, zone } = parseStored(settings);
    return `• <#${channel}>: ${STATES[state] ?? `every day at ${spokenTime(opening)} ${spokenZone(zone)}`}`;
  });
  const more = subscriptions.length - lines.length;
  if (more > 0) lines.push(`and ${more} more`);
  return [
    { type: 'divider' },
    section(
      ['*The daily thread in this workspace*', ...(lines.length === 0 ? ['Nowhere yet.'] : lines)].join('\n'),
    ),
    note('Set it up in its channel: `/invite @letterboxed`, then `/letterboxed daily on`.'),
  ];
}
