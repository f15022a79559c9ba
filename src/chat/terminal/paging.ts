import { UserError } from '../../core/errors.ts';
import { type Request, wholeOf } from '../../dispatch/contract.ts';

/** How many items of a list stand on the pages before the one asked for. */
export function skipped(request: Request, limit: number): number {
  const page = wholeOf(request, 'page') ?? 1;
  if (page === 1) return 0;
  if (limit < Number.POSITIVE_INFINITY) return (page - 1) * limit;
  throw new UserError('terminal.page', 'All of them are one page. Say how many a page has, like: --limit 50');
}
