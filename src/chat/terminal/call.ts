/** What is typed before a command, wherever this folder is: the name alone is on nobody's path. */
export const CALL = 'npm run -s letterboxed --';
