import { type Poster, PostFailure } from '../../dispatch/poster.ts';

/** The same hands; told of each time that the platform asks to slow down. */
export function countedPoster(poster: Poster, onLimited: (door: string) => void): Poster {
  const watched =
    <Given extends unknown[], Result>(method: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      try {
        return await method.apply(poster, given);
      } catch (error) {
        const isLimit =
          error instanceof PostFailure && error.kind === 'later' && error.retryAfter !== undefined;
        if (isLimit) onLimited(poster.door);
        throw error;
      }
    };
  return {
    door: poster.door,
    open: watched(poster.open),
    post: watched(poster.post),
    archive: watched(poster.archive),
    edit: watched(poster.edit),
    missingRequirements: watched(poster.missingRequirements),
    tell: watched(poster.tell),
  };
}
