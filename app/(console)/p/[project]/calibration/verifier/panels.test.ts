import { expect, test } from 'vitest';
import type { CalibrationReport, VerifierDetail } from '@/app/_trpc/outputs';
import { choosePanels, type PageData } from './panels';

const loading: PageData = { shown: null, detail: null, report: null, scores: null, costs: null };
const whole = { isOwn: true, isPart: false, isSeries: true };

/** The fields that decide which parts are shown. */
function measured(labels: number, decided: number): PageData {
  const rates = { agreement: { denominator: labels }, passRate: { denominator: decided } };
  const counts = { undecided: 0, unparseable: 0 };
  const detail = { rates, counts, steps: labels > 0 ? [{}] : [] } as unknown as VerifierDetail;
  const report = {
    rates,
    counts,
    corrected: { decided },
    curves: null,
    reliability: null,
    correlation: { pearson: { n: 0 } },
    slices: [{ rows: labels > 0 ? [{}] : [] }],
    drift: null,
  } as unknown as CalibrationReport;
  return {
    shown: detail,
    detail,
    report,
    scores: { spread: { n: 0 } } as PageData['scores'],
    costs: { from: null, step: 'day', steps: [] },
  };
}

test('while loading every tab is there, and nothing is reported as missing', () => {
  const { tabs, missing } = choosePanels(loading, whole);
  expect(tabs).toEqual(['rates', 'scores', 'people', 'slices', 'stability', 'cost']);
  expect(missing).toBeNull();
});

test('panels and tabs without data are omitted, and named once for each reason', () => {
  const { shown, tabs, missing } = choosePanels(measured(30, 200), whole);
  expect([...shown]).toEqual([
    'matrix',
    'measures',
    'steps',
    'corrected',
    'summary',
    'agreement',
    'slices',
  ]);
  expect(tabs).toEqual(['rates', 'people', 'slices', 'stability']);
  expect(missing).toBe(
    'Not measured: scores (no verdict with a score in this period); thresholds, score and truth (no labelled verdict with a score); reliability (no labelled verdict with a confidence); drift (no anchor set was judged twice); cost of judging (nothing was judged by a model or flagged in this period).',
  );
});

test('without any verdict only the tabs remain where something can be done', () => {
  const { shown, tabs, missing } = choosePanels(measured(0, 0), whole);
  expect([...shown]).toEqual([]);
  expect(tabs).toEqual(['stability']);
  expect(missing).toMatch(
    /^Not measured: confusion matrix, rates over time, summary figures, agreement with people, slices \(no label in this period\); measures \(no pass or fail/,
  );
});

test('a part of a verifier has no panels of the whole verifier, and an imported judge only its rates', () => {
  const part = choosePanels(loading, { isOwn: true, isPart: true, isSeries: false });
  expect(part.tabs).toEqual(['rates', 'scores', 'people', 'slices', 'stability']);
  expect(part.shown.has('steps')).toBe(false);
  const imported = choosePanels(loading, { isOwn: false, isPart: false, isSeries: false });
  expect(imported.tabs).toEqual(['rates']);
  expect([...imported.shown]).toEqual(['matrix', 'measures', 'steps']);
});
