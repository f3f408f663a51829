import { expect, test } from 'vitest';
import { groupMarks } from './chart-marks';

const at = (day: number, hour = 0) => new Date(Date.UTC(2026, 10, day, hour));
const mark = (id: string, when: Date) => ({ id, at: when, text: id, href: null });

test('a change is on the step that it falls into, in a gap on the next, and those of one step share a number', () => {
  // The 12th and 13th have no step.
  const steps = [{ to: at(11) }, { to: at(12) }, { to: at(15) }];
  const groups = groupMarks(
    [
      mark('second', at(11, 12)),
      mark('first', at(11, 1)),
      mark('before', at(9)),
      mark('gap', at(13)),
      mark('after', at(20)),
    ],
    steps,
  );
  expect(
    groups.map(({ step, number, marks }) => [step, number, marks.map(({ id }) => id)]),
  ).toEqual([
    [0, 1, ['before']],
    [1, 2, ['first', 'second']],
    [2, 3, ['gap']],
  ]);
});

test('without steps there is no position', () => {
  expect(groupMarks([mark('m', at(1))], [])).toEqual([]);
});
