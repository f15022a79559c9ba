import { DAY } from '../core/clock.ts';
import type { App, Command, Request } from './contract.ts';

/** Discord's limits: suggestions, and characters of each. */
const MOST = 25;
const LONGEST = 100;
/** Days back that are suggested by their date, after today and yesterday. */
const DAYS = 14;

/** Suggestions for one option while it is typed. A failure gives none, so that the person can go on typing. */
export async function completions(
  command: Command | undefined,
  name: string,
  typed: string,
  request: Request,
  app: App,
): Promise<readonly string[]> {
  const option = command?.options.find((one) => one.name === name);
  if (option === undefined) return [];
  const text = typed.slice(0, LONGEST).toLowerCase();
  try {
    const found =
      option.complete !== undefined
        ? await option.complete(typed.slice(0, LONGEST), request, app)
        : (option.choices ?? (option.kind === 'date' ? recentDays(app) : [])).filter((choice) =>
            choice.includes(text),
          );
    return found.filter((suggestion) => suggestion.length <= LONGEST).slice(0, MOST);
  } catch (error) {
    app.log.warn({ err: error, command: command?.name, option: name }, 'no suggestions');
    return [];
  }
}

function recentDays({ puzzles, clock }: App): string[] {
  const now = clock.now();
  const dates = Array.from({ length: DAYS }, (_, days) => puzzles.dateAt(now - (days + 2) * DAY));
  return ['today', 'yesterday', ...dates];
}
