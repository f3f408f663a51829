import { expect, test } from 'vitest';
import { emptyDraft } from './draft';
import { draftMessages, promptText } from './prompt-text';

const draft = {
  ...emptyDraft,
  messages: [
    { key: 0, role: 'system', content: 'For {{plan}}: be short.' },
    { key: 1, role: 'user', content: '{{input}}\n\nContext: {{context}}' },
  ] as const,
};

test('a new prompt names its placeholders, and reads back as the same messages', () => {
  const text = promptText(draft, { title: 'Refunds: short', description: 'Answers' });
  expect(text).toBe(
    '---\ntitle: "Refunds: short"\ndescription: "Answers"\noptional: [plan]\noutput: message\n---\n## system\nFor {{plan}}: be short.\n\n## user\n{{input}}\n\nContext: {{context}}\n',
  );
  expect(draftMessages(text)).toEqual(draft.messages);
});

test('a further version keeps the front matter', () => {
  const text = promptText(draft, { text: '---\ntitle: Old\noutput: message\n---\nBe long.\n' });
  expect(text.startsWith('---\ntitle: Old\noutput: message\n---\n## system\nFor')).toBe(true);
});

test('a prompt of one text is one message', () => {
  expect(draftMessages('---\ntitle: A\n---\nAnswer {{input}}.\n')).toEqual([
    { key: 0, role: 'user', content: 'Answer {{input}}.' },
  ]);
});
