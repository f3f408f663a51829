import { describe, expect, it } from 'vitest';
import { decidePromotion, decidingTrial } from './decide-promotion';
import type { GateVerdict } from './gate-findings';

describe('SOAR-37 the trial that decides among several', () => {
  const trials: readonly [string, readonly (readonly [GateVerdict, number])[], number | null][] = [
    ['none', [], null],
    [
      'the latest',
      [
        ['not_worse', 40],
        ['better', 40],
      ],
      1,
    ],
    [
      'worse is kept after an inconclusive trial of one subject',
      [
        ['worse', 40],
        ['insufficient', 1],
      ],
      0,
    ],
    [
      'worse is kept after half as many subjects without a difference',
      [
        ['worse', 40],
        ['not_worse', 20],
      ],
      0,
    ],
    [
      'worse is kept after half as many subjects that are better',
      [
        ['worse', 40],
        ['better', 20],
      ],
      0,
    ],
    [
      'worse is replaced after as many subjects',
      [
        ['worse', 40],
        ['not_worse', 40],
      ],
      1,
    ],
    [
      'a smaller trial that is worse counts',
      [
        ['better', 80],
        ['worse', 20],
      ],
      1,
    ],
    [
      'inconclusive trials are replaced by a conclusive one',
      [
        ['insufficient', 5],
        ['insufficient', 7],
        ['better', 20],
      ],
      2,
    ],
    [
      'only inconclusive trials: the latest one',
      [
        ['insufficient', 5],
        ['insufficient', 7],
      ],
      1,
    ],
    [
      'better is kept after an inconclusive trial',
      [
        ['better', 40],
        ['insufficient', 2],
      ],
      0,
    ],
  ];
  it.each(trials)('%s', (_title, oldestFirst, at) => {
    const given = oldestFirst.map(([verdict, items]) => ({ verdict, items }));
    expect(decidingTrial(given)).toBe(at === null ? null : given[at]);
  });
});

it('one person forces a worse option with a reason, and nothing where two are needed', () => {
  expect(decidePromotion('advise', 'worse', false)).toBe('refused');
  expect(decidePromotion('advise', 'worse', true)).toBe('forced');
  expect(decidePromotion('advise', 'not_tried', false)).toBe('promoted');
  for (const verdict of ['worse', 'insufficient', 'not_tried'] as const)
    expect(decidePromotion('require', verdict, true)).toBe('refused');
  for (const verdict of ['better', 'not_worse'] as const)
    expect(decidePromotion('require', verdict, false)).toBe('waiting');
});
