import fc from 'fast-check';
import { expect, it } from 'vitest';
import { crossReadings, cutWindows, planReading, readingCost, WINDOWS_MAX } from './windows';

it('S-125 windows together contain every character, overlap, fit, and split no character', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('\n\n', '. ', 'word ', '😀'.repeat(40)),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 60 }),
      fc.integer({ min: 400, max: 2_000 }),
      (pieces, chars) => {
        const text = pieces.join('').toWellFormed();
        const windows = cutWindows(text, chars);
        expect(windows[0]?.start).toBe(0);
        expect(windows.at(-1)?.end).toBe(text.length);
        for (const [i, { start, end, text: shown }] of windows.entries()) {
          expect(shown).toBe(text.slice(start, end));
          expect(shown.length).toBeLessThanOrEqual(chars);
          expect(shown.isWellFormed()).toBe(true);
          const next = windows[i + 1];
          if (next === undefined) continue;
          expect(next.start).toBeLessThan(end);
          expect(next.start).toBeGreaterThan(start);
        }
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);

it('S-125 a window ends at a paragraph where there is one near its end', () => {
  const text = `${'a'.repeat(450)}\n\n${'b'.repeat(700)}`;
  expect(cutWindows(text, 500)[0]?.text).toBe(`${'a'.repeat(450)}\n\n`);
});

it('S-125 texts that share a budget: all in one call where they fit, each in some window where they do not', () => {
  expect(planReading(['a'.repeat(3_000), 'b'], 4_000)).toMatchObject({ windows: [], leftOut: 0 });
  const texts = ['a '.repeat(3_000), 'b', 'c '.repeat(3_000), ''];
  const { windows, leftOut } = planReading(texts, 4_000);
  expect(leftOut).toBe(0);
  for (const [i, text] of texts.entries()) {
    const shown = windows.flatMap((window) => window[i]?.text ?? []).join('');
    expect(shown.length).toBeGreaterThanOrEqual(text.length);
  }
});

it('S-125 beyond the maximum of windows only the two ends are judged: the omission is counted', () => {
  const { windows, leftOut } = planReading(['x '.repeat(1_000_000)], 12_000);
  expect(windows).toEqual([]);
  expect(leftOut).toBe(2_000_000 - 12_000);
  const one = planReading(['x '.repeat(40_000)], 12_000);
  expect(crossReadings(one, one)).toMatchObject({ windows: [], leftOut: 2 * (80_000 - 12_000) });
});

it('S-125 the estimate of calls is at least the calls that a reading takes', () => {
  for (const length of [100, 12_000, 12_001, 50_000, 100_000, 200_000]) {
    const { windows } = planReading(['word. '.repeat(length / 6)], 12_000);
    const calls = windows.length === 0 ? 1 : windows.length + 1;
    expect(readingCost(length, 12_000).calls).toBeGreaterThanOrEqual(calls);
    expect(calls).toBeLessThanOrEqual(WINDOWS_MAX + 1);
  }
});
