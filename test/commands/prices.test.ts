/** The price that a reply, a button, a choice or a hidden part names is what is then charged. */
import { expect, test } from 'vitest';
import { DOORS } from '../../src/core/channel-ref.ts';
import { DAY } from '../../src/core/clock.ts';
import type { Request } from '../../src/dispatch/contract.ts';
import { readHintRecord } from '../../src/dispatch/hint-record.ts';
import { isHidden, isOpen } from '../../src/reply/model/text.ts';
import type { Action, Reply } from '../../src/reply/model/types.ts';
import { hintPoints } from '../../src/reply/replies/hint-steps.ts';
import { makeTestApp, someone, TODAY } from '../fakes/app.ts';
import { opened, press, say, unopened } from '../fakes/ask.ts';
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
next nbp
check bfjmcg
check bfjm
reveal
reveal open
solve date:today
solve date:today all
solve date:today require:bfjm
solve date:today everyday
solve date:today explain
solve date:today explain exclude:bfjm
thread count,first
thread masked
daily test
record bfjm mcgkdhlnbp
record 3 words 14 letters
play
play bfjmcg
play bfjm
play nbp
play take-back
review
hint everyday
hint count sides:bcd-fgh-jkl-mnp
next bfjmcg sides:bcd-fgh-jkl-mnp
check bfjmcg sides:bcd-fgh-jkl-mnp
reveal sides:bcd-fgh-jkl-mnp`.split('\n');

interface Price {
  readonly points: number;
  /** Whether it is the most that it may cost: the exact price would tell something about the words played. */
  readonly isMost: boolean;
}

/** What a text says that something costs. */
function priceIn(text: string): Price {
  const found = /(?:\(|Worth |Solution: |all hints: )(up to )?(\d+)(?: hint)? points?/.exec(text);
  return { points: Number(found?.[2] ?? 0), isMost: found?.[1] !== undefined };
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

/** Whatever of a reply can be pressed or opened, where some is open already. */
function pricedIn(reply: Reply, open: readonly number[] = []): Priced[] {
  const hidden = reply.blocks.filter(isHidden);
  // A question for the solution says its price above the button.
  const asked = /counts as all hints: .*/.exec(unopened(reply)) ?? '';
  return reply.blocks.flatMap((block): Priced[] => {
    if (block.kind === 'buttons')
      return block.buttons.map(({ label, action }) => ({
        text: label === 'Show the solution' ? `${label}: ${asked}` : label,
        action,
      }));
    if (block.kind === 'menu')
      return block.choices.map(({ description, action }) => ({ text: description ?? '', action }));
    if (block.kind !== 'spoiler' || isOpen(block, reply) || reply.rerun === undefined) return [];
    const number = hidden.indexOf(block);
    return open.includes(number)
      ? []
      : [{ text: block.label, action: reply.rerun, opens: [...open, number] }];
  });
}

const COSTLY = ['hint', 'next', 'reveal', 'solve', 'thread', 'daily'];

test.each(DOORS.filter((door) => door !== 'terminal'))('%s', async (door) => {
  const { app, clock, close } = await makeTestApp({
    words: WORDS,
    house,
    limits: { commandsPerPerson: 1e6, commandsPerChannel: 1e6 },
  });
  const { board } = house(TODAY);
  const named = { reply: 0, control: 0, most: 0 };
  for (let sequence = 1; sequence <= sample(700, 20); sequence++) {
    const next = random(sequence);
    const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(next() * list.length)]!;
    clock.time += 60_000;
    const asker: Omit<Request, 'command' | 'options'> = {
      ...someone({ id: `${door} ${sequence}`, mayManage: true }),
      door,
    };
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
      if (control !== undefined) {
        const { points: price, isMost } = priceIn(control.text);
        if (isMost) expect(charged, where).toBeLessThanOrEqual(price);
        else expect(charged, where).toBe(price);
        named[isMost && charged === price ? 'most' : 'control'] += 1;
      }
      // Hints are priced where they are asked for.
      if (
        command !== 'hint' &&
        control?.action.options?.open !== true &&
        control?.opens === undefined &&
        COSTLY.includes(command) &&
        !/^reveal open/.test(line)
      ) {
        expect(noted, where).toBe(charged);
        named.reply += 1;
      } else if (noted > 0) expect(noted, where).toBe(charged);
      controls = pricedIn(reply, control?.opens).filter(({ action }) => COSTLY.includes(action.command));
    }
  }
  expect(Math.min(named.reply, named.control)).toBeGreaterThan(sample(500, 10));
  clock.time += DAY;
  await close();
});
