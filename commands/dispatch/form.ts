import type { Form, FormField } from '../../src/reply/types.ts';
import type { Command, Option, Options } from '../types.ts';

/** The form that asks for what a command can't do without; undefined when nothing is missing. */
export function missingForm(command: Command, options: Options): Form | undefined {
  const missing = command.options.filter((option) => option.required && options[option.name] === undefined);
  if (missing.length === 0) return undefined;
  return {
    title: FORM_TITLE(command.name),
    fields: missing.map(fieldOf),
    action: { command: command.name, options },
    submit: 'Send',
  };
}

const FORM_TITLE = (name: string) => `Letter Boxed: ${name}`;

function fieldOf(option: Option): FormField {
  return {
    name: option.name,
    label: capital(option.name),
    hint: option.description,
    ...(option.example !== undefined && { placeholder: option.example }),
    required: true,
    long: option.kind === 'words',
  };
}

function capital(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}
