/** The more urgent are claimed first: a place without its thread waits worst. */
export const PRIORITY = { opening: 2, step: 1, closing: 0 } as const;
