import { tellTrouble } from './element.js';
import { NotReached } from './game.js';

/**
 * Posts to the page's own address. What the server refuses is thrown as an error with a sentence for people.
 *
 * @param {'play' | 'open' | 'help'} what
 * @param {Record<string, unknown>} fields
 * @returns {Promise<any>} As the routes of board-pages.ts answer.
 */
export async function ask(what, fields) {
  let response;
  try {
    response = await fetch(`${location.pathname}/${what}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
  } catch {
    throw new NotReached('There is no connection to the server. Try again.');
  }
  const answer = await response.json().catch(() => {
    throw new NotReached('The server did not answer. Try again.');
  });
  if (!response.ok || answer.trouble !== undefined) throw new Error(answer.trouble);
  tellTrouble('');
  return answer;
}
