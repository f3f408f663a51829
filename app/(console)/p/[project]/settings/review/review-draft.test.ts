import { expect, test } from 'vitest';
import type { ReviewSettings } from '@/app/_trpc/outputs';
import { ReviewSettingsBody } from '@/server/labels/input';
import { draftOf, readReview } from './review-draft';

const stored: ReviewSettings = {
  verifier: null,
  auditRate: 0.07,
  uncertainBand: 0.005,
  raters: 2,
  blind: true,
  source: 'project',
  updatedBy: null,
  updatedAt: null,
};

test('a setting is shown in percent and reads back as the same share', () => {
  const draft = draftOf(stored);
  expect(draft).toEqual({ auditRate: '7', uncertainBand: '0.5', raters: '2', blind: true });
  expect(readReview(draft)).toEqual({
    auditRate: 0.07,
    uncertainBand: 0.005,
    raters: 2,
    blind: true,
  });
});

test.each([
  ['auditRate', '', /0 to 100/],
  ['auditRate', '101', /0 to 100/],
  ['auditRate', '-1', /0 to 100/],
  ['auditRate', 'five', /0 to 100/],
  ['uncertainBand', '50.1', /0 to 50/],
  ['raters', '0', /1 to 9/],
  ['raters', '1.5', /1 to 9/],
  ['raters', '10', /1 to 9/],
] as const)('%s “%s” is refused next to its field', (name, value, said) => {
  const read = readReview({ ...draftOf(stored), [name]: value });
  expect('errors' in read ? read.errors : {}).toEqual({ [name]: expect.stringMatching(said) });
});

test('the server accepts the parsed values, at both ends', () => {
  for (const [auditRate, uncertainBand, raters] of [
    ['0', '0', '1'],
    ['100', '50', '9'],
    ['0,5', '12.5', '3'],
  ] as const) {
    expect(
      ReviewSettingsBody.safeParse(readReview({ auditRate, uncertainBand, raters, blind: false }))
        .success,
    ).toBe(true);
  }
});
