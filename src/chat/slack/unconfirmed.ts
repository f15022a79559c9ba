import * as v from 'valibot';
import { longDate } from '../../core/text.ts';
import { DAY_STEPS } from '../../daily/plan/schedule.ts';
import { dayStepName } from '../../daily/settings/show.ts';
import { type DayPostName, recordVerdict } from '../../daily/verdicts.ts';
import type { App } from '../../dispatch/contract.ts';
import { PostFailure, VERDICTS, type Verdict } from '../../dispatch/poster.ts';
import { dateSchema } from '../../puzzle/repository.ts';
import type { SlackApi } from './api.ts';
import { privateFailure, readFailure } from './errors.ts';
import { type Origin, teamOf, tenantOf } from './events.ts';
import { LIMITS, plainTextObject } from './mrkdwn.ts';
import { note, section } from './render.ts';
import type { SlackTools } from './send.ts';

/** The labels of the question's buttons; their ids are the verdicts. */
const LABELS: Readonly<Record<Verdict, string>> = { repeat: 'Post it again', there: 'It is there' };

export function isVerdictButton(id: string): id is Verdict {
  return Object.hasOwn(LABELS, id);
}

/** The value of the buttons: channel, date and step of the post. */
const ButtonValue = v.pipe(
  v.string(),
  v.transform((text) => text.split(' ')),
  v.strictTuple([v.string(), dateSchema, v.picklist(DAY_STEPS)]),
);

/**
 * Asks the person who set up the daily thread whether a post is there: Slack gave no answer, and the app may not read the
 * channel to look for it. Throws if asking may work later, so that the post is not given up yet. If Slack's answer to this
 * message is lost, too, the person is asked again.
 */
export async function askIfPosted({ store, log }: App, api: SlackApi, post: DayPostName): Promise<void> {
  const { tenant, channel } = post;
  const subscription = await store.tenant(tenant).subscriptions.get(channel);
  if (subscription?.setBy == null) return;
  try {
    await api.call(teamOf(tenant), 'chat.postMessage', {
      channel: subscription.setBy,
      text: 'A Letter Boxed post may be missing',
      blocks: questionBlocks(post),
    });
  } catch (error) {
    const { mayPass, message } = privateFailure(error);
    if (mayPass)
      throw new PostFailure('later', `nobody could be asked about the post: ${message}`, { cause: error });
    log.warn(
      { door: 'slack', tenant, channel, failure: readFailure(error) },
      'a post without an answer could not be reported to the person who set up the daily thread',
    );
  }
}

/**
 * A button of the question was pressed. Returns the text that replaces the question, or undefined if this person may not
 * change the thread of that channel any more: an admin who is none now or, where all members may change it, one who left.
 */
export async function answerVerdict(
  { app, people }: Pick<SlackTools, 'app' | 'people'>,
  { team, user }: Pick<Origin, 'team' | 'user'>,
  verdict: Verdict,
  value: string,
): Promise<string | undefined> {
  const [channel, date, step] = v.parse(ButtonValue, value);
  const place = { tenant: tenantOf(team), channel };
  const { mayManage, managesOnlyHere = false, lookUpAccess } = await people.permissionOf(team, user);
  const standing = managesOnlyHere
    ? await app
        .posterOf('slack')
        ?.membershipOf(place, user)
        .catch(() => undefined)
    : undefined;
  const isManager = mayManage || (await lookUpAccess?.(channel)) === true;
  if (!isManager || standing === 'gone') return undefined;
  return recordVerdict(app, verdict, { ...place, date, step });
}

/** Shown beside the question, whose buttons stay. */
export const MAY_NOT_SAY =
  'You can’t say that any more: only people who may change the daily thread there can.';

function questionBlocks({ channel, date, step }: DayPostName) {
  return [
    section(
      `I don’t know if ${dayStepName(step)} of ${longDate(date)} arrived in <#${channel}>: Slack gave no answer, and I may not read the channel. Please look there.`,
    ),
    {
      type: 'actions',
      elements: VERDICTS.map((id) => ({
        type: 'button',
        action_id: id,
        text: plainTextObject(LABELS[id], LIMITS.buttonText),
        value: [channel, date, step].join(' '),
      })),
    },
    note(
      'With the permission channels:history (and groups:history for private channels) I can look for myself.',
    ),
  ];
}
