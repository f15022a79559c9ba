import { StoreError } from '../store-error.ts';

const MESSAGES_OF_LOSS = /timeout|terminated unexpectedly|not queryable|ended by|Connection ended/i;

/** Whether the connection is of no more use after this error. */
export function isLost(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  // Five characters are an answer of the server, which is then still there unless it says it goes. No class
  // of its codes begins with E, as the system's codes do (EPIPE).
  if (/^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code ?? '')) return /^(08|57P)/.test(code!);
  return code !== undefined || MESSAGES_OF_LOSS.test(message ?? '');
}

/** Says what an error of PostgreSQL or of the network means for the operator; others pass as they are. */
export function explainPostgres(error: unknown, databaseUrl: string): unknown {
  const { code, message } = error as { code?: string; message?: string };
  const where = whereOf(databaseUrl);
  const of = (trouble: StoreError['code'], text: string) => new StoreError(trouble, text, { cause: error });
  if (/^(28P01|28000)$/.test(code ?? '')) {
    return of('store.denied', `PostgreSQL at ${where} refuses the user or password of DATABASE_URL.`);
  }
  if (code === '3D000') {
    return of('store.denied', `There is no such database at ${where}. Create it, or change DATABASE_URL.`);
  }
  if (code === '42501') {
    return of(
      'store.denied',
      `The user of DATABASE_URL may not do this at ${where} (${message}). It must own its database, or be granted CREATE on its schema.`,
    );
  }
  if (code === '25006') {
    return of('store.denied', `${where} takes no writes: DATABASE_URL must name the primary, not a replica.`);
  }
  if (code === '53100') {
    return of('store.full', `No room left on the disk of PostgreSQL at ${where}. Free some space there.`);
  }
  if (code === '40001' || code === '40P01' || code === '55P03') {
    return of('store.busy', `Two transactions were in each other's way at ${where}. Trying again helps.`);
  }
  if (isOfCertificates(code) || /does not support SSL/.test(message ?? '')) {
    return of(
      'store.unreachable',
      `No TLS with PostgreSQL at ${where} (${message}). End DATABASE_URL with ?sslmode=verify-full where the ` +
        'certificate can be checked, ?sslmode=no-verify where the host signs its own, ?sslmode=disable where there is none.',
    );
  }
  if (code === '53300' || isLost(error)) {
    return of(
      'store.unreachable',
      `PostgreSQL at ${where} can't be reached (${code ?? message}). Check DATABASE_URL and that the server runs.`,
    );
  }
  return error;
}

function isOfCertificates(code = ''): boolean {
  return /CERT|SIGNATURE|^ERR_TLS|^ERR_SSL/.test(code);
}

/** Host, port and database; never the user or password. */
function whereOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'the address in DATABASE_URL';
  const { host, pathname } = new URL(databaseUrl);
  return `${host || 'the local socket'}${pathname}`;
}
