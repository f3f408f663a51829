import { describe, expect, it } from 'vitest';
import { makeCorpus } from './corpus';
import { checkAgainstReference } from './check-reference';

describe('the corpus of bench:scan (performance.md S1)', () => {
  it.each([1, 2, 3])(
    'INT-18 every figure and every occurrence of its value matches the slow reference, seed %i',
    (seed) => {
      expect(
        checkAgainstReference(makeCorpus({ sources: 40_000, answer: 10_000 }, seed)),
      ).toBeGreaterThan(60);
    },
  );

  it('is the same for the same seed, and detects a missing figure', () => {
    const sizes = { sources: 8_000, answer: 1_000 };
    const corpus = makeCorpus(sizes, 7);
    expect(makeCorpus(sizes, 7)).toEqual(corpus);
    const [, ...rest] = corpus.stated;
    expect(() => checkAgainstReference({ ...corpus, stated: rest })).toThrow(/scanned as/);
    const wrong = corpus.stated.map((each) => ({ ...each, value: '123456.7' }));
    expect(() => checkAgainstReference({ ...corpus, stated: wrong })).toThrow(/occurs at 0 places/);
  });
});
