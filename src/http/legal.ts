import { readFileSync } from 'node:fs';
import { escapeHtml, makePage, sendPage } from './pages.ts';
import { makeRoutes, type Router } from './router.ts';

/** Who runs this installation, for its users. */
export interface Operator {
  readonly name?: string | undefined;
  /** A mail or web address. */
  readonly contact?: string | undefined;
}

/** The texts are pages of docs, named in `imports` of package.json. */
const PAGES = { '/privacy': '#privacy', '/terms': '#terms' } as const;

/** The pages `/privacy` and `/terms`, which the directories of the platforms ask for. */
export function legalRoutes(operator: Operator): Router {
  const routes = makeRoutes();
  for (const [path, file] of Object.entries(PAGES)) {
    const html = legalPage(readFileSync(new URL(import.meta.resolve(file)), 'utf8'), operator);
    routes.get(path, (context) => sendPage(context, 200, html));
  }
  return routes;
}

/** @param text in the little of Markdown that these pages use: headings, lists, paragraphs and code */
export function legalPage(text: string, operator: Operator): string {
  const [heading = '', ...parts] = text.trim().split(/\n\n+/);
  const title = `Letter Boxed bot: ${heading.replace('# ', '').toLowerCase()}`;
  return makePage(escapeHtml(title), [...parts.map(toHtml), operatorPart(operator)].join('\n'));
}

function toHtml(part: string): string {
  if (part.startsWith('## ')) return `<h2>${inline(part.slice(3))}</h2>`;
  if (!part.startsWith('- ')) return `<p>${inline(part)}</p>`;
  const items = part.slice(2).split('\n- ');
  return `<ul>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`;
}

function operatorPart({ name, contact }: Operator): string {
  const who = name === undefined ? '' : `<p>This installation is run by ${escapeHtml(name)}.</p>`;
  const where =
    contact === undefined
      ? '<p>Ask the person who added the bot to your server or workspace how to reach its operator.</p>'
      : `<p>You can reach the operator at <a href="${escapeHtml(hrefOf(contact))}">${escapeHtml(contact)}</a>.</p>`;
  return `<h2>The operator</h2>${who}${where}`;
}

function hrefOf(contact: string): string {
  return /^https?:\/\//.test(contact) ? contact : `mailto:${contact}`;
}

function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
