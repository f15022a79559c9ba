import { counted } from '../../core/text.ts';
import { lineText } from '../../reply/model/text.ts';
import type { Action, Button, Line } from '../../reply/model/types.ts';
import { announce, announceError, button, copyText, element, factList, find, folded } from '../board/dom.js';
import { drawBox, drawWord, lettersMarkup, replay } from '../board/lines.js';
import { takePictures } from '../board/picture.js';
import { ask, cacheFiles } from './ask.ts';
import type { AnswerPart, DrawnBoard } from './questions.ts';
import { readDays } from './storage.ts';

/** Options that the next form takes over, if its field is of the same kind: the `sides` of `generate` are a number. */
const SHARED_OPTIONS = ['sides', 'date', 'everyday'];
/** The form for a board of one's own, which begins empty. */
const OWN = 'make';
/** Forms for which the program makes a board where none is typed. */
const LEFT_TO_CHANCE = [OWN, 'generate'];

const all = document.querySelectorAll<HTMLFormElement>('form[data-command]');
const forms = new Map([...all].map((form) => [form.dataset.command ?? '', form]));
// The first board that is made for somebody new is an easy one.
const difficulty = forms.get('generate')?.elements.namedItem('difficulty');
if (difficulty instanceof HTMLSelectElement && readDays().size === 0) difficulty.value = 'easy';
const place = find(document, '#answer', HTMLElement);
/** The number of the latest question: answers to earlier ones are ignored. */
let latest = 0;

const drawn = find(document, '#drawn', HTMLElement);
/** How long a word is drawn. */
const SECONDS_OF_WORD = 0.4;
/** The number of the latest drawing, so that an earlier one that arrives later is ignored. */
let drawing = 0;

/** Draws the board typed so far. Given `words`, even an empty list, it draws only a whole board, with the words across it. */
async function drawTyped(sides: string, words?: string[]) {
  drawing += 1;
  const own = drawing;
  // Not every text is a board.
  const board = await ask('draw', { sides, words }).catch(() => undefined);
  if (board !== undefined && own === drawing) show(board, words);
}

/** @param words the words of the solution that is pointed at */
function show({ alt, view, lines }: DrawnBoard, words: string[] = []) {
  drawing += 1;
  drawn.dataset.words = words.join();
  drawn.setAttribute('aria-label', alt);
  // As on a board that was just solved, words are drawn one after another.
  drawn.classList.add('is-won');
  const shown = drawBox(view, lines.map(drawWord));
  shown.insertAdjacentHTML('beforeend', lettersMarkup(view));
  replay([...shown.querySelectorAll('g[class^="w"]')], SECONDS_OF_WORD * lines.length);
  drawn.replaceChildren(shown);
}

/** Puts the board of a picture into the form. */
async function readBoard(picture: HTMLCanvasElement) {
  const pixels = picture.getContext('2d')?.getImageData(0, 0, picture.width, picture.height);
  if (pixels === undefined) return;
  const { data, width, height } = pixels;
  const { sides, unsure, marked } = await ask('see', { data, width, height });
  // The form that makes a board has no field for one.
  if (boardField() === null) choose('solve');
  const field = boardField();
  if (field === null) return;
  field.value = sides.toUpperCase();
  // Waited for, because the question marks need the letters.
  await drawTyped(sides, []);
  const letters = drawn.querySelectorAll('.name');
  for (const spot of unsure) letters[spot]?.append('?');
  if (unsure.length > 0)
    announce(`I’m not sure of ${counted(unsure.length, 'letter')}, with a question mark: ${marked}.`);
  field.focus();
}

find(document, '#picture', HTMLButtonElement).addEventListener(
  'click',
  takePictures((picture) => void readBoard(picture).catch(announceError), announceError),
);

/** The field for the sides in the form that is shown. */
function boardField() {
  return document.querySelector<HTMLInputElement>(
    'form[data-command]:not([hidden]) [name=sides]:not([type=number])',
  );
}

function sidesNow() {
  return boardField()?.value ?? '';
}

/** Words in capitals, and what a list says of them, such as FORUM – MOBILIZATION (95%). */
const SOLUTION = /^[A-Z]{3,}(\s–\s[A-Z]{3,})*(\s\(.*\))?$/;

/** A line of a solution. Pointing at it draws the solution. */
function lineOf(written: Line) {
  const line = plain(written);
  const words = line.match(/\b[A-Z]{3,}\b/g);
  if (words === null || !SOLUTION.test(line) || sidesNow() === '') return element('p', {}, line);
  const shown = button(line, draw, 'way');
  shown.translate = false;
  shown.addEventListener('pointerenter', draw);
  shown.addEventListener('focus', draw);
  return element('p', {}, shown);

  function draw() {
    const solution = words?.map((word) => word.toLowerCase());
    if (drawn.dataset.words === solution?.join()) return;
    void drawTyped(sidesNow(), solution);
  }
}

/** Shows the form of a command, with the fields of the one before filled in. */
function choose(command: string) {
  const before = [...forms.values()].find((form) => !form.hidden);
  for (const [name, form] of forms) {
    form.hidden = name !== command;
    const choice = find(document, `[name=ask][value=${name}]`, HTMLInputElement);
    choice.checked = name === command;
    if (choice.checked) choice.closest('details')?.setAttribute('open', '');
  }
  const now = forms.get(command);
  if (before === undefined || now === undefined || before === now) return;
  for (const name of command === OWN ? [] : SHARED_OPTIONS) {
    const [from, to] = [before, now].map((form) => form.elements.namedItem(name));
    if (!(from instanceof HTMLInputElement && to instanceof HTMLInputElement)) continue;
    if (from.type !== to.type) continue;
    to.value = from.value;
    to.checked = from.checked;
  }
  forget();
}

