import { describe, expect, test } from 'vitest';
import { extractContract } from './index';
import { processorMs } from '../../../testing/processor-time';

/** Pieces that may slow down a pattern when repeated many times. */
const classics: readonly string[] = [
  '1',
  ' ',
  '\n',
  'must ',
  'create ',
  'create a ',
  'not create ',
  'a.py',
  '.py',
  'a/',
  '/a',
  '/api/a',
  'a.',
  '(',
  '[a',
  '`',
  '`a`, ',
  'class ',
  'class A',
  'class A, ',
  'class called ',
  'a class for x ',
  'A ',
  'Aa',
  'functions a, ',
  'function ',
  'fields ',
  'fields: `{ a: b, ',
  'takes `{a',
  'react ',
  'express to ',
  'next.',
  'GET /a ',
  'six functions ',
  'two two ',
  'tests ',
  'def a(',
  'const a = ',
  'the ',
  '{',
  '写',
  '创建',
  '., ',
  'é',
];
const SIZE = 100_000;
/** Processor time for 100 KB on a loaded machine; a quadratic pass of this size takes minutes. */
const BOUND_MS = 500;

describe('QEL-5 extraction is linear', () => {
  test.each(classics)('QEL-5 R-102 100 KB of %j', (piece) => {
    const text = piece.repeat(SIZE / piece.length);
    for (const request of [text, `Create app.py with Flask. ${text}`, `${text} in app.py`])
      expect(processorMs(() => extractContract(request))).toBeLessThan(BOUND_MS);
  });

  test.each(['create ', 'a.py ', 'class A, ', 'functions a, ', '/api/a '])(
    'QEL-5 R-102 eight times %j takes about eight times as long',
    (piece) => {
      const took = (size: number): number => {
        const text = `Build it. ${piece.repeat(size / piece.length)}`;
        return Math.min(
          ...Array.from({ length: 5 }, () => processorMs(() => extractContract(text))),
        );
      };
      took(SIZE);
      expect(took(8 * SIZE) / Math.max(0.2, took(SIZE))).toBeLessThan(24);
    },
  );
});
