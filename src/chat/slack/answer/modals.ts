import type { types } from '@slack/bolt';
import type { Form, OptionValue } from '../../../reply/model/types.ts';
import { type Conversation, makeMetadata } from '../receive/conversation.ts';
import type { Submission } from '../receive/payloads.ts';
import { LIMITS, plainTextObject, shorten } from '../render/limits.ts';
import { type Rendered, section } from '../render/render.ts';

export const FORM = 'form';
const TITLE = 'Letter Boxed';
const INPUT = 'value';
/** Milliseconds before a submitted view is acknowledged at the latest. Slack waits three seconds. */
export const SUBMIT_PATIENCE = 2000;

/** Shown until the answer is there. */
export const WORKING: Pick<Rendered, 'blocks'> = { blocks: [section('One moment …')] };

/** What every modal has besides its blocks. */
export function modalFrame(metadata: string) {
  return {
    type: 'modal' as const,
    title: plainTextObject(TITLE, LIMITS.modalTitle),
    close: plainTextObject('Close', LIMITS.modalButton),
    private_metadata: metadata,
  };
}

/** An answer as a modal. */
export function answerModal(conversation: Conversation, { blocks }: Pick<Rendered, 'blocks'>) {
  return { ...modalFrame(makeMetadata(conversation)), blocks };
}

/** A form as a modal. Its metadata holds the action that its fields complete, and the conversation. */
export function formModal(form: Form, conversation: Conversation, packed: string) {
  return {
    ...modalFrame(makeMetadata(conversation, packed)),
    callback_id: FORM,
    title: plainTextObject(form.title, LIMITS.modalTitle),
    submit: plainTextObject(form.submit, LIMITS.modalButton),
    close: plainTextObject('Cancel', LIMITS.modalButton),
    blocks: form.fields.map(
      ({ name, label, hint, placeholder, required, value, long }): types.InputBlock => ({
        type: 'input',
        block_id: name,
        label: plainTextObject(label, LIMITS.inputLabel),
        optional: !required,
        ...(hint !== undefined && { hint: plainTextObject(hint, LIMITS.inputHint) }),
        element: {
          type: 'plain_text_input',
          action_id: INPUT,
          multiline: long === true,
          max_length: LIMITS.inputValue,
          ...(placeholder !== undefined && {
            placeholder: plainTextObject(placeholder, LIMITS.inputPlaceholder),
          }),
          ...(value !== undefined && { initial_value: shorten(value, LIMITS.inputValue) }),
        },
      }),
    ),
  };
}

/** The field at which a form says why it was refused: the one whose text the sentence quotes, else the first. */
export function refusedField(refusal: string, { state }: Submission['view']): Record<string, string> {
  const typed = Object.entries(state.values).map(([name, inputs]) => ({
    name,
    value: inputs[INPUT]?.value?.trim(),
  }));
  const quoted = typed.find(({ value }) => value && refusal.toLowerCase().includes(value.toLowerCase()));
  const name = (quoted ?? typed[0])?.name ?? INPUT;
  return { [name]: shorten(refusal, LIMITS.inputError) };
}

/** What was typed into the fields of a form. */
export function filledIn({ state }: Submission['view']): Record<string, OptionValue> {
  const filled: Record<string, OptionValue> = {};
  for (const [name, inputs] of Object.entries(state.values)) {
    const value = inputs[INPUT]?.value?.trim();
    if (value) filled[name] = value;
  }
  return filled;
}
