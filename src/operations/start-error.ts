/** Something that keeps the bot from starting and that its operator can put right: the message says how. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
