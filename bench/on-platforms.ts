import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPlatforms, type Platforms, WholeBot } from '../test/whole-bot/platforms.ts';
import { milliseconds } from './table.ts';

/** The whole bot on fake platforms and in a folder of its own; both are gone when `use` is done. */
export async function onPlatforms(
  channels: number,
  use: (platforms: Platforms, start: StartBot, dataDir: string) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'letterboxed-bench-'));
  const platforms = await openPlatforms(channels);
  const bots: WholeBot[] = [];
  try {
    await use(
      platforms,
      async (time) => {
        const bot = new WholeBot({ ...platforms.settings, DATA_DIR: dataDir }, time);
        bots.push(bot);
        const { port } = await bot.nextMessage();
        return { bot, port };
      },
      dataDir,
    );
  } finally {
    for (const { child } of bots) child.kill('SIGKILL');
    await platforms.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type StartBot = (
  time?: ConstructorParameters<typeof WholeBot>[1],
) => Promise<{ readonly bot: WholeBot; readonly port: number | undefined }>;

/** Stops it, and prints how long that took and what it logged. */
export async function endBot(bot: WholeBot): Promise<void> {
  console.log(`Stopped in ${milliseconds(await bot.stop())} ms.`);
  if (bot.log !== '') console.log(`\nIts log at level error:\n${bot.log.slice(0, 4000)}`);
}
