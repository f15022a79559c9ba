import { clip } from '../../solver/board.ts';
import { Mistake } from '../../solver/mistake.ts';
import { OPTIONS, type OptionName } from './arguments.ts';
import type { Subcommand } from './subcommand.ts';

const CALL = 'npm run -s letterboxed --';

/** The list of subcommands. */
export function help(subcommands: readonly (readonly [name: string, subcommand: Subcommand])[]): string {
  const rows = subcommands.map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`);
  return [`${CALL} <subcommand> [options]`, '', ...rows, '', `More on one: ${CALL} help solve`].join('\n');
}

/** All about one of them. */
export function helpOn(name: string, subcommand: Subcommand | undefined): string {
  if (subcommand === undefined) {
    throw new Mistake('terminal.subcommand', `There is no "${clip(name)}" to help with. Try: ${CALL} help`);
  }
  const rows = (['json', 'words', ...subcommand.options] as OptionName[]).map((option) => {
    const declared = OPTIONS[option];
    const short = 'short' in declared ? `-${declared.short}, ` : '    ';
    return `  ${short}--${option.padEnd(14)} ${declared.about}`;
  });
  return [`${CALL} ${subcommand.usage}`, '', `${subcommand.about}.`, '', ...rows].join('\n');
}
