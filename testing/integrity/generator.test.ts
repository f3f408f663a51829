import { expect, test } from 'vitest';
import { figureOf, scanFigures, SourceIndex, traceFigures } from '../../server/evaluators/figures';
import { faults, generate } from './generator';

const cases = generate(7, 2);
const isFlagged = ({ source, text }: (typeof cases)[number]): boolean => {
  const index = new SourceIndex([{ id: 'table', label: 'generated', format: 'json', text: source }]);
  return traceFigures(scanFigures(text), text, index).some((found) => !figureOf(found, index).sourced);
};

test('the same seed makes the same texts, another seed makes others', () => {
  expect(generate(7, 2)).toEqual(cases);
  expect(generate(8, 2)).not.toEqual(cases);
});

test('INT-2 no correct text is flagged', () => {
  expect(cases.filter((each) => each.fault === null && isFlagged(each))).toEqual([]);
});

test.each(faults)('INT-2 planted %s faults are caught', (fault) => {
  const own = cases.filter((each) => each.fault === fault);
  expect(own.filter(isFlagged).length / own.length).toBeGreaterThanOrEqual(0.8);
});
