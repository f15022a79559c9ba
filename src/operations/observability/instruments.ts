import { type Poster, PostFailure } from '../../dispatch/poster.ts';

/** The same poster, reporting each time that the platform asks to slow down. */
export function countedPoster(poster: Poster, onLimited: (door: string) => void): Poster {
  const counted =
    <Args extends unknown[], Result>(method: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await method.apply(poster, args);
      } catch (error) {
        const isLimit =
          error instanceof PostFailure && error.kind === 'later' && error.retryAfter !== undefined;
        if (isLimit) onLimited(poster.door);
        throw error;
      }
    };
  return {
    door: poster.door,
    isPrivateInChannel: poster.isPrivateInChannel ?? false,
    open: counted(poster.open),
    post: counted(poster.post),
    postPrivately: counted(poster.postPrivately),
    find: counted(poster.find),
    archive: counted(poster.archive),
    edit: counted(poster.edit),
    missingRequirements: counted(poster.missingRequirements),
    notify: counted(poster.notify),
  };
}
