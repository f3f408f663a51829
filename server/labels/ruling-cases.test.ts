import { expect, test } from 'vitest';
import { effectiveRuling, isContested } from '../verdicts';
import { rulingCases } from '../../testing/ruling-cases';

test.each(rulingCases)('VS-45 rule of truth: $name', ({ rulings, counts, contested }) => {
  const read = rulings.map(
    ({ account, rater = account, verdict, blind = false, undone }, place) => ({
      place,
      account,
      rater,
      verdict,
      blind,
      undone: undone === undefined ? null : { by: account, at: new Date(0) },
    }),
  );
  const effective = effectiveRuling(read);
  expect(
    effective === null ? null : { verdict: effective.verdict, place: effective.place },
  ).toEqual(counts);
  expect(isContested(read)).toBe(contested);
});
