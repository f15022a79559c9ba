import type { types, ViewOutput } from '@slack/bolt';
import type { Action, Form, OptionValue } from '../../../reply/model/types.ts';
import { type Conversation, makeMemo } from '../receive/conversation.ts';
import { LIMITS, plainText, shorten } from '../render/limits.ts';

export const FORM = 'form';
const INPUT = 'value';

/** A form as a modal. What its fields complete, and where it was asked for, is its private metadata. */
export function formView(form: Form, conversation: Conversation, packed: string) {
  return {
    type: 'modal',
    callback_id: FORM,
    title: plainText(form.title, LIMITS.modalTitle),
    submit: plainText(form.submit, LIMITS.modalButton),
    close: plainText('Cancel', LIMITS.modalButton),
    private_metadata: makeMemo(conversation, packed),
    blocks: form.fields.map(
      ({ name, label, hint, placeholder, required, value, long }): types.InputBlock => ({
        type: 'input',
        block_id: name,
        label: plainText(label, LIMITS.inputLabel),
        optional: !required,
        ...(hint !== undefined && { hint: plainText(hint, LIMITS.inputHint) }),
        element: {
          type: 'plain_text_input',
          action_id: INPUT,
          multiline: long === true,
          max_length: LIMITS.inputValue,
          ...(placeholder !== undefined && { placeholder: plainText(placeholder, LIMITS.inputPlaceholder) }),
          ...(value !== undefined && { initial_value: shorten(value, LIMITS.inputValue) }),
        },
      }),
    ),
  };
}

/** The action of a form with what was typed into its fields. */
export function filledIn(action: Action, view: Pick<ViewOutput, 'state'>): Action {
  const options: Record<string, OptionValue> = { ...action.options };
  for (const [name, inputs] of Object.entries(view.state.values)) {
    const value = inputs[INPUT]?.value?.trim();
    if (value) options[name] = value;
  }
  return { command: action.command, options };
}
