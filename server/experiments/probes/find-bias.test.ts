import { describe, expect, test } from 'vitest';
import { type FamilyCount, computeSelfPreference, isOwnFamily, slopeOfLength } from './find-bias';

describe('calibration.md 5.8 length over labelled verdicts', () => {
  test('a judge that passes long work has a slope below 0, and a sound one none', () => {
    const rows = Array.from({ length: 200 }, (_, i) => ({
      bad: i % 2 === 0,
      chars: Math.round(100 * 1.03 ** i),
    }));
    const led = slopeOfLength(
      rows.map((row) => ({ ...row, flagged: row.bad && row.chars < 3_000 })),
    );
    expect(led.value).toBeLessThan(0);
    expect(led.high).toBeLessThan(0);
    expect(led.n).toBe(200);
    const sound = slopeOfLength(rows.map((row) => ({ ...row, flagged: row.bad })));
    expect(sound.value).toBeCloseTo(0, 12);
  });

  test('X-12 work without a length is left out, and equal lengths give no data', () => {
    expect(slopeOfLength([])).toEqual({ value: null, low: null, high: null, n: 0 });
    expect(
      slopeOfLength(Array.from({ length: 30 }, () => ({ bad: true, flagged: false, chars: 0 }))),
    ).toMatchObject({ value: null, n: 0 });
    expect(
      slopeOfLength(
        Array.from({ length: 30 }, (_, i) => ({ bad: i > 3, flagged: i > 9, chars: 50 })),
      ),
    ).toMatchObject({
      value: null,
      n: 30,
    });
  });
});

test.each([
  ['openai/gpt-4o-mini', 'gpt-4o', true],
  ['house/gpt-4o-mini', 'claude-3-5-sonnet', false],
  ['openai/gpt-4o + anthropic/claude-3-5-sonnet', 'claude-3-haiku', true],
  ['openai/gpt-4o', '', null],
  ['house/acme-large', 'gpt-4o', null],
])('%s of work by %j: %s', (judge, model, expected) => {
  expect(isOwnFamily(judge, model)).toBe(expected);
});

describe('calibration.md 5.8 preference for the judge’s family', () => {
  const counts = (
    model: string,
    [caught, missed, rejected, passed]: readonly [number, number, number, number],
  ): FamilyCount[] => {
    const of = (flagged: boolean, bad: boolean, count: number) => ({
      judge: 'openai/gpt-4o',
      model,
      flagged,
      bad,
      count,
    });
    return [
      of(true, true, caught),
      of(false, true, missed),
      of(true, false, rejected),
      of(false, false, passed),
    ];
  };

  test('the difference of the error rates with its interval, and its direction', () => {
    const found = computeSelfPreference([
      ...counts('gpt-4o-mini', [20, 20, 0, 40]),
      ...counts('claude-3-5-sonnet', [36, 4, 4, 36]),
      ...counts('', [5, 0, 0, 5]),
    ]);
    expect(found.own).toMatchObject({ numerator: 20, denominator: 80 });
    expect(found.others).toMatchObject({ numerator: 8, denominator: 80 });
    expect(found.difference.value).toBeCloseTo(0.15, 12);
    expect(found.difference.low).toBeCloseTo(0.0319, 4);
    expect(found.difference.high).toBeCloseTo(0.2655, 4);
    expect(found.difference.n).toBe(80);
    // −20/80 on its own, 0 on others.
    expect(found.slope.value).toBeCloseTo(-0.25, 12);
    expect(found.slope.high).toBeLessThan(0);
    expect(found.unknown).toBe(10);
  });

  test('X-12 without work of its own family there is nothing to compare with others', () => {
    const found = computeSelfPreference(counts('claude-3-5-sonnet', [36, 4, 4, 36]));
    expect(found.own).toMatchObject({ value: null, denominator: 0, state: 'no_data' });
    expect(found.difference).toEqual({ value: null, low: null, high: null, n: 0 });
    expect(found.slope).toEqual({ value: null, low: null, high: null, n: 0 });
  });
});

test('calibration.md 5.1 verdicts of one session carry less information about length and family', () => {
  // Sessions of five that are all right or all wrong.
  const rows = Array.from({ length: 200 }, (_, i) => {
    const session = Math.floor(i / 5);
    const flagged = session % 3 === 0;
    return { flagged, bad: session % 4 === 0, cluster: `s${session}`, chars: 100 + 7 * i };
  });
  const single = rows.map(({ cluster: _, ...row }) => row);
  const width = ({ low, high }: { low: number | null; high: number | null }): number =>
    (high ?? 0) - (low ?? 0);
  expect(width(slopeOfLength(rows))).toBeGreaterThan(2 * width(slopeOfLength(single)));
  const counts = (of: readonly Omit<FamilyCount, 'judge' | 'model' | 'count'>[]): FamilyCount[] =>
    of.map(({ flagged, bad, cluster }, i) => ({
      flagged,
      bad,
      judge: 'openai/gpt-4o',
      count: 1,
      ...(cluster !== undefined && { cluster }),
      model: i < 100 ? 'gpt-4o-mini' : 'claude-3-5-sonnet',
    }));
  const [clustered, alone] = [
    computeSelfPreference(counts(rows)),
    computeSelfPreference(counts(single)),
  ];
  for (const name of ['own', 'others', 'difference', 'slope'] as const) {
    expect(clustered[name].value, name).toBe(alone[name].value);
    expect(width(clustered[name]), name).toBeGreaterThan(1.8 * width(alone[name]));
  }
});
