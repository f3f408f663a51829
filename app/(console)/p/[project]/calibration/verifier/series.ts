/** The series of the chart over time; verdict colours are reserved for verdicts. */
export const seriesOf = [
  { key: 'catchRate', name: 'Catch rate', color: 'var(--color-series-1)' },
  {
    key: 'falseRejectionRate',
    name: 'False rejections (of good subjects)',
    color: 'var(--color-series-2)',
  },
  { key: 'agreement', name: 'Agreement', color: 'var(--color-series-3)' },
] as const;

/** Series with a drawn interval: a third band would hide the two that a threshold trades off. */
export const banded = [
  'catchRate',
  'falseRejectionRate',
] as const satisfies readonly (typeof seriesOf)[number]['key'][];
