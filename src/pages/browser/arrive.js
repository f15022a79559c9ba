import { ask } from './ask.js';
import { tellTrouble } from './element.js';

/** A personal link: its token is exchanged for a session, and then gone from the address. */
async function arrive() {
  const token = location.hash.slice(1);
  if (token === '') return;
  history.replaceState(null, '', location.pathname);
  tellTrouble('Opening your board.');
  try {
    await ask('open', { token });
    location.reload();
  } catch (error) {
    tellTrouble(error);
  }
}

void arrive();
