/** The lines of the chart over time; hues of verdicts are for verdicts only. */
export const seriesOf = [
  { key: 'catchRate', name: 'Catch rate', color: 'var(--color-series-1)' },
  { key: 'falseRejectionRate', name: 'False rejections (good ones rejected)', color: 'var(--color-series-2)' },
  { key: 'agreement', name: 'Agreement', color: 'var(--color-series-3)' },
] as const;