/** Clears the answer, which may give a board away, ignores one that is still to come, and draws the board of the form. */
function forget() {
  latest += 1;
  announce('');
  place.replaceChildren();
  place.removeAttribute('aria-busy');
  void drawTyped(sidesNow());
  void fillInToday();
}

function fill({ command, options }: Action) {
  choose(command);
  for (const control of forms.get(command)?.elements ?? []) {
    if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement)) continue;
    // The next question starts on the first page.
    const value = control.name === 'page' ? '' : String(options[control.name] ?? '');
    if (control.type !== 'checkbox') control.value = value;
    else if (control instanceof HTMLInputElement) control.checked = ['true', 'yes'].includes(value);
    if (value !== '') control.closest('details')?.setAttribute('open', '');
  }
}

/** @param focused gets the focus once the answer is shown; by default its heading, which is scrolled to */
async function answer(action: Action, focused?: HTMLElement) {
  latest += 1;
  const question = latest;
  announce('');
  place.setAttribute('aria-busy', 'true');
  try {
    const { title, parts, rerun } = await ask('answer', action);
    if (question !== latest) return;
    // Back and a reload show the same board.
    if (rerun !== undefined && LEFT_TO_CHANCE.includes(action.command))
      history.replaceState(null, '', addressOf(rerun));
    const heading = element('h2', { tabindex: '-1' }, title);
    place.replaceChildren(heading, ...parts.flatMap(render));
    (focused ?? heading).focus({ preventScroll: true });
    if (focused === undefined) place.scrollIntoView({ block: 'nearest' });
  } catch (error) {
    if (question !== latest) return;
    place.replaceChildren();
    announceError(error);
  }
  place.removeAttribute('aria-busy');
}

/** Puts the question into the address, so that it can be shared and gone back to. */
function submit(action: Action) {
  history.pushState(null, '', addressOf(action));
  void answer(action);
}

function addressOf({ command, options }: Action) {
  const entries = Object.entries(options).map(([name, value]) => [name, String(value)]);
  return `?${new URLSearchParams([['ask', command], ...entries])}`;
}

/** Asks the question in the address. */
function followAddress() {
  const { ask: command = '', ...options } = Object.fromEntries(new URLSearchParams(location.search));
  const [first = ''] = forms.keys();
  fill({ command: forms.has(command) ? command : first, options });
  forget();
  // An answer that was not just asked for, after loading or Back, does not scroll the page.
  if (forms.has(command)) void answer({ command, options }, document.body);
}

/** Fills in today's board where neither a board nor a day is typed yet. */
async function fillInToday() {
  const { view } = await ask('board').catch(() => ({ view: undefined }));
  const field = boardField();
  const date = field?.form?.elements.namedItem('date');
  const isDated = date instanceof HTMLInputElement && date.value !== '';
  const isOwn = field?.form?.dataset.command === OWN;
  if (view === undefined || field === null || field.value !== '' || isDated || isOwn) return;
  field.value = view.sides.map(({ spots }) => spots.map(({ letter }) => letter).join('')).join(' ');
  void drawTyped(field.value);
}

const plain = (line: Line) => lineText(line, { command: (typed) => typed });

function render(part: AnswerPart) {
  switch (part.kind) {
    case 'text':
    case 'note': {
      const lines = part.kind === 'text' ? part.lines : [part.line];
      return element('div', { class: part.kind }, ...lines.map((line) => element('p', {}, plain(line))));
    }
    case 'facts':
      return factList(part.facts.map(({ label, value }) => [label, plain(value)]));
    case 'spoiler':
      return folded(part.label, part.hidden.map(lineOf), part.isOpen);
    case 'picture':
      show(part.drawn);
      return [];
    case 'link':
      return link(part.address);
    case 'buttons':
      return element('div', { class: 'buttons' }, ...part.buttons.flatMap(actionButton));
    case 'menu':
      return folded(part.label, [
        element('div', { class: 'buttons' }, ...part.choices.flatMap(actionButton)),
      ]);
    default:
      return [];
  }
}

function link(address: string) {
  const copy = button('Copy the link', async () => {
    copy.replaceChildren((await copyText(address)) ? 'Copied' : 'Copy it by hand');
  });
  return element('p', { class: 'link' }, element('a', { href: address }, address), ' ', copy);
}

/** A button, if its command has a form on this page; a link to the board for `play`. */
function actionButton({ label, action }: Pick<Button, 'label' | 'action'>): HTMLElement[] {
  const { command, options } = action;
  const { sides, date, par } = options;
  if (command === 'play') {
    const own = `./?board=${sides}${par === undefined ? '' : `&par=${par}`}`;
    const href = date === undefined ? own : `./?day=${date}`;
    return [element('a', { href, class: 'button' }, label)];
  }
  const form = forms.get(command);
  if (form === undefined) return [];
  return [
    button(label, () => {
      fill(action);
      void drawTyped(sidesNow());
      // Fields such as the words to check may still be empty.
      if (form.reportValidity()) submit(action);
    }),
  ];
}

for (const [command, form] of forms) {
  form.addEventListener('input', ({ target }) => {
    announce('');
    if (target === boardField()) void drawTyped(sidesNow());
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const entries = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    submit({ command, options: Object.fromEntries(entries.filter(([, value]) => value !== '')) });
  });
  find(document, `[name=ask][value=${command}]`, HTMLInputElement).addEventListener('change', () => {
    choose(command);
  });
}
addEventListener('popstate', followAddress);
followAddress();
void cacheFiles();
