/** What people type, well and badly, and what each command answers: everything that can be read in a chat. */

import { COMMANDS } from '../../commands/index.ts';
import { HOUR } from '../../src/core/clock.ts';
import { noBoardNotice, suspensionNotice } from '../../src/daily/suspension.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { NoPuzzle, noPuzzleError } from '../../src/puzzle/service.ts';
import { HINT_STEPS } from '../../src/reply/model/facts.ts';
import type { Form, Reply } from '../../src/reply/model/types.ts';
import { disagreementReply } from '../../src/reply/replies/board.ts';
import { reminderReply } from '../../src/reply/replies/reminder.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { makeTestApp, NOON, someone, TODAY } from './app.ts';
import { replyOf } from './ask.ts';
import { sendStep } from './day-thread.ts';
import { makeTestPoster } from './poster.ts';

export interface Answered {
  readonly line: string;
  readonly by: string;
  readonly form?: Form;
  readonly reply?: Reply;
}

const SIDES = 'ozu nri lfa mbt';
const ONE_WAY = 'forum,mobilization';

/**
 * A line of Ada's, who manages the channel; `ben: …` is Ben's, who does not; `+3h` lets three hours pass. A command of which
 * nothing is said here is asked by its examples.
 */
const CONVERSATION: readonly string[] = [
  ...['', 'help', 'help hint', 'help xyz', 'helo', 'hello there bot', 'about', ...COMMANDS.map(({ name }) => `help ${name}`)],
  ...['today', 'today yesterday', 'today tomorrow', 'today 2020-01-01', 'today date:soon', 'ozu nri lfa mbt'],
  ...['thread', 'thread xyz'],
  ...['hint', 'hint', ...HINT_STEPS.map((step) => `hint ${step}`), 'hint', 'hint words:forum', 'hint words:zoo', 'hint lenghts', 'hint xyz', 'hint colour:red'],
  ...['hint sides:abc', 'hint sides:ozu-nri-lfa-mbt date:today', 'hint sides:qqq-www-zzz-xxx', `hint first words:${ONE_WAY}`, 'thread start,count,solution'],
  ...['reveal', 'reveal sides:qwx-zjk-vbn-mlp', 'reveal yesterday'],
  ...['check', 'check forum', 'check forum,mozart', `check ${ONE_WAY}`, 'check zoo', 'check forum,mob', 'check fo', 'check mozarth', 'check forum,art', 'check forum,mobi qrs tuv wxy zab', 'check fourm tabel mozrt'],
  ...['next', 'next forum', 'next zoo', `next ${ONE_WAY}`, 'next fun', 'next total,loft', 'next aeist aeist aeist seats'],
  ...['solve', 'solve ozu nri lfa mbt', 'solve ozu nri lfa mbt all', 'solve ozu nri lfa mbt words:3', 'solve ozu nri lfa mbt each page:2', 'solve ozu nri lfa mbt words:1', 'solve qwx zjk vbn mlp', 'solve ozu nri lfa mbt require:zoo', 'solve ozu nri lfa mbt words:x', 'solve ozu nri', 'solve ozu nri lfa mb1', 'solve date:today exclude:mobilization everyday', 'sove ozu nri lfa mbt'],
  ...['words', 'words starts:mo', 'words sort:length page:2', 'words sort:coverage', 'words starts:zz', 'words starts:1', 'words sort:best', 'words page:0'],
  ...['generate', 'generate easy seed:tea', 'generate hard sides:5', 'generate sides:9', 'generate sides:8 letters:6', 'generate xyz'],
  ...['share', 'ben: stats', 'leaderboard', 'play', 'play forum', 'play forum,mozart', 'hint sides:ozu-nri-lfa-mbt', 'play forum,mobilization,nation', `play ${ONE_WAY}`, 'play forum,mobilization,nor', `play ${ONE_WAY}`, `play ${ONE_WAY} date:yesterday`, 'review', 'hunt', 'hunt hint:word'],
  ...[`ben: play ${ONE_WAY}`, 'cleo: play forum,mobilization,notation', 'ben: share', 'ben: share', 'record in 2 words', 'cleo: record 5 words, 1 hint date:yesterday', 'record good morning', 'record forum mobilization', 'share', 'share yesterday', 'share line', 'share squares', 'share notation', 'share notation date:yesterday', 'stats', 'ben: stats', 'archive', 'leaderboard', 'leaderboard day', 'leaderboard month', 'leaderboard all', 'leaderboard review', 'leaderboard review date:2026-10-01', 'leaderboard week date:2026-11-15', 'leaderboard year', 'leaderboard games', 'record Wordle 1,980 3/6', 'ben: record Wordle 1,980 4/6', 'record Wordle 1,980 2/6', 'record Wordle 2,980 2/6', 'leaderboard games', 'record summaries:on', 'record summaries:off'],
  ...['relay', 'relay forum', 'relay undo', 'relay start', 'relay start', 'relay start turns', 'relay forum', 'relay zoo', 'relay forum', 'relay moor', 'ben: relay undo', 'ben: relay stop', 'ben: relay mob', 'relay hint', 'relay show', 'relay undo', 'relay two words', 'relay mobilization', 'relay show', 'relay start turns', 'relay forum', 'relay moor', 'relay stop', 'relay start', '+25h', 'relay forum', 'relay show'],
  ...['race', 'ben: race 3', 'race words:1'],
  ...['missing', 'missing join', 'missing', 'missing leave', 'remind', 'remind at 19:00', 'remind zone:Berlin', 'remind at soon', 'remind off', 'remind off'],
  ...['stats'],
  ...['board', 'board make', 'board make qwx zjk vbn mlp', 'board make fuc kin gxy zab', 'board make ozu nri lfa mbt name:"Tea time"', 'ben: board make ozu nri lfa mbt', 'ben: board make ozu nri lfa mbs name:"tea-time"', 'ben: board make ozu nri lfa mbs name:"sh1t"', 'board make ozu nri lfa mbs name:"<@1>"', 'ben: board make ozu nri lfa mbs', 'board make lfa mbt ozu nrk', 'board make lfa mbt ozu nrd', 'board make lfa mbt ozu nre', 'board list', `ben: play ${ONE_WAY} sides:ozu-nri-lfa-mbt`, 'cleo: play forum,mobilization,notation sides:ozu-nri-lfa-mbt', 'board list', 'board standings tea time', 'board standings', 'board standings coffee', 'ben: board close tea time', 'board close tea time', 'board close tea time', 'board standings tea time', 'cleo: play forum,mobilization sides:ozu-nri-lfa-mbt', 'board remove tea time', 'board remove tea time', 'board dance'],
  ...['privacy', 'privacy export', 'privacy hide', 'leaderboard', 'privacy', 'privacy unhide', 'privacy delete', 'privacy delete sure', 'privacy'],
  ...['ben: daily on', 'ben: daily show', 'ben: set ozu nri lfa mbt'],
  ...['daily', 'daily on', 'daily show', 'daily test', 'daily times opening:09:00 count:12:00 solution:20:00', 'daily at:9am', 'daily on at:9am', 'daily zone Berlin', 'daily zone:Atlantis', 'daily steps start@08:00 solution@20:00', 'daily steps masked', 'daily steps xyz@8', 'daily source house', 'daily source:moon', 'daily weekends off', 'daily ping off', 'daily ping:everyone', 'daily managers', 'daily pause', 'daily pause until:"3 days"', 'daily pause until:yesterday', 'daily pause until:never', 'daily here', 'daily times', 'daily opening:25:00', 'daily of', 'daily dance', 'daily off', 'daily pause', 'daily off'],
  ...['set', 'set ozu nri lfa mbt', 'set oxu nri lfa mbt', 'set undo', 'set undo', 'set ozu nri', 'set ozu nri lfa mbt date:yesterday'],
]; // biome-ignore format: a conversation reads better by subject

