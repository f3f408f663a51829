import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WireTurn } from '../../domain';
import { inputExcerptOf } from './input-excerpt';

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });

test.each([
  ['a text', 'How full is web-1?', 'How full is web-1?'],
  ['its first line that is not empty', '\n  \n  one \r\ntwo', 'one'],
  ['the last message of the caller', [user('one'), assistant('two'), user('three')], 'three'],
  ['not the answer', [user('one'), assistant('two')], 'one'],
  ['the first text of parts', [user([{ type: 'image' }, { type: 'text', text: 'see' }])], 'see'],
  [
    'the question before the results of its tools',
    [user('one'), assistant('a call'), user([{ type: 'tool_result', content: '42' }])],
    'one',
  ],
  ['NUL as its symbol', 'a\u0000b', 'a\u2400b'],
  ['no input', null, null],
  ['no member', undefined, null],
  ['an empty text', ' \n\t', null],
  ['no message of the caller', [assistant('two')], null],
  ['a message without content', [{ role: 'user' }], null],
  ['content that is no text', [user(7), user({ text: 'no list' })], null],
])('%s', (_, input, expected) => {
  expect(inputExcerptOf(input)).toBe(expected);
});

test('a long line is cut, and never within a character', () => {
  expect(inputExcerptOf('x'.repeat(500))).toBe(`${'x'.repeat(200)}…`);
  expect(inputExcerptOf('😀'.repeat(150))).toBe(`${'😀'.repeat(100)}…`);
  expect(inputExcerptOf(`x${'😀'.repeat(150)}`)).toBe(`x${'😀'.repeat(99)}…`);
});

test('any input that intake accepts gives a storable line or nothing', () => {
  const content = fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue());
  const input = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.record({ role: fc.constantFrom('user', 'assistant', 'tool'), content })),
  );
  fc.assert(
    fc.property(input, (value) => {
      const turn = WireTurn.parse({ input: value, output: 'x' });
      const line = inputExcerptOf(turn.input);
      if (line === null) return;
      expect(line).not.toMatch(/[\n\0]/);
      expect(line.isWellFormed()).toBe(true);
      expect(line.length).toBeLessThanOrEqual(201);
      expect(line.trim()).not.toBe('');
    }),
  );
});
