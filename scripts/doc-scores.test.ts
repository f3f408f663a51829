import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { resolveThresholds } from '../server/thresholds';

/** The other scales in docs/reference/scores.md agree with those that the release uses. */

const text = readFileSync(new URL('../docs/reference/scores.md', import.meta.url), 'utf8');

/** The cells of the table whose first heading is this one. */
function tableOf(heading: string): readonly (readonly string[])[] {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => line.split('|')[1]?.trim() === heading);
  const rows = lines.slice(from + 2);
  return rows.slice(0, rows.indexOf('')).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('VS-47 scores of other systems are mapped in words, and in no code', () => {
  test('VS-47 grades cover 0 to 1, and each names the verdicts of its band', () => {
    const grades = tableOf('Grade').map(([grade, from, verdicts]) => ({
      grade,
      from: Number(from),
      verdicts,
    }));
    expect(grades.map(({ grade, from }) => [grade, from])).toEqual([
      ['A', 0.9],
      ['B', 0.75],
      ['C', 0.6],
      ['D', 0.4],
      ['F', 0],
    ]);
    const standards = resolveThresholds({ verifier: 'task', missionId: null, taskId: null }, []);
    const [pass, fail] = ['pass_threshold', 'fail_threshold'].map(
      (key) => standards.get(key)?.value ?? Number.NaN,
    );
    const verdictOf = (score: number): string =>
      score >= (pass ?? 1) ? 'pass' : score < (fail ?? 0) ? 'fail' : 'partial';
    for (const [i, { from, verdicts }] of grades.entries()) {
      const below = i === 0 ? 1 : (grades[i - 1]?.from ?? 1) - 0.0001;
      const possible = [...new Set([verdictOf(from), verdictOf(below)])].toSorted();
      expect([...new Set(verdicts?.match(/(?<=`)[a-z]+(?=`)/g))].toSorted()).toEqual(possible);
    }
  });

  test('VS-47 the weights of the assessor are five, and sum to 1', () => {
    const weights = tableOf('Quality of the assessor, in its order').map(([, weight]) =>
      Number(weight),
    );
    expect(weights).toEqual([0.25, 0.2, 0.25, 0.15, 0.15]);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1);
  });
});
