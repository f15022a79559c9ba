import type { types } from '@slack/bolt';
import type { Action, Form, OptionValue } from '../../../reply/model/types.ts';
import type { Conversation } from '../receive/conversation.ts';
import type { Submission } from '../receive/payloads.ts';
import { makeMetadata } from '../receive/view-metadata.ts';
import { LIMITS, plainText, shorten } from '../render/limits.ts';
import { type Rendered, section } from '../render/render.ts';

export const FORM = 'form';
const TITLE = 'Letter Boxed';
const INPUT = 'value';

/** Shown until the answer is there. */
export const WORKING: Pick<Rendered, 'blocks'> = { blocks: [section('One moment …')] };

/** An answer as a modal. */
export function answerModal(conversation: Conversation, { blocks }: Pick<Rendered, 'blocks'>) {
  return {
    type: 'modal' as const,
    title: plainText(TITLE, LIMITS.modalTitle),
    close: plainText('Close', LIMITS.modalButton),
    private_metadata: makeMetadata(conversation),
    blocks,
  };
}

/** A form as a modal. Its metadata holds the action that its fields complete, and the conversation. */
export function formModal(form: Form, conversation: Conversation, packed: string) {
  return {
    type: 'modal' as const,
    callback_id: FORM,
    title: plainText(form.title, LIMITS.modalTitle),
    submit: plainText(form.submit, LIMITS.modalButton),
    close: plainText('Cancel', LIMITS.modalButton),
    private_metadata: makeMetadata(conversation, packed),
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
export function filledIn(action: Action, view: Submission['view']): Action {
  const options: Record<string, OptionValue> = { ...action.options };
  for (const [name, inputs] of Object.entries(view.state.values)) {
    const value = inputs[INPUT]?.value?.trim();
    if (value) options[name] = value;
  }
  return { command: action.command, options };
}
