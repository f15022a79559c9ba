import { counted } from '../../core/text.ts';
import { find, tellTrouble } from '../../pages/browser/element.js';
import { ask } from './ask.js';
import { allowFrame } from './embed.js';
import { keepFiles } from './keep-files.js';

/** Fills in the parts that a server would write into the page, and plays the board as there. */
try {
  await allowFrame();
  const { title, par, day, view } = await ask('board');
  document.title = `${title} · Letter Boxed`;
  find(document, 'h1', HTMLElement).textContent = title;
  if (par !== undefined) find(document, '#par', HTMLElement).textContent = `Par ${counted(par, 'word')}`;
  const { dataset } = find(document, '#board', HTMLElement);
  if (day !== undefined) dataset.day = day;
  dataset.board = JSON.stringify(view);
  await import('./play.js');
} catch (error) {
  tellTrouble(error);
}
void keepFiles();
