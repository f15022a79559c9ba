import { StartError } from '../../../core/errors.ts';
import { refusalOf } from './errors.ts';

/** Codes that say that a token, and not what is done with it, is refused. */
const REFUSED = new Set([
  'not_authed',
  'invalid_auth',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
]);

const WHERE = {
  SLACK_BOT_TOKEN:
    'Copy the bot token (xoxb-…) from the page "OAuth & Permissions" of your app at api.slack.com/apps; if the app is no longer installed in the workspace, install it there again.',
  SLACK_APP_TOKEN:
    'Copy the app-level token (xapp-…) from the page "Basic Information" of your app at api.slack.com/apps, or make a new one there with the scope connections:write.',
} as const;

/** Which setting has a token that Slack refuses, and what to do about it; other errors pass as they are. */
export function explainToken(name: keyof typeof WHERE, error: unknown): unknown {
  const code = refusalOf(error);
  if (code === undefined || !REFUSED.has(code)) return error;
  return new StartError(
    `Slack does not accept ${name} (${code}). ${WHERE[name]} Set ${name} to it and restart the bot.`,
    { cause: error },
  );
}
