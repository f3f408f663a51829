import { expect, test } from 'vitest';
import { readTrust, type TrustDraft, trustDraftOf } from './trust-draft';

const body = {
  enforceTrust: true,
  catchTarget: 0.7,
  falseRejectionTarget: 0.125,
  requiredSlices: [
    { by: 'model' as const, value: 'openai/gpt-4o: mini' },
    { by: 'tier' as const, value: 'large' },
  ],
  halfLifeDays: 90,
};
const draft = trustDraftOf(body);

test('stored settings are shown in percent and one slice per line, and read back unchanged', () => {
  expect(draft).toEqual({
    enforceTrust: true,
    catchTarget: '70',
    falseRejectionTarget: '12.5',
    requiredSlices: 'model: openai/gpt-4o: mini\ntier: large',
    halfLifeDays: '90',
  });
  expect(readTrust(draft)).toEqual(body);
});

test.each<[string, Partial<TrustDraft>, keyof TrustDraft]>([
  ['no number', { catchTarget: 'most' }, 'catchTarget'],
  ['empty', { catchTarget: ' ' }, 'catchTarget'],
  ['0 percent', { falseRejectionTarget: '0' }, 'falseRejectionTarget'],
  ['100 percent', { catchTarget: '100' }, 'catchTarget'],
  ['half a day', { halfLifeDays: '1.5' }, 'halfLifeDays'],
  ['too many days', { halfLifeDays: '3651' }, 'halfLifeDays'],
  ['a slice by nothing that there is', { requiredSlices: 'judge: x' }, 'requiredSlices'],
  ['a slice without a name', { requiredSlices: 'tier:' }, 'requiredSlices'],
  ['a slice without a colon', { requiredSlices: 'tier large' }, 'requiredSlices'],
  ['a slice twice', { requiredSlices: 'tier: large\ntier: large' }, 'requiredSlices'],
  [
    'too many slices',
    { requiredSlices: Array.from({ length: 21 }, (_, n) => `model: m${n}`).join('\n') },
    'requiredSlices',
  ],
])('%s is refused at its field', (_name, change, field) => {
  const read = readTrust({ ...draft, ...change });
  expect('errors' in read ? Object.keys(read.errors) : null).toEqual([field]);
});
