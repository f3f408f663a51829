import { expect, test } from 'vitest';
import { type Draft, draftOf, draftProblem, emptyDraft, itemText, newItemText } from './draft';

const draft = (part: Partial<Draft>): Draft => ({ ...emptyDraft, ...part });
const contents = ({ messages }: Draft) => messages.map(({ role, content }) => [role, content]);

test('a turn with a question: its input is a value, with its context and tool results', () => {
  const made = draftOf({
    input: '"How full is sda?"',
    context: '[{"content":"Alarm at 90 %."}]',
    tools: '[{"name":"disk","result":{"pct":91.40}}]',
  });
  expect(made).toMatchObject({ input: 'How full is sda?' });
  expect(contents(made)).toEqual([
    ['system', ''],
    ['user', '{{input}}\n\nContext:\n{{context}}\n\nTool results:\n{{tools}}'],
  ]);
  expect(itemText(made)).toBe(
    '{"input":"How full is sda?","context":[{"content":"Alarm at 90 %."}],"tools":[{"name":"disk","result":{"pct":91.40}}]}',
  );
});

test('a turn with a conversation: its messages are the messages', () => {
  const made = draftOf({
    input:
      '[{"role":"system","content":"Be short."},{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"}]',
    context: null,
    tools: '[1]',
  });
  expect(contents(made)).toEqual([
    ['system', 'Be short.'],
    ['user', 'Hi\n\nTool results:\n{{tools}}'],
    ['assistant', 'Hello'],
  ]);
  expect(made.input).toBe('');
});

test.each([
  ['a part that is no text', '[{"role":"user","content":[{"type":"image"}]}]'],
  ['another role', '[{"role":"tool","content":"x"}]'],
  ['no message', '[]'],
  ['an object', '{"question":"x"}'],
])('an input with %s stays a value', (_what, input) => {
  const made = draftOf({ input, context: null, tools: null });
  expect(contents(made)).toEqual(contents(emptyDraft));
  expect(made.input).toBe(input);
});

test.each<[string, string]>([
  ['plain', '"plain"'],
  ['{"a": 1.50}', '{"a": 1.50}'],
  ['[not json', '"[not json"'],
  ['91.40', '"91.40"'],
])('the value %s is sent as %s', (input, json) => {
  expect(itemText(draft({ input }))).toBe(`{"input":${json}}`);
});

test('an item has the input, or the messages where there is none, and the chosen answer', () => {
  expect(newItemText(draft({ input: 'How full?' }), '91 %')).toBe(
    '{"items":[{"input":"How full?","reference":"91 %"}]}',
  );
  const messages = [{ key: 0, role: 'user', content: 'Hi' } as const];
  expect(newItemText(draft({ messages }), null)).toBe(
    '{"items":[{"input":[{"role":"user","content":"Hi"}]}]}',
  );
});

test.each<[string | null, Partial<Draft>]>([
  [null, { input: 'x' }],
  ['Enter an input: a message inserts it.', {}],
  [
    'Enter a user message for the model to answer.',
    { messages: [{ key: 0, role: 'system', content: 'Be short.' }] },
  ],
  [null, { messages: [{ key: 0, role: 'user', content: 'Hi' }] }],
])('the problem %s', (problem, part) => {
  expect(draftProblem(draft(part))).toBe(problem);
});
