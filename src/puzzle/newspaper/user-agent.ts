/** Who asks the newspaper for its page, and where to turn to about it: only what is true and known. */
export interface Signature {
  readonly version: string;
  /** Of the program, where it has one. */
  readonly homepage?: string;
  /** Of whoever runs it: a mail or web address. */
  readonly contact?: string;
}

/** @example userAgent({ version: '1.2.0', contact: 'me@example.org' }) // 'letterboxed-bot/1.2.0 (me@example.org)' */
export function userAgent({ version, homepage, contact }: Signature): string {
  const addresses = [...(homepage === undefined ? [] : [`+${homepage}`]), ...(contact ? [contact] : [])];
  const name = `letterboxed-bot/${version}`;
  return addresses.length === 0 ? name : `${name} (${addresses.join('; ')})`;
}
