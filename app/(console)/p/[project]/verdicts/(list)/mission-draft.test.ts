import { expect, test } from 'vitest';
import { draftOf, readMission } from './mission-draft';

test.each([
  ['without own values', { judge: null, reviewAboveUsd: null }],
  ['a judge', { judge: 'openai:gpt-4o?temperature=0', reviewAboveUsd: null }],
  ['a limit of zero', { judge: null, reviewAboveUsd: 0 }],
  ['both', { judge: 'openai:gpt-4o', reviewAboveUsd: 12.5 }],
])('settings with %s come back unchanged', (_what, { judge, reviewAboveUsd }) => {
  expect(readMission(draftOf({ judge, reviewAboveUsd }))).toEqual({
    judge,
    review_above_usd: reviewAboveUsd,
  });
});

test.each([
  ['a decimal comma', { judge: '', limit: ' 2,5 ' }, { judge: null, review_above_usd: 2.5 }],
  [
    'no number',
    { judge: '', limit: 'much' },
    { errors: { limit: 'Enter a number from 0 to 1,000,000.' } },
  ],
  [
    'a negative limit',
    { judge: '', limit: '-1' },
    { errors: { limit: 'Enter a number from 0 to 1,000,000.' } },
  ],
  [
    'no model',
    { judge: 'two words', limit: '' },
    { errors: { judge: expect.stringContaining('provider:model') as string } },
  ],
])('%s', (_what, draft, read) => {
  expect(readMission(draft)).toEqual(read);
});
