import { describe, expect, test } from 'vitest';
import { evaluate } from './formula';
import { auditedShapes } from './index';
import { shows } from './shows';

/** Digits inside names (`web-1`, `Q3`) and list numbers are not figures (INT-21). */
const NO_FIGURE = /[A-Za-z][\w-]*\d[\w-]*|^\d+\. /gm;

const texts = auditedShapes.flatMap(({ name, tables, texts: all }) =>
  all.map((each) => ({ name, tables, ...each })),
);
const marks = texts.flatMap(({ name, tables, text, marks: all }) =>
  all.map((mark) => ({ ...mark, where: `${name}: ${text}`, tables })),
);

describe('the audited set', () => {
  test('has 20 shapes with 15 texts each, none twice', () => {
    expect(auditedShapes.map(({ name, texts: { length } }) => [name, length])).toEqual(
      auditedShapes.map(({ name }) => [name, 15]),
    );
    expect(auditedShapes).toHaveLength(20);
    expect(new Set(texts.map(({ text }) => text)).size).toBe(300);
  });

  test('about half of the texts have a wrong figure', () => {
    const faulty = texts.filter((each) => each.marks.some(({ wrong }) => wrong !== null)).length;
    expect(faulty).toBeGreaterThanOrEqual(120);
    expect(faulty).toBeLessThanOrEqual(180);
  });

  test('every figure of a text is marked, and every mark is a figure', () => {
    const unmarked = texts.flatMap(({ text, marks: all }) => {
      const rest = all.reduceRight(
        (left, { start, end }) => `${left.slice(0, start)}_${left.slice(end)}`,
        text,
      );
      return (rest.replace(NO_FIGURE, '').match(/\d+/g) ?? []).map(
        (digits) => `${digits} in: ${text}`,
      );
    });
    expect(unmarked).toEqual([]);
    expect(
      marks.filter((mark) => !/\d/.test(mark.text)).map(({ text, where }) => [text, where]),
    ).toEqual([]);
  });

  test('every right figure shows what its formula gives', () => {
    const off = marks.filter(
      ({ wrong, text, formula, tables, hedged }) =>
        wrong === null && !shows(text, evaluate(formula ?? '', tables), hedged),
    );
    expect(
      off.map(({ text, formula, tables, where }) => [
        text,
        formula,
        evaluate(formula ?? '', tables),
        where,
      ]),
    ).toEqual([]);
  });

  test('every wrong figure differs from the true value, shows what it says, and has a reason', () => {
    const off = marks.filter(({ wrong, text, formula, shown, why, tables }) => {
      if (wrong === null) return false;
      const isTrue = formula !== null && shows(text, evaluate(formula, tables));
      return isTrue || (shown !== null && !shows(text, evaluate(shown, tables))) || why === '';
    });
    expect(
      off.map(({ text, why, formula, tables, where }) => [
        text,
        why,
        formula && evaluate(formula, tables),
        where,
      ]),
    ).toEqual([]);
  });
});

describe('figures that show a value', () => {
  test.each<[string, number | string, boolean]>([
    ['1.2 million', 1_234_000, true],
    ['1.3 million', 1_234_000, false],
    ['$1,234.50', 1234.5, true],
    ['45.7', 45.73, true],
    ['45', 45.73, false],
    ['-3', 3, false],
    ['4 June', '2024-06-04', true],
    ['June 4, 2024', '2024-06-04', true],
    ['6 June', '2024-06-05', false],
    ['4 July', '2024-06-04', false],
    ['2:05 pm', '14:05', true],
    ['2:05', '14:05', false],
  ])('%s of %s: %s', (figure, value, expected) => {
    expect(shows(figure, value)).toBe(expected);
  });
});
