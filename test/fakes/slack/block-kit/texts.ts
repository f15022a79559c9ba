import { checkObject, type FieldRule, flag, oneOf, text } from './checker.ts';

/** A text object that must be plain. */
export function plainText(most: number): FieldRule {
  return (value, pointer, checker) => {
    checkObject(value, pointer, checker, { type: oneOf('plain_text'), text: text(most), emoji: flag }, [
      'type',
      'text',
    ]);
  };
}

/** A text object, plain or in Slack's markup. */
export function anyText(most: number): FieldRule {
  return (value, pointer, checker) => {
    const isPlain = (value as { type?: unknown } | null)?.type === 'plain_text';
    if (isPlain) return plainText(most)(value, pointer, checker);
    checkObject(value, pointer, checker, { type: oneOf('mrkdwn'), text: text(most), verbatim: flag }, [
      'type',
      'text',
    ]);
  };
}
