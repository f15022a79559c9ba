/** The price that a reply, a button, a choice or a hidden part names is what is then charged. */
import { expect, test } from 'vitest';
import { DAY } from '../../src/core/clock.ts';
import type { DoorName, Request } from '../../src/dispatch/contract.ts';
import { readHintRecord } from '../../src/dispatch/hint-record.ts';
import { isHidden, isOpen } from '../../src/reply/model/text.ts';
import type { Action, Reply } from '../../src/reply/model/types.ts';
import { hintPoints } from '../../src/reply/replies/hint-steps.ts';
import { makeTestApp, someone, TODAY } from '../fakes/app.ts';
import { opened, press, say } from '../fakes/ask.ts';
import { sample } from '../fakes/sample.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { random } from '../solver/random-boards.ts';

const LINES = `hint
hint lengths
hint joint words:bfjmcg
hint first words:bfjm
hint count words:bfjmcg
hint first words:bfjmcg
next bfjmcg
next bfjm
next bfjmcg everyday
check bfjmcg
check bfjm
reveal
reveal open
solve date:today
solve date:today all
solve date:today require:bfjm
solve date:today everyday
record bfjm mcgkdhlnbp
record 3 words 14 letters`.split('\n');

/** What a text says that something costs: one number, or two of which one is meant. */
function pricesIn(text: string): number[] {
  const [, one, two] = /(?:\(|Worth |Solution: )(\d+)(?: hint points?)?(?:,? or (\d+))?/.exec(text) ?? [];
  return [one, two].filter((number) => number !== undefined).map(Number);
}
const notedIn = (reply: Reply) =>
  reply.blocks
    .map((block) =>
      block.kind === 'note' ? /counts as (\d+) hint points?\./.exec(String(block.line))?.[1] : undefined,
    )
    .find((found) => found !== undefined);

interface Priced {
  readonly text: string;
  readonly action: Action;
  readonly opens?: readonly number[];
}

/** Whatever of a reply can be pressed or opened. */
function pricedIn(reply: Reply): Priced[] {
  const hidden = reply.blocks.filter(isHidden);
  return reply.blocks.flatMap((block): Priced[] => {
    if (block.kind === 'buttons') return block.buttons.map(({ label, action }) => ({ text: label, action }));
    if (block.kind === 'menu')
      return block.choices.map(({ description, action }) => ({ text: description ?? '', action }));
    if (block.kind !== 'spoiler' || isOpen(block, reply) || reply.rerun === undefined) return [];
    return [{ text: block.label, action: reply.rerun, opens: [hidden.indexOf(block)] }];
  });
}

const COSTLY = ['hint', 'next', 'reveal', 'solve'];

test.each(['discord', 'slack', 'web'] as const)('%s', async (door: DoorName) => {
  const { app, clock, close } = await makeTestApp({
    words: WORDS,
    house,
    limits: { commandsPerPerson: 1e6, commandsPerChannel: 1e6 },
  });
  const { board } = house(TODAY);
  const named = { reply: 0, control: 0 };
  for (let sequence = 1; sequence <= sample(700, 40); sequence++) {
    const next = random(sequence);
    const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(next() * list.length)]!;
    clock.time += 60_000;
    const asker: Omit<Request, 'command' | 'options'> = { ...someone({ id: `${door} ${sequence}` }), door };
    const points = async () =>
      hintPoints((await readHintRecord(asker, app, { board, date: TODAY })).countedSteps);
    const hasResult = async () =>
      (
        await app.store.allPeople.resultsOf(
          asker.where.tenant.startsWith('slack') ? asker.where.tenant : 'web',
          asker.who.id,
          TODAY,
        )
      ).some((one) => !one.reported);
    let controls: Priced[] = [];
    const trail: string[] = [];
    for (let event = 0; event < 7; event++) {
      const control = controls.length > 0 && next() < 0.6 ? pick(controls) : undefined;
      const line = pick(LINES);
      const isFree = await hasResult();
      const before = await points();
      trail.push(control === undefined ? line : `[${control.text}]`);
      const reply =
        control === undefined
          ? await say(app, line, asker)
          : await press(app, control.action, { ...asker, ...(control.opens && { opens: control.opens }) });
      const charged = isFree ? 0 : (await points()) - before;
      const where = `${trail.join(' → ')}\n${opened(reply)}`;
      const noted = Number(notedIn(reply) ?? 0);
      const command = control === undefined ? line.split(' ')[0]! : control.action.command;
      const prices = control === undefined ? [] : pricesIn(control.text);
      // A part that is opened, and a hint, are priced where they are asked for.
      if (control?.opens !== undefined) {
        expect(prices[0] ?? 0, where).toBe(charged);
        named.control += 1;
      } else if (command === 'hint') {
        if (prices.length > 0) expect(prices, where).toContain(charged);
        if (noted > 0) expect(noted, where).toBe(charged);
        if (/Worth|Solution:/.test(control?.text ?? '')) named.control += 1;
      } else if (
        COSTLY.includes(command) &&
        control?.action.options?.open !== true &&
        !/^reveal open/.test(line)
      ) {
        expect(noted, where).toBe(charged);
        named.reply += 1;
      } else if (control?.action.options?.open === true && prices.length > 0) {
        expect(prices, where).toContain(charged);
        named.control += 1;
      }
      const found = pricedIn(reply).filter(({ action }) => COSTLY.includes(action.command));
      // What was just opened stays open.
      controls = control?.opens === undefined ? found : found.filter(({ opens }) => opens === undefined);
    }
  }
  expect(Math.min(named.reply, named.control)).toBeGreaterThan(sample(500, 20));
  clock.time += DAY;
  await close();
});
