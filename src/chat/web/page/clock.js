import { find } from '../../../pages/browser/element.js';
import { botNow, renewMoments, setClock } from './lines.js';
import { ask, tell, tellTrouble } from './server.js';

const face = find(document, '#now', HTMLTimeElement);

/** @param {number} now */
export function showClock(now) {
  setClock(now);
  tick();
}

function tick() {
  const now = new Date(botNow());
  const text = now.toLocaleString([], {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  });
  if (face.textContent === text) return;
  face.textContent = text;
  face.dateTime = now.toISOString();
  renewMoments();
}

/** The buttons that move the clock on. @param {() => string} person */
export function startClock(person) {
  setInterval(tick, 1000);
  for (const button of document.querySelectorAll('[data-clock]')) {
    button.addEventListener('click', async () => {
      try {
        const { moved, now = botNow() } = await ask('/clock', {
          person: person(),
          to: button.getAttribute('data-clock'),
        });
        showClock(now);
        tell(
          moved ? `The bot’s clock now says ${face.textContent}.` : 'Nothing scheduled. Type daily on first.',
        );
      } catch (error) {
        tellTrouble(error);
      }
    });
  }
}
