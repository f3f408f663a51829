import { describe, expect, test } from 'vitest';
import type { Figure } from '../../domain';
import { asMarkdown } from './display';
import { parseEnvelope } from './envelope';
import { jsonLeaves } from './json-leaves';
import { markUnsourced } from './mark';
import { loosePaths } from './path';
import { scanFigures } from './scan';
import { readSource } from './source-items';

const classics: readonly (readonly [string, string])[] = [
  ['digits', '7'],
  ['commas', ','],
  ['blanks', ' '],
  ['brackets', '('],
  ['1,1,1', '1,'],
  ['a.a.a', 'a.'],
  ['groups', '1,111,'],
  ['versions', '1.1.'],
  ['colons', 'a1:'],
  ['backticks', '` `` '],
  ['link targets', ']('],
  ['tags', '<a '],
  ['schemes', 'a://'],
  ['mail', 'a1@1.'],
  ['months', 'May 1 '],
  ['signs', '-1'],
  ['exponents', '1e'],
  ['marks', '1⚠️'],
  ['lists', '1. '],
  ['nested arrays', '['],
  ['quotes', '"\\'],
  ['quotes in tables', '",\n'],
];
const scanners: readonly (readonly [string, (text: string) => unknown])[] = [
  ['scanFigures', scanFigures],
  ['readSource as text', (text) => readSource({ id: 'a', label: 'b', format: 'text', text }, 0)],
  ['jsonLeaves', jsonLeaves],
  ['jsonLeaves of a string', (text) => jsonLeaves(JSON.stringify({ a: text }))],
  ['parseEnvelope', parseEnvelope],
  ['loosePaths', loosePaths],
  ['asMarkdown', asMarkdown],
];
const SIZE = 128 * 1024;
/** Per 128 KB on a loaded two-core machine; a quadratic scan of this size takes minutes. */
const BOUND_MS = 2_000;

describe('R-102 our own scanning is linear', () => {
  for (const [scanner, run] of scanners) {
    test.each(classics)(`R-102 ${scanner}: %s`, (_, piece) => {
      const text = piece.repeat(SIZE / piece.length);
      const began = performance.now();
      run(text);
      expect(performance.now() - began).toBeLessThan(BOUND_MS);
    });
  }

  test('R-102 four times the text takes about four times as long', () => {
    const took = (size: number): number => {
      const text = '1,1'.repeat(size / 3);
      const began = performance.now();
      scanFigures(text);
      return performance.now() - began;
    };
    took(SIZE);
    const small = Math.min(took(SIZE), took(SIZE), took(SIZE));
    const large = Math.min(took(4 * SIZE), took(4 * SIZE));
    expect(large / small).toBeLessThan(12);
  });

  test('R-102 marking many figures', () => {
    const text = '1 '.repeat(SIZE / 2);
    const figures = scanFigures(text).map(({ start, end }) => ({ start, end, sourced: false }) as Figure);
    const began = performance.now();
    expect(markUnsourced(text, figures)).toHaveLength(SIZE * 2);
    expect(performance.now() - began).toBeLessThan(BOUND_MS);
  });
});
