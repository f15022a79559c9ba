import { capitalized } from '../core/text.ts';
import { type Command, type Option, offeredOptions } from '../dispatch/contract.ts';
import { escapeHtml } from '../http/router.ts';

/** A form for each of the commands, made from their declarations, and the buttons that choose between them. */
export function formsOf(commands: readonly Command[]): string {
  const choices = commands.map(
    ({ name }) => `<label><input type="radio" name="ask" value="${name}"> ${capitalized(name)}</label>`,
  );
  return `<fieldset class="questions">
      <legend class="unseen">What to do</legend>
      ${choices.join('\n      ')}
    </fieldset>
    ${commands.map(formOf).join('\n    ')}`;
}

function formOf(command: Command): string {
  // In the same place in each form.
  const options = offeredOptions(command).toSorted((a, b) => Number(isBoard(b)) - Number(isBoard(a)));
  const isFirst = ({ positional, required }: Option) => positional === true || required === true;
  const [first, more] = [options.filter(isFirst), options.filter((option) => !isFirst(option))];
  const rest =
    more.length === 0
      ? ''
      : `<details><summary>More options</summary><div class="fields">${more.map(fieldOf).join('')}</div></details>`;
  return `<form data-command="${command.name}" hidden>
      <p>${escapeHtml(command.description)}.</p>
      <div class="fields">${first.map(fieldOf).join('')}</div>
      ${rest}
      <button class="primary">${capitalized(command.name)}</button>
    </form>`;
}

function isBoard({ kind }: Option): boolean {
  return kind === 'sides';
}

function fieldOf(option: Option): string {
  const { name, description, kind } = option;
  const told = `<span>${capitalized(name)}</span> <small>${escapeHtml(description)}</small>`;
  return kind === 'flag'
    ? `<label class="flag"><input type="checkbox" name="${name}" value="yes"> ${told}</label>`
    : `<label>${told} ${controlOf(option)}</label>`;
}

function controlOf({ name, kind, required, choices = [], about = {}, example, min, max }: Option): string {
  if (kind === 'choice') {
    const items = choices.map((choice) => {
      const told = about[choice];
      return `<option value="${choice}">${escapeHtml(told === undefined ? choice : `${choice}: ${told}`)}</option>`;
    });
    return `<select name="${name}"><option value=""></option>${items.join('')}</select>`;
  }
  if (kind === 'whole') return `<input type="number" name="${name}" min="${min}" max="${max}">`;
  // Words that fit one board fit no other.
  const shown = kind === 'words' || example === undefined ? '' : ` placeholder="${escapeHtml(example)}"`;
  // In place of sides, there may be a day.
  const needed = required && kind !== 'sides' ? ' required' : '';
  return `<input name="${name}"${shown}${needed} autocomplete="off" autocapitalize="none" spellcheck="false">`;
}
