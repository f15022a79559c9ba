import { describe, expect, it } from 'vitest';
import { type AnswerBy, metadataOf, parseMetadata } from '../../../src/chat/slack/origin.ts';

const RESPONSE_URL = 'https://hooks.slack.example/1';

describe('the metadata of a view', () => {
  it.each<[AnswerBy, object]>([
    [
      { kind: 'url', url: RESPONSE_URL, on: 'private' },
      { url: RESPONSE_URL, on: 'private' },
    ],
    [{ kind: 'modal', view: 'V1' }, {}],
    [{ kind: 'post', under: '1.2' }, {}],
  ])('keeps the conversation, and of the way to answer %o only a response URL', (answerBy, keptOfAnswer) => {
    const conversation = { channel: 'C1', thread: '1.1', direct: false, answerBy };
    expect(parseMetadata(JSON.stringify(metadataOf(conversation, 'packed')))).toEqual({
      channel: 'C1',
      thread: '1.1',
      direct: false,
      packed: 'packed',
      ...keptOfAnswer,
    });
  });

  it.each([
    '',
    'null',
    '[]',
    '{"channel":7,"direct":false}',
    '{"channel":"C1"}',
    '{"channel":"C1","direct":false,"on":"other"}',
  ])('in another form belongs to no channel: %s', (text) => {
    expect(parseMetadata(text)).toEqual({ channel: '', direct: true });
  });
});
