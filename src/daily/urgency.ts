/** The more urgent are claimed first: a place without its thread waits worst. */
export const URGENCY = { opening: 2, step: 1, closing: 0 } as const;
