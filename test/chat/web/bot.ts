import { startBot } from '../../../src/bot.ts';
import { readConfig } from '../../../src/config/config.ts';
import { quiet } from '../../daily/ground.ts';

/** Half past six: a day is moved on by whole hours, and its posts are due on the hour. */
const EARLY = Date.parse('2026-11-20T11:30:00Z');

/** The bot as it is without any token, only the local chat, in this process; test/main.test.ts starts it as one of its own. */
export async function startLocalChat(dataDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  const ahead = EARLY - Date.now();
  const config = readConfig({ WEB_PORT: '0', DATA_DIR: dataDir, WORKERS: '0' });
  const bot = await startBot(config, quiet, { now: () => Date.now() + ahead });
  return { url: bot.chatUrl!, stop: () => bot.stop() };
}
