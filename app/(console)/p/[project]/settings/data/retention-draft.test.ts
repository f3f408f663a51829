import { expect, test } from 'vitest';
import { draftOf, isSame, readDraft } from './retention-draft';

test.each([
  ['', '', { retention: { contentDays: null, recordDays: null, keepLabelled: true } }],
  [' 30 ', '90', { retention: { contentDays: 30, recordDays: 90, keepLabelled: true } }],
  ['30', '', { retention: { contentDays: 30, recordDays: null, keepLabelled: true } }],
  ['30', '30', { retention: { contentDays: 30, recordDays: 30, keepLabelled: true } }],
  [
    '',
    '90',
    { faults: { content: null, records: 'Records are kept at least as long as content.' } },
  ],
  [
    '90',
    '30',
    { faults: { content: null, records: 'Records are kept at least as long as content.' } },
  ],
  [
    '0',
    '1.5',
    {
      faults: {
        content: 'Whole days from 1 to 36,500, or nothing.',
        records: 'Whole days from 1 to 36,500, or nothing.',
      },
    },
  ],
  ['1e9', '', { faults: { content: 'Whole days from 1 to 36,500, or nothing.', records: null } }],
])('content "%s" and records "%s" are read as %j', (content, records, expected) => {
  expect(readDraft({ content, records, keepLabelled: true })).toEqual(expected);
});

test('stored settings survive a round trip through their form', () => {
  const stored = { contentDays: 7, recordDays: null, keepLabelled: false };
  const read = readDraft(draftOf(stored));
  expect('retention' in read && isSame(read.retention, stored)).toBe(true);
});
