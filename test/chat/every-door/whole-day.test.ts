/**
 * A whole day at each door as people read it, with the clock at 08:00, 12:00, 19:39 and the next morning. The expected
 * texts in `days/` are there to be read: every sentence must be true at its time. `vitest run test/chat/every-door/whole-day.test.ts -u` writes them again.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withoutHintNumbers } from '../../reply/look.ts';
import { type DoorDay, openDiscord, openSlackDay, openTerminal, openWeb } from './whole-day.ts';

/** The terminal shows times in the machine's zone. */
const ZONE = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'America/New_York';
});
afterAll(() => {
  if (ZONE === undefined) delete process.env.TZ;
  else process.env.TZ = ZONE;
});

const newYork = (day: number, hour: number, minute = 0) => Date.UTC(2026, 10, day, hour + 5, minute);

/** Writes down what a person sees as the day goes by. */
class Diary {
  readonly #day: DoorDay;
  readonly #known = new Map<string, string>();
  readonly #pages: string[] = [];

  constructor(day: DoorDay) {
    this.#day = day;
  }

  get text(): string {
    return `${this.#pages.join('\n\n')}\n`;
  }

  /** New messages since the last look, and those that were changed. */
  async at(label: string, moment: number): Promise<void> {
    await this.#day.at(moment);
    this.#pages.push(`━━━ ${label} ━━━`);
    for (const { id, where, text } of await this.#day.messages()) {
      const before = this.#known.get(id);
      this.#known.set(id, text);
      if (before === text) continue;
      this.#add(before === undefined ? `In the ${where}` : `In the ${where}, changed`, text);
    }
  }

  async ask(line: string, who: 'manager' | 'member' = 'member'): Promise<void> {
    const answer = await this.#day.ask(line, who);
    this.#add(`A ${who} types "${line}"`, answer);
    for (const { id, where, text } of await this.#day.messages()) {
      if (this.#known.has(id)) continue;
      this.#known.set(id, text);
      // An answer for everyone is in the channel itself.
      if (text !== answer) this.#add(`In the ${where}`, text);
    }
  }

  #add(heading: string, text: string): void {
    this.#pages.push(`${heading}:\n${text.replace(/^(?=.)/gm, '  ')}`);
  }
}

/** The channel has the daily thread since the day before. */
async function wholeDay(day: DoorDay): Promise<string> {
  const diary = new Diary(day);
  await day.at(newYork(20, 7));
  if (day.name !== 'terminal') await day.ask('daily on', 'manager');
  await diary.at('Friday 08:00', newYork(20, 8));
  if (day.name === 'terminal') await diary.ask('today');
  else await diary.ask('daily show');
  await diary.at('Friday 12:00', newYork(20, 12));
  await diary.at('Friday 19:39', newYork(20, 19, 39));
  await diary.ask('today');
  await diary.at('Friday 20:00', newYork(20, 20));
  await diary.at('Saturday 08:00', newYork(21, 8));
  await diary.ask('today yesterday'.replace(' yesterday', day.name === 'terminal' ? ' yesterday' : ''));
  return diary.text;
}

/** The thread is switched on in the evening, and its times are changed once it is open. */
async function lateDay(day: DoorDay): Promise<string> {
  const diary = new Diary(day);
  await day.at(newYork(20, 19, 38));
  await diary.ask('daily on', 'manager');
  await diary.at('Friday 19:39', newYork(20, 19, 39));
  await diary.at('Friday 20:00', newYork(20, 20));
  await diary.ask('daily masked:21:00', 'manager');
  await diary.at('Friday 20:01', newYork(20, 20, 1));
  await diary.at('Friday 21:00', newYork(20, 21));
  await diary.at('Friday 23:40', newYork(20, 23, 40));
  await diary.at('Saturday 08:00', newYork(21, 8));
  return diary.text;
}

test.each([
  ['discord', openDiscord],
  ['slack', openSlackDay],
  ['web', openWeb],
  ['terminal', openTerminal],
])('a whole day at %s reads as expected', async (name, open) => {
  const day = await open();
  try {
    await expect(withoutHintNumbers(await wholeDay(day))).toMatchFileSnapshot(`days/${name}.txt`);
  } finally {
    await day.close();
  }
});

test.each([
  ['discord', openDiscord],
  ['slack', openSlackDay],
  ['web', openWeb],
])('a day switched on at 19:39 at %s reads as expected', async (name, open) => {
  const day = await open();
  try {
    await expect(withoutHintNumbers(await lateDay(day))).toMatchFileSnapshot(`days/${name}-late.txt`);
  } finally {
    await day.close();
  }
});
