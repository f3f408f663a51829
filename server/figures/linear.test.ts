import { describe, expect, test } from 'vitest';
import { processorMsSince } from '../../testing/processor-time';
import type { Figure } from '../domain';
import { asMarkdown } from './display';
import { parseEnvelope } from './envelope';
import { readJsonTable } from './json/walk';
import { markUnsourced } from './mark';
import { loosePaths } from './path';
import { scanFigures } from './scan';
import { readSource } from './source-items';
import { SourceIndex } from './source-index';
import { traceFigures } from './trace';

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
  ['statements', 'select a, b\n'],
  ['open statements', 'SELECT (a, 1\n'],
  ['commands', 'sudo ls -1 \\\n'],
  ['citations', 'a [1]-'],
  ['standards', 'ISO 1 '],
  ['numbers of items', '(1) a '],
  ['headings', '## 1 A\n'],
  ['powers', '10⁶×'],
];
const scanners: readonly (readonly [string, (text: string) => unknown])[] = [
  ['scanFigures', scanFigures],
  ['readSource as text', (text) => readSource({ id: 'a', label: 'b', format: 'text', text }, 0)],
  ['readJson', readJsonTable],
  ['readJson of a string', (text) => readJsonTable(JSON.stringify({ a: text }))],
  ['readJson of a key', (text) => readJsonTable(JSON.stringify({ [text]: 1 }))],
  ['parseEnvelope', parseEnvelope],
  ['loosePaths', loosePaths],
  ['asMarkdown', asMarkdown],
];
const isLong = process.env.ASSAY_LONG === '1';
const WHOLE = 128 * 1024;
const SIZE = isLong ? WHOLE : WHOLE / 4;
/**
 * On a loaded two-core machine; a quadratic scan of 128 KB takes minutes, of 32 KB many seconds.
 */
const BOUND_MS = isLong ? 2_000 : 1_000;

describe('R-102 our own scanning is linear', () => {
  for (const [scanner, run] of scanners) {
    test.each(classics)(`R-102 ${scanner}: %s`, (_, piece) => {
      const text = piece.repeat(SIZE / piece.length);
      const began = process.cpuUsage();
      run(text);
      expect(processorMsSince(began)).toBeLessThan(BOUND_MS);
    });
  }

  test('R-102 four times the text takes about four times as long', () => {
    const took = (length: number): number => {
      const text = '1,1'.repeat(length / 3);
      const began = process.cpuUsage();
      scanFigures(text);
      return processorMsSince(began);
    };
    const size = isLong ? WHOLE : WHOLE / 4;
    took(size);
    const small = Math.min(took(size), took(size), took(size));
    const large = Math.min(took(4 * size), took(4 * size));
    expect(large / small).toBeLessThan(12);
  }, 30_000);

  test('R-102 marking many figures', () => {
    const text = '1 '.repeat(SIZE / 2);
    const figures = scanFigures(text).map(
      ({ start, end }) => ({ start, end, sourced: false }) as Figure,
    );
    const began = process.cpuUsage();
    expect(markUnsourced(text, figures)).toHaveLength(SIZE * 2);
    expect(processorMsSince(began)).toBeLessThan(BOUND_MS);
  });

  const answers: readonly (readonly [string, string])[] = [
    ['one long sentence of numbers', '1 2.5 30 '],
    ['ranges', 'from 1 to 2.5 '],
    ['dates', 'on January 4, 2024 it is 1 '],
    ['days', 'first day second day 1 '],
    ['sentences', 'The highest speed is 1. On January 5th it is 2.5. '],
    ['hedges', 'over over over 7 '],
    ['chart spans', 'The chart shows from March 2020 to May 2021 '],
  ];
  const rows = Array.from({ length: isLong ? 5_000 : 750 }, (_, i) => ({
    at: `2024-01-${String((i % 28) + 1).padStart(2, '0')}`,
    speed: i % 7,
    host: `h${i}`,
  }));
  const sources: readonly (readonly [string, string])[] = [
    ['JSON', JSON.stringify({ rows })],
    ['a table', `at,speed\n${rows.map(({ at, speed }) => `${at},${speed}.5`).join('\n')}`],
    [
      'prose',
      rows.map(({ at, speed }) => `On ${at} the highest speed was ${speed} there.`).join(' '),
    ],
  ];
  for (const [name, source] of sources) {
    test.each(answers)(
      `R-102 traceFigures against ${name}: %s`,
      (_, piece) => {
        const answer = piece.repeat(Math.floor(SIZE / 4 / piece.length));
        const figures = scanFigures(answer);
        const index = new SourceIndex([{ id: 'a', label: 'b', format: 'text', text: source }]);
        const began = process.cpuUsage();
        expect(traceFigures(figures, answer, index)).toHaveLength(figures.length);
        expect(processorMsSince(began)).toBeLessThan(isLong ? 20_000 : 4_000);
      },
      30_000,
    );
  }
});
