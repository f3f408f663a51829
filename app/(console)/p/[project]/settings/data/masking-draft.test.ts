import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameMasking, maskingDraftOf, maskingFaults, readMaskingDraft } from './masking-draft';

const settings = fc.record({
  types: fc.subarray(['key', 'email', 'iban', 'card', 'phone'] as const),
  regions: fc.uniqueArray(fc.constantFrom('DE', 'AT', 'GB')),
  paths: fc.uniqueArray(fc.constantFrom('$.metadata.customer', "$.attributes['a b']", '$..name')),
});

test('stored and shown settings are stored again as the same settings', () => {
  fc.assert(
    fc.property(settings, (stored) => {
      const read = readMaskingDraft(maskingDraftOf(stored));
      const isOff = stored.types.length + stored.paths.length === 0;
      expect(isSameMasking(read, isOff ? null : stored)).toBe(true);
    }),
  );
  expect(readMaskingDraft(maskingDraftOf(null))).toBeNull();
});

test('regions are separated by spaces or commas, in any case', () => {
  expect(readMaskingDraft({ types: ['phone'], regions: ' de,at  gb', paths: '\n $.a \n' })).toEqual(
    {
      types: ['phone'],
      regions: ['DE', 'AT', 'GB'],
      paths: ['$.a'],
    },
  );
});

test('the order of types is no change, one of paths less is', () => {
  const one = { types: ['key', 'email'], regions: [], paths: ['$.a'] } as const;
  const mutable = (paths: string[]) => ({ ...one, types: [...one.types], regions: [], paths });
  expect(isSameMasking(mutable(['$.a']), { ...mutable(['$.a']), types: ['email', 'key'] })).toBe(
    true,
  );
  expect(isSameMasking(mutable(['$.a']), mutable([]))).toBe(false);
});

test('an error of one path is shown at the paths', () => {
  expect(maskingFaults({ 'masking.paths[1]': 'must be a JSONPath' })).toEqual({
    regions: null,
    paths: 'must be a JSONPath',
  });
  expect(maskingFaults({ 'masking.regions.0': 'must be a region' })).toEqual({
    regions: 'must be a region',
    paths: null,
  });
});
