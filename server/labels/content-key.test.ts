import { expect, test } from 'vitest';
import type { TurnContent } from '../domain';
import { excerptKeyOf, keyOfSubject, keyOfTurn } from './content-key';

const turn: TurnContent = {
  clientId: 'c-1',
  input: [{ role: 'user', content: 'How much?' }],
  tools: [
    { id: 'a', name: 'disk', arguments: '{}', result: '{"used":9007199254740993}', format: 'json' },
  ],
  context: [{ id: 'b', content: 'The disk.', format: 'text' }],
  output: 'It is 42 %.',
  answer: 'It is 42 %.',
  envelope: null,
  relayedFrom: null,
  repromptUsed: false,
  tags: ['x'],
  metadata: '{"at":1}',
  gateway: null,
};
const key = (changed: Partial<TurnContent> = {}) => keyOfTurn('integrity', { ...turn, ...changed });

test.each<[string, Partial<TurnContent>]>([
  [
    'ids',
    {
      clientId: 'c-2',
      tools: turn.tools.map((tool) => ({ ...tool, id: 'z' })),
      context: turn.context.map((block) => ({ ...block, id: 'z' })),
    },
  ],
  ['tags and metadata', { tags: [], metadata: '{}' }],
])('the same content has the same key whatever its %s', (_, changed) => {
  expect(key(changed)).toBe(key());
});

test.each<[string, Partial<TurnContent>]>([
  ['the request', { input: [{ role: 'user', content: 'How little?' }] }],
  ['the answer', { output: 'It is 43 %.', answer: 'It is 43 %.' }],
  [
    'a digit that no float has',
    { tools: turn.tools.map((tool) => ({ ...tool, result: '{"used":9007199254740992}' })) },
  ],
  ['a source', { context: [] }],
  ['the envelope', { envelope: { answer: 'It is 42 %.' } }],
])('another key: %s', (_, changed) => {
  expect(key(changed)).not.toBe(key());
});

test('a subject that is judged by more than its content has no key', () =>
  expect(keyOfTurn('turn', turn)).toBeNull());

test('the key of a subject covers its content without the facts of the call, with numbers as sent', () => {
  const of = (number: string, cost: number) =>
    keyOfSubject('task', `{"subject":{"n":${number}},"facts":{"cost_usd":${cost}}}`);
  expect(of('1', 1)).toBe(of('1', 2));
  expect(of('9007199254740993', 1)).not.toBe(of('9007199254740992', 1));
  expect(keyOfSubject('task', '{"subject":{"n":1}}')).not.toBe(
    keyOfSubject('mission', '{"subject":{"n":1}}'),
  );
  expect(keyOfSubject('task', '{}')).toBeNull();
});

test('an excerpt is found under its verifier', () => {
  expect(excerptKeyOf({ verifierSlug: 'a', excerpt: 'x' })).not.toBe(
    excerptKeyOf({ verifierSlug: 'b', excerpt: 'x' }),
  );
});
