/** The lines of the curve; verdict colours are reserved for verdicts. */
export const sweepSeries = [
  { key: 'catchRate', name: 'Catch rate', color: 'var(--color-series-1)' },
  {
    key: 'falseRejectionRate',
    name: 'False rejections (of good subjects)',
    color: 'var(--color-series-2)',
  },
] as const;
