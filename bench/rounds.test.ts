import { describe, expect, it } from 'vitest';
import { quantileOf, ratioOf, runRounds } from './rounds';

describe('rounds of a bench (performance.md 4.0)', () => {
  it('forms the ratio inside a round, so that drift between rounds cancels out', () => {
    const baseline = [100, 200, 400, 50];
    const ratio = ratioOf(
      baseline.map((value) => value / 2),
      baseline,
    );
    expect(ratio).toMatchObject({ median: 0.5, low: 0.5, high: 0.5 });
    expect(ratio.noise).toBeGreaterThan(0.25);
  });

  it('gives the same interval for the same rounds, around the median', () => {
    const values = [1, 2, 3, 4, 5, 6, 7];
    const ones = values.map(() => 1);
    const ratio = ratioOf(values, ones);
    expect(ratioOf(values, ones)).toEqual(ratio);
    expect(ratio.low).toBeLessThan(ratio.median);
    expect(ratio.high).toBeGreaterThan(ratio.median);
  });

  it('runs every contender in every round and throws the first round away', async () => {
    const runs: string[] = [];
    const lines: unknown[] = [];
    const contender = (name: string) => ({
      name,
      async run(round: number) {
        runs.push(`${name}${round}`);
        return { value: round };
      },
    });
    const measured = await runRounds('row', [contender('a'), contender('b')], {
      rounds: 3,
      discarded: 1,
      log: (line) => lines.push(line),
    });
    expect(measured('a', 'value')).toEqual([1, 2, 3]);
    expect(runs.toSorted()).toEqual(['a0', 'a1', 'a2', 'a3', 'b0', 'b1', 'b2', 'b3']);
    expect(lines).toHaveLength(4);
    expect(() => measured('a', 'other')).toThrow('no figure "other" of a');
  });

  it('ends the run when a contender finds a wrong answer', async () => {
    const wrong = { name: 'a', run: () => Promise.reject(new Error('void: 1 of 2 rows')) };
    await expect(
      runRounds('row', [wrong], { rounds: 1, discarded: 1, log: () => undefined }),
    ).rejects.toThrow('void: 1 of 2 rows');
  });

  it('interpolates quantiles', () => {
    expect(quantileOf([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantileOf([5], 0.99)).toBe(5);
  });
});