let asked: Promise<readonly Answered[]> | undefined;

/** What the whole conversation is answered on one board, with the real word list and a channel that has its thread of the day. */
export function everyAnswer(): Promise<readonly Answered[]> {
  asked ??= converse();
  return asked;
}

async function converse(): Promise<readonly Answered[]> {
  const poster = makeTestPoster();
  const world = await makeTestApp({
    house: (date) => ({ date, source: 'house', board: makeBoard(SIDES.split(' ')), official: ONE_WAY.split(','), par: 3 }),
    posterOf: (door) => (door === 'web' ? poster : undefined),
  }); // biome-ignore format: one line reads better
  await sendStep(world.store, { step: 'opening' }, NOON - HOUR);
  const answers: Answered[] = [];
  const spokenOf = new Set(CONVERSATION.map((typed) => typed.replace(/^\w+: /, '').split(' ')[0]));
  const others = COMMANDS.filter(({ name }) => !spokenOf.has(name)).flatMap(({ examples }) => examples);
  for (const typed of [...CONVERSATION, ...others]) {
    const hours = /^\+(\d+)h$/.exec(typed)?.[1];
    if (hours !== undefined) {
      world.clock.time += Number(hours) * HOUR;
      continue;
    }
    const [, by = 'ada', line = ''] = /^(?:(ben|cleo): )?(.*)$/s.exec(typed) ?? [];
    world.clock.time += 1000;
    const dispatcher = makeDispatcher(world.app, { commands: COMMANDS });
    const prepared = dispatcher.prepareLine(line, someone({ id: by, mayManage: by === 'ada' }));
    answers.push(
      prepared.kind === 'form'
        ? { line, by, form: prepared.form }
        : { line, by, reply: await replyOf(prepared) },
    );
  }
  await world.close();
  return answers;
}

/** What people are sent without asking: private messages. */
export function everyNotice(): { readonly line: string; readonly reply: Reply }[] {
  const channel = { channel: 'general' };
  const typed = { date: TODAY, source: 'hand', board: makeBoard(SIDES.split(' ')) } as const;
  const fetched = { ...typed, source: 'newspaper', board: makeBoard(['ozu', 'nri', 'lfa', 'mbs']) } as const;
  const missing = [{ what: 'the permission "Send Messages"', how: 'Allow "Send Messages" in the channel’s settings.' }];
  const late = noPuzzleError(TODAY, { reason: 'failing', until: NOON + HOUR }, NOON);
  const reminder = { date: TODAY, until: NOON + 10 * HOUR, at: '19:00', maxIgnored: 5 };
  return [
    { line: 'a channel refuses posts', reply: suspensionNotice(channel, { code: 'refused', message: 'the channel is gone' }, []) },
    { line: 'a channel lacks a permission', reply: suspensionNotice(channel, { code: 'missing-requirements', requirements: missing.map(({ what }) => what) }, missing) },
    { line: 'a day has no board', reply: noBoardNotice(channel, TODAY, late instanceof NoPuzzle ? late.why : late.message, 'daily otherwise:house') },
    { line: 'a day has no board but a typed one', reply: noBoardNotice(channel, TODAY, 'There is no daily board here.', 'daily source:house') },
    { line: 'the newspaper has another board', reply: disagreementReply(channel, typed, fetched) },
    { line: 'a reminder', reply: reminderReply({ ...reminder, number: 1 }) },
    { line: 'a reminder of another board', reply: reminderReply({ ...reminder, number: 1, channel: 'C1' }) },
    { line: 'the last reminder', reply: reminderReply({ ...reminder, number: 5 }) },
  ];
} // biome-ignore format: one notice a line
