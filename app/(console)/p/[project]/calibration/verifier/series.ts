/** The lines of the chart over time; hues of verdicts are for verdicts only. */
export const seriesOf = [
  { key: 'catchRate', name: 'Catch rate', color: 'var(--color-series-1)' },
  {
    key: 'falseRejectionRate',
    name: 'False rejections (good ones rejected)',
    color: 'var(--color-series-2)',
  },
  { key: 'agreement', name: 'Agreement', color: 'var(--color-series-3)' },
] as const;

/** Those whose interval is drawn: a third band would hide the two that a threshold trades. */
export const banded = [
  'catchRate',
  'falseRejectionRate',
] as const satisfies readonly (typeof seriesOf)[number]['key'][];
