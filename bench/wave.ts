/**
 * The opening wave: channels that all open at one moment, delivered by four processes through the real Discord poster, to
 * a fake that counts requests as Discord does. Two of the processes are killed in it, and PostgreSQL restarts.
 *
 *   scripts/test-postgres.sh run npx node bench/wave.ts [channels] [requests per second]
 */

import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { DiscordDoor } from '../src/chat/discord/door.ts';
import { MINUTE } from '../src/core/clock.ts';
import { DEFAULT_SETTINGS } from '../src/daily/settings/settings.ts';
import type { App } from '../src/dispatch/contract.ts';
import { makeDispatcher } from '../src/dispatch/dispatcher.ts';
import { addDays } from '../src/puzzle/calendar.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { chunksOf } from '../src/store/tables/rows.ts';
import { fakePuzzleService, fakeSteps } from '../test/daily/fakes.ts';
import { DATE, OPENING, quiet } from '../test/daily/ground.ts';
import { startChild } from '../test/daily/kill.ts';
import type { DeliveryTools } from '../test/daily/platforms/platform.ts';
import { type FakeDiscord, startFakeDiscord } from '../test/fakes/discord/index.ts';
import { heading, row } from './table.ts';

const CHANNELS = 35_000;
const CHANNELS_A_SERVER = 20;
const REQUESTS_PER_SECOND = 50;
/** Milliseconds that an answer of Discord takes. */
const LATENCY = 80;
const PROCESSES = 4;
const BEFORE = addDays(DATE, -1);

interface Config {
  readonly token: string;
  readonly apiUrl: string;
  readonly requestsPerSecond: number;
}

/** The tools with which the processes deliver. */
export async function makeTools(config: unknown, store: Store): Promise<DeliveryTools> {
  const app = { clock: Date, log: quiet, store } as unknown as App;
  const dispatcher = makeDispatcher(app, { commands: [] });
  const { poster } = new DiscordDoor({ app, dispatcher, ...(config as Config) });
  return { posters: [poster], puzzles: fakePuzzleService(), answerSteps: fakeSteps() };
}

async function run(channels: number, requestsPerSecond: number): Promise<void> {
  const server = process.env.TEST_DATABASE_URL;
  if (server === undefined) throw new Error('TEST_DATABASE_URL is not set: see the top of this file');
  const databaseUrl = Object.assign(new URL(server), { pathname: '/wave' }).href;
  await query(server, 'create database wave');
  const counted = { requests: 0 };
  const fake = await startFakeDiscord({
    memory: 10,
    limits: { global: requestsPerSecond },
    latency() {
      counted.requests++;
      return LATENCY;
    },
  });
  const store = await openStore({ databaseUrl, onTrouble: () => {} });
  await fill(store, fake, channels);
  await query(
    databaseUrl,
    `update delivery set state = 'sent', done_at = due_at, posted = '{"message":"1","thread":"1"}'`,
  );
  const children = Array.from({ length: PROCESSES }, (_, index) =>
    startChild({
      owner: `process-${index}`,
      store: { databaseUrl },
      platform: import.meta.filename,
      config: { token: fake.token, apiUrl: fake.url, requestsPerSecond } satisfies Config,
      running: { from: OPENING - 500, speed: 1, waits: true },
      lease: 30_000,
      boss: true,
      concurrency: 24,
    }),
  );
  try {
    await Promise.all(children.map(({ line }) => line));
    for (const { process } of children) process.stdin!.end('go\n');
    const began = performance.now();
    const opened = (share: number) => untilOpened(databaseUrl, channels * share);
    await opened(0.3);
    children[0]!.process.kill('SIGKILL');
    await opened(0.5);
    children[1]!.process.kill('SIGKILL');
    await opened(0.6);
    await promisify(execFile)(fileURLToPath(new URL('../scripts/test-postgres.sh', import.meta.url)), [
      'restart',
      server,
    ]);
    await opened(1);
    const minutes = (performance.now() - began) / MINUTE;
    for (const { process } of children) process.kill('SIGKILL');
    await report(fake, databaseUrl, { channels, minutes, requests: counted.requests });
  } finally {
    for (const { process } of children) process.kill('SIGKILL');
    await store.close();
    await fake.close();
  }
}

/** Each had the board of the day before. */
async function fill(store: Store, { world }: FakeDiscord, count: number): Promise<void> {
  const at = OPENING - 60 * MINUTE;
  const settings = DEFAULT_SETTINGS;
  let guild = world.addGuild('Club 0');
  const channels: { tenant: string; channel: string }[] = [];
  for (let index = 0; index < count; index++) {
    if (index % CHANNELS_A_SERVER === 0) guild = world.addGuild(`Club ${index}`);
    channels.push({ tenant: `discord:${guild.id}`, channel: world.addChannel(guild).id });
  }
  for (const some of chunksOf(channels)) {
    await Promise.all(
      some.map(({ tenant, channel }) =>
        store.tenant(tenant).subscriptions.save(channel, settings, { version: 0, by: 'manager', at }),
      ),
    );
    const dueAt = OPENING - 24 * 60 * MINUTE;
    await store.allDeliveries.plan(some.map((one) => ({ ...one, date: BEFORE, step: 'opening', dueAt })));
  }
}

/** The server may be down for a moment. */
async function untilOpened(databaseUrl: string, count: number): Promise<void> {
  for (;;) {
    const sent = await query(
      databaseUrl,
      `select count(*)::int as sent from delivery where step = 'opening' and date = '${DATE}' and state = 'sent'`,
    ).catch(() => []);
    if ((sent[0]?.sent ?? 0) >= count) return;
    await sleep(1_000);
  }
}

async function report(
  { world, limits }: FakeDiscord,
  databaseUrl: string,
  { channels, minutes, requests }: { channels: number; minutes: number; requests: number },
): Promise<void> {
  const parents = [...world.channels.values()].filter(({ type }) => type === 0);
  const openings = parents.map(({ id }) => world.messagesOf(id).length);
  const threads = Map.groupBy(world.channels.values(), ({ parent_id }) => parent_id ?? '');
  const others = await query(
    databaseUrl,
    `select count(*)::int as sent from delivery where step <> 'opening' and state = 'sent' and done_at <
      (select max(done_at) from delivery where step = 'opening' and date = '${DATE}')`,
  );
  heading('opening wave', `${channels} channels, ${PROCESSES} processes, 2 killed, 1 crash of PostgreSQL`);
  row('all opened after', `${minutes.toFixed(1)} minutes`);
  row('requests, and those for each opening', `${requests}, ${(requests / channels).toFixed(2)}`);
  row('refused as too many or not allowed', String(limits?.invalid ?? 0));
  row(
    'channels without an opening, with two',
    [0, 2].map((n) => openings.filter((m) => m === n).length).join(', '),
  );
  row('openings without a thread', String(parents.filter(({ id }) => threads.get(id)?.length !== 1).length));
  row('hints and closings sent before the last opening', String(others[0]?.sent));
}

async function query(connectionString: string, text: string): Promise<Record<string, number>[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

if (import.meta.main)
  await run(Number(process.argv[2] ?? CHANNELS), Number(process.argv[3] ?? REQUESTS_PER_SECOND));
