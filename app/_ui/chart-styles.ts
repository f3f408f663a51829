/** Common style of the charts: 12 px axes without ticks, horizontal grid only, one tooltip. */
export const axisTick = { fontSize: 12, fill: 'var(--color-ink-3)' } as const;
export const axisLine = { stroke: 'var(--color-line)' } as const;
export const gridStroke = 'var(--color-line)';
export const noteText = { fontSize: 12, fill: 'var(--color-ink-2)' } as const;

export const tooltipStyle = {
  isAnimationActive: false,
  itemStyle: { color: 'var(--color-ink)', padding: 0 },
  contentStyle: {
    background: 'var(--color-surface)',
    border: '1px solid var(--color-line-strong)',
    borderRadius: 4,
    fontSize: 12,
    padding: '6px 10px',
  },
} as const;
