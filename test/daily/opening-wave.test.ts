/**
 * Channels that all open at one moment, delivered by four processes to a fake Discord that counts requests as Discord does.
 * Two of the processes are killed meanwhile, and the database restarts.
 *
 *   LONG=1 CHANNELS=35000 npx vitest run test/daily/opening-wave.test.ts   takes 25 minutes
 */
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/daily/settings/settings.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { type FakeDiscord, startFakeDiscord } from '../fakes/discord/index.ts';
import { onlyLong } from '../fakes/sample.ts';
import { describeOnPostgres, startServer } from '../store/real-postgres.ts';
import { HOUR, MINUTE, OPENING } from './ground.ts';
import { DISCORD, startChild } from './kill.ts';

const CHANNELS = Number(process.env.CHANNELS ?? 300);
const CHANNELS_A_SERVER = 20;
const REQUESTS_PER_SECOND = 50;
/** Milliseconds that an answer of Discord takes. */
const LATENCY = 80;
const PROCESSES = 4;

describeOnPostgres('the opening wave', () => {
  test(`${CHANNELS} channels open once, as fast as Discord allows`, {
    timeout: HOUR,
    ...onlyLong,
  }, async () => {
    const { url, run } = startServer();
    let requests = 0;
    const fake = await startFakeDiscord({
      memory: 10,
      limits: { global: REQUESTS_PER_SECOND },
      latency() {
        requests++;
        return LATENCY;
      },
    });
    onTestFinished(() => fake.close());
    const store = await openStore({ databaseUrl: url, onTrouble: () => {} });
    onTestFinished(() => store.close());
    await fill(store, fake);
    const children = Array.from({ length: PROCESSES }, (_, index) =>
      startChild({
        owner: `process-${index}`,
        store: { databaseUrl: url },
        platform: DISCORD,
        config: { token: fake.token, apiUrl: fake.url, requestsPerSecond: REQUESTS_PER_SECOND },
        running: { from: OPENING - 500, speed: 1, waits: true },
        lease: 30_000,
        concurrency: 24,
      }),
    );
    const kill = ({ process }: (typeof children)[number]) => process.kill('SIGKILL');
    onTestFinished(() => children.forEach(kill));
    await Promise.all(children.map(({ line }) => line));
    const began = performance.now();
    for (const { process } of children) process.stdin!.end('go\n');

    await opened(fake, 0.3);
    kill(children[0]!);
    await opened(fake, 0.5);
    kill(children[1]!);
    await opened(fake, 0.6);
    await run('restart');
    await opened(fake, 1);
    const minutes = (performance.now() - began) / MINUTE;
    children.forEach(kill);

    console.info(
      `${CHANNELS} channels: all open after ${minutes.toFixed(1)} minutes, ${(requests / CHANNELS).toFixed(2)} requests each`,
    );
    const { channels } = fake.world;
    const threads = Map.groupBy(channels.values(), ({ parent_id }) => parent_id ?? '');
    for (const { id, type } of channels.values()) {
      if (type !== 0) continue;
      expect(fake.world.messagesOf(id)).toHaveLength(1);
      expect(threads.get(id)).toHaveLength(1);
    }
  });
});

async function fill(store: Store, { world }: FakeDiscord): Promise<void> {
  const saved = { version: 0, by: 'manager', at: OPENING - HOUR };
  let guild = world.addGuild('Club 0');
  for (let index = 0; index < CHANNELS; index++) {
    if (index % CHANNELS_A_SERVER === 0) guild = world.addGuild(`Club ${index}`);
    const { id } = world.addChannel(guild);
    await store.tenant(`discord:${guild.id}`).subscriptions.save(id, DEFAULT_SETTINGS, saved);
  }
}

/** Resolves when this share of the channels is open. */
async function opened({ world }: FakeDiscord, share: number): Promise<void> {
  const threads = () =>
    Array.from(world.channels.values()).filter(({ parent_id, type }) => parent_id && type !== 0);
  await expect
    .poll(() => threads().length, { interval: 1_000, timeout: HOUR })
    .toBeGreaterThanOrEqual(share * CHANNELS);
}
