import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import type { Measure, Measures, Trust } from '@/app/_trpc/outputs';
import { rate } from '@/server/domain';
import { dotRows, rateTitle, unlabelledText } from './dot-rows';
import { VerifierDots } from './verifier-dots';

const measure = (k: number, n: number): Measure => {
  const { state, ...numbers } = rate(k, n);
  return { ...numbers, state: state === 'measured' ? 'on_target' : state };
};

const verifier = (
  name: string,
  caught: Measure,
  rejected: Measure,
): Measures['verifiers'][number] =>
  ({
    verifier: name,
    origin: 'verifier',
    rates: {
      catchRate: caught,
      falseRejectionRate: rejected,
      agreement: measure(0, caught.denominator + rejected.denominator),
    },
  }) as Measures['verifiers'][number];

const trust = {
  state: 'provisional',
  enforced: true,
  mayBlock: false,
  measures: { catchRate: { target: 0.8 }, falseRejectionRate: { target: 0.05 } },
} as Trust;

vi.mock('@/app/(console)/use-trusts', () => ({
  useTrusts: () => new Map([['task', trust]]),
}));

const draw = (...verifiers: Measures['verifiers']): string =>
  renderToStaticMarkup(<VerifierDots project="p" days={30} verifiers={verifiers} />);

test('rows are the verifiers with labels, with the targets of their trust', () => {
  const rows = dotRows(
    [
      verifier('task', measure(40, 50), measure(0, 0)),
      verifier('code', measure(0, 0), measure(0, 0)),
      verifier('mission', measure(0, 0), measure(1, 3)),
    ],
    new Map([['task', trust]]),
  );
  expect(rows.map((row) => row.verifier)).toEqual(['task', 'mission']);
  expect(rows[0]?.targets).toEqual({ catchRate: 0.8, falseRejectionRate: 0.05 });
  expect(rows[1]?.targets).toEqual({ catchRate: null, falseRejectionRate: null });
});

test('a rate from 20 on is a dot with its interval and n, against its target', () => {
  const shown = draw(verifier('task', measure(40, 50), measure(5, 100)));
  expect(shown).toContain('cx="80%"');
  expect(shown).toContain('cx="5%"');
  expect(shown).toContain('x1="80%" x2="80%" y1="2"');
  expect(shown).toContain('(67.0–88.8%), n 50');
  expect(shown).toContain('Provisional');
  expect(shown).toContain('advises only');
  expect(shown).toContain('/p/p/calibration/verifier?verifier=task');
});

test('X-12 under 20 there are counts and no dot, and without labels there is no panel', () => {
  const shown = draw(
    verifier('task', measure(3, 4), measure(0, 0)),
    verifier('code', measure(0, 0), measure(0, 0)),
  );
  expect(shown).toContain('3 of 4');
  expect(shown).toContain('no labels');
  expect(shown).not.toContain('cx="75%"');
  expect(shown).not.toContain('75.0%');
  expect(shown).toContain('1 verifier has no labels in this period');
  expect(draw(verifier('code', measure(0, 0), measure(0, 0)))).toBe('');
});

test('the tooltip has the formula and the counts', () => {
  expect(rateTitle('Catch rate', 'catchRate', measure(40, 50))).toBe(
    'Catch rate = bad subjects flagged ÷ bad subjects = 40/50; 80.0% (67.0–88.8%)',
  );
  expect(rateTitle('Catch rate', 'catchRate', measure(3, 4))).toBe(
    'Catch rate = bad subjects flagged ÷ bad subjects = 3/4',
  );
});

test.each([
  [0, null],
  [1, '1 verifier has no labels in this period and is only in the table.'],
  [7, '7 verifiers have no labels in this period and are only in the table.'],
])('%i verifiers without labels', (count, wanted) => {
  expect(unlabelledText(count)).toBe(wanted);
});
