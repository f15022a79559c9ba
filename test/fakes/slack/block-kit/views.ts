import type { Json } from '../world.ts';
import { blockProblems } from './blocks.ts';
import { checkObject, flag, makeChecker, oneOf, type Surface, text } from './checker.ts';
import { plainText } from './texts.ts';

/** Bytes of JSON a view may have. */
const LARGEST = 250 * 1024;

const COMMON = {
  blocks: () => {},
  private_metadata: text(3000, 0),
  callback_id: text(255),
  external_id: text(255),
};

/** Everything wrong with a view; `too large` is separate, because Slack has its own error for it. */
export function viewProblems(
  view: unknown,
  surface: Exclude<Surface, 'message'>,
  canShow: (file: string) => boolean,
): { problems: string[]; isTooLarge: boolean } {
  const checker = makeChecker(surface, canShow);
  const rules =
    surface === 'home'
      ? { type: oneOf('home'), ...COMMON }
      : {
          type: oneOf('modal'),
          title: plainText(24),
          submit: plainText(24),
          close: plainText(24),
          clear_on_close: flag,
          notify_on_close: flag,
          ...COMMON,
        };
  const required = surface === 'home' ? ['type', 'blocks'] : ['type', 'title', 'blocks'];
  if (checkObject(view, '/view', checker, rules, required)) {
    checker.problems.push(...blockProblems(view.blocks ?? [], surface, canShow, '/view/blocks'));
    const hasInput =
      Array.isArray(view.blocks) && view.blocks.some((block: Json | null) => block?.type === 'input');
    if (surface === 'modal' && hasInput && view.submit === undefined)
      checker.wrong('/view', 'missing required field: submit');
  }
  return {
    problems: checker.problems,
    isTooLarge: Buffer.byteLength(JSON.stringify(view ?? null)) > LARGEST,
  };
}
