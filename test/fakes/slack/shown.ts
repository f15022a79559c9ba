import type { Json } from './world.ts';

/** A button or other control a person can use, with what it would send. */
export interface Control {
  readonly label: string;
  readonly actionId: string;
  readonly blockId: string;
  readonly element: Json;
}

/** The words a person reads in blocks that `block-kit.ts` allows: markup resolved, pictures by their alt text, buttons in brackets. */
export function shownText(blocks: readonly Json[]): string {
  return blocks
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n');
}

/** Slack's markup as a reader sees it. */
export function readMarkup(markup: string): string {
  return markup
    .replace(/<!date\^(-?\d+)\^[^|>]*\|([^>]*)>/g, '$2')
    .replace(/<(?:https?:[^|>]*)\|([^>]*)>/g, '$1')
    .replace(/<(https?:[^>]*)>/g, '$1')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}

export function controlsOf(blocks: readonly Json[]): Control[] {
  return blocks.flatMap(({ type, elements, accessory, block_id: blockId }) =>
    [...(type === 'actions' ? elements : []), ...(accessory ? [accessory] : [])].map((element: Json) => ({
      label: element.text?.text ?? element.placeholder?.text ?? '',
      actionId: element.action_id,
      blockId,
      element,
    })),
  );
}

/** Ids Slack gives to blocks and elements that came without. */
export function withIds(blocks: readonly Json[], nextId: (prefix: string) => string): Json[] {
  const identify = (element: Json) => ({ ...element, action_id: element.action_id ?? nextId('a') });
  return blocks.map((block) => ({
    ...block,
    block_id: block.block_id ?? nextId('b'),
    ...(block.type === 'actions' && { elements: block.elements.map(identify) }),
    ...(block.accessory && { accessory: identify(block.accessory) }),
  }));
}

function blockText(block: Json): string {
  switch (block.type) {
    case 'section':
      return [textOf(block.text), ...(block.accessory ? [elementText(block.accessory)] : [])].join('\n');
    case 'header':
      return textOf(block.text);
    case 'context':
      return block.elements.map(textOf).join(' ');
    case 'actions':
      return block.elements.map(elementText).join(' ');
    case 'image':
      return `[picture: ${block.alt_text}]`;
    case 'input':
      return `${textOf(block.label)}: ${textOf(block.element.placeholder)}`;
    // Closed until somebody opens it.
    case 'container':
      return `▸ ${textOf(block.title)}`;
    case 'data_table':
      return block.rows.map((row: Json[]) => row.map(cellText).join(' | ')).join('\n');
    default:
      throw new Error(`Nobody knows how Slack shows a block of type ${block.type}`);
  }
}

/** A rich text of a table holds one mention. */
function cellText(cell: Json): string {
  return cell.type === 'rich_text' ? `<@${cell.elements[0].elements[0].user_id}>` : cell.text;
}

function textOf(object: Json | undefined): string {
  if (object === undefined) return '';
  return object.type === 'mrkdwn' ? readMarkup(object.text) : object.text;
}

function elementText(element: Json): string {
  return `[${element.text?.text ?? element.type}]`;
}
