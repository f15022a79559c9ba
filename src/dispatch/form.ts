import type { Form } from '../reply/model/types.ts';
import type { Command, Option, Options } from './contract.ts';

/** Asks for what a command lacks; what was given already stays in its action. */
export function formFor(command: Command, missing: readonly Option[], options: Options): Form {
  const verb = capital(command.name);
  return {
    title: `Letter Boxed: ${command.name}`,
    fields: missing.map(({ name, description, example, kind }) => ({
      name,
      label: capital(name),
      hint: description,
      ...(example !== undefined && { placeholder: example }),
      required: true,
      ...(kind === 'words' && { long: true }),
    })),
    action: { command: command.name, options },
    submit: verb,
  };
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
