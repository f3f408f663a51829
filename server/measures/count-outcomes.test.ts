import { expect, test } from 'vitest';
import { splitPeriod } from './count-outcomes';

const at = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text);

test.each([
  // from, to, whole days, hours of the edges
  [undefined, undefined, {}, []],
  ['2026-11-01T00:00:00Z', undefined, { from: '2026-11-01' }, []],
  [undefined, '2026-11-01T03:00:00Z', { to: '2026-11-01' }, [3]],
  ['2026-11-01T00:00:00Z', '2026-11-03T00:00:00Z', { from: '2026-11-01', to: '2026-11-03' }, []],
  ['2026-11-01T06:00:00Z', '2026-11-03T00:00:00Z', { from: '2026-11-02', to: '2026-11-03' }, [18]],
  [
    '2026-11-01T06:00:00Z',
    '2026-11-03T06:00:00Z',
    { from: '2026-11-02', to: '2026-11-03' },
    [18, 6],
  ],
  [
    '2026-11-01T06:00:00Z',
    '2026-11-02T06:00:00Z',
    { from: '2026-11-02', to: '2026-11-02' },
    [18, 6],
  ],
  ['2026-11-01T06:00:00Z', '2026-11-01T07:00:00Z', null, [1]],
])(
  'SOAR-27: a period from %s to %s is its whole days and the rest of its first and last day',
  (from, to, days, hours) => {
    const split = splitPeriod({ from: at(from), to: at(to) });
    expect(split.days).toEqual(days);
    expect(
      split.edges.map(
        (edge) => ((edge.to?.getTime() ?? 0) - (edge.from?.getTime() ?? 0)) / 3_600_000,
      ),
    ).toEqual(hours);
  },
);
