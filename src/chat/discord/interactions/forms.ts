import {
  type APIModalInteractionResponseCallbackData,
  type APIModalSubmission,
  ComponentType,
  TextInputStyle,
} from 'discord.js';
import type { Form, FormField } from '../../../reply/model/types.ts';
import { LIMITS, shorten } from '../render/limits.ts';

/** A form as Discord's modal. Its custom id is the packed action that the form belongs to. */
export function makeModal({ title, fields }: Form, packed: string): APIModalInteractionResponseCallbackData {
  return {
    custom_id: packed,
    title: shorten(title, LIMITS.modalTitle),
    components: fields.slice(0, LIMITS.modalFields).map((field) => ({
      type: ComponentType.Label,
      label: shorten(field.label, LIMITS.fieldLabel),
      ...(field.hint && { description: shorten(field.hint, LIMITS.fieldDescription) }),
      component: {
        type: ComponentType.TextInput,
        custom_id: field.name,
        style: field.long ? TextInputStyle.Paragraph : TextInputStyle.Short,
        required: field.required,
        max_length: LIMITS.fieldValue,
        ...optional(field),
      },
    })),
  };
}

function optional({ placeholder, value }: FormField) {
  return {
    ...(placeholder && { placeholder: shorten(placeholder, LIMITS.fieldPlaceholder) }),
    ...(value && { value: shorten(value, LIMITS.fieldValue) }),
  };
}

/** The values that were filled in, by the names of their fields. */
export function filledIn({ components }: APIModalSubmission): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const part of components) {
    const inputs = 'component' in part ? [part.component] : 'components' in part ? part.components : [];
    for (const input of inputs) {
      if ('value' in input && typeof input.value === 'string' && input.value !== '')
        filled[input.custom_id] = input.value;
    }
  }
  return filled;
}
