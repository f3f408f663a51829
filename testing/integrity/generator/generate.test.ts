import { describe, expect, test } from 'vitest';
import { faults, generate } from './generate';
import { shapes } from './shapes';

const cases = generate(7, 3);

describe('generated sentences', () => {
  test('the same seed makes the same texts, another seed makes others', () => {
    const textsOf = (seed: number): readonly string[] => generate(seed, 1).map(({ text }) => text);
    expect(textsOf(7)).toEqual(textsOf(7));
    expect(textsOf(8)).not.toEqual(textsOf(7));
  });

  test('every shape has a correct text and its faulty twin of every kind', () => {
    const counted = new Map<string, number>();
    for (const { shape, kind, planted } of cases) {
      const key = `${shape} ${kind} ${planted.length > 0}`;
      counted.set(key, (counted.get(key) ?? 0) + 1);
    }
    expect(counted.size).toBe(2 * shapes.length * faults.length);
    expect(new Set(counted.values())).toEqual(new Set([3]));
  });

  test('twins share the source and differ in the text', () => {
    for (let i = 0; i < cases.length; i += 2) {
      const [right, wrong] = [cases[i], cases[i + 1]];
      expect(wrong?.source).toEqual(right?.source);
      expect(wrong?.text).not.toBe(right?.text);
    }
  });

  test('planted spans are figures and names of the text', () => {
    for (const { text, planted } of cases) {
      for (const { start, end } of planted)
        expect(text.slice(start, end)).toMatch(/^\S(?:.*\S)?$/s);
    }
  });

  test('no slot of a form is left', () => {
    expect(
      cases.filter(({ text }) => /\$[A-Zxy]|@[A-Z]|[+~][A-Z]/.test(text)).map(({ text }) => text),
    ).toEqual([]);
  });
});
