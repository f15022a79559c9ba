import { dateAt } from '../../src/puzzle/calendar.ts';
import { askOnDiscord, askOnSlack, type Platforms } from '../../test/whole-bot/platforms.ts';
import type { YearNewspaper } from './newspaper.ts';

/** Two people: one solves each day's board on Discord, the other asks on Slack. */
export class YearPeople {
  readonly #platforms: Platforms;
  readonly #newspaper: YearNewspaper;
  readonly #player: ReturnType<Platforms['discord']['world']['addUser']>;
  readonly #asker: ReturnType<Platforms['slack']['addPerson']>;
  #tally = { asked: 0, unanswered: 0 };

  constructor(platforms: Platforms, newspaper: YearNewspaper) {
    this.#platforms = platforms;
    this.#newspaper = newspaper;
    this.#player = platforms.discord.world.addUser('plays each day');
    this.#asker = platforms.slack.addPerson(platforms.workspace);
  }

  /** A day's commands. Without a newspaper the day's board is the house's. */
  async ask(now: number, hasNewspaper: boolean): Promise<void> {
    const solution = this.#newspaper.solutionOf(dateAt(now), hasNewspaper ? 'newspaper' : 'house');
    await this.#count(() => this.#onDiscord('today'));
    await this.#count(() => this.#onDiscord('play', { words: solution.join(',') }));
    await this.#count(() => this.#onSlack('hint'));
    await this.#count(() => this.#onSlack(`check ${solution[0]}`));
  }

  /** Since the last time it was asked. */
  take(): { readonly asked: number; readonly unanswered: number } {
    const tally = this.#tally;
    this.#tally = { asked: 0, unanswered: 0 };
    return tally;
  }

  async statsOfPlayer(): Promise<string> {
    const text = await this.#onDiscord('stats');
    return `Who played each day: ${text}`;
  }

  async #count(ask: () => Promise<string>): Promise<void> {
    this.#tally.asked++;
    try {
      await ask();
    } catch (error) {
      this.#tally.unanswered++;
      console.error((error as Error).message);
    }
  }

  async #onDiscord(command: string, options: Readonly<Record<string, string>> = {}): Promise<string> {
    const { discordTalk } = this.#platforms;
    return (await askOnDiscord(this.#platforms, this.#player, discordTalk, command, options)).text;
  }

  async #onSlack(line: string): Promise<string> {
    return (await askOnSlack(this.#asker, this.#platforms.slackTalk, line)).text;
  }
}
